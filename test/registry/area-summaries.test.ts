import { expect, it } from 'vitest';
import { openRegistry } from '../../src/registry/registry.ts';
import type { CountrySummary } from '../../src/vocabulary/api-shapes.ts';
import { FIELD_NAMES } from '../../src/vocabulary/fields.ts';
import { onBothEngines } from '../support/engines.ts';
import { areasOf, naiveSummary } from '../support/naive-areas.ts';
import { openServedRegistry } from '../support/served-registry.ts';
import { variedRegistry } from '../support/varied-registry.ts';

onBothEngines('the summary of Japan', (fresh) => {
  it('ARE-01 is the sum of its prefectures, after every run', async () => {
    const served = await openServedRegistry(await fresh());
    const { getCountry } = openRegistry(served.context.storage);
    const { ids, stages } = variedRegistry(3);
    for (const { run } of stages) {
      await run(served);
      const records = (await served.readAll(ids)).map(({ page }) => page);
      const prefectures = areasOf(records)
        .filter(({ level }) => level === 'prefecture')
        .map(({ level, code }) => naiveSummary(records, level, code))
        .filter((summary) => summary !== undefined)
        .sort((a, b) => (a.area.code < b.area.code ? -1 : 1));
      const expected: CountrySummary = {
        buildingCount: records.length,
        latestRecordedAt:
          prefectures
            .map((summary) => summary.latestRecordedAt)
            .sort()
            .at(-1) ?? null,
        children: prefectures.map(({ area: { slug, nameJa, nameEn, path }, buildingCount }) => {
          return { slug, nameJa, nameEn, path, buildingCount };
        }),
        coverage: Object.fromEntries(
          FIELD_NAMES.map((field) => [
            field,
            prefectures.reduce((sum, { coverage }) => sum + (coverage[field] ?? 0), 0),
          ]),
        ) as CountrySummary['coverage'],
      };
      expect(await getCountry()).toEqual(expected);
    }
    await served.close();
  });

  it('ARE-01 has zeros while nothing is published', async () => {
    const served = await openServedRegistry(await fresh());
    const { buildingCount, latestRecordedAt, children, coverage } = await openRegistry(
      served.context.storage,
    ).getCountry();
    expect({ buildingCount, latestRecordedAt, children }).toEqual({
      buildingCount: 0,
      latestRecordedAt: null,
      children: [],
    });
    expect(Object.keys(coverage)).toEqual([...FIELD_NAMES]);
    expect(new Set(Object.values(coverage))).toEqual(new Set([0]));
    await served.close();
  });
});
