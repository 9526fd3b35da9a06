import { markdownUrl } from '../../src/surfaces/http/markdown.ts';
import { MAX_LENGTH, MAX_NAMED, MAX_SOURCES, short } from '../../src/surfaces/mcp/digest/words.ts';
import type { Attribution, BuildingPage, SourcesEntry } from '../../src/vocabulary/building-page.ts';
import { isStillPlanned } from '../../src/vocabulary/completion.ts';

type FieldValue = NonNullable<BuildingPage['fields'][string]>;

/** The text of a record, written plainly from the parsed record. */
export function plainDigest(page: BuildingPage, baseUrl: string | undefined, today: string): string {
  const { location, footprint } = page;
  const areas = [location.prefecture, location.ward, location.machiAza].map(({ nameJa }) => short(nameJa)).join(' ');
  const lines = [
    `# ${nameOf(page)}`,
    '',
    `- id: ${page.id}`,
    `- page: ${baseUrl ?? ''}${page.path}`,
    `- area: ${areas}${location.lat === null ? '' : ` (${location.lat}, ${location.lon})`}`,
    `- uses: ${page.assetTypes.map(({ category, value, provenance }) => `${category} (${short(value)}, ${provenance.source})`).join('; ')}`,
    ...(page.aliases.length === 0 ? [] : [`- aliases: ${named(page.aliases, ({ value }) => short(value))}`]),
    ...(footprint === null ? [] : [`- outline: ${footprint.areaM2} m2, ${footprint.provenance.source}`]),
    '',
    '## Fields',
    '',
    ...Object.entries(page.fields).map(([field, value]) => fieldLine(field, value as FieldValue, page.fields, today)),
    '',
    'Fields that are not listed are unknown.',
    '',
    '## Sources',
    '',
    ...page.sources.slice(0, MAX_SOURCES).map(sourceLine),
  ];
  if (page.sources.length > MAX_SOURCES) lines.push(`and ${page.sources.length - MAX_SOURCES} more`);
  // ATT-01
  lines.push('', '## Attribution', '', ...page.attribution.map(creditLine));
  if (page.venues.length > 0) {
    const venueOf = ({ nameJa, nameEn, category }: (typeof page.venues)[number]) =>
      `${short(nameJa ?? nameEn ?? 'unnamed')} (${short(category)})`;
    lines.push('', `Venues inside: ${named(page.venues, venueOf)}.`);
  }
  if (page.nearby.length > 0) {
    const neighbourOf = ({ id, nameJa, nameEn, distanceM }: (typeof page.nearby)[number]) =>
      `${short(nameJa ?? nameEn ?? 'unnamed')} ${id} ${distanceM} m`;
    lines.push('', `Nearby: ${named(page.nearby, neighbourOf)}.`);
  }
  const [last] = page.history;
  if (last !== undefined) lines.push('', `Version ${last.version}, recorded ${last.recordedAt}.`);
  return lines.join('\n');
}

function nameOf({ id, fields: { nameJa, nameEn } }: BuildingPage): string {
  const names = [nameJa, nameEn].filter((name) => name !== undefined).map(({ value }) => short(String(value)));
  const [first, second] = names;
  if (first === undefined) return `Unnamed building ${id}`;
  return second === undefined ? first : `${first} (${second})`;
}

function fieldLine(field: string, of: FieldValue, fields: BuildingPage['fields'], today: string): string {
  const { value, unit, estimated, inheritedFrom, provenance, conflict } = of;
  const { source, retrievedAt, confidence } = provenance;
  let line = `- ${field}: ${measure(value, unit)} (${source}, ${retrievedAt.slice(0, 10)}, confidence ${confidence}`;
  if (estimated) line += ', estimated';
  if (inheritedFrom !== undefined) {
    line += `, inherited from ${short(inheritedFrom.nameJa ?? inheritedFrom.nameEn ?? 'its complex')}`;
  }
  // UI-20
  const isCompletion = field === 'yearBuilt' || field === 'completionMonth';
  if (isCompletion && isStillPlanned(field, fields, today)) line += ', planned, not built yet';
  line += ')';
  return conflict === null ? line : `${line}; ${conflict.source} says ${measure(conflict.value, conflict.unit)}`;
}

function measure(value: string | number, unit: string | null): string {
  const amount = typeof value === 'number' ? value : short(value);
  return unit === null ? `${amount}` : `${amount} ${unit}`;
}

function sourceLine({ source, sourceRecordId, sourceUrl, fields }: SourcesEntry): string {
  const won = fields.length === 0 ? 'no fields' : fields.join(', ');
  const url = sourceUrl.length > MAX_LENGTH ? short(sourceUrl) : markdownUrl(sourceUrl);
  return `- ${source} ${short(sourceRecordId)} ${url}: ${won}`;
}

const creditLine = ({ source, licence, licenceUrl, credit }: Attribution): string =>
  `- ${source}: ${credit} (${licence}, ${licenceUrl})`;

function named<T>(items: readonly T[], nameOne: (item: T) => string): string {
  const left = items.length - MAX_NAMED;
  return `${items.slice(0, MAX_NAMED).map(nameOne).join('; ')}${left > 0 ? ` and ${left} more` : ''}`;
}
