import { describe, expect, it } from 'vitest';
import type { SourceFile } from '../../../src/files/source-file.ts';
import { abr } from '../../../src/sources/abr/adapter.ts';
import type { Item } from '../../../src/sources/adapter.ts';
import type { AreaDraft } from '../../../src/sources/draft.ts';
import { fileOf, readAll } from '../../support/source-files.ts';
import { AT, BUNKYO, type GivenCells, HAKUSAN_1, tableOf } from './tables.ts';

const areasIn = (items: Item[]): AreaDraft[] => items.flatMap((item) => (item.kind === 'area' ? [item.area] : []));
const areasOf = async (...files: SourceFile[]) => areasIn(await readAll(abr, files));

const prefectures = (...rows: GivenCells[]) => fileOf('a.csv', tableOf('pref', rows));
const wards = (...rows: GivenCells[]) => fileOf('b.csv', tableOf('city', rows));
const towns = (...rows: GivenCells[]) => fileOf('c.csv', tableOf('town', rows));
const townsOnly = async (...rows: GivenCells[]) =>
  (await areasOf(towns(...rows))).filter(({ level }) => level === 'machiAza');

const TOKYO = { lg_code: '130001', pref: '東京都', pref_roma: 'Tokyo' };
const CHUO = { lg_code: '011011', pref: '北海道', pref_roma: 'Hokkaido', city: '札幌市', city_roma: 'Sapporo-shi' };

describe('areas of the Address Base Registry', () => {
  it('reads only CSV', () => {
    expect(abr.reads('mt_city_all.csv.zip/mt_city_all.csv')).toBe(true);
    expect(abr.reads('hub_search_town.json')).toBe(false);
    expect(abr.reads('readme.txt')).toBe(false);
  });

  it('yields prefectures, wards and machi-aza, parents first for any order of files', async () => {
    const pos = fileOf('p.csv', tableOf('areaPos', [{ lg_code: '131059', ...AT }]));
    const townPos = fileOf('q.csv', tableOf('townPos', [{ ...HAKUSAN_1, ...AT, rep_srid: 'EPSG:4612' }]));
    const areas = await areasOf(townPos, towns(HAKUSAN_1), wards(BUNKYO), prefectures(TOKYO), pos);
    expect(areas).toEqual([
      {
        level: 'prefecture',
        code: '13',
        parent: null,
        slug: 'tokyo',
        fallbackSlug: 'tokyo-13',
        nameJa: '東京都',
        nameEn: 'Tokyo',
        point: null,
      },
      {
        level: 'ward',
        code: '13105',
        parent: '13',
        slug: 'bunkyo-ku',
        fallbackSlug: 'bunkyo-ku-13105',
        nameJa: '文京区',
        nameEn: 'Bunkyo-ku',
        point: [139.751, 35.715],
      },
      {
        level: 'machiAza',
        code: '131050001001',
        parent: '13105',
        slug: 'hakusan-1-chome',
        fallbackSlug: 'hakusan-1-chome-0001001',
        nameJa: '白山一丁目',
        nameEn: 'Hakusan 1-chome',
        point: [139.751, 35.715],
      },
    ]);
  });

  it('derives ward and prefecture from machi-aza, the same as from their own tables', async () => {
    const own = await areasOf(prefectures(TOKYO), wards(BUNKYO), towns(HAKUSAN_1));
    expect(await areasOf(towns(HAKUSAN_1))).toEqual(own);
  });

  it('derives a prefecture from the table of municipalities, before the first of them', async () => {
    const mitaka = { ...BUNKYO, lg_code: '132047', city: '三鷹市', city_roma: 'Mitaka-shi' };
    const codes = async (...files: SourceFile[]) => (await areasOf(...files)).map(({ code }) => code);
    expect(await codes(towns(HAKUSAN_1), wards(mitaka, BUNKYO))).toEqual(['13', '13105', '13204', '131050001001']);
    expect(await codes(wards(BUNKYO))).toEqual(['13', '13105']);
    expect(await areasOf(wards(BUNKYO), towns(HAKUSAN_1))).toEqual(
      await areasOf(prefectures(TOKYO), wards(BUNKYO), towns(HAKUSAN_1)),
    );
  });

  it('drops the suffix of a prefecture in its slug, except for hokkaido', async () => {
    const slug = async (lg_code: string, pref_roma: string) =>
      (await areasOf(prefectures({ lg_code, pref_roma })))[0]?.slug;
    expect(await slug('130001', 'Tokyo-to')).toBe('tokyo');
    expect(await slug('260002', 'Kyoto-fu')).toBe('kyoto');
    expect(await slug('010006', 'Hokkai-do')).toBe('hokkaido');
    expect(await slug('010006', 'Hokkaido')).toBe('hokkaido');
  });

  it('yields the wards of a designated city, not the city', async () => {
    const ward = { ...CHUO, ward: '中央区', ward_roma: 'Chuo-ku' };
    const [, ...areas] = await areasOf(wards(ward, { ...CHUO, lg_code: '011002' }));
    expect(areas.map(({ code, slug, nameJa, nameEn }) => [code, slug, nameJa, nameEn])).toEqual([
      ['01101', 'sapporo-shi-chuo-ku', '札幌市中央区', 'Sapporo-shi Chuo-ku'],
    ]);
  });

  it('names a town with its county, which is in its slug only to avoid duplicates', async () => {
    const mizuho = { county: '西多摩郡', county_roma: 'Nishitama-gun', city: '瑞穂町', city_roma: 'Mizuho-machi' };
    const [, area] = await areasOf(wards({ ...TOKYO, lg_code: '133035', ...mizuho }));
    expect(area).toMatchObject({ nameJa: '西多摩郡瑞穂町', nameEn: 'Mizuho-machi', slug: 'mizuho-machi' });
    expect(area?.fallbackSlug).toBe('nishitama-gun-mizuho-machi');
  });

  it.each([
    [{ chome: '十二丁目', chome_number: '12' }, '白山十二丁目', 'Hakusan 12-chome', 'hakusan-12-chome'],
    [{ chome: '１丁', chome_number: '1' }, '白山一丁', 'Hakusan 1-cho', 'hakusan-1-cho'],
    [{ chome: '２丁目', chome_number: '' }, '白山二丁目', 'Hakusan 2-chome', 'hakusan-2-chome'],
    [{ chome: '東丁目', chome_number: '' }, '白山東丁目', null, 'machi-aza-0001001'],
    [{ chome: '', koaza: '字上', koaza_roma: 'Kami' }, '白山字上', 'Hakusan Kami', 'hakusan-kami'],
    [{ chome: '', koaza: '字上', koaza_roma: '' }, '白山字上', null, 'machi-aza-0001001'],
    [{ chome: '', oaza_cho_roma: '' }, '白山', null, 'machi-aza-0001001'],
    [{ chome: '', oaza_cho_roma: 'Jun’ōji  Higashi' }, '白山', 'Jun’ōji Higashi', 'junoji-higashi'],
    [{ chome: '', oaza_cho_roma: '白山' }, '白山', '白山', 'machi-aza-0001001'],
    [{ chome: '', oaza_cho: '' }, '文京区', 'Bunkyo-ku', 'bunkyo-ku'],
  ])('names %j', async (cells, nameJa, nameEn, slug) => {
    const [area] = await townsOnly({ ...HAKUSAN_1, ...cells });
    expect(area).toMatchObject({ nameJa, nameEn, slug });
    expect(area?.fallbackSlug).toMatch(/^[a-z0-9-]+-0001001$/);
  });

  it('yields one area for rows with one key, preferring the row with residence addresses', async () => {
    const lots = { ...HAKUSAN_1, rsdt_addr_flg: '0', oaza_cho_roma: 'Lots' };
    for (const rows of [
      [lots, HAKUSAN_1],
      [HAKUSAN_1, lots],
    ]) {
      expect((await townsOnly(...rows)).map(({ slug }) => slug)).toEqual(['hakusan-1-chome']);
    }
    const pos = (flag: string, rep_lon: string) => ({ ...HAKUSAN_1, ...AT, rsdt_addr_flg: flag, rep_lon });
    for (const rows of [
      [pos('0', '139'), pos('1', '140')],
      [pos('1', '140'), pos('0', '139')],
    ]) {
      const areas = await areasOf(towns(HAKUSAN_1), fileOf('p.csv', tableOf('townPos', rows)));
      expect(areas.at(-1)?.point).toEqual([140, 35.715]);
    }
  });

  it('yields the machi-aza of a ward sorted by code', async () => {
    const ids = ['0003000', '0001001', '0002000'];
    const areas = await townsOnly(...ids.map((machiaza_id) => ({ ...HAKUSAN_1, machiaza_id })));
    expect(areas.map(({ code }) => code.slice(5))).toEqual(['0001001', '0002000', '0003000']);
  });

  it('leaves out abolished rows and the streets of Kyoto', async () => {
    expect(await townsOnly({ ...HAKUSAN_1, ablt_date: '2020-01-01' }, { ...HAKUSAN_1, koaza_aka_code: '2' })).toEqual(
      [],
    );
    expect(await areasOf(wards({ ...BUNKYO, ablt_date: '2020-01-01' }))).toEqual([]);
  });

  it('notes and ignores a point in another reference system or outside Japan', async () => {
    const pos = [
      { ...HAKUSAN_1, ...AT, rep_srid: 'EPSG:4301' },
      { ...HAKUSAN_1, ...AT, rep_lon: '35.7', rep_lat: '139.7' },
      { ...HAKUSAN_1, ...AT, rep_lon: 'x' },
      { ...HAKUSAN_1, ...AT, rep_lon: '' },
    ];
    const items = await readAll(abr, [towns(HAKUSAN_1), fileOf('p.csv', tableOf('townPos', pos))]);
    expect(items.flatMap((item) => (item.kind === 'note' ? [[item.at.line, item.reason]] : []))).toEqual([
      [2, 'point in EPSG:4301; expected EPSG:6668 or EPSG:4612'],
      [3, 'point has a position outside Japan (positions are [longitude, latitude])'],
      [4, expect.stringContaining('point has')],
    ]);
    expect(areasIn(items).at(-1)?.point).toBeNull();
  });

  it('rejects rows without municipality or machiaza_id, and rows cut off', async () => {
    const text = tableOf('town', [HAKUSAN_1, { ...HAKUSAN_1, lg_code: '991059' }, { ...HAKUSAN_1, machiaza_id: 'x' }]);
    const items = await readAll(abr, [fileOf('c.csv', `${text}131059,00010`)]);
    expect(items.filter(({ kind }) => kind === 'rejected')).toMatchObject(
      [
        { at: { file: 'c.csv', line: 3 }, reason: /lg_code/ },
        { at: { line: 4 }, reason: /machiaza_id/ },
        { at: { line: 5 }, reason: /^2 cells, but the header has 38/ },
      ].map((item) => ({ ...item, reason: expect.stringMatching(item.reason) })),
    );
    expect(areasIn(items)).toHaveLength(3);
  });

  it('rejects areas without a valid name', async () => {
    const items = await readAll(abr, [
      wards({ ...BUNKYO, city: '' }),
      towns({ ...HAKUSAN_1, oaza_cho: '白'.repeat(1_000) }),
    ]);
    expect(items.flatMap((item) => (item.kind === 'rejected' ? [[item.record, item.reason]] : []))).toEqual([
      ['13105', 'name is empty'],
      ['131050001001', 'name is longer than 200 characters'],
    ]);
  });

  it('lists the known tables for an unknown one', async () => {
    const files = ['x,y\n1,2\n', 'lg_code,machiaza_id,kyoto_street\n'];
    const items = await readAll(abr, [...files.map((text, i) => fileOf(`${i}.csv`, text)), towns(HAKUSAN_1)]);
    expect(items.slice(0, 2)).toEqual(
      ['broken', 'foreign'].map((kind, i) => ({ kind, file: `${i}.csv`, reason: expect.stringContaining('mt_town') })),
    );
    expect(areasIn(items)).toHaveLength(3);
  });

  it('yields complete rows before a file breaks', async () => {
    const text = Buffer.from(
      tableOf(
        'town',
        Array.from({ length: 900 }, () => HAKUSAN_1),
      ),
    );
    const items = await readAll(abr, [fileOf('c.csv', Buffer.concat([text, Buffer.from([0xff, 0xff])]), 4096)]);
    expect(items.filter(({ kind }) => kind === 'broken')).toHaveLength(1);
    expect(areasIn(items)).toHaveLength(3);
  });
});
