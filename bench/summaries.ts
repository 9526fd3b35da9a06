/**
 * node bin/run.js bench/summaries.ts [buildings] [requests]
 *
 * How long searches near a place, in a box and for summaries take, one request after the other, held against a bare
 * node:http server that sends the same bytes; and a page of summaries held against the same search without its items (a
 * page past the last), over REST and MCP, and against finding its IDs alone in this process. All take turns, so that a disturbance of the machine meets each. Without a number, the million of
 * bench/search.ts where it was kept, else 100,000.
 */
import { Agent } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { readTerms } from '../src/registry/search/format/grams.ts';
import { filteredSearch } from '../src/registry/search/read/filtered-search.ts';
import { SegmentCache } from '../src/registry/search/read/index-reads.ts';
import { findEntries } from '../src/registry/search/read/search.ts';
import { openStorage } from '../src/storage/open-storage.ts';
import { ms, summarise, verdict } from './figures.ts';
import { chance } from './generate-records.ts';
import { openSession } from './mcp-session.ts';
import { start, startRegistry } from './processes.ts';
import { openSubject } from './subject.ts';
import { timedGet } from './timed-get.ts';

/** Targets. */
const TARGET_MS = 10;
const TARGET_RATIO = 1.3;
const WARM_UP = 50;
/** All of a search, and nothing of its items. */
const PAST_LAST = 51;
const WORDS = ['ビル', '東京', 'タワー', '新宿', 'マンション', 'ハイツ', '中央', 'センター'];

const subject = await openSubject(process.argv[2] === undefined ? undefined : Number(process.argv[2]));
const requests = Number(process.argv[3] ?? 500);
const databaseUrl = String(subject.env.DATABASE_URL);
const points = readPoints(databaseUrl.replace('file:', ''), requests + WARM_UP);

const near = ({ lat, lon }: Point) => `near=${lat},${lon}`;
const KINDS: Record<string, (point: Point, i: number) => string> = {
  near,
  'near, by distance': (point) => `${near(point)}&sort=distance`,
  'near, by height': (point) => `${near(point)}&sort=height`,
  'near, words': (point, i) => `${near(point)}&q=${encodeURIComponent(WORDS[i % WORDS.length] as string)}`,
  'near, offices': (point) => `${near(point)}&type=office`,
  'near, from 5 floors': (point) => `${near(point)}&floorsMin=5`,
  'near, 5,000 m': (point) => `${near(point)}&radius=5000`,
  'box of a kilometre': ({ lat, lon }) => `bbox=${lon - 0.005},${lat - 0.005},${lon + 0.005},${lat + 0.005}`,
  words: (_, i) => `q=${encodeURIComponent(WORDS[i % WORDS.length] as string)}`,
};
const pathsOf = (kind: string) =>
  points.map((point, i) => `/japan/api/v1/assets?view=summary&${(KINDS[kind] as (typeof KINDS)[string])(point, i)}`);

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const time = async (origin: string, path: string) => {
  const answer = await timedGet(agent, `${origin}${path}`);
  if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}`);
  return answer.milliseconds;
};

const registry = await startRegistry({ ...subject.env, RATE_LIMIT_MCP: '0' });
try {
  for (const kind of Object.keys(KINDS)) {
    const paths = pathsOf(kind);
    const bare = await start(['bench/bare-server.ts', registry.origin], subject.env, /listens on (http:\S+)/, paths);
    const times = { bare: [] as number[], served: [] as number[] };
    for (const [i, path] of paths.entries()) {
      const round = [await time(bare.origin, path), await time(registry.origin, path)] as const;
      if (i < WARM_UP) continue;
      times.bare.push(round[0]);
      times.served.push(round[1]);
    }
    await bare.stop();
    const [bareTimes, served] = [summarise(times.bare), summarise(times.served)];
    console.log(
      `${kind.padEnd(22)} p50 ${ms(served.p50)}  p95 ${ms(served.p95)} ms  (bare p50 ${ms(bareTimes.p50)}  p95 ${ms(bareTimes.p95)})`,
    );
    const isHeld = kind !== 'words';
    if (isHeld) console.log(verdict(kind, `p95 ${ms(served.p95)}`, `at most ${TARGET_MS} ms`, served.p95 <= TARGET_MS));
  }
  await compareWithoutItems(registry.origin);
} finally {
  await registry.stop();
  agent.destroy();
}

const storage = openStorage(databaseUrl, () => {});
const cache = new SegmentCache();
const portion = { offset: 0, limit: 20, cap: 1_000 };
const [idTimes, summaryTimes]: [number[], number[]] = [[], []];
for (let i = 0; i < requests + WARM_UP; i++) {
  const q = WORDS[i % WORDS.length] as string;
  const question = { terms: readTerms(q), areas: undefined, use: undefined };
  const since = performance.now();
  await storage.snapshot((reads) => findEntries(reads, question, portion));
  const between = performance.now();
  await storage.snapshot((reads) => filteredSearch(reads, { q, view: 'summary' }, cache));
  if (i < WARM_UP) continue;
  idTimes.push(between - since);
  summaryTimes.push(performance.now() - between);
}
await storage.close();
const [ids, summaries] = [summarise(idTimes), summarise(summaryTimes)];
const ratio = summaries.p50 / ids.p50;
console.log(`IDs p50 ${ms(ids.p50)} ms, summaries p50 ${ms(summaries.p50)} ms`);
console.log(verdict('summaries / IDs, p50', ratio.toFixed(2), `at most ${TARGET_RATIO}`, ratio <= TARGET_RATIO));
subject.discard();

interface Point {
  lat: number;
  lon: number;
}

async function compareWithoutItems(origin: string): Promise<void> {
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
  for (const [name, ask] of Object.entries({ REST: overRest, MCP: overMcp })) {
    const [items, none]: [number[], number[]] = [[], []];
    for (let i = 0; i < requests + WARM_UP; i++) {
      const q = WORDS[i % WORDS.length] as string;
      const round = [await ask(q, 1), await ask(q, PAST_LAST)] as const;
      if (i < WARM_UP) continue;
      items.push(round[0]);
      none.push(round[1]);
    }
    const [of20, of0] = [summarise(items).p50, summarise(none).p50];
    console.log(`${name}: summaries p50 ${ms(of20)} ms, the same search without items ${ms(of0)} ms`);
    const ratio = of20 / of0;
    console.log(
      verdict(`${name}, summaries / none`, ratio.toFixed(2), `at most ${TARGET_RATIO}`, ratio <= TARGET_RATIO),
    );
  }
  await session.end();
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
