import { spawn } from 'node:child_process';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { MapTile } from '../../src/vocabulary/map-tile.ts';
import { layOutCity, type MachiAza, placeBuildings, SQUARE } from '../city-plan.ts';
import { latencyFigures, toMegabytes } from '../figures.ts';
import { generateCity } from '../generate-city.ts';
import type { GeojsonVtRun } from '../geojson-vt.ts';
import { atMost, type Benchmark, type Context, type Figure, type Outcome, ratioAtMost } from '../harness/benchmark.ts';
import { scriptPath, startRegistry, watchMemory, withProcess } from '../processes.ts';
import { withScratch } from '../scratch.ts';
import { timedGet } from '../timed-get.ts';

const TILES = 20;
const DENSITY_ZOOMS = [0, 5, 7, 8, 10, 11, 13];
const GEOJSON_VT = 'geojson-vt with all features in memory';

const AHEAD = {
  'zoom 14 cold, p95, beside geojson-vt': ratioAtMost(1),
  'zoom 14 again, p95, beside geojson-vt': ratioAtMost(1),
};

export const tiles: Benchmark = {
  name: 'tiles',
  title: 'Map tiles',
  measures:
    'How long `GET /japan/tiles/{z}/{x}/{y}` takes for the tiles with the most buildings, one request at a time, first after ' +
    'a start and then again, beside geojson-vt in process, which has all footprints in memory and encodes the same tiles.',
  targets: {
    sqlite: {
      ...AHEAD,
      'zoom 14 cold, p95': atMost(150),
      'zoom 14 again, p95': atMost(5),
      'density cold, p95': atMost(15),
      'memory of the service': atMost(500),
    },
    postgres: {
      ...AHEAD,
      'zoom 14 cold, p95': atMost(60),
      'zoom 14 again, p95': atMost(20),
      'density cold, p95': atMost(60),
      'memory of the service': atMost(500),
    },
  },
  growth: ['zoom 14 cold, p95', 'zoom 14 again, p95'],
  run,
};

async function run(context: Context): Promise<Outcome> {
  const { env } = await context.city();
  const z14 = fullest(context.buildings, 14);
  const density = DENSITY_ZOOMS.flatMap((z) => fullest(context.buildings, z));
  const names = ['cold', 'again', 'inside', 'density'] as const;
  const times: Record<(typeof names)[number], number[][]> = { cold: [], again: [], inside: [], density: [] };
  const memories: number[] = [];
  const peer: GeojsonVtRun[] = [];
  for (let round = 1; round <= context.rounds; round++) {
    // Each round is another process, so that its first requests are cold.
    await withProcess(startRegistry(env), async (registry) => {
      const memory = watchMemory(registry);
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const ask = async (list: readonly MapTile[]) => {
        const taken: number[] = [];
        for (const { z, x, y } of list) {
          const { status, milliseconds } = await timedGet(agent, `${registry.origin}/japan/tiles/${z}/${x}/${y}`);
          if (status !== 200) throw new Error(`${z}/${x}/${y} was answered with ${status}`);
          taken.push(milliseconds);
        }
        return taken;
      };
      // An empty tile, because the very first request also loads code.
      await ask([{ z: 16, x: 58_000, y: 25_000 }]);
      times.cold.push(await ask(z14));
      times.again.push(await ask(z14));
      times.inside.push(await ask([...inside(z14, 15), ...inside(z14, 16)]));
      times.density.push(await ask(density));
      memories.push(memory());
      agent.destroy();
    });
    peer.push(await runGeojsonVt(context.buildings, z14));
    context.say(`round ${round} done`);
  }
  const timed = (name: string, rounds: number[][]) => ({ name, rounds });
  const built = peer.map(({ buildSeconds }) => buildSeconds.toFixed(1)).join(', ');
  const besideGeojsonVt = (name: string, kind: 'cold' | 'again') => {
    const theirs = timed(
      GEOJSON_VT,
      peer.map((run) => run[kind]),
    );
    const [p50, p95] = latencyFigures(timed(name, times[kind]), ['p50', 'p95'], theirs) as [Figure, Figure];
    return [p50, p95, { ...p95, name: `${name}, p95, beside geojson-vt` }];
  };
  return {
    figures: [
      ...besideGeojsonVt('zoom 14 cold', 'cold'),
      ...besideGeojsonVt('zoom 14 again', 'again'),
      ...latencyFigures(timed('zoom 15 and 16, zoomed in', times.inside), ['p50', 'p95']),
      ...latencyFigures(timed('density cold', times.density), ['p50', 'p95']),
      {
        ...{ name: 'memory of the service', unit: 'MB', values: memories },
        beside: { name: GEOJSON_VT, values: peer.map(({ memoryBytes }) => toMegabytes(memoryBytes)) },
      },
    ],
    tables: [{ title: 'geojson-vt', columns: ['its index was built in'], rows: [[`${built} s`]] }],
  };
}

/** Tiles at a deeper zoom, one in each tile, as when somebody zooms in. */
const inside = (list: readonly MapTile[], z: number) =>
  list.map((tile) => ({ z, x: tile.x * 2 ** (z - tile.z), y: tile.y * 2 ** (z - tile.z) }));

function runGeojsonVt(buildings: number, list: readonly MapTile[]): Promise<GeojsonVtRun> {
  return withScratch('geojson-vt', async (folder) => {
    const records = join(folder, 'records.ndjson');
    await generateCity(records, buildings);
    const args = ['--max-old-space-size=12288', scriptPath('geojson-vt.ts'), records, JSON.stringify(list)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const output = await text(child.stdout);
    if (output === '') throw new Error('geojson-vt gave no figures');
    return JSON.parse(output) as GeojsonVtRun;
  });
}

/** The tiles of a zoom level that contain the centres of most machi-aza, by number of buildings. */
function fullest(buildings: number, z: number): MapTile[] {
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
