import { describe, expect, it } from 'vitest';
import { abr } from '../../../src/sources/abr/adapter.ts';
import type { Item } from '../../../src/sources/adapter.ts';
import type { AreaDraft } from '../../../src/sources/draft.ts';
import { hasRealData, readAll, realFiles } from '../../support/source-files.ts';

const read = (matches: (name: string) => boolean) =>
  readAll(
    abr,
    realFiles('abr', (name) => abr.reads(name) && matches(name)),
  );
const areasIn = (items: Item[]): AreaDraft[] => items.flatMap((item) => (item.kind === 'area' ? [item.area] : []));

describe.skipIf(!hasRealData)('real files of the Address Base Registry', () => {
  it('hold 47 prefectures and 1,898 municipalities with points, besides 20 designated cities', async () => {
    const areas = areasIn(await read((name) => /mt_(pref|city)_/.test(name)));
    expect(areas.filter(({ level }) => level === 'prefecture')).toHaveLength(47);
    expect(areas.filter(({ level }) => level === 'ward')).toHaveLength(1_898);
    expect(areas.every(({ point }) => point !== null)).toBe(true);
    expect(areas.map(({ slug }) => slug)).toEqual(expect.arrayContaining(['hokkaido', 'tokyo', 'chiyoda-ku']));
    expect(areas.find(({ code }) => code === '26104')).toMatchObject({
      nameJa: '京都市中京区',
      slug: 'kyoto-shi-nakagyo-ku',
    });
    expect(areas.find(({ code }) => code === '13303')?.nameJa).toBe('西多摩郡瑞穂町');
    const clashes = areas
      .map(({ parent, slug }) => `${parent}/${slug}`)
      .filter((path, i, all) => all.indexOf(path) < i);
    expect(clashes).toEqual(['01/esashi-cho', '01/tomari-mura']);
  });

  it('hold the 68 machi-aza of Bunkyo, its ward and its prefecture', async () => {
    const areas = areasIn(await read((name) => name.startsWith('mt_town_all')));
    expect(areas).toHaveLength(70);
    expect(areas[2]).toMatchObject({ code: '131050001001', nameJa: '白山一丁目', slug: 'hakusan-1-chome' });
    expect(new Set(areas.map(({ slug }) => slug)).size).toBe(70);
  });

  it('hold 1,071 residences of Hakusan, all with points', async () => {
    const items = await read((name) => /131059-(sample|only)\.csv$/.test(name));
    const records = items.flatMap((item) => (item.kind === 'record' ? [item.record] : []));
    expect(records).toHaveLength(1_071);
    expect(records[0]).toMatchObject({
      sourceRecordId: '131059-0001001-001-001',
      geometry: { type: 'Point', coordinates: [139.7524369, 35.7151491] },
    });
    expect(records[0]?.observations).toMatchObject([{ value: '東京都文京区白山一丁目1番1号' }]);
    expect(records.at(-1)?.observations).toMatchObject([{ field: 'addressJa' }, { value: '112-0001' }]);
    expect(items.some(({ kind }) => kind === 'note' || kind === 'rejected' || kind === 'broken')).toBe(false);
  });

  it('hold 300 parcels of Yakushima, five of them without a point in the excerpt', async () => {
    const items = await read((name) => name.startsWith('mt_parcel'));
    expect(items.filter(({ kind }) => kind === 'record')).toHaveLength(295);
    expect(items.at(-1)).toMatchObject({ kind: 'note', reason: expect.stringMatching(/^5 parcels/) });
    expect(items[0]).toMatchObject({
      record: { sourceRecordId: '465054-0000121-000010000000000', area: '465050000121' },
    });
  });
});
