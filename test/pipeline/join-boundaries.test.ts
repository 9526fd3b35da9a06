import { afterAll, expect, it } from 'vitest';
import { tableOf } from '../sources/abr/tables.ts';
import { dbfOf, JGD2011, shpOf, squareAt } from '../sources/estat/shapefiles.ts';
import { onBothEngines } from '../support/engines.ts';
import { countsIn, IngestPlace } from '../support/ingest-place.ts';
import type { Files } from '../support/small-sources.ts';

const places: IngestPlace[] = [];
afterAll(() => {
  for (const place of places) place.remove();
});

const CITY = { lg_code: '312011', pref: '鳥取県', pref_roma: 'Tottori', city: '鳥取市', city_roma: 'Tottori-shi' };
const town = (machiaza_id: string, oaza_cho: string, oaza_cho_roma: string) => ({
  ...{ ...CITY, machiaza_id, oaza_cho, oaza_cho_roma },
});
const AKANAMI = town('0001000', '用瀬町赤波', 'Mochigasecho Akanami');
const TAKAGARI = town('0002000', '用瀬町鷹狩', 'Mochigasecho Takagari');
const UMAMICHI = town('0003000', '用瀬町赤波馬路', 'Mochigasecho Akanami Umamichi');
const townsOf = (...rows: Record<string, string>[]): Files => ({ 'mt_town.csv': tableOf('town', rows) });

const NAMES = ['用瀬町赤波馬路', '用瀬町赤波大村', '用瀬町鷹狩', '湖山池'];
const KEYS = ['31201001001', '31201001002', '312010020', '312010990'];
/** Squares side by side, from west to east. */
const boundariesOf = (names: readonly string[]): Files => ({
  'r2ka31.shp': shpOf(names.map((_, i) => [squareAt(134.2 + i / 100, 35.3)])),
  'r2ka31.dbf': dbfOf(
    names.map((S_NAME, i) => ({ KEY_CODE: KEYS[i] as string, PREF: '31', CITY: '201', S_NAME, HCODE: 8101 })),
  ),
  'r2ka31.prj': JGD2011,
});

const at = (moment: string) => ['--retrieved-at', moment] as const;
const [FIRST, SECOND] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'] as const;

/** West and east of the boundary of each machi-aza. */
const boundsIn = (place: IngestPlace) =>
  place.read(async (storage) => {
    const rows = await storage.db
      .selectFrom('area')
      .select(['name_ja', 'west', 'east'])
      .where('level', '=', 'machiAza')
      .orderBy('code')
      .execute();
    return Object.fromEntries(
      rows.map(({ name_ja, west, east }) => [
        name_ja,
        west === null ? null : [west, east].map((x) => Number(x?.toFixed(4))),
      ]),
    );
  });

onBothEngines('boundaries of hamlets', (freshDatabase, engine) => {
  const fresh = async () => {
    const place = new IngestPlace(engine === 'postgres' ? (await freshDatabase()).url : undefined);
    places.push(place);
    return place;
  };
  const HAMLETS_IN_AKANAMI = { 用瀬町赤波: [134.2, 134.22], 用瀬町鷹狩: [134.22, 134.23] };

  it('join the machi-aza that their names begin with once, in any order of tables and boundaries', async () => {
    const states: string[] = [];
    for (const order of [
      ['abr', 'estat'],
      ['estat', 'abr'],
    ] as const) {
      const place = await fresh();
      const folders = {
        abr: place.write('abr', townsOf(AKANAMI, TAKAGARI)),
        estat: place.write('estat', boundariesOf(NAMES)),
      };
      for (const source of order) expect((await place.ingest(source, folders[source], ...at(FIRST))).code).toBe(0);
      expect(await boundsIn(place)).toEqual(HAMLETS_IN_AKANAMI);
      const { stdout } = await place.ingest('estat', folders.estat);
      expect(countsIn(stdout, folders.estat)).toMatchObject({ read: 4, unchanged: 4, matched: 3, unmatched: 1 });
      expect(await boundsIn(place)).toEqual(HAMLETS_IN_AKANAMI);
      expect((await place.run('unmatched', '--source', 'estat')).stdout).toMatch(/^[^\n]*names 湖山池 in 31201\n$/);
      states.push(await place.state());
    }
    expect(states[1]).toBe(states[0]);
  });

  it('move to a machi-aza of their own once it is added, and wrong joins are corrected', async () => {
    const place = await fresh();
    await place.ingest('abr', place.write('abr', townsOf(AKANAMI, TAKAGARI)), ...at(FIRST));
    const boundaries = place.write('estat', boundariesOf(NAMES));
    await place.ingest('estat', boundaries, ...at(FIRST));
    // As if an earlier version had joined two of them wrongly.
    await place.read((storage) =>
      storage.transaction(async (tx) => {
        const wrong = ['estat:312010020', 'estat:312010990'];
        await tx.db.updateTable('area_piece').set({ area: '312010001000' }).where('id', 'in', wrong).execute();
      }),
    );
    await place.ingest('estat', boundaries, ...at(FIRST));
    expect(await boundsIn(place)).toEqual(HAMLETS_IN_AKANAMI);
    await place.ingest('abr', place.write('more', townsOf(UMAMICHI)), ...at(SECOND));
    expect(await boundsIn(place)).toEqual({
      用瀬町赤波: [134.21, 134.22],
      用瀬町鷹狩: [134.22, 134.23],
      用瀬町赤波馬路: [134.2, 134.21],
    });
  });

  it('leave a machi-aza without a boundary if a later edition no longer names it', async () => {
    const place = await fresh();
    await place.ingest('abr', place.write('abr', townsOf(AKANAMI, TAKAGARI)), ...at(FIRST));
    await place.ingest('estat', place.write('estat', boundariesOf(NAMES)), ...at(FIRST));
    const later = NAMES.map((name) => (name === '用瀬町鷹狩' ? '用瀬町赤波鷹' : name));
    await place.ingest('estat', place.write('later', boundariesOf(later)), ...at(SECOND));
    expect(await boundsIn(place)).toEqual({ 用瀬町赤波: [134.2, 134.23], 用瀬町鷹狩: null });
  });
});
