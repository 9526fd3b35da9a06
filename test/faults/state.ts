import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { openRegistry } from '../../src/registry/registry.ts';
import { openReit } from '../../src/reit/life/reit.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { formatAssetId } from '../../src/vocabulary/asset-id.ts';
import { dumpTables } from '../support/dump-tables.ts';
import { openContext, type TestDatabase } from '../support/engines.ts';
import { assetUrl, uncheckedServerOn } from '../support/serving.ts';

/** Everything that is stored and served, by table and by address. */
export type State = Record<string, readonly string[]>;

type Row = Record<string, unknown>;

/** Of this machine, or cut into pieces in another way: what is read from them is compared as answers. */
const LEFT_OUT = [
  ...['migration', 'rate_key', 'rate_window'],
  ...['change_block', 'change_area', 'search_segment', 'search_posting', 'search_filter', 'search_sort', 'search_site'],
];
/** Numbers that a rolled-back transaction uses up, and positions in the search index; rows are compared in their order. */
const NUMBERED = ['identity_event', 'reit_event', 'reit_permission', 'search_entry'];

/** The whole registry except times, which are fixed, and numbers of runs. */
export async function stateOf(database: TestDatabase): Promise<State> {
  const { storage } = await openContext(database);
  try {
    return { ...(await tablesOf(storage)), ...(await answersOf(storage)) };
  } finally {
    await storage.close();
  }
}

async function tablesOf(storage: Storage): Promise<State> {
  const tables: State = {};
  const dump = await dumpTables(storage, LEFT_OUT);
  const files = new Map(
    (dump.ingest ?? []).map((text) => {
      const { id, source, file, sha256 } = JSON.parse(text) as Row;
      return [id, `${source} ${file} ${sha256}`] as const;
    }),
  );
  for (const [table, texts] of Object.entries(dump)) {
    let rows = texts.map((text) => JSON.parse(text) as Row);
    if (NUMBERED.includes(table)) {
      const [number] = table === 'search_entry' ? ['pos'] : ['id'];
      rows.sort((a, b) => Number(a[number as string]) - Number(b[number as string]));
      rows = rows.map(({ [number as string]: _, ...rest }) => rest);
    }
    // A run that was cut short has an entry of its own.
    if (table === 'ingest') tables[table] = [...new Set(files.values())].sort();
    else if (table === 'statement' || table === 'area_piece') {
      tables[table] = rows.map((row) => JSON.stringify({ ...row, ingest: files.get(row.ingest) })).sort();
    } else tables[table] = rows.map((row) => JSON.stringify(row));
  }
  return tables;
}

const API = '/japan/api/v1';
const ADDRESSES = [
  ...[1, 2, 3].map((page) => `${API}/assets?limit=100&page=${page}`),
  ...['height', 'floors', 'built', 'name', 'footprint'].map((sort) => `${API}/assets?sort=${sort}&view=summary`),
  ...['ビル', '丸の内', 'tower', '第1'].map((q) => `${API}/assets?q=${encodeURIComponent(q)}&limit=50`),
  ...[`${API}/areas/tokyo`, `${API}/areas/tokyo/chiyoda-ku`, '/japan/tokyo/chiyoda-ku.md', '/japan.md'],
  ...['/japan/areas.csv', '/japan/areas.geojson', '/japan/sitemap.xml', '/japan/tiles/14/14552/6451'],
  ...[`/japan/suggest?q=${encodeURIComponent('丸の内')}`, '/japan/tiles/10/909/403', `${API}/owners/X/assets`],
];
const MOST_BUILDINGS = 12;

/** What the service answers, as a hash for each address; of buildings some, and all that a publication names. */
async function answersOf(storage: Storage): Promise<State> {
  const app = uncheckedServerOn(openRegistry(storage), undefined, {
    reit: openReit(storage),
    now: () => Date.UTC(2026, 10, 1),
  });
  const { rows } = await sql<{ id: number }>`select id from building order by id`.execute(storage.db);
  const every = Math.max(1, Math.floor(rows.length / MOST_BUILDINGS));
  const named = await storage.db.selectFrom('reit_active').select('building').distinct().execute();
  const ids = [...rows.filter((_, i) => i % every === 0).map(({ id }) => id), ...named.map(({ building }) => building)];
  const addresses = ids.flatMap((key) =>
    ['', '?view=summary', '/sources', '/reit', '/reit.csv', '/reit.jsonld'].map((rest) =>
      assetUrl(formatAssetId(key as Parameters<typeof formatAssetId>[0]), rest),
    ),
  );
  const answers: State = {};
  for (const url of [...ADDRESSES, ...addresses]) {
    const { statusCode, headers, rawPayload } = await app.inject({ url });
    if (statusCode >= 500) throw new Error(`${url} is answered with ${statusCode}: ${rawPayload}`);
    const hash = createHash('sha256').update(rawPayload).digest('hex');
    answers[url] = [`${statusCode} ${headers.location ?? ''} ${hash}`];
  }
  await app.close();
  return answers;
}

const MOST_SHOWN = 3;

/** How a state differs from the one that was expected; nothing if they are equal. */
export function differences(found: State, expected: State): string[] {
  return [...new Set([...Object.keys(found), ...Object.keys(expected)])].flatMap((name) => {
    const [a, b] = [found[name] ?? [], expected[name] ?? []];
    if (a.length === b.length && a.every((row, i) => row === b[i])) return [];
    const [added, lost] = [without(a, b), without(b, a)];
    const show = (rows: string[]) => rows.slice(0, MOST_SHOWN).map((row) => row.slice(0, 400));
    const order = added.length + lost.length === 0 ? ['the order differs'] : [];
    return [
      `${name}: ${a.length} for ${b.length}`,
      ...order,
      ...show(added).map((row) => `+ ${row}`),
      ...show(lost).map((row) => `- ${row}`),
    ];
  });
}

function without(rows: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return rows.filter((row) => !known.has(row));
}
