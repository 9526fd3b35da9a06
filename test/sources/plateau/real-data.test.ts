import { describe, expect, it } from 'vitest';
import type { Item } from '../../../src/sources/adapter.ts';
import type { Draft } from '../../../src/sources/draft.ts';
import { plateau } from '../../../src/sources/plateau/adapter.ts';
import type { Field } from '../../../src/vocabulary/fields.ts';
import { hasRealData, readAll, realFiles } from '../../support/source-files.ts';

const tileOf = (part: string) => realFiles('plateau', (name) => name.includes(part) && name.endsWith('.gml'));
const drafts = (items: readonly Item[]): Draft[] =>
  items.flatMap((item) => (item.kind === 'record' ? [item.record] : []));
const fieldOf = (draft: Draft | undefined, field: Field) => draft?.observations.find((o) => o.field === field)?.value;

async function readTile(part: string) {
  const items = await readAll(plateau, tileOf(part));
  expect(items.filter((item) => item.kind !== 'record')).toEqual([]);
  const all = drafts(items);
  const byId = new Map(all.map((draft) => [draft.sourceRecordId, draft]));
  const count = (field: Field) => all.filter((draft) => fieldOf(draft, field) !== undefined).length;
  const area = all.reduce((sum, draft) => sum + (fieldOf(draft, 'footprintM2') as number), 0);
  return { all, byId, count, area };
}

/** Counts and areas were taken from the files with other tools. */
describe.skipIf(!hasRealData)('real tiles', () => {
  it('reads Shunan: values among sentinels, LOD1 only', async () => {
    const { all, byId, count, area } = await readTile('51311624');
    expect(all).toHaveLength(109);
    expect(count('yearBuilt')).toBe(28);
    for (const field of ['floorsAbove', 'floorsBelow', 'gfaM2', 'assetTypes'] as const) expect(count(field)).toBe(82);
    for (const field of ['heightM', 'addressJa', 'footprintM2'] as const) expect(count(field)).toBe(109);
    expect(area).toBeCloseTo(7979, -1);
    const house = byId.get('35215-bldg-34137');
    expect(fieldOf(house, 'yearBuilt')).toBe(1921);
    expect(fieldOf(house, 'gfaM2')).toBe(250);
    expect(fieldOf(house, 'heightM')).toBe(6.9);
    expect(fieldOf(house, 'footprintM2')).toBeCloseTo(256.7, 0);
  });

  it('reads Shunan where every value is a sentinel', async () => {
    const { all, count } = await readTile('51311568');
    expect(all).toHaveLength(8);
    for (const field of ['yearBuilt', 'floorsAbove', 'floorsBelow', 'gfaM2', 'assetTypes'] as const)
      expect(count(field)).toBe(0);
    expect(count('heightM')).toBe(8);
    expect(all.flatMap((draft) => fieldOf(draft, 'nameJa') ?? [])).toContain('米光保育所');
  });

  it('reads Osaka, where every building is a branch', async () => {
    const { all, count, area } = await readTile('51357446');
    expect(all).toHaveLength(32);
    expect([count('heightM'), count('floorsAbove'), count('assetTypes')]).toEqual([29, 18, 18]);
    expect(area).toBeCloseTo(5955, -1);
  });

  it('reads Osaka with holes and without heights', async () => {
    const { all, byId, count } = await readTile('51357441');
    expect(all).toHaveLength(3);
    expect(count('heightM')).toBe(1);
    expect(all.some((draft) => draft.geometry?.coordinates.length === 3)).toBe(true);
    expect(fieldOf(byId.get('27100-bldg-80286'), 'footprintM2')).toBeCloseTo(4.74, 1);
  });

  it('reads Tokyo of i-UR 1.4 and 3.2', async () => {
    const ota = await readTile('13111_ota');
    expect(ota.all).toHaveLength(25);
    expect(ota.area).toBeCloseTo(10_496, -1);
    expect(fieldOf(ota.byId.get('13111-bldg-726'), 'addressJa')).toBe('東京都大田区南六郷三丁目');
    const { all } = await readTile('13113_shibuya');
    const values = Object.fromEntries(all[0]?.observations.map(({ field, value }) => [field, value]) ?? []);
    expect(values).toMatchObject({ assetTypes: '業務施設', floorsAbove: 9, floorsBelow: 1, heightM: 36.8 });
    expect(values.footprintM2).toBeCloseTo(220.5, 0);
  });

  it('reads LOD2 of Chiyoda, and CRLF of Tatebayashi', async () => {
    const { byId } = await readTile('13101_chiyoda');
    const tower = byId.get('13101-bldg-365');
    expect(fieldOf(tower, 'nameJa')).toBe('第一生命館内郵便局');
    expect(fieldOf(tower, 'heightM')).toBe(114.7);
    expect(fieldOf(tower, 'footprintM2')).toBeCloseTo(6_423, 0);
    const { all } = await readTile('10207');
    expect(all.map((draft) => fieldOf(draft, 'assetTypes'))).toEqual(['商業施設', undefined]);
  });

  it('reads all of them at once, with their code lists', async () => {
    const items = await readAll(
      plateau,
      realFiles('plateau', (name) => plateau.reads(name)),
    );
    expect(items).toHaveLength(181);
    expect(new Set(drafts(items).map((draft) => draft.sourceRecordId)).size).toBe(181);
  });
});
