import { type AssetKey, formatAssetId } from '../../src/vocabulary/asset-id.ts';
import { cityKeys } from '../city-plan.ts';
import { chance } from '../generate-records.ts';
import { type Benchmark, type Context, type Outcome, ratioAtLeast } from '../harness/benchmark.ts';
import { BARE, inTurn, load } from '../load.ts';
import { MODERN_META, openModern, openSession } from '../mcp-session.ts';
import { type Started, startRegistry, startReplay, withProcess } from '../processes.ts';
import { takeTurns } from '../take-turns.ts';

const RANDOM_IDS = 20_000;
const HOT_IDS = 1_000;

export const mcp: Benchmark = {
  name: 'mcp',
  title: 'MCP calls',
  measures:
    'Calls of `get_asset` per second over 16 connections, in a session of the older protocol and in the newer one without ' +
    'sessions, and `tools/list`, beside bare node:http, which reads the same bodies and sends the same headers and bytes.',
  targets: {
    sqlite: {
      'get_asset, random IDs': ratioAtLeast(0.3),
      'get_asset without a session, random IDs': ratioAtLeast(0.3),
      'get_asset, hot IDs': ratioAtLeast(0.3),
    },
    postgres: {},
  },
  growth: ['get_asset, random IDs', 'get_asset, hot IDs'],
  run,
};

async function run(context: Context): Promise<Outcome> {
  const { env } = await context.city();
  const keys = cityKeys(context.buildings);
  const random = chance(2);
  const message = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const draw = () => formatAssetId(keys[Math.floor(random() * keys.length)] as AssetKey);
  const calls = Array.from({ length: RANDOM_IDS }, () => ({ name: 'get_asset', arguments: { id: draw() } }));
  const older = calls.map((call) => message('tools/call', call));
  const newer = calls.map((call) => message('tools/call', { ...call, _meta: MODERN_META }));
  const list = [message('tools/list', {})];
  return withProcess(startRegistry(env), (registry) =>
    withProcess(startReplay('bare-mcp-server.ts', registry, [...older, ...newer, ...list]), async (bare) => {
      const compare = async (name: string, bodies: readonly string[], open = openSession) => {
        const { headers, end } = await open(registry.origin);
        const loadOf = (server: Started) => () => {
          const nextBody = inTurn(bodies);
          return load(server, context.seconds, () => ({
            method: 'POST',
            path: '/japan/mcp',
            headers,
            body: nextBody(),
          }));
        };
        const figures = await takeTurns(context, name, loadOf(registry), { [BARE]: loadOf(bare) });
        await end();
        return figures;
      };
      return {
        figures: [
          ...(await compare('get_asset, random IDs', older)),
          ...(await compare('get_asset without a session, random IDs', newer, async (origin) => openModern(origin))),
          ...(await compare('get_asset, hot IDs', older.slice(0, HOT_IDS))),
          ...(await compare('tools/list', list)),
        ],
      };
    }),
  );
}
