import type { FeatureExtent } from '../../../registry/search/read/features.ts';
import { OGC_ROOT } from '../../http/surface.ts';
import type { Text } from '../catalogue/catalogue.ts';

export const TYPES = {
  json: 'application/json',
  geojson: 'application/geo+json',
  openApi: 'application/vnd.oai.openapi+json;version=3.0',
  schema: 'application/schema+json',
  html: 'text/html',
} as const;

/** The only collection. */
export const BUILDINGS = 'buildings';

export const PATHS = {
  landing: '',
  api: '/api',
  apiPage: '/api.html',
  conformance: '/conformance',
  collections: '/collections',
  collection: `/collections/${BUILDINGS}`,
  schema: `/collections/${BUILDINGS}/schema`,
  items: `/collections/${BUILDINGS}/items`,
} as const;

/** Of RFC 8288. */
export interface Link {
  href: string;
  rel: string;
  type: string;
  title?: string;
}

/** OGC-01: every link names its relation and its type. */
export const linkTo = (origin: string, path: string, rel: string, type: string, title?: string): Link => ({
  href: `${origin}${OGC_ROOT}${path}`,
  ...{ rel, type },
  ...(title !== undefined && { title }),
});

/** As the header Link. */
export const toLinkHeader = (links: readonly Link[]): string =>
  links.map(({ href, rel, type }) => `<${href}>; rel="${rel}"; type="${type}"`).join(', ');

const CLASSES = ['core', 'oas30', 'geojson'] as const;
export const CONFORMANCE = {
  conformsTo: CLASSES.map((name) => `http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/${name}`),
};

/** A document of the service; `links` are also in the header. */
export interface Resource extends Readonly<Record<string, unknown>> {
  links: readonly Link[];
}

/** OGC-01 */
export function landingPage(origin: string, t: Text): Resource {
  return {
    ...{ title: t.ogc.title, description: t.ogc.description },
    links: [
      linkTo(origin, PATHS.landing, 'self', TYPES.json),
      linkTo(origin, PATHS.api, 'service-desc', TYPES.openApi, t.ogc.definition),
      linkTo(origin, PATHS.apiPage, 'service-doc', TYPES.html, t.ogc.definition),
      linkTo(origin, PATHS.conformance, 'conformance', TYPES.json, t.ogc.operations.conformance),
      linkTo(origin, PATHS.collections, 'data', TYPES.json, t.ogc.operations.collections),
      licenceLink(origin, t),
    ],
  };
}

const licenceLink = (origin: string, t: Text): Link => ({
  href: `${origin}/japan/about#sources`,
  ...{ rel: 'license', type: TYPES.html, title: t.ogc.licences },
});

/** OGC-03 */
export const collections = (origin: string, t: Text, extent: FeatureExtent): Resource => ({
  links: [linkTo(origin, PATHS.collections, 'self', TYPES.json)],
  collections: [collection(origin, t, extent)],
});

const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';

/** OGC-03 */
export function collection(origin: string, t: Text, { bbox, interval }: FeatureExtent): Resource {
  const extent = {
    ...(bbox && { spatial: { bbox: [bbox], crs: CRS84 } }),
    ...(interval && { temporal: { interval: [interval] } }),
  };
  return {
    id: BUILDINGS,
    ...{ title: t.ogc.buildings, description: t.ogc.buildingsDescription },
    ...(Object.keys(extent).length > 0 && { extent }),
    itemType: 'feature',
    crs: [CRS84],
    links: [
      linkTo(origin, PATHS.collection, 'self', TYPES.json),
      linkTo(origin, PATHS.items, 'items', TYPES.geojson, t.ogc.buildings),
      // GDAL compares the case too, and knows the second one.
      ...['describedby', 'describedBy'].map((rel) =>
        linkTo(origin, PATHS.schema, rel, TYPES.schema, t.ogc.operations.schema),
      ),
      licenceLink(origin, t),
    ],
  };
}
