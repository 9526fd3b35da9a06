import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import type { Provenance } from '../../../vocabulary/canonical.ts';
import type { ScalarField } from '../../../vocabulary/fields.ts';
import { markdownLine, markdownLink, markdownTable, markdownText } from '../../http/markdown.ts';
import { hubPath } from '../area-navigation.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { CATEGORY_LABELS, FIELD_GROUPS, FIELD_LABELS, METHOD_LABELS, SOURCE_NAMES } from '../catalogue/labels.ts';
import { dayOf, type FieldValue, isPlanned, pluralise, withUnit, yenInOku } from '../format.ts';
import type { ReitHistories } from '../reit/publication-history.ts';
import { reitMarkdown } from '../reit/reit-markdown.ts';
import { buildingLinks, citation } from './citation.ts';
import { displayName } from './names.ts';
import { changeText, NO_PUBLISHED_VALUES, publishedFrom } from './tabs.ts';

/** MD-01: the Markdown twin of a building page, with the content of all tabs. */
export function buildingMarkdown(t: Text, building: BuildingPage, origin: string, reit: ReitHistories = []): string {
  const name = displayName(building);
  const blocks = [
    `# ${markdownText(name.text)}`,
    name.also === undefined ? undefined : markdownLine(name.also),
    place(building, origin),
    '## Facts',
    ...facts(building),
    '## Uses',
    uses(building),
    '## Other names',
    aliases(building),
    '## Nearby',
    nearby(building, origin),
    '## Venues',
    venues(building),
    '## Sources',
    sources(building),
    '## History',
    history(building),
    `## ${t.reit.title}`,
    reitMarkdown(t, reit, building.id, origin),
    '## Cite and link',
    cite(building, origin),
  ];
  return `${blocks.filter((block) => block !== undefined).join('\n\n')}\n`;
}

function place({ id, location, footprint, counters }: BuildingPage, origin: string): string {
  const { prefecture, ward, machiAza, lat, lon, meshCode } = location;
  const areas = [prefecture, ward, machiAza];
  const crumbs = areas.map(({ nameJa, nameEn }, i) => {
    const path = hubPath(areas.slice(0, i + 1));
    return markdownLink(nameEn === null ? nameJa : `${nameJa} (${nameEn})`, `${origin}${path}`);
  });
  const lines = [
    `- ID: \`${id}\``,
    `- Area: ${[markdownLink('Japan', `${origin}/japan`), ...crumbs].join(' › ')}`,
    lat === null ? '- Centre: not available' : `- Centre: ${lat}, ${lon} (mesh cell ${meshCode})`,
    footprint === null
      ? '- Outline: not available'
      : `- Outline: ${footprint.areaM2} m², perimeter ${footprint.perimeterM} m; ${provenanceText(footprint.provenance)}`,
    `- ${pluralise(counters.fields, 'field')} from ${pluralise(counters.sources, 'source record')}; ${pluralise(counters.conflictsFlagged, 'conflict')}`,
  ];
  return lines.join('\n');
}

function facts({ fields }: BuildingPage): string[] {
  return FIELD_GROUPS.flatMap(({ title, fields: names }) => {
    const known = names.flatMap((name) => {
      const field = fields[name];
      if (field === undefined) return [];
      const label = `${FIELD_LABELS[name].en} ${FIELD_LABELS[name].ja}`;
      return [[label, valueText(name, field), ...provenanceCells(field.provenance), notes(name, field)]];
    });
    const unknown = names.filter((name) => fields[name] === undefined).map((name) => FIELD_LABELS[name].en);
    return [
      `### ${title.en} ${title.ja}`,
      ...(known.length > 0 ? [markdownTable(['Field', 'Value', ...PROVENANCE_HEADINGS, 'Notes'], known)] : []),
      ...(unknown.length > 0 ? [`Not available: ${unknown.join(', ')}`] : []),
    ];
  });
}

function valueText(name: ScalarField, { value, unit }: FieldValue): string {
  const oku = unit === 'JPY' && typeof value === 'number' ? yenInOku(value) : undefined;
  return `${markdownText(withUnit(name, value, unit))}${oku === undefined ? '' : ` (${oku})`}`;
}

function notes(name: ScalarField, field: FieldValue): string {
  const { estimated, inheritedFrom, conflict, tier } = field;
  const complex = [inheritedFrom?.nameJa, inheritedFrom?.nameEn].filter((text) => text != null).join(' / ');
  return [
    estimated ? 'estimated' : undefined,
    inheritedFrom === undefined
      ? undefined
      : `inherited from ${complex === '' ? 'the complex' : markdownText(complex)}`,
    isPlanned(name, field) ? 'planned' : undefined,
    conflict === null
      ? undefined
      : `**conflict**: ${SOURCE_NAMES[conflict.source].en} states ${markdownText(withUnit(name, conflict.value, conflict.unit))}`,
    tier === 'free' ? undefined : tier,
  ]
    .filter((note) => note !== undefined)
    .join('; ');
}

const provenanceText = (provenance: Provenance) => {
  const [source, retrieved, confidence] = provenanceCells(provenance);
  return `${source}, retrieved ${retrieved}, confidence ${confidence}`;
};

function provenanceCells({ source, sourceUrl, sourceRecordId, retrievedAt, extractionMethod, confidence }: Provenance) {
  const record = source === 'dnk' ? '' : ` ${markdownText(sourceRecordId)}`;
  const name = markdownLink(SOURCE_NAMES[source].en, sourceUrl);
  return [`${name}${record} (${METHOD_LABELS[extractionMethod].en})`, dayOf(retrievedAt), String(confidence)];
}

const PROVENANCE_HEADINGS = ['Source', 'Retrieved', 'Confidence'];

function uses({ assetTypes }: BuildingPage): string {
  return markdownTable(
    ['Use', 'As recorded', ...PROVENANCE_HEADINGS],
    assetTypes.map(({ category, value, provenance }) => {
      const { en, ja } = CATEGORY_LABELS[category];
      return [`${en} ${ja}`, markdownText(value), ...provenanceCells(provenance)];
    }),
  );
}

function aliases({ aliases }: BuildingPage): string {
  if (aliases.length === 0) return 'No other names';
  return markdownTable(
    ['Name', ...PROVENANCE_HEADINGS],
    aliases.map(({ value, provenance }) => [markdownText(value), ...provenanceCells(provenance)]),
  );
}

function nearby({ nearby }: BuildingPage, origin: string): string {
  if (nearby.length === 0) return 'No other buildings within 500 m';
  return nearby
    .map(({ id, path, nameJa, nameEn, category, distanceM }) => {
      const name = markdownLink(nameJa ?? nameEn ?? id, `${origin}${path}`);
      return `- ${name}, ${CATEGORY_LABELS[category].en.toLowerCase()}, ${Math.round(distanceM)} m`;
    })
    .join('\n');
}

function venues({ venues }: BuildingPage): string {
  if (venues.length === 0) return 'No venues recorded';
  return markdownTable(
    ['Name', 'English name', 'Category', 'Floor', ...PROVENANCE_HEADINGS],
    venues.map(({ nameJa, nameEn, category, level, provenance }) => {
      return [
        ...[nameJa, nameEn, category, level].map((text) => markdownText(text ?? '')),
        ...provenanceCells(provenance),
      ];
    }),
  );
}

function sources(building: BuildingPage): string {
  return markdownTable(
    ['Source', 'Record', 'Published fields'],
    building.sources.map((entry) => {
      const won = publishedFrom(entry, building).join(', ');
      return [
        SOURCE_NAMES[entry.source].en,
        markdownLink(entry.sourceRecordId, entry.sourceUrl),
        won || NO_PUBLISHED_VALUES,
      ];
    }),
  );
}

function history({ history }: BuildingPage): string {
  return history
    .map(({ version, recordedAt, changedFields }) => {
      return `- Version ${version}, ${dayOf(recordedAt)}. ${markdownText(changeText(version, changedFields))}`;
    })
    .join('\n');
}

function cite(building: BuildingPage, origin: string): string {
  const { page, id, json, sources, mcp } = buildingLinks(building, origin);
  return [
    `> ${markdownText(citation(building))} <${id}>`,
    '',
    `- Permanent link: <${id}>`,
    `- Page: <${page}>`,
    `- JSON: <${json}>`,
    `- Sources: <${sources}>`,
    `- MCP: \`get_asset\` with \`{"id": "${building.id}"}\` at <${mcp}>`,
  ].join('\n');
}
