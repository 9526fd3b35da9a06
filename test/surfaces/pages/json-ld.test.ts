import jsonld from 'jsonld';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownerPath } from '../../../src/surfaces/pages/owner/owner-path.ts';
import type { BuildingPage } from '../../../src/vocabulary/building-page.ts';
import { onSqlite } from '../../support/engines.ts';
import { readHtml, select, textOf } from '../../support/html-tree.ts';
import { HUBS, openPageTown, TOWN, townPath } from '../../support/page-town.ts';
import type { ServedRegistry } from '../../support/served-registry.ts';
import { assetUrl } from '../../support/serving.ts';

const SCHEMA = 'https://schema.org/';
const TYPES = [
  ...['AdministrativeArea', 'BreadcrumbList', 'EntryPoint', 'GeoCoordinates', 'ItemList', 'ListItem', 'Place'],
  ...['PostalAddress', 'PropertyValue', 'SearchAction', 'WebPage', 'WebSite'],
];
const TEXTS = [
  ...['addressCountry', 'addressLocality', 'addressRegion', 'alternateName', 'description', 'identifier', 'inLanguage'],
  ...['latitude', 'longitude', 'name', 'numberOfItems', 'position', 'postalCode', 'propertyID', 'query-input'],
  ...['streetAddress', 'unitCode', 'unitText', 'urlTemplate', 'value'],
];
const LINKS = ['item', 'sameAs', 'url'];
const NODES = [
  'additionalProperty',
  'address',
  'containedInPlace',
  'geo',
  'isPartOf',
  'itemListElement',
  'potentialAction',
  'target',
];

/** The terms of schema.org that pages use, as its own context defines them, without a fallback for other terms. */
const CONTEXT = {
  '@context': {
    ...Object.fromEntries([...TYPES, ...TEXTS, ...NODES].map((term) => [term, `${SCHEMA}${term}`])),
    ...Object.fromEntries(LINKS.map((term) => [term, { '@id': `${SCHEMA}${term}`, '@type': '@id' }])),
  },
};

const documentLoader = async (url: string) => {
  if (url !== 'https://schema.org') throw new Error(`another context: ${url}`);
  return { contextUrl: null, documentUrl: url, document: CONTEXT };
};

type Expanded = Record<string, unknown>;

/** Every object of an expanded document. */
function* objectsIn(value: unknown): Generator<Expanded> {
  if (Array.isArray(value)) for (const item of value) yield* objectsIn(item);
  else if (typeof value === 'object' && value !== null) {
    yield value as Expanded;
    for (const part of Object.values(value)) yield* objectsIn(part);
  }
}

onSqlite('structured data', (fresh) => {
  let town: ServedRegistry;
  beforeAll(async () => {
    town = await openPageTown(await fresh());
  });
  afterAll(() => town.close());

  const scriptsOf = async (url: string) => {
    const { status, body } = await town.get(url);
    expect([url, status]).toEqual([url, 200]);
    return select(readHtml(body), 'script[type=application/ld+json]').map(textOf);
  };
  const nodesOf = async (url: string) => JSON.parse((await scriptsOf(url))[0] as string)['@graph'] as Expanded[];
  const placeOf = async (id: string, query = '') => {
    const { path } = JSON.parse((await town.get(assetUrl(id))).body) as BuildingPage;
    return (await nodesOf(`${path}${query}`))[0] as Expanded & { additionalProperty: Expanded[] };
  };
  const propertyOf = ({ additionalProperty }: { additionalProperty: Expanded[] }, id: string) =>
    additionalProperty.find(({ propertyID }) => propertyID === id);

  it.each([
    ['/japan', ['WebSite']],
    ['/japan/areas', ['ItemList']],
    ['/japan/areas?q=%E5%A1%94&page=2', ['ItemList']],
    [HUBS.prefecture, ['AdministrativeArea', 'BreadcrumbList', 'ItemList']],
    [HUBS.machiAza, ['AdministrativeArea', 'BreadcrumbList', 'ItemList']],
    [ownerPath('丁投資法人') as string, ['ItemList']],
    [townPath(TOWN.everything), ['BreadcrumbList', 'Place']],
    [townPath(TOWN.inheriting), ['BreadcrumbList', 'Place']],
    [townPath(TOWN.planned), ['BreadcrumbList', 'Place']],
    [`${HUBS.ward}/marunouchi-2-chome/${TOWN.bare}`, ['BreadcrumbList', 'Place']],
    [`${townPath(TOWN.everything)}?tab=sources`, ['WebPage']],
    ['/japan/about', ['WebPage']],
    ['/japan/api', ['WebPage']],
    [`/japan/compare?id=${TOWN.everything}&id=${TOWN.planned}`, ['WebPage']],
  ])('UI-28 of %s is one valid graph', async (url, types) => {
    for (const lang of ['en', 'ja']) {
      const scripts = await scriptsOf(`${url}${url.includes('?') ? '&' : '?'}lang=${lang}`);
      expect(scripts.length).toBe(1);
      const data = JSON.parse(scripts[0] as string);
      // Safe mode refuses terms that the context does not have, and relative references.
      const expanded = await jsonld.expand(data, { documentLoader, safe: true });
      const nodes = [...objectsIn(expanded)];
      const found = expanded.map((node) => String(node['@type']).replace(SCHEMA, ''));
      expect(found.sort()).toEqual(types);
      for (const node of nodes) {
        for (const id of [node['@id'] ?? []].flat()) expect(URL.canParse(String(id)), String(id)).toBe(true);
        for (const type of [node['@type'] ?? []].flat())
          expect(String(type)).toMatch(/^https:\/\/schema\.org\/|^@json/);
      }
    }
  });

  it('UI-28 the processor refuses terms that schema.org does not have', async () => {
    const data = { '@context': 'https://schema.org', '@type': 'Place', heightM: 3 };
    await expect(jsonld.expand(data, { documentLoader, safe: true })).rejects.toThrow(/[Ss]afe mode/);
  });

  it('UI-28 marks estimates and values of a complex, and claims nothing that is only planned', async () => {
    const inheriting = await placeOf(TOWN.inheriting);
    expect(propertyOf(inheriting, 'gfaM2')).toMatchObject({ value: 400, description: 'Estimated: footprint × floors' });
    expect(propertyOf(inheriting, 'yearBuilt')).toMatchObject({ value: 1999, description: 'from Otsu City (complex)' });
    const planned = await placeOf(TOWN.planned);
    expect(propertyOf(planned, 'yearBuilt')).toBeUndefined();
    expect(propertyOf(planned, 'plannedYear')).toMatchObject({ value: 2028, name: 'Planned year of completion' });
    expect(propertyOf(planned, 'plannedMonth')).toMatchObject({ value: '2028-05', description: 'Planned' });
    const everything = await placeOf(TOWN.everything, '?lang=ja');
    expect(propertyOf(everything, 'heightM')).toMatchObject({ value: 50.25, name: '高さ', unitCode: 'MTR' });
    expect(propertyOf(everything, 'heightM')).not.toHaveProperty('description');
  });

  it('UI-28 the place has the permanent link of the building as its ID', async () => {
    expect(await placeOf(TOWN.everything)).toMatchObject({
      '@id': `http://localhost/japan/id/${TOWN.everything}`,
      containedInPlace: { '@id': `http://localhost${HUBS.machiAza}` },
    });
  });
});
