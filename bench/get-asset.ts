/**
 * node bin/run.js bench/get-asset.ts [buildings] [seconds]
 *
 * Requests a second of GET /japan/api/v1/assets/{id}, over random IDs and over a hot thousand, held against
 * a bare node:http server that sends the same headers and bytes for the same paths. Each server is a
 * process of its own; the load comes from this one, and the two take turns so that a disturbance of the
 * machine meets both. Without a number, the million of bench/search.ts where it was kept, else 100,000.
 */
import { type AssetKey, formatAssetId } from '../src/vocabulary/asset-id.ts';
import { chance } from './generate-records.ts';
import { load } from './load.ts';
import { start, startRegistry } from './processes.ts';
import { openSubject } from './subject.ts';
import { takeTurns } from './take-turns.ts';

const CONNECTIONS = 16;
const RANDOM_IDS = 20_000;
const HOT_IDS = 1_000;
const TARGET_HOT = 65;

const seconds = Number(process.argv[3] ?? 6);
const asked = process.argv[2] === undefined ? undefined : Number(process.argv[2]);
const subject = await openSubject(asked);
console.log(`${subject.keys.length} buildings, ${CONNECTIONS} connections, best of 4 rounds of ${seconds} s`);

const random = chance(2);
const pathOf = (key: AssetKey) => `/japan/api/v1/assets/${formatAssetId(key)}`;
const draw = () => pathOf(subject.keys[Math.floor(random() * subject.keys.length)] as AssetKey);
const randomPaths = Array.from({ length: RANDOM_IDS }, draw);
const hotPaths = randomPaths.slice(0, HOT_IDS);

const registry = await startRegistry(subject.env);
try {
  const args = ['bench/bare-server.ts', registry.origin];
  const bare = await start(args, subject.env, /listens on (http:\S+)/, randomPaths);
  try {
    const compare = (name: string, paths: readonly string[], target: number) =>
      takeTurns(
        name,
        () => load(bare, paths, { connections: CONNECTIONS, seconds }),
        () => load(registry, paths, { connections: CONNECTIONS, seconds }),
        target,
      );
    await compare('random IDs', randomPaths, subject.target);
    await compare(`a hot set of ${HOT_IDS}`, hotPaths, TARGET_HOT);
  } finally {
    await bare.stop();
  }
} finally {
  await registry.stop();
}
subject.discard();
