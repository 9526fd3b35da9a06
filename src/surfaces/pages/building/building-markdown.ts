import type { Provenance } from '../../../vocabulary/canonical.ts';
import type { ScalarField } from '../../../vocabulary/fields.ts';
import { markdownLine, markdownLink, markdownTable, markdownText } from '../../http/markdown.ts';
import { hubPath } from '../area-navigation.ts';
import type { Text } from '../catalogue/catalogue.ts';
import {
  CATEGORY_LABELS,
  FIELD_GROUPS,
  FIELD_LABELS,
  type Label,
  METHOD_LABELS,
  SOURCE_NAMES,
} from '../catalogue/labels.ts';
import { type FieldValue, formatDayPlainly, formatFieldPlainly } from '../format.ts';
import { ownerPath } from '../owner/owner-path.ts';
import { reitMarkdown } from '../reit/reit-markdown.ts';
import { buildingLinks, citation, credits } from './citation.ts';
import { fieldLabel, figureOf, inheritance, isToCome, remarks } from './figures.ts';
import {
  evidenceGroups,
  label,
  labels,
  MARKDOWN,
  publishedValues,
  type ShownVersion,
  shownVersions,
} from './history-tab.ts';
import { disagreementText, disputedFields, type LosingValue, losingValues } from './losing-values.ts';
import { displayName } from './names.ts';
import { RecordStatements } from './record-statements.ts';
import type { ShownBuilding } from './shown-building.ts';
import { outcomeText, readText, statementText } from './sources-tab.ts';

/** MD-01: the Markdown twin of a building page, with the content of all tabs. */
export function buildingMarkdown(shown: ShownBuilding): string {
  const { building, t, reit, origin } = shown;
  const name = displayName(building, t);
  const blocks = [
    `# ${markdownText(name.text)}`,
    name.also === undefined ? undefined : markdownLine(name.also),
    place(shown),
    `## ${t.building.facts}`,
    ...facts(shown),
    `## ${t.building.uses}`,
    uses(shown),
    `## ${t.building.otherNames}`,
    aliases(shown),
    `## ${t.building.nearby}`,
    nearby(shown),
    `## ${t.building.venues}`,
    venues(shown),
    `## ${t.history.sources}`,
    ...sources(shown),
    `## ${t.history.history}`,
    ...history(shown),
    `## ${t.reit.title}`,
    reitMarkdown(t, reit, building.id, origin),
    `## ${t.cite.title}`,
    cite(shown),
  ];
  return `${blocks.filter((block) => block !== undefined).join('\n\n')}\n`;
}

/** A label, in English with the Japanese term beside it. */
const bilingual = (t: Text, { en, ja }: Label) => (t.lang === 'en' ? `${en} ${ja}` : ja);

function place({ building, current, t, origin }: ShownBuilding): string {
  const { id, location, footprint, counters } = building;
  const { prefecture, ward, machiAza, lat, lon, meshCode } = location;
  const areas = [prefecture, ward, machiAza];
  const crumbs = areas.map(({ nameJa, nameEn }, i) => {
    const path = hubPath(areas.slice(0, i + 1));
    return markdownLink(nameEn === null || t.lang === 'ja' ? nameJa : `${nameJa} (${nameEn})`, `${origin}${path}`);
  });
  const { colon } = t.building;
  const fields = t.building.evidenceSummary(t.counts.fields(counters.fields), t.counts.sourceRecords(counters.sources));
  const disputed = t.building.conflictSummary(disputedFields(building, current).length);
  const lines = [
    `ID${colon}\`${id}\``,
    `${t.building.area}${colon}${[markdownLink(t.building.japan, `${origin}/japan`), ...crumbs].join(' › ')}`,
    lat === null ? t.building.noCentre : t.building.centre(`${lat}, ${lon}`, String(meshCode)),
    footprint === null
      ? t.building.noOutline
      : t.building.outlineOf(
          formatFieldPlainly(t, 'footprintM2', footprint.areaM2, 'm2'),
          formatFieldPlainly(t, 'heightM', footprint.perimeterM, 'm'),
          provenanceText(t, footprint.provenance),
        ),
    `${fields}${t.building.semicolon}${disputed}`,
  ];
  return lines.map((line) => `- ${line}`).join('\n');
}

/** UI-60: the name of an owner with a link to its page. */
function ownerText(name: string, origin: string): string {
  const path = ownerPath(name);
  return path === undefined ? markdownText(name) : markdownLink(name, `${origin}${path}`);
}

function facts(shown: ShownBuilding): string[] {
  const { building, t, today, origin } = shown;
  const { fields } = building;
  return FIELD_GROUPS.flatMap(({ title, fields: names }) => {
    const known = names.flatMap((name) => {
      const field = fields[name];
      if (field === undefined) return [];
      const heading = isToCome(name, fields, today)
        ? fieldLabel(t, name, fields, today)
        : bilingual(t, FIELD_LABELS[name]);
      const { text } = figureOf(t, name, field, 'markdown');
      const value = name === 'ownerPublic' ? ownerText(text, origin) : markdownText(text);
      return [[heading, value, ...provenanceCells(t, field.provenance), notes(shown, name, field)]];
    });
    const unknown = names.filter((name) => fields[name] === undefined).map((name) => FIELD_LABELS[name][t.lang]);
    const head = [t.building.field, t.building.value, ...provenanceHeadings(t), t.building.notes];
    return [
      `### ${bilingual(t, title)}`,
      ...(known.length > 0 ? [markdownTable(head, known)] : []),
      ...(unknown.length > 0 ? [t.building.missing(unknown.join(t.building.comma))] : []),
    ];
  });
}

function notes({ building, current, t, today }: ShownBuilding, name: ScalarField, field: FieldValue): string {
  const complex = inheritance(t, field.inheritedFrom);
  return [
    ...(complex === undefined ? [] : [markdownText(complex)]),
    ...remarks(t, name, building.fields, today),
    ...losingValues(name, field, field.conflict === null ? undefined : current).map((losing) =>
      losingNote(t, name, losing),
    ),
  ].join(t.building.semicolon);
}

/** UI-21, UI-25: a losing value with the records that state it. */
function losingNote(t: Text, name: ScalarField, { value, unit, disagreement, statedBy }: LosingValue): string {
  const text = markdownText(formatFieldPlainly(t, name, value, unit));
  const by = statedBy.map(({ source, provenance }) =>
    provenance === undefined
      ? SOURCE_NAMES[source][t.lang]
      : `${markdownLink(SOURCE_NAMES[source][t.lang], provenance.sourceUrl)} ${markdownText(provenance.sourceRecordId)} ${formatDayPlainly(t, provenance.retrievedAt.slice(0, 10))}`,
  );
  const sources = by.join(t.building.comma);
  if (disagreement.kind === 'slight') return t.building.alsoMarkdown(text, sources);
  return `**${disagreementText(t, disagreement)}**${t.building.colon}${text} (${sources})`;
}

const provenanceText = (t: Text, provenance: Provenance) => {
  const [source = '', retrieved = '', confidence = ''] = provenanceCells(t, provenance);
  return t.building.provenance(source, retrieved, confidence);
};

function provenanceCells(t: Text, provenance: Provenance) {
  const { source, sourceUrl, sourceRecordId, retrievedAt, extractionMethod, confidence } = provenance;
  const record = source === 'dnk' ? '' : ` ${markdownText(sourceRecordId)}`;
  const name = markdownLink(SOURCE_NAMES[source][t.lang], sourceUrl);
  const day = formatDayPlainly(t, retrievedAt.slice(0, 10));
  return [`${name}${record} (${METHOD_LABELS[extractionMethod][t.lang]})`, day, String(confidence)];
}

const provenanceHeadings = ({ building }: Text) => [building.source, building.retrieved, building.confidence];

function uses({ building: { assetTypes }, t }: ShownBuilding): string {
  return markdownTable(
    [t.building.use, t.building.asRecorded, ...provenanceHeadings(t)],
    assetTypes.map(({ category, value, provenance }) => {
      return [bilingual(t, CATEGORY_LABELS[category]), markdownText(value), ...provenanceCells(t, provenance)];
    }),
  );
}

function aliases({ building: { aliases }, t }: ShownBuilding): string {
  if (aliases.length === 0) return t.building.noOtherNames;
  return markdownTable(
    [t.building.name, ...provenanceHeadings(t)],
    aliases.map(({ value, provenance }) => [markdownText(value), ...provenanceCells(t, provenance)]),
  );
}

function nearby({ building: { nearby }, t, origin }: ShownBuilding): string {
  if (nearby.length === 0) return t.building.noneNearby;
  return nearby
    .map(({ id, path, nameJa, nameEn, category, distanceM }) => {
      const name = markdownLink(nameJa ?? nameEn ?? id, `${origin}${path}`);
      const use = CATEGORY_LABELS[category][t.lang];
      return `- ${[name, t.lang === 'en' ? use.toLowerCase() : use, `${Math.round(distanceM)} m`].join(t.building.comma)}`;
    })
    .join('\n');
}

function venues({ building: { venues }, t }: ShownBuilding): string {
  if (venues.length === 0) return t.building.noVenues;
  const { name, englishName, category, floor } = t.building;
  return markdownTable(
    [name, englishName, category, floor, ...provenanceHeadings(t)],
    venues.map(({ nameJa, nameEn, category, level, provenance }) => {
      return [
        ...[nameJa, nameEn, t.building.venueKind(category), level].map((text) => markdownText(text ?? '')),
        ...provenanceCells(t, provenance),
      ];
    }),
  );
}

/** UI-25: the source records, then what each of them says. */
function sources(shown: ShownBuilding): string[] {
  const { building, current, t } = shown;
  const statements = current && new RecordStatements(current);
  const { source, record, field } = t.building;
  const rows = building.sources.flatMap((entry) => {
    const said = statements?.of(entry) ?? [];
    const cells = [
      SOURCE_NAMES[entry.source][t.lang],
      markdownLink(entry.sourceRecordId, entry.sourceUrl),
      readText(t, said),
    ];
    if (said.length === 0) return [[...cells, '', t.history.noStatement, '']];
    return said.map((statement) => [
      ...cells,
      label(shown, statement.said.field),
      markdownText(statementText(t, statement, 'markdown')),
      markdownText(outcomeText(t, statement)),
    ]);
  });
  return [markdownTable([source, record, t.building.retrieved, field, t.history.says, t.history.outcome], rows)];
}

/** UI-24: the newest versions with their changes, older ones with the names of the changed fields. */
function history(shown: ShownBuilding): string[] {
  const { building } = shown;
  const versions = shownVersions(shown);
  const shownNumbers = new Set(versions.map(({ version }) => version));
  const older = building.history.filter(({ version }) => !shownNumbers.has(version));
  return [
    ...versions.flatMap((version) => versionBlocks(shown, version)),
    ...(older.length === 0 ? [] : [older.map((entry) => olderLine(shown, entry)).join('\n')]),
  ];
}

function versionBlocks(shown: ShownBuilding, of: ShownVersion): string[] {
  const { t } = shown;
  const { version, recordedAt, isFirst, changedFields, values, evidence } = of;
  const heading = `### ${t.history.source(t.history.version(version), formatDayPlainly(t, recordedAt.slice(0, 10)))}`;
  const changes = values.map((change) => [
    label(shown, change.field),
    sideText(t, change, 'before'),
    sideText(t, change, 'after'),
  ]);
  const items = evidenceGroups(t, evidence, MARKDOWN).map(
    ({ fields, items }) => `- ${labels(shown, fields)}${t.building.colon}${items.join(t.building.semicolon)}`,
  );
  return [
    heading,
    ...(isFirst ? [t.history.firstPublished(markdownText(labels(shown, changedFields)))] : []),
    ...(changes.length > 0 ? [markdownTable([t.building.field, t.history.before, t.history.after], changes)] : []),
    ...(items.length > 0 ? [t.history.evidence, items.join('\n')] : []),
  ];
}

function sideText(t: Text, change: ShownVersion['values'][number], at: 'before' | 'after'): string {
  const of = change[at];
  if (of !== null && 'value' in of) {
    const value = markdownText(figureOf(t, change.field as ScalarField, of, 'markdown').text);
    return `${value} (${MARKDOWN.source(t, of.provenance)})`;
  }
  const values = publishedValues(t, change, at);
  return values.length === 0 ? t.history.none : values.map(markdownText).join(t.building.comma);
}

function olderLine(
  shown: ShownBuilding,
  { version, recordedAt, changedFields }: ShownBuilding['building']['history'][number],
): string {
  const { t } = shown;
  const heading = t.history.source(t.history.version(version), formatDayPlainly(t, recordedAt.slice(0, 10)));
  const names = markdownText(labels(shown, changedFields));
  return `- ${heading}${t.history.stop}${version === 1 ? t.history.firstPublished(names) : t.history.changed(names)}`;
}

function cite({ building, t, origin }: ShownBuilding): string {
  const { page, id, json, sources, mcp } = buildingLinks(building, origin);
  return [
    `> ${markdownText(citation(building, t))} <${id}>`,
    '',
    `- ${t.cite.permanent}${t.building.colon}<${id}>`,
    `- ${t.cite.page}${t.building.colon}<${page}>`,
    `- ${t.cite.json}${t.building.colon}<${json}>`,
    `- ${t.cite.sources}${t.building.colon}<${sources}>`,
    `- ${t.cite.mcp}${t.building.colon}\`get_asset {"id": "${building.id}"}\` <${mcp}>`,
    '',
    `### ${t.cite.attribution}`,
    '',
    ...credits(building, t).map(
      ({ source, credit, licence, licenceUrl }) =>
        `- ${SOURCE_NAMES[source][t.lang]}${t.building.colon}${markdownText(credit)} (${markdownLink(licence, licenceUrl)})`,
    ),
  ].join('\n');
}
