/**
 * node bin/run.js bench/tiles.ts [buildings] [--postgres] [--keep]
 *
 * How long GET /japan/tiles/{z}/{x}/{y} takes for the tiles of the generated city with the most buildings, one
 * request at a time over one connection: first when nothing of them is in memory, then again. Tiles at deeper zooms
 * lie inside those before them, as when somebody zooms in.
 */
import { Agent } from 'node:http';
import { parseArgs } from 'node:util';
import type { MapTile } from '../src/vocabulary/map-tile.ts';
import { layOutCity, type MachiAza, placeBuildings, SQUARE } from './city-plan.ts';
import { type DataSet, type Engine, openCity } from './data-set.ts';
import { megabytes, ms, summarise, verdict } from './figures.ts';
import { startRegistry, watchMemory } from './processes.ts';
import { timedGet } from './timed-get.ts';

const TILES = 20;
const TARGET_COLD_P95 = 150;
const TARGET_WARM_P95 = 5;
const TARGET_DENSITY_P95 = 15;
const TARGET_MEMORY = 500e6;
/** How much longer than SQLite a database behind a socket may take. */
const ALLOWANCE: Readonly<Record<Engine, number>> = { sqlite: 1, postgres: 4 };

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { postgres: { type: 'boolean' }, keep: { type: 'boolean' } },
});
const buildings = Number(positionals[0] ?? 100_000);
const engine: Engine = options.postgres ? 'postgres' : 'sqlite';

const data = await openCity(engine, buildings, options.keep ?? false);
await measure(data).finally(data.close);
data.discard();

async function measure({ env }: DataSet): Promise<void> {
  const registry = await startRegistry({ ...env, RATE_LIMIT_PAGE: '0' });
  const memory = watchMemory(registry);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const round = async (name: string, tiles: readonly MapTile[]) => {
    const times: number[] = [];
    const sizes: number[] = [];
    for (const { z, x, y } of tiles) {
      const { status, milliseconds, body } = await timedGet(agent, `${registry.origin}/japan/tiles/${z}/${x}/${y}`);
      if (status !== 200) throw new Error(`${z}/${x}/${y} was answered with ${status}`);
      times.push(milliseconds);
      sizes.push(body.length);
    }
    const { p50, p95, worst } = summarise(times);
    const size = `${(summarise(sizes).p50 / 1e3).toFixed(0)} KB, at most ${(Math.max(...sizes) / 1e3).toFixed(0)} KB`;
    console.log(`${name.padEnd(26)} p50 ${ms(p50)}  p95 ${ms(p95)}  worst ${ms(worst)} ms   ${size}`);
    return times;
  };
  try {
    console.log(`\n${buildings} buildings on ${engine}, the ${TILES} tiles with the most of them at each zoom`);
    const z14 = fullest(14);
    const inside = (z: number) => z14.map(({ x, y }) => ({ z, x: x * 2 ** (z - 14), y: y * 2 ** (z - 14) }));
    await round('the first of all, empty', [{ z: 16, x: 58_000, y: 25_000 }]);
    const cold = await round('zoom 14, cold', z14);
    const warm = await round('zoom 14, warm', z14);
    for (const z of [15, 16]) await round(`zoom ${z}, zoomed in`, inside(z));
    const density: number[] = [];
    for (const z of [0, 5, 7, 8, 10, 11, 13]) density.push(...(await round(`zoom ${z}, cold`, fullest(z))));
    console.log();
    report('zoom 14 cold, p95', cold, TARGET_COLD_P95);
    report('zoom 14 warm, p95', warm, TARGET_WARM_P95);
    report('density cold, all zooms, p95', density, TARGET_DENSITY_P95);
    const most = memory.most();
    console.log(
      verdict('memory of the service', megabytes(most), `at most ${megabytes(TARGET_MEMORY)}`, most <= TARGET_MEMORY),
    );
  } finally {
    agent.destroy();
    memory.end();
    await registry.stop();
  }
}

function report(name: string, times: readonly number[], target: number): void {
  const { p95 } = summarise(times);
  const allowed = target * ALLOWANCE[engine];
  console.log(verdict(name, `${p95.toFixed(2)} ms`, `at most ${allowed} ms`, p95 <= allowed));
}

/** The tiles of a zoom level that contain the centres of most machi-aza, by number of buildings. */
function fullest(z: number): MapTile[] {
  const { machiAza } = layOutCity();
  const counts = new Map<string, number>();
  for (const index of placeBuildings(buildings, machiAza)) {
    const [lon, lat] = (machiAza[index] as MachiAza).corner;
    const turn = Math.asinh(Math.tan(((lat + SQUARE.lat / 2) * Math.PI) / 180)) / Math.PI;
    const x = Math.floor(((lon + SQUARE.lon / 2 + 180) / 360) * 2 ** z);
    const key = `${x}/${Math.floor(((1 - turn) / 2) * 2 ** z)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, a], [, b]) => b - a).slice(0, TILES);
  return sorted.map(([key]) => {
    const [x, y] = key.split('/').map(Number) as [number, number];
    return { z, x, y };
  });
}
