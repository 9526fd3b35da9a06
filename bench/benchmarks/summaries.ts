import { Agent } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { readTerms } from '../../src/registry/search/format/grams.ts';
import { filteredSearch } from '../../src/registry/search/read/filtered-search.ts';
import { SegmentCache } from '../../src/registry/search/read/index-reads.ts';
import { findEntries } from '../../src/registry/search/read/search.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { latencyFigures } from '../figures.ts';
import { chance } from '../generate-records.ts';
import { atMost, type Benchmark, type Context, type Figure, type Outcome, ratioAtMost } from '../harness/benchmark.ts';
import { BARE } from '../load.ts';
import { openSession } from '../mcp-session.ts';
import { type Started, startRegistry, startReplay, withProcess } from '../processes.ts';
import { timedGet } from '../timed-get.ts';

const REQUESTS = 300;
const WARM_UP = 50;
/** All of a search, and nothing of its items. */
const PAST_LAST = 51;
const WORDS = ['ビル', '東京', 'タワー', '新宿', 'マンション', 'ハイツ', '中央', 'センター'];
const wordOf = (i: number) => WORDS[i % WORDS.length] as string;

interface Point {
  lat: number;
  lon: number;
}

const near = ({ lat, lon }: Point) => `near=${lat},${lon}`;
const KINDS: Record<string, (point: Point, i: number) => string> = {
  near,
  'near, by distance': (point) => `${near(point)}&sort=distance`,
  'near, by height': (point) => `${near(point)}&sort=height`,
  'near, words': (point, i) => `${near(point)}&q=${encodeURIComponent(wordOf(i))}`,
  'near, offices': (point) => `${near(point)}&type=office`,
  'near, from 5 floors': (point) => `${near(point)}&floorsMin=5`,
  'near, 5,000 m': (point) => `${near(point)}&radius=5000`,
  'box of a kilometre': ({ lat, lon }) => `bbox=${lon - 0.005},${lat - 0.005},${lon + 0.005},${lat + 0.005}`,
  words: (_, i) => `q=${encodeURIComponent(wordOf(i))}`,
};

const box = ({ lat, lon }: Point, half: number) =>
  `bbox=${[lon - half, lat - half, lon + half, lat + half].map((degrees) => degrees.toFixed(7))}`;
/** OGC-12: pages of OGC API Features. */
const FEATURES: Record<string, (point: Point, i: number) => string> = {
  'features in a kilometre': (point) => box(point, 0.005),
  'features in ten kilometres': (point) => box(point, 0.05),
  'features in ten kilometres, 100 on a page': (point) => `${box(point, 0.05)}&limit=100`,
  'features of Japan, from any building on': (_, i) =>
    `bbox=122,20,154,46&after=ASSET-JP-${['13', '14', '27'][i % 3]}-${String(i * 331).padStart(8, '0')}`,
  'features recorded since': (point, i) => `${box(point, 0.05)}&datetime=20${10 + (i % 16)}-01-01T00:00:00Z/..`,
};
const PATHS: Record<string, (point: Point, i: number) => string> = {
  ...pathsBelow('/japan/api/v1/assets?view=summary&', KINDS),
  ...pathsBelow('/japan/ogc/collections/buildings/items?', FEATURES),
};

function pathsBelow(start: string, kinds: typeof KINDS): typeof KINDS {
  const paths = Object.entries(kinds).map(
    ([kind, queryOf]) => [kind, (point: Point, i: number) => `${start}${queryOf(point, i)}`] as const,
  );
  return Object.fromEntries(paths);
}

const TARGETS = {
  ...Object.fromEntries(Object.keys(FEATURES).map((kind) => [`${kind}, p95`, atMost(30)])),
  ...Object.fromEntries(
    Object.keys(KINDS)
      .filter((kind) => kind !== 'words' && kind !== 'near, 5,000 m')
      .map((kind) => [`${kind}, p95`, atMost(10)]),
  ),
  'summaries over REST, p50': ratioAtMost(1.3),
  'summaries over MCP, p50': ratioAtMost(1.3),
  'full records over REST, p50': ratioAtMost(1.5),
  'summaries in process, p50': ratioAtMost(1.3),
};

export const summaries: Benchmark = {
  name: 'summaries',
  title: 'Places and summaries',
  measures:
    'Searches near a place, in a box and for summaries, and pages of OGC API Features, one request at a time, beside bare node:http, which sends the same ' +
    'bytes; pages of 20 summaries beside the same search without items (a page past the last) and beside finding IDs alone; ' +
    'pages of 20 full records beside the same search without items plus bare node:http, which sends their bytes.',
  targets: { sqlite: TARGETS },
  run,
};

async function run(context: Context): Promise<Outcome> {
  const { env, file } = await context.city();
  const points = readPoints(file, REQUESTS);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const time = async (origin: string, path: string) => {
    const answer = await timedGet(agent, `${origin}${path}`);
    if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}`);
    return answer.milliseconds;
  };
  const figures = await withProcess(startRegistry(env), async (registry) => [
    ...(await searchPlaces(context, registry, points, time)),
    ...(await searchWithoutItems(context, registry.origin, time)),
    ...(await readFullRecords(context, registry, time)),
  ]);
  agent.destroy();
  return { figures: [...figures, ...(await searchInProcess(context, String(env.DATABASE_URL)))] };
}

type Time = (origin: string, path: string) => Promise<number>;

async function searchPlaces(
  context: Context,
  registry: Started,
  points: readonly Point[],
  time: Time,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [kind, pathOf] of Object.entries(PATHS)) {
    const paths = points.map(pathOf);
    const [served, bare] = await withProcess(startReplay('bare-server.ts', registry, paths), (server) =>
      inPairs(context, (i) => [
        () => time(registry.origin, paths[i % paths.length] as string),
        () => time(server.origin, paths[i % paths.length] as string),
      ]),
    );
    figures.push(...latencyFigures({ name: kind, rounds: served }, ['p50', 'p95'], { name: BARE, rounds: bare }));
    context.say(kind);
  }
  return figures;
}

async function searchWithoutItems(context: Context, origin: string, time: Time): Promise<Figure[]> {
  const session = await openSession(origin);
  const overMcp = async (q: string, page: number) => {
    const params = { name: 'search_assets', arguments: { q, view: 'summary', page } };
    const since = performance.now();
    const { status } = await session.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    if (status !== 200) throw new Error(`search_assets was answered with ${status}`);
    return performance.now() - since;
  };
  const overRest = (q: string, page: number) =>
    time(origin, `/japan/api/v1/assets?view=summary&q=${encodeURIComponent(q)}&page=${page}`);
  const figures: Figure[] = [];
  for (const [name, ask] of Object.entries({ REST: overRest, MCP: overMcp })) {
    const [items, none] = await inPairs(context, (i) => [() => ask(wordOf(i), 1), () => ask(wordOf(i), PAST_LAST)]);
    const beside = { name: 'the same search without items', rounds: none };
    figures.push(...latencyFigures({ name: `summaries over ${name}`, rounds: items }, ['p50'], beside));
  }
  await session.end();
  return figures;
}

/** Twenty full records beside finding them plus sending their bytes. */
async function readFullRecords(context: Context, registry: Started, time: Time): Promise<Figure[]> {
  const pathOf = (i: number, page: number) => `/japan/api/v1/assets?q=${encodeURIComponent(wordOf(i))}&page=${page}`;
  const paths = WORDS.map((_, i) => pathOf(i, 1));
  const [full, parts] = await withProcess(startReplay('bare-server.ts', registry, paths), (bare) =>
    inPairs(context, (i) => [
      () => time(registry.origin, pathOf(i, 1)),
      async () => (await time(registry.origin, pathOf(i, PAST_LAST))) + (await time(bare.origin, pathOf(i, 1))),
    ]),
  );
  const beside = { name: 'the search without items, and bare node:http', rounds: parts };
  return latencyFigures({ name: 'full records over REST', rounds: full }, ['p50'], beside);
}

async function searchInProcess(context: Context, url: string): Promise<Figure[]> {
  const storage = openStorage(url, () => {});
  const cache = new SegmentCache();
  const portion = { offset: 0, limit: 20, cap: 1_000 };
  const timed = async (work: () => Promise<unknown>) => {
    const since = performance.now();
    await work();
    return performance.now() - since;
  };
  const [found, ids] = await inPairs(context, (i) => {
    const q = wordOf(i);
    const question = { terms: readTerms(q), areas: undefined, use: undefined };
    return [
      () => timed(() => storage.snapshot((reads) => filteredSearch(reads, { q, view: 'summary' }, cache))),
      () => timed(() => storage.snapshot((reads) => findEntries(reads, question, portion))),
    ];
  });
  await storage.close();
  return latencyFigures({ name: 'summaries in process', rounds: found }, ['p50'], { name: 'IDs alone', rounds: ids });
}

/** Measures two things in turn, so that other load on the machine affects both; the rounds of each. */
async function inPairs(
  { rounds }: Context,
  pairOf: (i: number) => [() => Promise<number>, () => Promise<number>],
): Promise<[number[][], number[][]]> {
  const results: [number[][], number[][]] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    const times: [number[], number[]] = [[], []];
    for (let i = 0; i < (round === 0 ? WARM_UP : REQUESTS); i++) {
      const [first, second] = pairOf(i);
      times[0].push(await first());
      times[1].push(await second());
    }
    if (round === 0) continue;
    results[0].push(times[0]);
    results[1].push(times[1]);
  }
  return results;
}

/** The points of random buildings. */
function readPoints(file: string, count: number): Point[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const { last } = database.prepare('select max(pos) as last from search_entry').get() as { last: number };
  const find = database.prepare(
    `select b.lat, b.lon from search_entry e join building b on b.id = e.building
      where e.pos >= ? and b.lat is not null order by e.pos limit 1`,
  );
  const random = chance(11);
  const points = Array.from(
    { length: count },
    () => find.get(1 + Math.floor(random() * last * 0.99)) as unknown as Point,
  );
  database.close();
  return points;
}
