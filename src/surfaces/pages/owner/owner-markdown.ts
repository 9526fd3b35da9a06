import type { OwnerSummary } from '../../../registry/owner-summary.ts';
import { CATEGORIES } from '../../../vocabulary/categories.ts';
import { completionYear } from '../../../vocabulary/completion.ts';
import { markdownLink, markdownTable, markdownText } from '../../http/markdown.ts';
import { displayAddress, displayName } from '../building/names.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { CATEGORY_LABELS, FIELD_LABELS } from '../catalogue/labels.ts';
import { formatCount, formatDayPlainly, formatFieldPlainly } from '../format.ts';
import { EXPORT_FORMS } from '../list/export-list.ts';
import { toQuery } from '../list/filters.ts';
import { DEFAULT_COLUMNS } from '../list/list-display.ts';
import { exportPath } from '../list/list-tools.ts';
import type { ListView } from '../list/list-view.ts';
import type { PageSettings } from '../page-settings.ts';
import { shownValue } from '../shown-value.ts';
import { decadesOf, roundedTotal, yearsOf } from './owner-years.ts';

/** MD-01, UI-62: the Markdown twin of an owner page. */
export function ownerMarkdown(view: ListView, summary: OwnerSummary, { t, origin, today }: PageSettings): string {
  const { owner, buildingCount, latestRecordedAt, prefectures } = summary;
  const thisYear = Number(today.slice(0, 4));
  const counted = (rows: readonly { label: string; count: number }[]) =>
    rows.map(({ label, count }) => `- ${markdownText(label)}${t.building.colon}${formatCount(count)}`).join('\n');
  const links = [
    `- ${t.owner.page}${t.building.colon}<${origin}${view.path}>`,
    `- ${t.owner.json}${t.building.colon}<${origin}/japan/api/v1/owners/${encodeURIComponent(owner)}/assets>`,
    ...EXPORT_FORMS.map((form) => `- ${t.export[form]}${t.building.colon}<${origin}${exportPath(view, form)}>`),
  ];
  const blocks = [
    `# ${markdownText(t.owner.title(owner))}`,
    `${t.owner.leadMarkdown(t.counts.buildings(buildingCount), formatDayPlainly(t, latestRecordedAt))}`,
    t.owner.note,
    links.join('\n'),
    `## ${t.owner.totals}`,
    totals(t, summary, thisYear),
    `### ${t.owner.uses}`,
    counted(
      CATEGORIES.filter((category) => summary.byUse[category] > 0).map((category) => ({
        label: CATEGORY_LABELS[category][t.lang],
        count: summary.byUse[category],
      })),
    ),
    `### ${t.owner.prefectures}`,
    prefectures
      .map(({ slug, nameJa, nameEn, buildingCount: count }) => {
        const name = t.lang === 'ja' ? nameJa : (nameEn ?? nameJa);
        return `- ${markdownLink(name, `${origin}/japan/${encodeURIComponent(slug)}`)}${t.building.colon}${formatCount(count)}`;
      })
      .join('\n'),
    ...(summary.byYear.length === 0 ? [] : [`### ${t.owner.decades}`, counted(decadesOf(t, summary.byYear, thisYear))]),
    `## ${t.owner.buildings}`,
    t.table.caption(view.list.total === 0 ? 0 : from(view), from(view) + view.list.items.length - 1, view.list.total),
    ...(view.list.items.length === 0 ? [] : [buildings(t, view, origin, today)]),
    ...pages(t, view, origin),
  ];
  return `${blocks.join('\n\n')}\n`;
}

const from = ({ list }: ListView) => (list.page - 1) * 20 + 1;

function totals(t: Text, summary: OwnerSummary, thisYear: number): string {
  const { buildingCount, floorArea } = summary;
  const { first, last, known, planned, plannedWithArea } = yearsOf(summary, thisYear);
  const area =
    floorArea.known === 0
      ? t.owner.noFloorArea
      : `${totalText(t, floorArea)}${t.building.comma}${t.owner.floorAreaNote(floorArea.known, buildingCount, floorArea.estimated, plannedWithArea)}`;
  const range =
    first === undefined || last === undefined
      ? t.owner.noYears
      : `${t.owner.yearRange(first, last)}${t.building.comma}${t.owner.yearsNote(known, buildingCount, planned)}`;
  return [
    `- ${t.owner.count}${t.building.colon}${formatCount(buildingCount)}${planned === 0 ? '' : `${t.building.comma}${t.owner.ofWhichPlanned(planned)}`}`,
    `- ${FIELD_LABELS.gfaM2[t.lang]}${t.building.colon}${area}`,
    `- ${FIELD_LABELS.yearBuilt[t.lang]}${t.building.colon}${range}`,
  ].join('\n');
}

/** UI-22 */
function totalText(t: Text, floorArea: OwnerSummary['floorArea']): string {
  const text = (totalM2: number) => formatFieldPlainly(t, 'gfaM2', totalM2, 'm2');
  return floorArea.estimated === 0 ? text(floorArea.totalM2) : t.building.about(text(roundedTotal(floorArea)));
}

const COLUMNS = DEFAULT_COLUMNS.filter((name) => name !== 'uses' && name !== 'conflicts' && name !== 'id');

function buildings(t: Text, { list }: ListView, origin: string, today: string): string {
  return markdownTable(
    [t.table.name, t.table.id, ...COLUMNS.map((field) => FIELD_LABELS[field][t.lang]), t.table.uses, t.table.conflicts],
    list.items.map((building) => {
      const { text, isKnown } = displayName(building, t);
      const completion = completionYear(building.fields, today);
      return [
        markdownLink(isKnown ? text : t.building.unnamed, `${origin}${building.path}`),
        `\`${building.id}\``,
        ...COLUMNS.map((field) =>
          markdownText(
            field === 'addressJa'
              ? displayAddress(building)
              : field === 'yearBuilt' && completion?.isPlanned
                ? t.hub.twin.planned(completion.year)
                : (shownValue(t, field, building, today, 'markdown')?.text ?? ''),
          ),
        ),
        building.assetTypes.map(({ category }) => CATEGORY_LABELS[category][t.lang]).join(t.building.comma),
        formatCount(building.counters.conflictsFlagged),
      ];
    }),
  );
}

function pages(t: Text, { list, filters, path, slugs }: ListView, origin: string): string[] {
  const link = (text: string, page: number) =>
    markdownLink(text, `${origin}${path}.md${toQuery({ ...filters, page }, slugs)}`);
  const links = [
    ...(list.page > 1 ? [link(t.table.previous, list.page - 1)] : []),
    ...(list.page < list.pages ? [link(t.table.next, list.page + 1)] : []),
  ];
  return links.length === 0 ? [] : [links.join(' · ')];
}
