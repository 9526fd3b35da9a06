import type { AreaSummary } from '../../../vocabulary/api-shapes.ts';
import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { CATEGORIES } from '../../../vocabulary/categories.ts';
import { completionYear } from '../../../vocabulary/completion.ts';
import { markdownLink, markdownTable, markdownText } from '../../http/markdown.ts';
import { displayAddress, displayName } from '../building/names.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { CATEGORY_LABELS, FIELD_LABELS } from '../catalogue/labels.ts';
import { formatCount, formatDayPlainly, formatFieldPlainly } from '../format.ts';
import { coverageRows } from './coverage.ts';
import { EXPORT_FORMS, EXPORT_LIMIT } from './export-list.ts';
import { activeFilters, correctionText, describeSearch, listTitle } from './filter-labels.ts';
import { exportPath } from './list-tools.ts';
import { type ListView, listUrl } from './list-view.ts';
import { formerMarkdown, leadNames } from './results.ts';

/** MD-01: the Markdown twin of a hub page. */
export function hubMarkdown(view: ListView, summary: AreaSummary, origin: string): string {
  const { t } = view;
  const { area, buildingCount, latestRecordedAt } = summary;
  const { twin } = t.hub;
  const isSearch = describeSearch(t, view.filters) !== undefined;
  const blocks = [
    `# ${markdownText(areaTitle(t, area))}`,
    crumbs(view, origin),
    [
      `- ${t.counts.buildings(buildingCount)}`,
      `- ${twin.updated(formatDayPlainly(t, latestRecordedAt))}`,
      `- ${twin.areaCode(area.code)}`,
      `- ${twin.page(`${origin}${area.path}`)}`,
      `- ${twin.json(`${origin}/japan/api/v1/areas${area.path.slice('/japan'.length)}`)}`,
    ].join('\n'),
    ...childAreas(t, summary, origin),
    `## ${markdownText(isSearch ? listTitle(t, view.filters, view.areas) : twin.buildings)}`,
    ...view.corrections.map((correction) => markdownText(correctionText(t, correction))),
    ...(view.former === undefined ? [] : [formerMarkdown(t, view.former, origin)]),
    resultSummary(view),
    ...leads(view, origin),
    ...(view.list.items.length > 0 ? [table(view, origin)] : []),
    ...(view.cards.withReit.size > 0 ? [twin.reitNote] : []),
    ...pages(view, origin),
    ...(view.list.total > 0 ? [files(view, origin)] : []),
    `## ${twin.uses}`,
    uses(view),
    `## ${twin.coverage}`,
    markdownTable(
      [twin.field, twin.share, twin.buildings],
      coverageRows(summary).map(({ field, have, share }) => [
        FIELD_LABELS[field][t.lang],
        share.replace('<', '\\<').replace('>', '\\>'),
        formatCount(have),
      ]),
    ),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** UI-61: the same buildings as files. */
function files(view: ListView, origin: string): string {
  const { t } = view;
  const links = EXPORT_FORMS.map((form) => markdownLink(t.export[form], `${origin}${exportPath(view, form)}`));
  const cut = view.list.total > EXPORT_LIMIT ? ` ${t.export.cut(EXPORT_LIMIT, view.list.total)}` : '';
  return `${t.export.download}${t.export.colon}${links.join(' · ')}${cut}`;
}

/** UI-51: the name in the language of the twin; in English with the Japanese one. */
function areaTitle(t: Text, { nameJa, nameEn }: Pick<AreaSummary['area'], 'nameJa' | 'nameEn'>): string {
  return t.lang === 'ja' || nameEn === null ? nameJa : t.hub.twin.name(nameEn, nameJa);
}

function crumbs({ t, areas }: ListView, origin: string): string {
  const steps = areas.slice(0, -1).map(({ area }) => markdownLink(areaTitle(t, area), `${origin}${area.path}`));
  return [markdownLink(t.hub.japan, `${origin}/japan`), ...steps].join(' › ');
}

function childAreas(t: Text, { area, children }: AreaSummary, origin: string): string[] {
  if (children.length === 0) return [];
  const lines = children.map((child) => {
    const link = markdownLink(areaTitle(t, child), `${origin}${child.path}`);
    return `- ${t.hub.twin.useCount(link, formatCount(child.buildingCount))}`;
  });
  return [`## ${t.hub.children[area.level]}`, lines.join('\n')];
}

function resultSummary({ t, list, filters }: ListView): string {
  const { twin } = t.hub;
  const active = activeFilters(t, filters).map(({ text }) => markdownText(text));
  const order = filters.sort === undefined ? t.list.defaultSort : t.list.sorts[filters.sort];
  const total = t.counts.buildings(list.total);
  const found = active.length === 0 ? twin.all(total) : twin.foundWith(total, active.join(twin.filterSeparator));
  return `${found}${list.total === 0 ? '' : twin.position(list.page, list.pages, order)}`;
}

/** Searches that find something, if this one does not. */
function leads({ t, leads }: ListView, origin: string): string[] {
  if (leads.length === 0) return [];
  const { twin } = t.hub;
  const lines = leads.map(({ kind, text, url, count, everywhere }) => {
    const name = leadNames(t)[kind];
    const scope = everywhere ? `${t.list.separator}${t.list.everywhere}` : '';
    return `- ${name === undefined ? '' : `${name}${twin.colon}`}${markdownLink(text, `${origin}${url}`)} ${t.counts.buildings(count)}${scope}`;
  });
  return [twin.offers, lines.join('\n')];
}

const FIGURES = ['heightM', 'floorsAbove', 'yearBuilt', 'footprintM2'] as const;

function table({ t, list, cards }: ListView, origin: string): string {
  const { columns, comma, yes } = t.hub.twin;
  const hasReit = cards.withReit.size > 0;
  const names = ['name', 'nameEn', 'id', 'address', 'uses', ...FIGURES, 'conflicts'] as const;
  return markdownTable(
    [...names.map((name) => columns[name]), ...(hasReit ? [columns.reit] : [])],
    list.items.map((building) => {
      const { id, path, assetTypes, counters } = building;
      const name = displayName(building, t);
      return [
        markdownLink(name.text, `${origin}${path}`),
        markdownText(name.also ?? ''),
        `\`${id}\``,
        markdownText(displayAddress(building)),
        assetTypes.map(({ category }) => CATEGORY_LABELS[category][t.lang]).join(comma),
        ...FIGURES.map((field) => markdownText(figure(t, building, field, cards.today))),
        String(counters.conflictsFlagged),
        ...(hasReit ? [cards.withReit.has(id) ? yes : ''] : []),
      ];
    }),
  );
}

/** UI-20: a year still to come is planned. */
function figure(t: Text, { fields }: BuildingPage, field: (typeof FIGURES)[number], today: string): string {
  if (field === 'yearBuilt') {
    const completion = completionYear(fields, today);
    if (completion?.isPlanned) return t.hub.twin.planned(completion.year);
  }
  const value = fields[field];
  if (value === undefined) return '';
  const text = formatFieldPlainly(t, field, value.value, value.unit);
  if (value.provenance.extractionMethod === 'inherited-complex') return t.list.ofComplex(text);
  return value.estimated ? t.building.about(text) : text;
}

function pages(view: ListView, origin: string): string[] {
  const { previousPage, nextPage } = view.t.hub.twin;
  const { page, pages } = view.list;
  const path = `${view.path}.md`;
  const to = (number: number) => `${origin}${listUrl({ path, slugs: {} }, { ...view.filters, page: number })}`;
  const links = [
    ...(page > 1 ? [markdownLink(previousPage, to(page - 1))] : []),
    ...(page < pages ? [markdownLink(nextPage, to(page + 1))] : []),
  ];
  return links.length === 0 ? [] : [links.join(' · ')];
}

function uses({ t, list }: ListView): string {
  const present = CATEGORIES.filter((category) => (list.byType[category] ?? 0) > 0);
  if (present.length === 0) return t.hub.twin.none;
  return present
    .map((category) => {
      const { en, ja } = CATEGORY_LABELS[category];
      return `- ${t.hub.twin.useCount(t.lang === 'ja' ? ja : `${en} ${ja}`, formatCount(list.byType[category]))}`;
    })
    .join('\n');
}
