import type { AreaSummary } from '../../../vocabulary/api-shapes.ts';
import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { CATEGORIES } from '../../../vocabulary/categories.ts';
import { markdownLink, markdownTable, markdownText } from '../../http/markdown.ts';
import { CHILD_AREA_TITLES } from '../area-navigation.ts';
import { displayAddress, displayName } from '../building/names.ts';
import { CATEGORY_LABELS, FIELD_LABELS } from '../catalogue/labels.ts';
import { dayOf, formatCount, pluralise, withUnit } from '../format.ts';
import { coverageRows } from './coverage.ts';
import { activeFilters, DEFAULT_SORT_LABEL, SORT_LABELS } from './filter-labels.ts';
import { type ListView, listUrl } from './list-view.ts';
import { formerMarkdown } from './results.ts';

/** MD-01: the Markdown twin of a hub page. */
export function hubMarkdown(view: ListView, summary: AreaSummary, origin: string): string {
  const { area, buildingCount, latestRecordedAt } = summary;
  const name = area.nameEn === null ? area.nameJa : `${area.nameJa} (${area.nameEn})`;
  const blocks = [
    `# ${markdownText(name)}`,
    crumbs(view, origin),
    [
      `- ${pluralise(buildingCount, 'building')}`,
      `- Updated: ${dayOf(latestRecordedAt)}`,
      `- Area code: \`${area.code}\``,
      `- Page: <${origin}${area.path}>`,
      `- JSON: <${origin}/japan/api/v1/areas${area.path.slice('/japan'.length)}>`,
    ].join('\n'),
    ...childAreas(summary, origin),
    '## Buildings',
    ...(view.former === undefined ? [] : [formerMarkdown(view.former, origin)]),
    resultSummary(view),
    ...(view.list.items.length > 0 ? [table(view.list.items, origin)] : []),
    ...pages(view, origin),
    '## Uses',
    uses(view),
    '## Data coverage',
    markdownTable(
      ['Field', 'Share', 'Buildings'],
      coverageRows(summary).map(({ field, have, share }) => [
        FIELD_LABELS[field].en,
        share.replace('<', '\\<').replace('>', '\\>'),
        formatCount(have),
      ]),
    ),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function crumbs({ areas }: ListView, origin: string): string {
  const steps = areas.slice(0, -1).map(({ area }) => markdownLink(area.nameJa, `${origin}${area.path}`));
  return [markdownLink('Japan', `${origin}/japan`), ...steps].join(' › ');
}

function childAreas({ area, children }: AreaSummary, origin: string): string[] {
  if (children.length === 0) return [];
  const lines = children.map(({ nameJa, nameEn, path, buildingCount }) => {
    return `- ${markdownLink(nameEn === null ? nameJa : `${nameJa} (${nameEn})`, `${origin}${path}`)}: ${formatCount(buildingCount)}`;
  });
  return [`## ${CHILD_AREA_TITLES[area.level]}`, lines.join('\n')];
}

function resultSummary({ list, filters }: ListView): string {
  const active = activeFilters(filters).map(({ text }) => markdownText(text));
  const order = filters.sort === undefined ? DEFAULT_SORT_LABEL : SORT_LABELS[filters.sort];
  const filtered = active.length === 0 ? '' : ` found with: ${active.join('; ')}`;
  const position = list.total === 0 ? '' : ` Page ${list.page} of ${list.pages}, sorted by: ${order.toLowerCase()}.`;
  return `${pluralise(list.total, 'building')}${filtered}.${position}`;
}

function table(items: readonly BuildingPage[], origin: string): string {
  return markdownTable(
    ['Name', 'English name', 'ID', 'Address', 'Uses', 'Height', 'Floors', 'Built', 'Footprint', 'Conflicts'],
    items.map((building) => {
      const { id, path, fields, assetTypes, counters } = building;
      const name = displayName(building);
      const figures = (['heightM', 'floorsAbove', 'yearBuilt', 'footprintM2'] as const).map((field) => {
        const value = fields[field];
        return value === undefined ? '' : markdownText(withUnit(field, value.value, value.unit));
      });
      return [
        markdownLink(name.text, `${origin}${path}`),
        markdownText(name.also ?? ''),
        `\`${id}\``,
        markdownText(displayAddress(building)),
        assetTypes.map(({ category }) => CATEGORY_LABELS[category].en).join(', '),
        ...figures,
        String(counters.conflictsFlagged),
      ];
    }),
  );
}

function pages(view: ListView, origin: string): string[] {
  const { page, pages } = view.list;
  const path = `${view.path}.md`;
  const to = (number: number) => `${origin}${listUrl({ path, slugs: {} }, { ...view.filters, page: number })}`;
  const links = [
    ...(page > 1 ? [markdownLink('Previous page', to(page - 1))] : []),
    ...(page < pages ? [markdownLink('Next page', to(page + 1))] : []),
  ];
  return links.length === 0 ? [] : [links.join(' · ')];
}

function uses({ list }: ListView): string {
  const present = CATEGORIES.filter((category) => (list.byType[category] ?? 0) > 0);
  if (present.length === 0) return 'None';
  return present
    .map(
      (category) =>
        `- ${CATEGORY_LABELS[category].en} ${CATEGORY_LABELS[category].ja}: ${formatCount(list.byType[category])}`,
    )
    .join('\n');
}
