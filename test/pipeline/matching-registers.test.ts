import { expect, it } from 'vitest';
import { mergeBuildings, retireBuilding } from '../../src/pipeline/change-identity.ts';
import { box, polygon } from '../matching/grid.ts';
import { onBothEngines } from '../support/engines.ts';
import { address, HERE, inTown, later, osm, plateau, point, shape, type Town } from '../support/matching-registry.ts';
import { AREA, AREAS, id, type Json, record } from '../support/records.ts';
import { pageOf } from '../support/registry-state.ts';

const TOWER = shape([10, 10, 30, 30]);
const BESIDE = shape([40, 10, 60, 30]);

/** A register's record, which has no place but its address. */
const entered = (source: string, key: string, fields: Json, more: Json = {}) =>
  record(source, key, { completionMonth: '2020-03', ...fields }, more);

onBothEngines('matching of registers and disclosures', (fresh, engine) => {
  const inRegistry = async (work: (town: Town) => Promise<void>) => inTown(await fresh(), work);

  /** What becomes of a register's record among some buildings, whichever comes first. */
  const becomes = async (lines: Json[], register: Json, expected: string | undefined, reason?: string) => {
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
  const found = (lines: Json[], register: Json, building: string) => becomes(lines, register, building);

  it.each(['greenbuilding', 'greenarchive', 'mankan', 'jreit', 'edinet'])(
    'CON-09 %s contributes to the one building at its address',
    async (source) => {
      const tower = osm('a', TOWER, { addressJa: address('1丁目9番1号') });
      const beside = osm('b', BESIDE, { addressJa: address('1丁目9番2号') });
      await found([tower, beside], entered(source, 'x', { addressJa: address('一丁目9番1号') }), 'osm:a');
    },
  );

  it('finds a building that stands across the boundary of the machi-aza of its address', () =>
    inRegistry(async ({ ingest, idOf, leftOut }) => {
      const residence = record(
        'abr',
        'r',
        { addressJa: address('2丁目9番1号') },
        { geometry: point(20, 20), area: AREAS[3]?.code },
      );
      const register = entered('jreit', 'x', { addressJa: address('2-9-1') });
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
  ])('writes addresses as it likes: %s', (text) =>
    inRegistry(async ({ ingest, idOf }) => {
      await ingest(
        ...HERE,
        osm('a', TOWER, { addressJa: '東京都千代田区丸の内1丁目9番1号' }),
        osm('b', BESIDE, { addressJa: '東京都千代田区丸の内1丁目9番2号' }),
        entered('jreit', 'x', { addressJa: text }),
      );
      expect(await idOf('jreit:x')).toBe(await idOf('osm:a'));
      await ingest(osm('c', shape([70, 10, 90, 30]), { addressJa: text }));
      expect(await idOf('jreit:x')).toBeUndefined();
    }),
  );

  it('an address that any source of the building knows will do, also one that is a place alone', () =>
    found(
      [osm('a', TOWER), record('nominatim', 'n', { addressJa: address('1丁目9番1号') }, { geometry: point(20, 20) })],
      entered('jreit', 'x', { addressJa: address('1-9-1') }),
      'osm:a',
    ));

  it('by name where no address of the building is known', async () => {
    const register = entered('mankan', 'x', { addressJa: address('1-9-1'), nameJa: 'Ｔｏｗｅｒ・丸の内' });
    await found([osm('a', TOWER, { nameJa: 'TOWER丸の内' }), osm('b', BESIDE)], register, 'osm:a');
    await found([osm('a', TOWER, { aliases: ['Tower 丸の内'] })], register, 'osm:a');
    await found([osm('a', TOWER, { nameJa: '甲' }), plateau('p', TOWER, { nameJa: 'TOWER丸の内' })], register, 'osm:a');
  });

  it('not by name where the address of the building is another', () =>
    becomes(
      [osm('a', TOWER, { nameJa: '丸の内タワー', addressJa: address('1-8-1') })],
      entered('mankan', 'x', { addressJa: address('1-9-1'), nameJa: '丸の内タワー' }),
      undefined,
      'unmatched',
    ));

  it('by working title', () =>
    found(
      [osm('a', TOWER, { nameJa: '丸の内タワー' })],
      entered('greenbuilding', 'x', { addressJa: address('1-9-1'), nameJa: '（仮称）丸の内タワー' }),
      'osm:a',
    ));

  it('of several at the address the one with the name, else none', async () => {
    const here = { addressJa: address('1-9-1') };
    const lines = [osm('a', TOWER, { ...here, nameJa: '東館' }), osm('b', BESIDE, { ...here, nameJa: '西館' })];
    await found(lines, entered('edinet', 'x', { ...here, nameJa: '西館' }), 'osm:b');
    await becomes(lines, entered('edinet', 'x', { ...here, nameJa: '本館' }), undefined, 'ambiguous');
    await becomes(lines, entered('edinet', 'x', here), undefined, 'ambiguous');
  });

  it('two of the name are ambiguous, none is unmatched, another machi-aza is no candidate', async () => {
    const register = entered('jreit', 'x', { addressJa: address('1-9-1'), nameJa: '本館' });
    await becomes(
      [osm('a', TOWER, { nameJa: '本館' }), osm('b', BESIDE, { nameJa: '本館' })],
      register,
      undefined,
      'ambiguous',
    );
    await becomes([osm('a', TOWER), osm('b', BESIDE, { nameJa: '別館' })], register, undefined, 'unmatched');
    await becomes(
      [osm('a', TOWER, { nameJa: '本館' })],
      entered('jreit', 'x', { addressJa: address('2-9-1'), nameJa: '本館' }),
      undefined,
      'unmatched',
    );
    await becomes(
      [osm('a', TOWER, { nameJa: '本館' })],
      entered('jreit', 'x', { nameJa: '本館' }),
      undefined,
      'unmatched',
    );
    await found(
      [osm('a', TOWER, { nameJa: '本館' })],
      entered('jreit', 'x', { nameJa: '本館' }, { area: AREA }),
      'osm:a',
    );
  });

  it('registers do not vouch for one another, nor does a name only a register knows', () =>
    inRegistry(async ({ ingest, leftOut, idOf }) => {
      const here = { addressJa: address('1-9-1') };
      await ingest(
        ...HERE,
        osm('a', TOWER, here),
        entered('jreit', 'x', { ...here, nameJa: '本館' }),
        entered('mankan', 'y', { addressJa: address('1-9'), nameJa: '本館' }),
      );
      expect(await idOf('jreit:x')).toBe(await idOf('osm:a'));
      expect(await leftOut()).toEqual(['mankan:y unmatched']);
    }));

  it('one that came before its areas and its building is found when they come', () =>
    inRegistry(async ({ ingest, idOf, leftOut, storage }) => {
      await ingest(entered('jreit', 'x', { addressJa: address('1-9-1') }));
      expect(await leftOut()).toEqual(['jreit:x unmatched']);
      await ingest(...HERE);
      await ingest(osm('a', TOWER, { addressJa: address('1-9-1') }));
      expect(await idOf('jreit:x')).toBe(id(1));
      expect((await pageOf(storage, id(1)))?.fields.completionMonth?.value).toBe('2020-03');
    }));

  it('one that was put in a larger area goes to the smaller one when that comes', () =>
    inRegistry(async ({ ingest, idOf, leftOut }) => {
      const whole = { ...AREAS[3], code: '131010001000', slug: 'marunouchi', nameJa: '丸の内' };
      await ingest(...AREAS.slice(0, 2), whole, entered('jreit', 'x', { addressJa: address('1-9-1') }));
      expect(await leftOut()).toEqual(['jreit:x unmatched']);
      await ingest(...HERE);
      await ingest(osm('a', TOWER, { addressJa: address('1-9-1') }));
      expect(await idOf('jreit:x')).toBe(id(1));
    }));

  it('follows the address of the building', () =>
    inRegistry(async ({ ingest, idOf, leftOut, storage }) => {
      await ingest(
        ...HERE,
        osm('a', TOWER, { addressJa: address('1-9-1') }),
        osm('b', BESIDE, { addressJa: address('1-9-2') }),
        entered('jreit', 'x', { addressJa: address('1-9-1') }),
      );
      const [a, b] = [(await idOf('osm:a')) as string, (await idOf('osm:b')) as string];
      expect(await idOf('jreit:x')).toBe(a);
      await ingest(osm('a', TOWER, { addressJa: address('1-9-3') }, later(2)));
      expect(await leftOut()).toEqual(['jreit:x unmatched']);
      expect((await pageOf(storage, a))?.fields.completionMonth).toBeUndefined();
      await ingest(osm('b', BESIDE, { addressJa: address('1-9-1') }, later(2)));
      expect(await idOf('jreit:x')).toBe(b);
      expect((await pageOf(storage, b))?.fields.completionMonth?.value).toBe('2020-03');
      await ingest(entered('jreit', 'x', { addressJa: address('1-9-3') }, later(3)));
      expect(await idOf('jreit:x')).toBe(a);
      expect((await pageOf(storage, b))?.fields.completionMonth).toBeUndefined();
    }));

  it('follows the building into another machi-aza', () =>
    inRegistry(async ({ ingest, idOf, leftOut }) => {
      await ingest(
        ...HERE,
        osm('a', TOWER, { nameJa: '本館' }),
        entered('jreit', 'x', { addressJa: address('2-1-1'), nameJa: '本館' }),
      );
      expect(await leftOut()).toEqual(['jreit:x unmatched']);
      await ingest(
        { ...AREAS[2], boundary: polygon(box(-1000, -1000, 0, 1000)) },
        { ...AREAS[3], boundary: polygon(box(0, -1000, 1000, 1000)) },
      );
      expect(await idOf('jreit:x')).toBe(await idOf('osm:a'));
    }));

  it('one whose address leads nowhere any more is about no building', () =>
    inRegistry(async ({ ingest, idOf, leftOut, storage }) => {
      await ingest(
        ...HERE,
        osm('a', TOWER, { addressJa: address('1-9-1') }),
        entered('jreit', 'x', { addressJa: address('1-9-1') }),
      );
      expect(await idOf('jreit:x')).toBe(id(1));
      await ingest(entered('jreit', 'x', { addressJa: '大阪市某所' }, later(2)));
      expect(await leftOut()).toEqual(['jreit:x unmatched']);
      expect((await pageOf(storage, id(1)))?.fields.completionMonth).toBeUndefined();
    }));

  it('of two at one address the other is found when one is retired, or merged into it', async () => {
    const lines = [
      osm('a', TOWER, { addressJa: address('1-9-1') }),
      osm('b', BESIDE, { addressJa: address('1-9-1') }),
      entered('jreit', 'x', { addressJa: address('1-9-1') }),
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

  it('a building that is no more is no candidate, and what it had goes on', () =>
    inRegistry(async ({ ingest, idOf, leftOut, context }) => {
      await ingest(
        ...HERE,
        osm('a', TOWER, { nameJa: '本館' }),
        entered('jreit', 'x', { addressJa: address('1-9-1'), nameJa: '本館' }),
      );
      expect(await idOf('jreit:x')).toBe(id(1));
      await retireBuilding(context, id(1), undefined, 'pulled down');
      expect(await leftOut()).toEqual(['jreit:x unmatched']);
      await ingest(osm('b', BESIDE, { nameJa: '本館' }));
      expect(await idOf('jreit:x')).toBe(id(2));
    }));

  it('a name that its source may not publish still tells which building is meant, whenever it comes', () =>
    found(
      [osm('a', TOWER), record('nominatim', 'n', { nameJa: '本館' }, { geometry: point(20, 20) })],
      entered('jreit', 'x', { addressJa: address('1-9-1'), nameJa: '本館' }),
      'osm:a',
    ));

  it('a record that names its building is never moved', () =>
    inRegistry(async ({ ingest, idOf, leftOut }) => {
      await ingest(
        ...HERE,
        osm('a', TOWER, { addressJa: address('1-9-1') }),
        osm('b', BESIDE, {}, { building: id(80) }),
        entered('jreit', 'x', { addressJa: address('1-9-1') }, { building: id(80) }),
        entered('jreit', 'y', { addressJa: address('1-9-1') }, { building: id(81) }),
      );
      expect(await idOf('jreit:x')).toBe(id(80));
      expect(await leftOut()).toEqual(['jreit:y unmatched']);
    }));
});
