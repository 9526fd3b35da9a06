import { expect, it } from 'vitest';
import { UNPUBLISHED } from '../../../../src/registry/search/format/entry.ts';
import { decodeSite, encodeSite, siteMeets, toExactBox } from '../../../../src/registry/search/format/site.ts';
import {
  type FeatureQuery,
  type FoundFeatures,
  findExtent,
  findFeatures,
} from '../../../../src/registry/search/read/features.ts';
import { SegmentCache } from '../../../../src/registry/search/read/index-reads.ts';
import { changeEntries } from '../../../../src/registry/search/write/change-entries.ts';
import { indexEntries, type SegmentSizes } from '../../../../src/registry/search/write/index-entries.ts';
import type { Reads, Tx } from '../../../../src/storage/storage.ts';
import type { AssetKey } from '../../../../src/vocabulary/asset-id.ts';
import type { Provenance } from '../../../../src/vocabulary/canonical.ts';
import { type AreaGeometry, centroidOf, type Position, type Ring } from '../../../../src/vocabulary/geometry.ts';
import { onBothEngines, onSqlite, openContext } from '../../../support/engines.ts';
import { Random } from '../../../support/random.ts';

const TINY: SegmentSizes = { most: 64, grades: [8, 32], fanIn: 3 };
const HERE = { prefecture: '13', ward: '13101', area: '131010001001' };
const CONTENT = {
  ...{ uses: 0, fields: 0, owner: null, text: '\n\n', footprint: null, height: null, floors: null, built: null },
  ...{ flags: 0, words: null, postcode: null },
};
/** Units of 1e-7 degrees from a corner, few of them, so that edges meet. */
const CORNER: Position = [139.76, 35.68];
const degrees = ([x, y]: readonly [number, number]): Position => [
  Math.round(CORNER[0] * 1e7 + x * 100) / 1e7,
  Math.round(CORNER[1] * 1e7 + y * 100) / 1e7,
];
type Shape = readonly (readonly [number, number])[];
type Box = [number, number, number, number];

interface Drawn {
  /** Convex parts in units of the grid; empty for a point. */
  parts: readonly Shape[];
  at: [number, number] | null;
}

const ringOf = (shape: Shape): Ring => [...shape, shape[0] as [number, number]].map(degrees);
const siteOf = ({ parts, at }: Drawn): Uint8Array | null => {
  const [first] = parts;
  const geometry: AreaGeometry | null =
    first === undefined
      ? null
      : parts.length === 1
        ? { type: 'Polygon', coordinates: [ringOf(first)] }
        : { type: 'MultiPolygon', coordinates: parts.map((part) => [ringOf(part)]) };
  const footprint = geometry && { geometry, provenance: {} as Provenance, alternatives: [] };
  const point = geometry === null ? at && degrees(at) : centroidOf(geometry);
  return encodeSite({ point, footprint });
};

/** What is left of a convex shape inside a box, cut side by side: another way than that of the index. */
function meets({ parts, at }: Drawn, [west, south, east, north]: Box): boolean {
  if (at === null) return true;
  if (parts.length === 0) return at[0] >= west && at[0] <= east && at[1] >= south && at[1] <= north;
  const sides: ((p: readonly [number, number]) => number)[] = [
    ([x]) => x - west,
    ([x]) => east - x,
    ([, y]) => y - south,
    ([, y]) => north - y,
  ];
  return parts.some((part) => {
    let left: [number, number][] = part.map(([x, y]) => [x, y]);
    for (const inside of sides) {
      const next: [number, number][] = [];
      for (const [i, b] of left.entries()) {
        const a = left.at(i - 1) as [number, number];
        const [da, db] = [inside(a), inside(b)];
        const share = da / (da - db);
        if (da >= 0 !== db >= 0) next.push([a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]);
        if (db >= 0) next.push(b);
      }
      left = next;
    }
    return left.length > 0;
  });
}

function draw(random: Random): Drawn {
  const at: [number, number] = [random.below(60), random.below(60)];
  const [w, h] = [1 + random.below(12), 1 + random.below(12)];
  const [x, y] = at;
  const rectangle: Shape = [at, [x + w, y], [x + w, y + h], [x, y + h]];
  const triangle: Shape = [at, [x + w, y], [x + w, y + h]];
  const far: Shape = [
    [x + 20, y + 20],
    [x + 20 + w, y + 20],
    [x + 20, y + 20 + h],
  ];
  return random.pick<Drawn>([
    { parts: [], at: null },
    { parts: [], at },
    { parts: [rectangle], at },
    { parts: [triangle], at },
    { parts: [triangle, far], at },
    // Larger than the index stores beside a point.
    { parts: [[at, [x + 900, y], [x + 900, y + h], [x, y + h]]], at },
  ]);
}

async function putBuildings(tx: Tx, rows: unknown[][]): Promise<void> {
  const ids = rows.map(([building]) => building as AssetKey);
  await tx.db.deleteFrom('building').where('id', 'in', ids).execute();
  await tx.insert('building', ['id', 'state', 'version', 'recorded_at', 'minted'], rows);
}

onBothEngines('pages of features', (fresh, engine) => {
  it('OGC-05 OGC-06 OGC-07 OGC-08 have the same buildings as a scan, in the order of their IDs, whatever is indexed', async () => {
    const { storage } = await openContext(await fresh());
    const random = new Random(20);
    const cache = new SegmentCache();
    const known = new Map<AssetKey, Drawn & { published: boolean; recordedAt: string }>();
    const timeOf = (moment: number) => new Date(Date.UTC(2026, 0, 1) + moment * 1_000).toISOString();
    try {
      for (let moment = 1; moment <= 12; moment++) {
        const changed = new Set(Array.from({ length: 15 }, () => 1_300_000_000 + random.below(80)));
        await storage.transaction(async (tx) => {
          const changes = [...changed].map((building) => {
            const now = { ...draw(random), published: random.chance(0.85), recordedAt: timeOf(moment) };
            known.set(building, now);
            const place = now.published ? HERE : UNPUBLISHED;
            const description = { site: siteOf(now), summary: null };
            return { building, place, content: CONTENT, description };
          });
          const rows = changes.map(({ building }) => [building, 'live', 1, timeOf(moment), 0]);
          await putBuildings(tx, rows);
          await changeEntries(tx, changes);
          if (moment % 3 !== 0) await indexEntries(tx, 1, TINY);
        });
        for (let i = 0; i < (engine === 'sqlite' ? 25 : 5); i++) await compare(storage, cache);
      }
      const { bbox, interval } = await storage.snapshot((reads) => findExtent(reads, cache));
      const all = await storage.snapshot((reads) => findFeatures(reads, { ...ALL, boxes: bbox && [bbox] }, cache));
      expect(all.total).toBe([...known.values()].filter(({ published }) => published).length);
      expect(interval?.[1]).toBe(timeOf(12));
    } finally {
      await storage.close();
    }

    async function compare(at: typeof storage, cache: SegmentCache) {
      const corner = () => random.below(80) + random.pick([0, 0, 0.5]);
      const boxes = Array.from({ length: random.below(3) }, (): Box => {
        const [a, b, c, d] = [corner(), corner(), corner(), corner()];
        return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
      });
      const [from, to] = [random.below(14), random.below(14)];
      const recorded = {
        ...(random.chance(0.5) && { from: timeOf(from) }),
        ...(random.chance(0.5) && { to: timeOf(to) }),
      };
      const query: FeatureQuery = {
        after: random.pick([0, 1_300_000_000 + random.below(80)]),
        limit: 1 + random.below(30),
        boxes: boxes.length === 0 ? undefined : boxes.map(([w, s, e, n]) => [...degrees([w, s]), ...degrees([e, n])]),
        recorded,
      };
      const expected = [...known]
        .filter(([, drawn]) => drawn.published && (boxes.length === 0 || boxes.some((box) => meets(drawn, box))))
        .filter(([, { recordedAt }]) => (recorded.from ?? '') <= recordedAt && recordedAt <= (recorded.to ?? '9'))
        .map(([building]) => building)
        .sort((a, b) => a - b);
      const after = expected.filter((building) => building > query.after);
      const buildings = after.slice(0, query.limit);
      const found = await at.snapshot((reads) => findFeatures(reads, query, cache));
      expect({ query, ...found }).toEqual({
        ...{ query, total: expected.length, buildings },
        next: after.length > query.limit ? buildings.at(-1) : undefined,
      });
    }
  });

  it('OGC-08 paging while buildings are added neither repeats nor skips one', async () => {
    const { storage } = await openContext(await fresh());
    const cache = new SegmentCache();
    let moment = 0;
    const add = (buildings: readonly AssetKey[]) =>
      storage.transaction(async (tx) => {
        const recordedAt = new Date(Date.UTC(2026, 0, 1) + ++moment * 1_000).toISOString();
        const description = { site: siteOf({ parts: [], at: [1, 1] }), summary: null };
        const rows = buildings.map((building) => [building, 'live', 1, recordedAt, 0]);
        await putBuildings(tx, rows);
        await changeEntries(
          tx,
          buildings.map((building) => ({ building, place: HERE, content: CONTENT, description })),
        );
        if (moment % 2 === 0) await indexEntries(tx, 1, TINY);
      });
    try {
      const first = Array.from({ length: 40 }, (_, i) => 1_300_000_000 + 2 * i);
      await add(first);
      const seen: AssetKey[] = [];
      for (let after: AssetKey | undefined = 0; after !== undefined; ) {
        const query: FeatureQuery = { ...ALL, after, limit: 7 };
        const page: FoundFeatures = await storage.snapshot((reads) => findFeatures(reads, query, cache));
        seen.push(...page.buildings);
        after = page.next;
        // New buildings before and after what was read, and a new version of one that was read.
        await add([1_300_000_001 + 2 * moment, 1_300_000_079 - 2 * moment, first[0] as number]);
      }
      expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
      expect(first.filter((building) => !seen.includes(building))).toEqual([]);
    } finally {
      await storage.close();
    }
  });
});

onSqlite('a page of features', (fresh) => {
  it('OGC-12 reads only the footprints on the edge of the box, and of the next page only what is new', async () => {
    const { storage } = await openContext(await fresh());
    const cache = new SegmentCache();
    try {
      await storage.transaction(async (tx) => {
        const changes = Array.from({ length: 3_000 }, (_, i) => {
          const [x, y] = [(i % 60) * 3, Math.floor(i / 60) * 3];
          const triangle: Shape = [
            [x, y],
            [x + 2, y],
            [x + 2, y + 2],
          ];
          const description = { site: siteOf({ parts: [triangle], at: [x, y] }), summary: null };
          return { building: 1_300_000_000 + i, place: HERE, content: CONTENT, description };
        });
        await changeEntries(tx, changes);
        await indexEntries(tx, 1);
      });
      const read = async (after: AssetKey) => {
        const rows: number[] = [];
        const found = await storage.snapshot((reads) => {
          const watched: Reads = {
            engine: reads.engine,
            all<R>(statement: string, parameters: readonly unknown[]) {
              const some = reads.all<R>(statement, parameters) as R[];
              rows.push(some.length);
              return some;
            },
          };
          const boxes: FeatureQuery['boxes'] = [[...degrees([31, 31]), ...degrees([120, 120])]];
          return findFeatures(watched, { after, limit: 10, boxes, recorded: {} }, cache);
        });
        return { found, rows };
      };
      const first = await read(0);
      expect(first.found.total).toBeGreaterThan(800);
      expect(Math.max(...first.rows)).toBeLessThan(80);
      const second = await read(first.found.next as AssetKey);
      expect(second.found.buildings).toHaveLength(10);
      // The segments, and the entries that are not indexed yet.
      expect(second.rows).toEqual([1, 0]);
    } finally {
      await storage.close();
    }
  });
});

const ALL: FeatureQuery = { after: 0, limit: 1_000, boxes: undefined, recorded: {} };

it('OGC-06 a footprint meets a box if they have a position in common: concave outlines, holes, edges, a box of no size', () => {
  const ring = (shape: Shape): Ring => [...shape, shape[0] as [number, number]].map(([x, y]) => [x, y]);
  const yard: Shape = [
    [3, 3],
    [7, 3],
    [7, 7],
    [3, 7],
  ];
  const court: AreaGeometry = {
    type: 'Polygon',
    coordinates: [
      ring([
        [0, 0],
        [10, 0],
        [10, 10],
        [0, 10],
      ]),
      ring(yard),
    ],
  };
  const angle: AreaGeometry = {
    type: 'Polygon',
    coordinates: [
      ring([
        [0, 0],
        [10, 0],
        [10, 2],
        [2, 2],
        [2, 10],
        [0, 10],
      ]),
    ],
  };
  const meetsBox = (geometry: AreaGeometry, box: Box) => {
    const footprint = { geometry, provenance: {} as Provenance, alternatives: [] };
    return siteMeets(decodeSite(encodeSite({ point: [1, 1], footprint }) as Uint8Array), toExactBox(box));
  };
  expect(meetsBox(court, [4, 4, 6, 6])).toBe(false);
  expect(meetsBox(court, [4, 4, 7, 6])).toBe(true);
  expect(meetsBox(court, [1, 1, 1, 1])).toBe(true);
  expect(meetsBox(court, [5, 5, 5, 5])).toBe(false);
  expect(meetsBox(court, [1.000_000_05, 1.000_000_05, 1.000_000_05, 1.000_000_05])).toBe(true);
  expect(meetsBox(court, [-5, -5, 15, 15])).toBe(true);
  expect(meetsBox(angle, [5, 5, 9, 9])).toBe(false);
  expect(meetsBox(angle, [2, 2, 9, 9])).toBe(true);
  expect(meetsBox(angle, [10, 2, 11, 3])).toBe(true);
  expect(meetsBox(angle, [10.000_000_1, 2, 11, 3])).toBe(false);
});
