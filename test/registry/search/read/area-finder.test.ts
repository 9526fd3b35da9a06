import { describe, expect, it } from 'vitest';
import { AreaFinder } from '../../../../src/registry/search/read/area-finder.ts';
import { abr } from '../../../../src/sources/abr/adapter.ts';
import type { AreaDraft } from '../../../../src/sources/draft.ts';
import type { Reads } from '../../../../src/storage/storage.ts';
import { hasRealData, readAll, realFiles } from '../../../support/source-files.ts';

/** Answers the two queries of the finder: the state, and the areas with their counts. */
function readsOf(areas: readonly AreaDraft[]): Reads {
  const rows = areas.map(({ code, level, parent, slug, nameJa, nameEn }) => {
    return { code, level, parent, slug, name: nameJa, nameEn, count: 1 };
  });
  return {
    engine: 'sqlite',
    all: (statement) => (statement.includes('area_summary') ? rows : [{ stale: 0 }]) as never,
  };
}

describe.skipIf(!hasRealData)('all municipalities of the Address Base Registry', () => {
  it('SUG-03 UI-42 every ward of a designated city and every town in a county is found by its own name', async () => {
    const files = realFiles('abr', (name) => abr.reads(name) && /mt_(pref|city)_/.test(name));
    const areas = (await readAll(abr, files)).flatMap((item) => (item.kind === 'area' ? [item.area] : []));
    const wards = areas.filter(({ level }) => level === 'ward');
    const inCities = wards.filter(({ nameJa }) => /市.+区$/u.test(nameJa));
    const inCounties = wards.filter(({ nameJa }) => /郡.+[町村]$/u.test(nameJa));
    expect([wards.length, inCities.length, inCounties.length]).toEqual([1_898, 171, 923]);
    const [finder, reads] = [new AreaFinder(), readsOf(areas)];
    for (const { nameJa, code } of [...inCities, ...inCounties]) {
      // 北区 after 大阪市, 瑞穂町 after 西多摩郡: of 余市郡余市町 the county ends at its first 郡.
      const own = nameJa.endsWith('区')
        ? nameJa.slice(nameJa.lastIndexOf('市') + 1)
        : nameJa.slice(nameJa.indexOf('郡') + 1);
      const named = await finder.named(reads, own);
      expect([own, code, named.map(({ label }) => label)]).toEqual([own, code, expect.arrayContaining([nameJa])]);
    }
    const north = (await finder.named(reads, '北区')).map(({ label }) => label);
    expect(north).toEqual(expect.arrayContaining(['北区', '大阪市北区', '札幌市北区', '京都市北区', '堺市北区']));
    expect(north.every((name) => name.endsWith('北区'))).toBe(true);
    expect(north).toHaveLength(wards.filter(({ nameJa }) => /(^|市)北区$/u.test(nameJa)).length);
    for (const q of ['Kita-ku', 'kita ku']) {
      expect(new Set((await finder.named(reads, q)).map(({ label }) => label))).toEqual(new Set(north));
    }
    for (const { nameEn, slug, level, nameJa } of areas.filter((area) => area.level === 'prefecture' || area.nameEn)) {
      for (const q of [nameEn ?? slug, slug.toUpperCase()]) {
        const labels = (await finder.named(reads, q)).map(({ label }) => label);
        expect([level, q, labels]).toEqual([level, q, expect.arrayContaining([nameJa])]);
      }
    }
  });
});
