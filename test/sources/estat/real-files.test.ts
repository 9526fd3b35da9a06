import { describe, expect, it } from 'vitest';
import { abr } from '../../../src/sources/abr/adapter.ts';
import type { Item } from '../../../src/sources/adapter.ts';
import type { BoundaryDraft } from '../../../src/sources/draft.ts';
import { estat } from '../../../src/sources/estat/adapter.ts';
import { normaliseAreaName } from '../../../src/vocabulary/area-names.ts';
import { contains } from '../../../src/vocabulary/geometry.ts';
import { hasRealData, readAll, realFiles } from '../../support/source-files.ts';

const read = (ward: string): Promise<Item[]> =>
  readAll(
    estat,
    realFiles('estat', (name) => estat.reads(name) && name.includes(ward)),
  );
const boundariesIn = (items: Item[]): BoundaryDraft[] =>
  items.flatMap((item) => (item.kind === 'boundary' ? [item.boundary] : []));

describe.skipIf(!hasRealData)('real small areas of the census of 2020', () => {
  it.each([
    ['13101', 115],
    ['13103', 117],
    ['13105', 68],
  ])('of %s are %i neighbourhoods', async (ward, count) => {
    const items = await read(ward);
    expect(boundariesIn(items)).toHaveLength(count);
    expect(items).toHaveLength(count);
    expect(boundariesIn(items).every((boundary) => boundary.ward === ward)).toBe(true);
  });

  it('hold Tokyo Tower in 芝公園四丁目', async () => {
    const around = boundariesIn(await read('13103')).filter(({ boundary }) => contains(boundary, [139.7454, 35.6586]));
    expect(around.map(({ id, nameJa }) => [id, nameJa])).toEqual([['13103009004', '芝公園四丁目']]);
  });

  it('join the 68 machi-aza of Bunkyo by name, one to one', async () => {
    const areas = await readAll(
      abr,
      realFiles('abr', (name) => name.startsWith('mt_town_all')),
    );
    const machiAza = areas.flatMap((item) =>
      item.kind === 'area' && item.area.level === 'machiAza' ? [normaliseAreaName(item.area.nameJa)] : [],
    );
    const neighbourhoods = boundariesIn(await read('13105')).map(({ nameJa }) => normaliseAreaName(nameJa));
    expect(new Set(machiAza).size).toBe(68);
    expect(neighbourhoods.toSorted()).toEqual(machiAza.toSorted());
  });
});
