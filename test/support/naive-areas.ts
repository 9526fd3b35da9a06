import type { AreaSummary } from '../../src/vocabulary/api-shapes.ts';
import type { AreaName, BuildingPage } from '../../src/vocabulary/building-page.ts';
import { FIELD_NAMES } from '../../src/vocabulary/fields.ts';
import { recordedAt } from './served-registry.ts';

const LEVELS = ['prefecture', 'ward', 'machiAza'] as const;
type Level = (typeof LEVELS)[number];

/** ARE-01 computed by counting records; undefined if the area has none. */
export function naiveSummary(records: readonly BuildingPage[], level: Level, code: string): AreaSummary | undefined {
  const inside = records.filter(({ location }) => location[level].code === code);
  const [one] = inside;
  if (one === undefined) return undefined;
  const depth = LEVELS.indexOf(level);
  const path = `/japan/${LEVELS.slice(0, depth + 1)
    .map((above) => one.location[above].slug)
    .join('/')}`;
  const below = LEVELS[depth + 1];
  const children = new Map<string, AreaName>();
  if (below !== undefined) for (const { location } of inside) children.set(location[below].code, location[below]);
  const { slug, nameJa, nameEn } = one.location[level];
  return {
    area: { level, code, slug, nameJa, nameEn, path },
    buildingCount: inside.length,
    latestRecordedAt: inside.map(recordedAt).sort().at(-1) as string,
    children: [...children.keys()].sort().map((child) => {
      const { slug, nameJa, nameEn } = children.get(child) as AreaName;
      const buildingCount = inside.filter(({ location }) => location[below as Level].code === child).length;
      return { slug, nameJa, nameEn, path: `${path}/${slug}`, buildingCount };
    }),
    coverage: Object.fromEntries(FIELD_NAMES.map((field) => [field, inside.filter(has(field)).length])) as never,
  };
}

const has =
  (field: (typeof FIELD_NAMES)[number]) =>
  ({ fields, aliases, assetTypes }: BuildingPage): boolean => {
    if (field === 'aliases') return aliases.length > 0;
    // A use added by the service itself means that none is known.
    if (field === 'assetTypes') return assetTypes.some(({ provenance }) => provenance.source !== 'dnk');
    return fields[field] !== undefined;
  };

/** Every area with a record, without duplicates. */
export function areasOf(records: readonly BuildingPage[]): { level: Level; code: string }[] {
  const found = new Map<string, Level>();
  for (const { location } of records) for (const level of LEVELS) found.set(location[level].code, level);
  return [...found].map(([code, level]) => ({ level, code }));
}
