import { expect, it } from 'vitest';
import { mergeBuildings, retireBuilding } from '../../src/pipeline/identity-commands.ts';
import { listLeftOut } from '../../src/registry/left-out.ts';
import { box, polygon } from '../matching/grid.ts';
import { onBothEngines } from '../support/engines.ts';
import { address, HERE, inTown, later, osm, plateau, point, shape, type Town } from '../support/matching-registry.ts';
import { AREA, AREAS, id, type Json, record } from '../support/records.ts';
import { pageOf } from '../support/registry-state.ts';

const TOWER = shape([10, 10, 30, 30]);
const BESIDE = shape([40, 10, 60, 30]);

/** A record of a register, located only by its address. */
const registered = (source: string, key: string, fields: Json, more: Json = {}) =>
  record(source, key, { completionMonth: '2020-03', ...fields }, more);

onBothEngines('matching of registers and disclosures', (fresh, engine) => {
  const inRegistry = async (work: (town: Town) => Promise<void>) => inTown(await fresh(), work);

  /** Expects the result of matching a register's record with some buildings, in several orders. */
  const expectMatch = async (lines: Json[], register: Json, expected: string | undefined, reason?: string) => {
    const oneByOne = lines.map((line) => [line]);
    const backwards = [[register], ...oneByOne];
    const orders = engine === 'sqlite' ? [[[...lines, register]], [lines, [register]], backwards] : [backwards];
    for (const commands of orders) {
      await inRegistry(async ({ ingest, idOf, leftOut }) => {
        await ingest(...HERE);
        for (const some of commands) await ingest(...some);
        const key = `${register.source}:${register.sourceRecordId}`;
        expect(await idOf(key)).toBe(expected === undefined ? undefined : await idOf(expected));
        expect(await leftOut()).toEqual(reason === undefined ? [] : [`${key} ${reason}`]);
      });
    }
  };
  const found = (lines: Json[], register: Json, building: string) => expectMatch(lines, register, building);

  it.each(['greenbuilding', 'greenarchive', 'mankan', 'jreit', 'edinet'])(
    'CON-09 %s contributes to the one building at its address',
    async (source) => {
      const tower = osm('a', TOWER, { addressJa: address('1丁目9番1号') });
      const beside = osm('b', BESIDE, { addressJa: address('1丁目9番2号') });
      await found([tower, beside], registered(source, 'x', { addressJa: address('一丁目9番1号') }), 'osm:a');
    },
  );

  it('match a building on the other side of the boundary of the machi-aza in the address', () =>
    inRegistry(async ({ ingest, idOf, leftOut }) => {
      const residence = record(
        'abr',
        'r',
        { addressJa: address('2丁目9番1号') },
        { geometry: point(20, 20), area: AREAS[3]?.code },
      );
      const register = registered('jreit', 'x', { addressJa: address('2-9-1') });
      await ingest(...HERE, register, osm('a', TOWER));
      expect(await leftOut()).toEqual(['jreit:x unmatched']);
      await ingest(residence);
      expect(await idOf('jreit:x')).toBe(await idOf('osm:a'));
    }));

  it.each([
    '東京都千代田区丸の内一丁目9番1号',
    '東京都千代田区丸の内1丁目9-1',
    '東京都千代田区丸の内1-9-1',
    '東京都千代田区丸の内１－９－１',
    '東京都千代田区丸の内１丁目９番１号',
    '千代田区丸の内1-9-1',
    '〒100-0005 東京都千代田区丸の内一丁目九番一号',
    '東京都 千代田区 丸の内 1-9-1',
    '東京都千代田区丸の内1−9−1',
    '東京都千代田区丸ノ内1-9-1',
    '東京都千代田区丸の内1-9-1 丸の内ビル3階',
  ])('match an address in any notation: %s', (text) =>
    inRegistry(async ({ ingest, idOf }) => {
      await ingest(
        ...HERE,
        osm('a', TOWER, { addressJa: '東京都千代田区丸の内1丁目9番1号' }),
        osm('b', BESIDE, { addressJa: '東京都千代田区丸の内1丁目9番2号' }),
        registered('jreit', 'x', { addressJa: text }),
      );
      expect(await idOf('jreit:x')).toBe(await idOf('osm:a'));
      await ingest(osm('c', shape([70, 10, 90, 30]), { addressJa: text }));
      expect(await idOf('jreit:x')).toBeUndefined();
    }),
  );

  it('match an address from any source of the building, even one that is only a point', () =>
    found(
      [osm('a', TOWER), record('nominatim', 'n', { addressJa: address('1丁目9番1号') }, { geometry: point(20, 20) })],
      registered('jreit', 'x', { addressJa: address('1-9-1') }),
      'osm:a',
    ));

  it('match by name if no address of the building is known', async () => {
    const register = registered('mankan', 'x', { addressJa: address('1-9-1'), nameJa: 'Ｔｏｗｅｒ・丸の内' });
    await found([osm('a', TOWER, { nameJa: 'TOWER丸の内' }), osm('b', BESIDE)], register, 'osm:a');
    await found([osm('a', TOWER, { aliases: ['Tower 丸の内'] })], register, 'osm:a');
    await found([osm('a', TOWER, { nameJa: '甲' }), plateau('p', TOWER, { nameJa: 'TOWER丸の内' })], register, 'osm:a');
  });

  it('do not match by name if the address of the building differs', () =>
    expectMatch(
      [osm('a', TOWER, { nameJa: '丸の内タワー', addressJa: address('1-8-1') })],
      registered('mankan', 'x', { addressJa: address('1-9-1'), nameJa: '丸の内タワー' }),
      undefined,
      'unmatched',
    ));

  it('match by working title', () =>
    found(
      [osm('a', TOWER, { nameJa: '丸の内タワー' })],
      registered('greenbuilding', 'x', { addressJa: address('1-9-1'), nameJa: '（仮称）丸の内タワー' }),
      'osm:a',
    ));

  it('match the building with the name if several have the address, otherwise none', async () => {
    const here = { addressJa: address('1-9-1') };
    const lines = [osm('a', TOWER, { ...here, nameJa: '東館' }), osm('b', BESIDE, { ...here, nameJa: '西館' })];
    await found(lines, registered('edinet', 'x', { ...here, nameJa: '西館' }), 'osm:b');
    await expectMatch(lines, registered('edinet', 'x', { ...here, nameJa: '本館' }), undefined, 'ambiguous');
    await expectMatch(lines, registered('edinet', 'x', here), undefined, 'ambiguous');
  });

  it('are ambiguous if two have the name, unmatched if none has, and never matched in another machi-aza', async () => {
    const register = registered('jreit', 'x', { addressJa: address('1-9-1'), nameJa: '本館' });
    await expectMatch(
      [osm('a', TOWER, { nameJa: '本館' }), osm('b', BESIDE, { nameJa: '本館' })],
      register,
      undefined,
      'ambiguous',
    );
    await expectMatch([osm('a', TOWER), osm('b', BESIDE, { nameJa: '別館' })], register, undefined, 'unmatched');
    await expectMatch(
      [osm('a', TOWER, { nameJa: '本館' })],
      registered('jreit', 'x', { addressJa: address('2-9-1'), nameJa: '本館' }),
      undefined,
      'unmatched',
    );
    await expectMatch(
      [osm('a', TOWER, { nameJa: '本館' })],
      registered('jreit', 'x', { nameJa: '本館' }),
      undefined,
      'unmatched',
    );
    await found(
      [osm('a', TOWER, { nameJa: '本館' })],
      registered('jreit', 'x', { nameJa: '本館' }, { area: AREA }),
      'osm:a',
    );
  });

  it('are not matched by names or addresses that only another register states', () =>
    inRegistry(async ({ ingest, leftOut, idOf }) => {
      const here = { addressJa: address('1-9-1') };
      await ingest(
        ...HERE,
        osm('a', TOWER, here),
        registered('jreit', 'x', { ...here, nameJa: '本館' }),
        registered('mankan', 'y', { addressJa: address('1-9'), nameJa: '本館' }),
      );
      expect(await idOf('jreit:x')).toBe(await idOf('osm:a'));
      expect(await leftOut()).toEqual(['mankan:y unmatched']);
    }));

  it('are matched once their areas and buildings are added', () =>
    inRegistry(async ({ ingest, idOf, leftOut, storage }) => {
      await ingest(registered('jreit', 'x', { addressJa: address('1-9-1') }));
      expect(await leftOut()).toEqual(['jreit:x unmatched']);
      await ingest(...HERE);
      await ingest(osm('a', TOWER, { addressJa: address('1-9-1') }));
      expect(await idOf('jreit:x')).toBe(id(1));
      expect((await pageOf(storage, id(1)))?.fields.completionMonth?.value).toBe('2020-03');
    }));

  it('move from a larger area to a smaller one once that is added', () =>
    inRegistry(async ({ ingest, idOf, leftOut }) => {
      const whole = { ...AREAS[3], code: '131010001000', slug: 'marunouchi', nameJa: '丸の内' };
      await ingest(...AREAS.slice(0, 2), whole, registered('jreit', 'x', { addressJa: address('1-9-1') }));
      expect(await leftOut()).toEqual(['jreit:x unmatched']);
      await ingest(...HERE);
      await ingest(osm('a', TOWER, { addressJa: address('1-9-1') }));
      expect(await idOf('jreit:x')).toBe(id(1));
    }));

  it('follow the address of the building', () =>
    inRegistry(async ({ ingest, idOf, leftOut, storage }) => {
      await ingest(
        ...HERE,
        osm('a', TOWER, { addressJa: address('1-9-1') }),
        osm('b', BESIDE, { addressJa: address('1-9-2') }),
        registered('jreit', 'x', { addressJa: address('1-9-1') }),
      );
      const [a, b] = [(await idOf('osm:a')) as string, (await idOf('osm:b')) as string];
      expect(await idOf('jreit:x')).toBe(a);
      await ingest(osm('a', TOWER, { addressJa: address('1-9-3') }, later(2)));
      expect(await leftOut()).toEqual(['jreit:x unmatched']);
      expect((await pageOf(storage, a))?.fields.completionMonth).toBeUndefined();
      await ingest(osm('b', BESIDE, { addressJa: address('1-9-1') }, later(2)));
      expect(await idOf('jreit:x')).toBe(b);
      expect((await pageOf(storage, b))?.fields.completionMonth?.value).toBe('2020-03');
      await ingest(registered('jreit', 'x', { addressJa: address('1-9-3') }, later(3)));
      expect(await idOf('jreit:x')).toBe(a);
      expect((await pageOf(storage, b))?.fields.completionMonth).toBeUndefined();
    }));

  it('follow the building into another machi-aza', () =>
    inRegistry(async ({ ingest, idOf, leftOut }) => {
      await ingest(
        ...HERE,
        osm('a', TOWER, { nameJa: '本館' }),
        registered('jreit', 'x', { addressJa: address('2-1-1'), nameJa: '本館' }),
      );
      expect(await leftOut()).toEqual(['jreit:x unmatched']);
      await ingest(
        { ...AREAS[2], boundary: polygon(box(-1000, -1000, 0, 1000)) },
        { ...AREAS[3], boundary: polygon(box(0, -1000, 1000, 1000)) },
      );
      expect(await idOf('jreit:x')).toBe(await idOf('osm:a'));
    }));

  it('are unassigned if their address no longer resolves', () =>
    inRegistry(async ({ ingest, idOf, leftOut, storage }) => {
      await ingest(
        ...HERE,
        osm('a', TOWER, { addressJa: address('1-9-1') }),
        registered('jreit', 'x', { addressJa: address('1-9-1') }),
      );
      expect(await idOf('jreit:x')).toBe(id(1));
      await ingest(registered('jreit', 'x', { addressJa: '大阪市某所' }, later(2)));
      expect(await leftOut()).toEqual(['jreit:x unmatched']);
      expect((await pageOf(storage, id(1)))?.fields.completionMonth).toBeUndefined();
    }));

  it('are no longer ambiguous once one of two buildings at the address is retired or merged', async () => {
    const lines = [
      osm('a', TOWER, { addressJa: address('1-9-1') }),
      osm('b', BESIDE, { addressJa: address('1-9-1') }),
      registered('jreit', 'x', { addressJa: address('1-9-1') }),
    ];
    await inRegistry(async ({ ingest, idOf, leftOut, context }) => {
      await ingest(...HERE, ...lines);
      expect(await leftOut()).toEqual(['jreit:x ambiguous']);
      await retireBuilding(context, id(2), undefined, 'pulled down');
      expect(await idOf('jreit:x')).toBe(id(1));
    });
    await inRegistry(async ({ ingest, idOf, context }) => {
      await ingest(...HERE, ...lines);
      await mergeBuildings(context, id(2), id(1), null);
      expect(await idOf('jreit:x')).toBe(id(1));
    });
  });

  it('REF-06 stay with a retired building without contributing, until they match another', () =>
    inRegistry(async ({ ingest, idOf, context }) => {
      await ingest(
        ...HERE,
        osm('a', TOWER, { nameJa: '本館' }),
        registered('jreit', 'x', { addressJa: address('1-9-1'), nameJa: '本館' }),
      );
      expect(await idOf('jreit:x')).toBe(id(1));
      await retireBuilding(context, id(1), undefined, 'pulled down');
      expect(await idOf('jreit:x')).toBeUndefined();
      const left = await Array.fromAsync(listLeftOut(context.storage.db, 'jreit'));
      expect(left.map(({ reason }) => reason)).toEqual(['retired']);
      await ingest(osm('b', BESIDE, { nameJa: '本館' }));
      expect(await idOf('jreit:x')).toBe(id(2));
    }));

  it('match a name even if its source is not listed for that field, in any order', () =>
    found(
      [osm('a', TOWER), record('nominatim', 'n', { nameJa: '本館' }, { geometry: point(20, 20) })],
      registered('jreit', 'x', { addressJa: address('1-9-1'), nameJa: '本館' }),
      'osm:a',
    ));

  it('are never moved if they name their building', () =>
    inRegistry(async ({ ingest, idOf, leftOut }) => {
      await ingest(
        ...HERE,
        osm('a', TOWER, { addressJa: address('1-9-1') }),
        osm('b', BESIDE, {}, { building: id(80) }),
        registered('jreit', 'x', { addressJa: address('1-9-1') }, { building: id(80) }),
        registered('jreit', 'y', { addressJa: address('1-9-1') }, { building: id(81) }),
      );
      expect(await idOf('jreit:x')).toBe(id(80));
      expect(await leftOut()).toEqual(['jreit:y unmatched']);
    }));
});
