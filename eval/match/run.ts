/**
 * npm run eval:match [-- <data folder>]
 *
 * Ingests the real files into a registry of its own, asks for every building by its own address, name, point and record
 * and by statements that only nearly fit, and prints how many verdicts `match` are right. The residences of Bunkyo have
 * addresses and points but no footprints here, so each gets a square of 6 m. Then measures a client like OpenRefine.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openRegistry } from '../../src/registry/registry.ts';
import { startSearchThreads } from '../../src/registry/search/read/search-threads.ts';
import { openReit } from '../../src/reit/life/reit.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { buildServer } from '../../src/surfaces/server.ts';
import { formatAssetId } from '../../src/vocabulary/asset-id.ts';
import { KINDS, precisionOf, scoreMatches } from './score.ts';

const data = process.argv[2] ?? '../shared/data';
const dir = mkdtempSync(join(tmpdir(), 'tatemono-eval-'));
const databaseUrl = `file:${join(dir, 'registry.db')}`;

const BUNKYO = '13105';
/** Of the 25,000 residences so many are enough. */
const EVERY = 12;

/** Machi-aza that the files name and the tables of addresses there lack, with a point inside each. */
const MACHI_AZA: readonly [code: string, nameJa: string, lat: number, lon: number][] = [
  ['131010012001', '有楽町一丁目', 35.6755, 139.7615],
  ['131030020001', '台場一丁目', 35.6292, 139.7754],
  ['131030020002', '台場二丁目', 35.6268, 139.7717],
  ['131030007004', '芝公園四丁目', 35.6586, 139.7454],
  ['131080042001', '青海一丁目', 35.6253, 139.7755],
  ['131110040003', '南六郷三丁目', 35.5475, 139.7255],
  ['131130008001', '道玄坂一丁目', 35.6575, 139.6985],
  ['352150010000', '大字川曲', 34.1, 131.8],
  ['352150011000', '大字米光', 34.05, 131.7],
];

/** Exit code 1 means that some lines were rejected, as in any real file. */
const ingest = (source: string, ...paths: string[]) => {
  const { status } = spawnSync('bin/tatemono.js', ['ingest', source, ...paths], {
    stdio: 'ignore',
    env: { ...process.env, DATABASE_URL: databaseUrl, ARCHIVE_DIR: join(dir, 'archive') },
  });
  if (status !== 0 && status !== 1) throw new Error(`ingest ${source} failed with ${status}`);
};
const write = (name: string, lines: readonly object[]) => {
  writeFileSync(join(dir, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return join(dir, name);
};
const file = (name: string) => join(data, name);
const square = (lon: number, lat: number, half: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [lon - half, lat - half],
      [lon + half, lat - half],
      [lon + half, lat + half],
      [lon - half, lat + half],
      [lon - half, lat - half],
    ],
  ],
});

try {
  fill();
  await evaluate();
} finally {
  rmSync(dir, { recursive: true, force: true });
}

function fill(): void {
  ingest(
    'abr',
    ...['mt_pref_all.csv', 'mt_city_all.csv', 'mt_town_all.131059-only.csv', 'mt_town_pref30.csv.zip'].map((name) =>
      file(`abr/${name}`),
    ),
    ...['mt_town_pos_pref30.csv.zip'].map((name) => file(`abr/${name}`)),
    ...['rsdt', 'rsdt_pos'].map((table) => file(`abr/mt_rsdtdsp_${table}_pref13.131059-only.csv.zip`)),
  );
  const areas = MACHI_AZA.map(([code, nameJa, lat, lon]) => ({
    ...{ kind: 'area', level: 'machiAza', code, parent: code.slice(0, 5), slug: `a${code}`, nameJa, nameEn: null },
    boundary: square(lon, lat, 0.004),
  }));
  ingest('records', write('areas.ndjson', areas), write('residences.ndjson', residences()));
  ingest('estat', file('estat/r2ka13105.shp'));
  ingest('plateau', file('plateau'));
  ingest(
    'osm',
    ...['odaiba_minato_2021.osm', 'ota_53392547_2021.osm', 'overpass_tokyo_tower_2026.json'].map((name) =>
      file(`osm/${name}`),
    ),
  );
  ingest('wikidata', file('wikidata'));
  ingest('jreit', file('jreit/official_addresses_sample.csv'));
}

/** A footprint around each residence that no earlier one covers. */
function residences(): object[] {
  const db = new DatabaseSync(join(dir, 'registry.db'), { readOnly: true });
  const rows = db.prepare("select key, lat, lon from source_record where source = 'abr' and lat is not null").all() as {
    key: string;
    lat: number;
    lon: number;
  }[];
  db.close();
  const taken = new Set<string>();
  return rows.flatMap(({ key, lat, lon }, i) => {
    const cell = `${Math.round(lat * 1e4)} ${Math.round(lon * 1e4)}`;
    if (taken.has(cell)) return [];
    taken.add(cell);
    return {
      ...{ kind: 'record', source: 'osm', sourceRecordId: `way/${i + 1}`, sourceUrl: `https://example.com/${key}` },
      ...{ retrievedAt: '2026-01-01T00:00:00Z', rawPayloadRef: 'sha256:aa', extractionMethod: 'osm-tag' },
      ...{ observations: [], geometry: square(lon, lat, 0.00003) },
    };
  });
}

async function evaluate(): Promise<void> {
  const storage = openStorage(databaseUrl, () => {});
  const threads = startSearchThreads(databaseUrl);
  const registry = openRegistry(storage, threads);
  const rows = await storage.db
    .selectFrom('page as p')
    .innerJoin('building as b', 'b.id', 'p.building')
    .select(['b.id', 'b.name_ja', 'b.area'])
    .orderBy('b.id')
    .execute();
  const isResidence = ({ name_ja, area }: (typeof rows)[number]) => name_ja === null && area?.startsWith(BUNKYO);
  const ids = rows.filter((row, i) => !isResidence(row) || i % EVERY === 0).map(({ id }) => formatAssetId(id));
  const started = performance.now();
  const score = await scoreMatches(registry, ids);
  const asked = KINDS.reduce((sum, kind) => sum + score.figures[kind].asked, 0);
  console.log(`${ids.length} buildings, ${asked} questions in ${Math.round(performance.now() - started)} ms`);
  for (const kind of KINDS) {
    const { asked, right, wrong, found } = score.figures[kind];
    console.log(
      `${kind.padEnd(26)} asked ${asked}, match ${right + wrong}, wrong ${wrong}, among the candidates ${found}`,
    );
  }
  console.log(`precision at match ${precisionOf(score).toFixed(5)}`);
  for (const line of score.mistakes.slice(0, 20)) console.log(`  ${line}`);
  const missed = Map.groupBy(score.missed, ({ kind, question }) => `${kind}: ${JSON.stringify(question)}`);
  for (const [what, { length }] of [...missed].slice(0, 20)) console.log(`  missed ${length} times by ${what}`);
  await measureClient(registry, storage, ids);
  await threads.close();
  await storage.close();
}

/** RCN-07: the requests of OpenRefine for a column of 1,000 rows. */
async function measureClient(
  registry: ReturnType<typeof openRegistry>,
  storage: ReturnType<typeof openStorage>,
  ids: readonly string[],
): Promise<void> {
  const app = buildServer({
    ...{ registry, reit: openReit(storage), logLevel: 'silent', trustProxy: false, baseUrl: undefined },
    ...{ rateLimit: { api: 0, page: 0, mcp: 0 }, isReady: async () => true },
  } as unknown as Parameters<typeof buildServer>[0]);
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/japan/reconcile`;
  const step = Math.max(1, Math.floor(ids.length / 1_000));
  const some = Array.from({ length: 1_000 }, (_, i) => ids[(i * step) % ids.length] as string);
  const rows: { query: string; properties: { pid: string; v: string }[] }[] = [];
  for (const id of some) {
    const page = (await (await fetch(`${new URL(url).origin}/japan/api/v1/assets/${id}`)).json()) as {
      fields: Record<string, { value: string }>;
      location: { lat: number; lon: number };
    };
    const { nameJa, addressJa } = page.fields;
    const address = addressJa?.value ?? '';
    rows.push({
      query: nameJa?.value ?? address,
      properties: [
        { pid: 'address', v: address },
        { pid: 'coordinates', v: `${page.location.lat},${page.location.lon}` },
      ],
    });
  }
  const post = async (form: Record<string, unknown>) => {
    const body = new URLSearchParams(
      Object.entries(form).map(([name, value]) => [name, JSON.stringify(value)] as [string, string]),
    );
    return (await fetch(url, { method: 'POST', body })).json() as Promise<
      Record<string, { result: { match: boolean }[] }>
    >;
  };
  const timed = async (what: string, work: () => Promise<unknown>) => {
    const start = performance.now();
    const told = await work();
    console.log(`${what}: ${Math.round(performance.now() - start)} ms${told === undefined ? '' : `, ${told}`}`);
  };
  const batchOf = (from: number, size: number) =>
    Object.fromEntries(rows.slice(from, from + size).map((row, i) => [`q${i}`, { ...row, limit: 5 }]));
  const matchesIn = (results: Awaited<ReturnType<typeof post>>) =>
    Object.values(results).filter(({ result }) => result.some(({ match }) => match)).length;
  await timed('manifest', async () => void (await (await fetch(url)).json()));
  await timed('1,000 rows in batches of 10', async () => {
    let matches = 0;
    for (let from = 0; from < rows.length; from += 10) matches += matchesIn(await post({ queries: batchOf(from, 10) }));
    return `${matches} matches`;
  });
  await timed(
    '1,000 rows in one batch',
    async () => `${matchesIn(await post({ queries: batchOf(0, 1_000) }))} matches`,
  );
  await timed(
    'suggest',
    async () => void (await (await fetch(`${url}/suggest/entity?prefix=${encodeURIComponent('東京')}`)).json()),
  );
  await timed('extend 1,000 rows by 5 fields', async () => {
    const properties = ['nameJa', 'addressJa', 'heightM', 'yearBuilt', 'footprintM2'].map((id) => ({ id }));
    await post({ extend: { ids: some, properties } });
  });
  await timed('preview', async () => void (await (await fetch(`${url}/preview?id=${some[0]}`)).text()));
  await app.close();
}
