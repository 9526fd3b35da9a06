import { BUILDING_CLASSES } from '../sources/wikidata/classes.ts';
import { NAME_PROPERTIES } from '../sources/wikidata/properties.ts';
import { readItemList } from '../sources/wikidata/read-entities.ts';
import { checkEntity } from './check-file.ts';
import { fetchFailure } from './fetch-failure.ts';
import { isPrefectureCode, PREFECTURE, type PublishedSource } from './published-source.ts';

const MAX_ITEM_BYTES = 64 << 20;
const MAX_LIST_BYTES = 64e6;
const MAX_ITEMS = 200_000;
/** The query service stops a query after a minute. */
const PATIENCE_MS = 90_000;

/** Wikidata: the buildings of a prefecture, and the items that name their architects and owners. */
export const wikidata: PublishedSource = {
  expected: PREFECTURE,
  accepts: isPrefectureCode,
  async fetch(what, { settings, web, download, tell }) {
    const query = new URLSearchParams({ format: 'json', query: prefectureQuery(what) });
    const url = new URL(`${settings.urls.wikidataQuery}/sparql?${query}`);
    const headers = { accept: 'application/sparql-results+json' };
    const items = readItemList(await web.readJson({ url, headers, patienceMs: PATIENCE_MS }, MAX_LIST_BYTES));
    if (items === undefined) throw fetchFailure(url, 'not a result of the query service');
    if (items.length === 0) throw fetchFailure(url, 'the query found no items; nothing was fetched');
    if (items.length > MAX_ITEMS) throw fetchFailure(url, `the query found more than ${MAX_ITEMS} items`);
    let missing = 0;
    for (const item of items) {
      const name = `${item}.json`;
      const page = new URL(`${settings.urls.wikidata}/wiki/Special:EntityData/${name}`);
      // The query service may still list an item that was deleted.
      const file = await download({ url: page, name, maxBytes: MAX_ITEM_BYTES, isOptional: true, check: checkEntity });
      if (file === undefined) missing += 1;
    }
    if (missing > 0) tell(`${missing} of ${items.length} items of the query do not exist any more`);
    return undefined;
  },
};

/** Binds `?item` to every building of a prefecture, by its ISO 3166-2 code, and to the items that name others. */
export function prefectureQuery(code: string): string {
  const classes = [...BUILDING_CLASSES.keys()].map((item) => `wd:${item}`).join(' ');
  const names = NAME_PROPERTIES.map(([, property]) => `wdt:${property}`).join('|');
  return [
    'SELECT DISTINCT ?item WHERE {',
    `{ SELECT DISTINCT ?building WHERE { ?prefecture wdt:P300 "JP-${code}". VALUES ?class { ${classes} }`,
    '?building wdt:P31 ?class; wdt:P131+ ?prefecture. } }',
    `?building (${names})? ?item.`,
    '}',
  ].join(' ');
}
