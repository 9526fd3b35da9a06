import { type Static, Type } from 'typebox';
import { closed, OneOf } from '../../vocabulary/schema.ts';
import { citationsAt, holdingsAt } from './citations.ts';
import { coverageOf, describeCoverage } from './describe-interest.ts';
import type { Publication } from './document.ts';

const PlaceSchema = Type.Object(
  { '@type': OneOf(['Place']), identifier: Type.String({ description: 'The building.' }), url: Type.String() },
  closed,
);
export const DatasetSchema = Type.Object(
  {
    '@type': OneOf(['Dataset']),
    identifier: Type.String({ description: 'The publication, as on every surface.' }),
    name: Type.String(),
    description: Type.String(),
    dateModified: Type.String({ format: 'date-time', description: 'When it was computed.' }),
    about: PlaceSchema,
    creditText: Type.String(),
    citation: Type.Array(
      Type.Object(
        {
          '@type': OneOf(['CreativeWork']),
          name: Type.Optional(Type.String()),
          url: Type.String(),
          description: Type.String({ description: 'The place in the document.' }),
        },
        closed,
      ),
    ),
    distribution: Type.Optional(
      Type.Object(
        { '@type': OneOf(['DataDownload']), encodingFormat: Type.String(), contentUrl: Type.String() },
        { ...closed, description: 'The complete JSON, if that is served too.' },
      ),
    ),
  },
  closed,
);
export const CatalogSchema = Type.Object(
  {
    '@context': Type.String(),
    '@type': OneOf(['DataCatalog']),
    name: Type.String(),
    about: PlaceSchema,
    dataset: Type.Array(DatasetSchema),
  },
  closed,
);
export type Catalog = Static<typeof CatalogSchema>;

/** LD-01: describes the datasets and links to them, without any financial value. */
export function projectJsonLd(
  buildingId: string,
  publications: readonly Publication[],
  /** The origin of the service, for absolute links. */
  origin: string,
  /** The publications that the JSON also serves; only these get a link to it. */
  inJson: ReadonlySet<string>,
): Catalog {
  return {
    '@context': 'https://schema.org',
    '@type': 'DataCatalog',
    name: `REIT history of ${buildingId}`,
    about: place(buildingId, origin),
    dataset: publications.map((publication) => datasetOf(buildingId, publication, origin, inJson.has(publication.id))),
  };
}

function datasetOf(
  buildingId: string,
  { id, computedAt, document }: Publication,
  origin: string,
  isInJson: boolean,
): Catalog['dataset'][number] {
  const stated = document.sourceRevisions.filter(({ source }) => source !== 'dnk');
  const holdings = holdingsAt(document, buildingId);
  const coverages = new Set(holdings.map(({ id: holdingId }) => describeCoverage(coverageOf(document, holdingId))));
  const titles = new Map(stated.map(({ sourceUrl, title }) => [sourceUrl, title]));
  return {
    '@type': 'Dataset',
    identifier: id,
    name: [document.issuer.nameJa, ...holdings.map(({ nameJa }) => nameJa)].join(' '),
    description: ['What a REIT discloses about its interest in this building.', ...coverages].join(' '),
    dateModified: computedAt,
    about: place(buildingId, origin),
    creditText: document.attributions.map(({ text }) => text).join('; '),
    citation: citationsAt(document, buildingId).map(({ sourceUrl, locator }) => {
      const title = titles.get(sourceUrl);
      const named = title === undefined ? {} : { name: title };
      return { '@type': 'CreativeWork' as const, ...named, url: sourceUrl, description: locator };
    }),
    ...(isInJson
      ? {
          distribution: {
            '@type': 'DataDownload',
            encodingFormat: 'application/json',
            contentUrl: `${origin}/japan/api/v1/assets/${buildingId}/reit`,
          },
        }
      : {}),
  };
}

function place(buildingId: string, origin: string): Catalog['about'] {
  return { '@type': 'Place', identifier: buildingId, url: `${origin}/japan/id/${buildingId}` };
}
