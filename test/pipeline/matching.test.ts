import { expect, it } from 'vitest';
import { mergeBuildings, retireBuilding, unmergeBuilding } from '../../src/pipeline/identity-commands.ts';
import { ingest as ingestFiles } from '../../src/pipeline/run.ts';
import { onBothEngines } from '../support/engines.ts';
import { eventsIn, leadsTo } from '../support/matched.ts';
import { HERE, inTown, later, osm, plateau, point, shape, type Town } from '../support/matching-registry.ts';
import { AREA, id, type Json, writeRecords } from '../support/records.ts';
import { pageOf } from '../support/registry-state.ts';
import { watchTransactions } from '../support/watch-transactions.ts';

onBothEngines('matching of footprints', (fresh, engine) => {
  const inRegistry = async (work: (town: Town) => Promise<void>) => inTown(await fresh(), work);

  /** Expects the same buildings whether all lines come at once or one by one, in either order. */
  const always = async (lines: Json[], expected: string[][]) => {
    const oneByOne = lines.map((line) => [line]);
    const orders = engine === 'sqlite' ? [[lines], oneByOne, [...oneByOne].reverse()] : [oneByOne];
    for (const commands of orders) {
      await inRegistry(async ({ ingest, buildings }) => {
        await ingest(...HERE);
        for (const some of commands) await ingest(...some);
        expect(await buildings()).toEqual(expected);
      });
    }
  };

  it('the same footprint in two sources is one building', () =>
    always([osm('a', shape([10, 10, 30, 30])), plateau('b', shape([11, 9, 31, 29]))], [['osm:a', 'plateau:b']]));

  it('an overlap of half of the smaller is enough, less is not', async () => {
    await always([osm('a', shape([10, 10, 30, 30])), plateau('b', shape([20, 10, 40, 30]))], [['osm:a', 'plateau:b']]);
    await always(
      [osm('a', shape([10, 10, 30, 30])), plateau('b', shape([21, 10, 41, 30]))],
      [['osm:a'], ['plateau:b']],
    );
    await always(
      [osm('a', shape([10, 10, 90, 90])), plateau('b', shape([20, 20, 22, 22]))],
      [['osm:a'], ['plateau:b']],
    );
  });

  it('of three footprints the two that overlap most are one building, the third is another', () =>
    always(
      [osm('a', shape([10, 10, 50, 30])), plateau('b', shape([10, 10, 28, 30])), plateau('c', shape([28, 10, 50, 30]))],
      [['osm:a', 'plateau:c'], ['plateau:b']],
    ));

  it('a footprint whose best match prefers another is a building of its own, even if a third one prefers it', () =>
    always(
      [
        osm('a', shape([0, 10, 30, 30])),
        plateau('b', shape([12, 10, 50, 30])),
        osm('c', shape([26, 10, 50, 30])),
        plateau('d', shape([0, 10, 6, 30])),
      ],
      [['osm:a'], ['osm:c', 'plateau:b'], ['plateau:d']],
    ));

  it('ties are decided by key', () =>
    always(
      [osm('a', shape([10, 10, 50, 30])), plateau('b', shape([10, 10, 30, 30])), plateau('c', shape([30, 10, 50, 30]))],
      [['osm:a', 'plateau:b'], ['plateau:c']],
    ));

  it('footprints match across the edges and corners of tiles', () =>
    always(
      [
        osm('edge', shape([-20, 30, 5, 50])),
        plateau('edge', shape([-4, 30, 5, 50])),
        osm('corner', shape([-6, -6, 20, 20])),
        plateau('corner', shape([-6, -6, 12, 12])),
        osm('touching', shape([-40, -40, 0, -20])),
        plateau('touching', shape([-10, -40, 0, -20])),
        osm('beside', shape([0, -40, 10, -20])),
      ],
      [
        ['osm:beside'],
        ['osm:corner', 'plateau:corner'],
        ['osm:edge', 'plateau:edge'],
        ['osm:touching', 'plateau:touching'],
      ],
    ));

  it('a footprint that loses its match to a later one in another tile has a building of its own', () =>
    always(
      [
        plateau('wide', shape([-30, 10, 30, 30])),
        osm('east', shape([5, 10, 20, 30])),
        osm('west', shape([-30, 10, -5, 30])),
      ],
      [['osm:east'], ['osm:west', 'plateau:wide']],
    ));

  it('a record of several polygons is one building, which matches by the overlap with all of them', async () => {
    const wings = osm('a', shape([10, 10, 20, 30], [40, 10, 50, 30]));
    await always([wings, plateau('b', shape([10, 10, 20, 30]))], [['osm:a', 'plateau:b']]);
    await always([wings, plateau('b', shape([10, 10, 50, 30]))], [['osm:a', 'plateau:b']]);
    await always([wings, plateau('b', shape([21, 10, 39, 30]))], [['osm:a'], ['plateau:b']]);
  });

  it('MAT-02 a building that a source drew several times is one building, and matches another source as one', () =>
    always(
      [
        osm('a', shape([10, 10, 30, 30])),
        osm('b', shape([10, 10, 30, 30])),
        plateau('c', shape([50, 10, 70, 30])),
        plateau('d', shape([50, 10, 68, 30])),
        plateau('e', shape([51, 10, 71, 30])),
        osm('f', shape([51, 10, 71, 30])),
        osm('g', point(20, 20)),
        osm('h', shape([10, 50, 30, 70])),
        osm('i', shape([21, 50, 41, 70])),
      ],
      [['osm:a', 'osm:b'], ['osm:f', 'plateau:c', 'plateau:d', 'plateau:e'], ['osm:g'], ['osm:h'], ['osm:i']],
    ));

  it('MAT-02 a part of another footprint of its source is left out, with or without a name, unless another source has it too', () =>
    inRegistry(async ({ ingest, buildings, leftOut }) => {
      const podium = osm('podium', shape([10, 10, 50, 50]), { nameJa: '甲' });
      const tower = (more: Json = {}, when: Json = {}) => osm('tower', shape([20, 20, 30, 30]), more, when);
      await ingest(...HERE, tower());
      expect(await buildings()).toEqual([['osm:tower']]);
      await ingest(podium);
      expect([await buildings(), await leftOut()]).toEqual([[['osm:podium']], ['osm:tower ambiguous']]);
      await ingest(plateau('tower', shape([20, 20, 30, 30])));
      expect(await buildings()).toEqual([['osm:podium'], ['osm:tower', 'plateau:tower']]);
      await ingest(plateau('tower', shape([80, 20, 90, 30]), {}, later(2)));
      expect(await buildings()).toEqual([['osm:podium'], ['plateau:tower']]);
      expect(await leftOut()).toEqual(['osm:tower ambiguous']);
      await ingest(tower({ nameJa: '乙' }, later(3)));
      expect([await buildings(), await leftOut()]).toEqual([
        [['osm:podium'], ['plateau:tower']],
        ['osm:tower ambiguous'],
      ]);
    }));

  it('MAT-01 footprints with the same offset as their neighbours match, and are published as drawn', () =>
    inRegistry(async ({ ingest, buildings, idOf, storage }) => {
      const rects: [number, number, number, number][] = [
        [10, 10, 19, 18],
        [30, 12, 38, 21],
        [52, 9, 59, 19],
        [75, 14, 84, 23],
      ];
      const beside = rects.map(([west, south, east, north], i) =>
        osm(`${i}`, shape([west + 5, south + 4, east + 5, north + 4])),
      );
      await ingest(...HERE, ...beside);
      const shown = (await pageOf(storage, (await idOf('osm:0')) as string))?.geometry;
      await ingest(...rects.slice(0, 3).map((rect, i) => plateau(`${i}`, shape(rect))));
      expect(await buildings()).toHaveLength(7);
      expect((await pageOf(storage, (await idOf('osm:0')) as string))?.geometry).toEqual(shown);
      await ingest(plateau('3', shape(rects[3] as [number, number, number, number])));
      expect(await buildings()).toEqual(rects.map((_, i) => [`osm:${i}`, `plateau:${i}`]));
      // Three are too few to determine the offset.
      await ingest(osm('3', shape([150, 150, 160, 160]), {}, later(2)));
      expect(await buildings()).toHaveLength(8);
    }));

  it('a point joins the footprint of another source that contains it', () =>
    always(
      [
        plateau('a', shape([10, 10, 30, 30])),
        plateau('b', shape([-30, 10, 5, 30])),
        osm('c', shape([-30, 10, 5, 28])),
        osm('d', point(20, 20)),
        osm('e', point(3, 12)),
        osm('f', point(50, 50)),
      ],
      [['osm:c', 'osm:e', 'plateau:b'], ['osm:d', 'plateau:a'], ['osm:f']],
    ));

  it('a point in two buildings is a building of its own', () =>
    always(
      [plateau('a', shape([10, 10, 30, 30])), osm('b', point(25, 25)), plateau('c', shape([20, 20, 40, 40]))],
      [['osm:b'], ['plateau:a'], ['plateau:c']],
    ));

  it('a point that moves from one building to another leaves both unchanged', () =>
    inRegistry(async ({ ingest, buildings, storage }) => {
      await ingest(
        ...HERE,
        plateau('a', shape([10, 10, 30, 30])),
        plateau('b', shape([40, 10, 60, 30])),
        osm('c', point(20, 20)),
      );
      await ingest(osm('c', point(50, 20), {}, later(2)));
      expect(await buildings()).toEqual([['osm:c', 'plateau:b'], ['plateau:a']]);
      await ingest(osm('c', point(80, 20), {}, later(3)));
      expect(await buildings()).toEqual([['osm:c'], ['plateau:a'], ['plateau:b']]);
      expect(await eventsIn(storage)).toEqual([]);
    }));

  it('a footprint drawn around a point that is already a building keeps the older ID', () =>
    inRegistry(async ({ ingest, idOf, storage }) => {
      await ingest(...HERE, osm('a', point(20, 20), { nameJa: '甲' }));
      const first = (await idOf('osm:a')) as string;
      await ingest(plateau('b', shape([10, 10, 30, 30])));
      expect(await idOf('plateau:b')).toBe(first);
      const events = await eventsIn(storage);
      await ingest(osm('c', shape([100, 10, 130, 30])));
      expect(await eventsIn(storage)).toEqual(events);
      expect(await leadsTo(storage, first)).toBe(first);
    }));

  it('a record that names its building is never moved, and records that match it join it', () =>
    always(
      [
        osm('a', shape([10, 10, 30, 30]), {}, { building: id(70) }),
        plateau('b', shape([10, 10, 30, 30]), {}, { building: id(80) }),
        plateau('c', shape([11, 10, 31, 30])),
        osm('d', shape([50, 10, 70, 30])),
        plateau('e', shape([51, 10, 71, 30]), {}, { building: id(90) }),
      ],
      [['osm:a', 'plateau:c'], ['osm:d', 'plateau:e'], ['plateau:b']],
    ));

  it('the ID that a record names is kept, even if it is newer', () =>
    inRegistry(async ({ ingest, idOf, storage }) => {
      await ingest(...HERE, osm('a', shape([10, 10, 30, 30])));
      await ingest(plateau('b', shape([10, 10, 30, 30]), {}, { building: id(80) }));
      expect([await idOf('osm:a'), await idOf('plateau:b')]).toEqual([id(80), id(80)]);
      expect(await leadsTo(storage, id(1))).toBe(id(80));
    }));

  it('a correction merges two buildings, and the next unmerges them', () =>
    inRegistry(async ({ ingest, buildings, idOf, storage }) => {
      await ingest(...HERE, osm('a', shape([10, 10, 30, 30]), { heightM: 20 }));
      await ingest(plateau('b', shape([60, 10, 80, 30]), { floorsAbove: 5 }));
      expect([await idOf('osm:a'), await idOf('plateau:b')]).toEqual([id(1), id(2)]);

      await ingest(plateau('b', shape([12, 10, 32, 30]), { floorsAbove: 5 }, later(2)));
      expect(await buildings()).toEqual([['osm:a', 'plateau:b']]);
      expect(await eventsIn(storage)).toEqual(['matching: merge 2 1']);
      expect(await leadsTo(storage, id(2))).toBe(id(1));
      const page = await pageOf(storage, id(1));
      expect([page?.fields.heightM?.value, page?.fields.floorsAbove?.value]).toEqual([20, 5]);

      await ingest(osm('a', shape([110, 10, 130, 30]), { heightM: 20 }, later(3)));
      expect(await eventsIn(storage)).toEqual(['matching: merge 2 1', 'matching: unmerge 2 1']);
      expect([await idOf('osm:a'), await idOf('plateau:b')]).toEqual([id(1), id(2)]);
      expect((await pageOf(storage, id(1)))?.fields.floorsAbove).toBeUndefined();
      expect((await pageOf(storage, id(2)))?.fields.floorsAbove?.value).toBe(5);
    }));

  it('ID-04 buildings that are being unmerged always respond', () =>
    inRegistry(async ({ ingest, idOf, context, storage, dir }) => {
      await ingest(...HERE, osm('a', shape([10, 10, 30, 30])), plateau('b', shape([60, 10, 80, 30])));
      await ingest(plateau('b', shape([10, 10, 30, 30]), {}, later(2)));
      expect(await leadsTo(storage, id(2))).toBe(id(1));
      const seen = new Set<string | undefined>();
      const watched = watchTransactions(context, async () => seen.add(await leadsTo(storage, id(2))));
      const file = writeRecords(dir, [plateau('b', shape([60, 10, 80, 30]), {}, later(3))]);
      await ingestFiles(watched, 'records', [file]);
      expect([...seen]).toEqual([id(1), id(2)]);
      expect(await idOf('plateau:b')).toBe(id(2));
    }));

  it('two records that were one building from the start can be separated', () =>
    inRegistry(async ({ ingest, buildings, idOf, storage }) => {
      await ingest(...HERE, osm('a', shape([10, 10, 30, 30])), plateau('b', shape([10, 10, 30, 30])));
      await ingest(osm('a', shape([110, 10, 130, 30]), {}, later(2)));
      expect(await buildings()).toEqual([['osm:a'], ['plateau:b']]);
      expect(await idOf('plateau:b')).toBe(id(1));
      await ingest(osm('a', shape([10, 10, 30, 30]), {}, later(3)));
      expect(await buildings()).toEqual([['osm:a', 'plateau:b']]);
      expect(await leadsTo(storage, id(2))).toBe(id(1));
    }));

  it('a chain of merges resolves to the last survivor', () =>
    inRegistry(async ({ ingest, idOf, storage, context }) => {
      await ingest(...HERE, osm('x', shape([200, 10, 220, 30])), osm('a', shape([10, 10, 30, 30])));
      await ingest(plateau('b', shape([60, 10, 80, 30])));
      await ingest(plateau('b', shape([10, 10, 30, 30]), {}, later(2)));
      const [a, x] = [(await idOf('osm:a')) as string, (await idOf('osm:x')) as string];
      await mergeBuildings(context, a, x, null);
      expect(await leadsTo(storage, id(3))).toBe(x);
    }));

  it('what an operator unmerged stays unmerged', () =>
    inRegistry(async ({ ingest, buildings, storage, context }) => {
      await ingest(...HERE, osm('a', shape([10, 10, 30, 30])));
      await ingest(plateau('b', shape([60, 10, 80, 30])));
      await ingest(plateau('b', shape([12, 10, 32, 30]), {}, later(2)));
      await unmergeBuilding(context, id(2), 'two towers');
      expect(await buildings()).toEqual([['osm:a'], ['plateau:b']]);
      await ingest(plateau('b', shape([11, 10, 31, 30]), {}, later(3)), osm('c', shape([50, 50, 70, 70])));
      await ingest(osm('a', shape([11, 10, 31, 30]), {}, later(3)));
      expect(await buildings()).toEqual([['osm:a'], ['osm:c'], ['plateau:b']]);
      expect(await leadsTo(storage, id(2))).toBe(id(2));
    }));

  it('what an operator unmerged stays unmerged, even a point and the footprint around it', () =>
    inRegistry(async ({ ingest, buildings, storage, context }) => {
      await ingest(...HERE, osm('a', point(20, 20)));
      await ingest(plateau('b', shape([60, 10, 80, 30])));
      await ingest(plateau('b', shape([12, 10, 32, 30]), {}, later(2)));
      expect(await buildings()).toEqual([['osm:a', 'plateau:b']]);
      const [merged] = (await eventsIn(storage)).map((event) => Number(event.split(' ')[2]));
      await unmergeBuilding(context, id(merged as number), 'a shrine in the yard');
      await ingest(plateau('b', shape([12, 10, 33, 30]), {}, later(3)));
      expect(await buildings()).toEqual([['osm:a'], ['plateau:b']]);
    }));

  it('what an operator merged stays merged', () =>
    inRegistry(async ({ ingest, buildings, context }) => {
      await ingest(...HERE, osm('a', shape([10, 10, 30, 30])), osm('b', shape([60, 10, 80, 30])));
      await mergeBuildings(context, id(2), id(1), 'one complex');
      await ingest(osm('b', shape([90, 10, 110, 30]), {}, later(2)), plateau('c', shape([90, 10, 110, 30])));
      expect(await buildings()).toEqual([['osm:a', 'osm:b', 'plateau:c']]);
      await ingest(plateau('c', shape([200, 10, 220, 30]), {}, later(3)));
      expect(await buildings()).toEqual([['osm:a', 'osm:b'], ['plateau:c']]);
    }));

  it('a building that matched one of two buildings merged by an operator is separated from both', () =>
    inRegistry(async ({ ingest, buildings, idOf, context }) => {
      await ingest(...HERE, plateau('c', shape([60, 60, 80, 80])));
      await ingest(osm('a', shape([10, 10, 30, 30])));
      await ingest(osm('b', shape([-3000, 10, -2980, 30]), {}, { area: AREA }));
      await mergeBuildings(context, (await idOf('osm:a')) as string, (await idOf('osm:b')) as string, 'one complex');
      await ingest(plateau('c', shape([10, 10, 30, 30]), {}, later(2)));
      expect(await buildings()).toEqual([['osm:a', 'osm:b', 'plateau:c']]);
      await ingest(plateau('c', shape([60, 60, 80, 80]), {}, later(3)));
      expect(await buildings()).toEqual([['osm:a', 'osm:b'], ['plateau:c']]);
    }));

  it('a record that later names its building leaves its former one', () =>
    inRegistry(async ({ ingest, buildings, idOf }) => {
      await ingest(...HERE, osm('a', shape([10, 10, 30, 30])));
      await ingest(osm('a', shape([10, 10, 30, 30]), {}, { building: id(80), ...later(2) }));
      expect(await buildings()).toEqual([['osm:a']]);
      expect(await idOf('osm:a')).toBe(id(80));
    }));

  it('a retired building matches nothing', () =>
    inRegistry(async ({ ingest, buildings, idOf, context }) => {
      await ingest(...HERE, osm('a', shape([10, 10, 30, 30])));
      await retireBuilding(context, id(1), undefined, 'pulled down');
      await ingest(plateau('b', shape([10, 10, 30, 30])), osm('c', point(20, 20)));
      expect(await buildings()).toEqual([['osm:c', 'plateau:b']]);
      expect(await idOf('osm:a')).toBeUndefined();
    }));

  it('records without a known area wait for it', () =>
    inRegistry(async ({ ingest, buildings, leftOut, storage }) => {
      await ingest(osm('a', shape([10, 10, 30, 30])), plateau('b', shape([10, 10, 30, 30])), osm('c', point(20, 21)));
      expect(await buildings()).toEqual([]);
      expect(await leftOut()).toEqual(['osm:a unplaced', 'osm:c unplaced', 'plateau:b unplaced']);
      await ingest(...HERE);
      expect(await buildings()).toEqual([['osm:a', 'osm:c', 'plateau:b']]);
      expect(await leftOut()).toEqual([]);
      expect(await pageOf(storage, id(1))).toBeDefined();
    }));
});
