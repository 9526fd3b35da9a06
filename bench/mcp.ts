/**
 * node bin/run.js bench/mcp.ts [buildings] [seconds]
 *
 * Requests a second of tools/call get_asset over random IDs and over a hot thousand, in a session of the older protocol and
 * over random IDs in the newer one, and of tools/list,
 * held against a bare node:http server that reads the same bodies and sends the same headers
 * and bytes. The servers take turns, as in bench/get-asset.ts.
 */
import autocannon from 'autocannon';
import { type AssetKey, formatAssetId } from '../src/vocabulary/asset-id.ts';
import { chance } from './generate-records.ts';
import { MODERN_META, openModern, openSession } from './mcp-session.ts';
import { type Started, start, startRegistry } from './processes.ts';
import { openSubject } from './subject.ts';
import { takeTurns } from './take-turns.ts';

const CONNECTIONS = 16;
const RANDOM_IDS = 20_000;
const HOT_IDS = 1_000;
const TARGET = 30;

const seconds = Number(process.argv[3] ?? 6);
const subject = await openSubject(process.argv[2] === undefined ? undefined : Number(process.argv[2]));
console.log(`${subject.keys.length} buildings, ${CONNECTIONS} connections, best of 4 rounds of ${seconds} s`);

const random = chance(2);
const message = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const draw = () => subject.keys[Math.floor(random() * subject.keys.length)] as AssetKey;
const callOf = (key: AssetKey) => message('tools/call', { name: 'get_asset', arguments: { id: formatAssetId(key) } });
const randomCalls = Array.from({ length: RANDOM_IDS }, () => callOf(draw()));
const modernCalls = randomCalls.map((call) => {
  const { params } = JSON.parse(call);
  return message('tools/call', { ...params, _meta: MODERN_META });
});
const hotCalls = randomCalls.slice(0, HOT_IDS);
const list = [message('tools/list', {})];

const registry = await startRegistry({ ...subject.env, RATE_LIMIT_MCP: '0' });
try {
  const args = ['bench/bare-mcp-server.ts', registry.origin];
  const bare = await start(args, subject.env, /listens on (http:\S+)/, [...randomCalls, ...modernCalls, ...list]);
  try {
    const compare = async (name: string, bodies: readonly string[], target: number | undefined, open = openSession) => {
      const { headers, end } = await open(registry.origin);
      await takeTurns(
        name,
        () => load(bare, headers, bodies),
        () => load(registry, headers, bodies),
        target,
      );
      await end();
    };
    await compare('get_asset, random IDs', randomCalls, TARGET);
    await compare('get_asset, random IDs, without a session', modernCalls, TARGET, async (origin) =>
      openModern(origin),
    );
    await compare(`get_asset, a hot set of ${HOT_IDS}`, hotCalls, TARGET);
    await compare('tools/list', list, undefined);
  } finally {
    await bare.stop();
  }
} finally {
  await registry.stop();
}
subject.discard();

async function load(
  { origin }: Started,
  headers: Readonly<Record<string, string>>,
  bodies: readonly string[],
): Promise<number> {
  let next = 0;
  const result = await autocannon({
    url: origin,
    connections: CONNECTIONS,
    duration: seconds,
    requests: [
      {
        method: 'POST',
        path: '/japan/mcp',
        headers,
        setupRequest: (request) => ({ ...request, body: bodies[next++ % bodies.length] as string }),
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} bad answers, ${result.errors} errors`);
  return result.requests.average;
}
