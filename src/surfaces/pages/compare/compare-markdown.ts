import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import type { ScalarField } from '../../../vocabulary/fields.ts';
import { markdownLink, markdownTable, markdownText } from '../../http/markdown.ts';
import { displayName } from '../building/names.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { CATEGORY_LABELS, FIELD_LABELS, SOURCE_NAMES } from '../catalogue/labels.ts';
import type { PageSettings } from '../page-settings.ts';
import { shownValue } from '../shown-value.ts';
import { type Compared, categoriesDiffer, compareFields, comparePath } from './compared.ts';

/** MD-01, UI-67: the Markdown twin of a comparison. */
export function compareMarkdown({ buildings, notices, onlyDifferences }: Compared, settings: PageSettings): string {
  const { t, origin, today } = settings;
  const ids = buildings.map(({ id }) => id);
  const blocks = [
    `# ${t.compare.title}`,
    t.compare.lead,
    ...(notices.length === 0 ? [] : [notices.map((text) => `- ${text}`).join('\n')]),
    ...(buildings.length === 0 ? [t.compare.howText] : [table(buildings, onlyDifferences, t, origin, today)]),
    `${t.compare.permanent}${t.building.colon}<${origin}${comparePath(ids, onlyDifferences)}>`,
  ];
  return `${blocks.join('\n\n')}\n`;
}

function table(
  buildings: readonly BuildingPage[],
  onlyDifferences: boolean,
  t: Text,
  origin: string,
  today: string,
): string {
  const heads = buildings.map((building) => {
    const { text, isKnown } = displayName(building, t);
    return `${markdownLink(isKnown ? text : t.building.unnamed, `${origin}${building.path}`)} \`${building.id}\``;
  });
  const label = (text: string, differs: boolean) => (differs ? `**${text}** (${t.compare.differs})` : text);
  const usesDiffer = categoriesDiffer(buildings);
  const uses = [
    label(FIELD_LABELS.assetTypes[t.lang], usesDiffer),
    ...buildings.map(({ assetTypes }) =>
      assetTypes.map(({ category }) => CATEGORY_LABELS[category][t.lang]).join(t.building.comma),
    ),
  ];
  const rows = compareFields(buildings)
    .flatMap((group) => group.rows)
    .filter(({ differs }) => differs || !onlyDifferences)
    .map(({ field, differs }) => [
      label(FIELD_LABELS[field][t.lang], differs),
      ...buildings.map((building) => valueText(t, field, building, today)),
    ]);
  const all = usesDiffer || !onlyDifferences ? [uses, ...rows] : rows;
  return all.length === 0 ? t.compare.noDifferences : markdownTable([t.compare.field, ...heads], all);
}

function valueText(t: Text, field: ScalarField, building: BuildingPage, today: string): string {
  const shown = shownValue(t, field, building, today, 'markdown');
  const found = building.fields[field];
  if (shown === undefined || found === undefined) return t.compare.notAvailable;
  const { text, marks, conflict } = shown;
  const other =
    conflict &&
    `${conflict.text}${t.building.comma}${t.building.alsoMarkdown(markdownText(conflict.value), SOURCE_NAMES[conflict.source][t.lang])}`;
  const source = SOURCE_NAMES[found.provenance.source][t.lang];
  return [
    t.compare.markdownValue(markdownText(text), source),
    ...marks.map(markdownText),
    ...(other ? [other] : []),
  ].join(t.building.semicolon);
}
