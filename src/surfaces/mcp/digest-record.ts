import { isStillPlanned } from '../../vocabulary/completion.ts';
import { SCALAR_FIELDS } from '../../vocabulary/fields.ts';
import { MAX_NAMED, MAX_SOURCES } from './digest/words.ts';
import { JsonScanner, KnownKeys } from './json-scanner.ts';
import { NOTED, shown, shownOrNull, shownUrl, toJson } from './stored-text.ts';

/** The keys of records. */
const KEYS = new KnownKeys([
  ...['id', 'path', 'assetTypes', 'fields', 'location', 'aliases', 'geometry', 'footprint', 'sources', 'venues'],
  ...['history', 'counters', 'attribution', 'nearby', 'value', 'unit', 'tier', 'provenance', 'conflict', 'estimated'],
  ...['inheritedFrom', 'source', 'sourceRecordId', 'sourceUrl', 'retrievedAt', 'extractionMethod', 'confidence'],
  ...['category', 'lat', 'lon', 'meshCode', 'prefecture', 'ward', 'machiAza', 'code', 'slug', 'nameJa', 'nameEn'],
  ...['areaM2', 'perimeterM', 'bbox', 'level', 'distanceM', 'version', 'recordedAt', 'changedFields'],
  ...['name', 'licence', 'licenceUrl', 'credit'],
  ...SCALAR_FIELDS,
]);

/** A line break as JSON. */
const LINE = '\\n';

/**
 * A record as text: every field with its source and the source that disagrees. The text is JSON without the quotation marks,
 * one character for each byte of UTF-8: most values are written as they are stored, neither parsed nor encoded again.
 */
export function digestRecord(record: Uint8Array, baseUrl: string | undefined, today: string): string {
  const json = new JsonScanner(record, KEYS, NOTED);
  let [id, path, area, uses, fields, sources, credits] = ['', '', '', '', '', '', ''];
  let names: readonly string[] = [];
  let aliases: string | undefined;
  let outline: string | undefined;
  let venues: string | undefined;
  let nearby: string | undefined;
  let version: string | undefined;
  for (let key = json.key(); key !== undefined; key = json.key()) {
    if (key === 'id') id = json.string();
    else if (key === 'path') path = json.string();
    else if (key === 'assetTypes') uses = entries(json, useOf).join('; ');
    else if (key === 'fields') ({ lines: fields, names } = fieldLines(json, today));
    else if (key === 'location') area = areaOf(json);
    else if (key === 'aliases') aliases = named(json, aliasOf);
    else if (key === 'footprint') outline = outlineOf(json);
    else if (key === 'sources') sources = sourceLines(json);
    else if (key === 'venues') venues = named(json, venueOf);
    else if (key === 'history') version = versionOf(json);
    else if (key === 'attribution') credits = entries(json, creditLine).join('');
    else if (key === 'nearby') nearby = named(json, neighbourOf);
    else json.skip();
  }
  const [first = `Unnamed building ${id}`, second] = names;
  let text = second === undefined ? `# ${first}` : `# ${first} (${second})`;
  text += `${LINE}${LINE}- id: ${id}${LINE}- page: ${toJson(baseUrl ?? '')}${path}`;
  text += `${LINE}- area: ${area}${LINE}- uses: ${uses}`;
  if (aliases !== undefined) text += `${LINE}- aliases: ${aliases}`;
  if (outline !== undefined) text += `${LINE}- outline: ${outline}`;
  text += `${LINE}${LINE}## Fields${LINE}${fields}${LINE}${LINE}Fields that are not listed are unknown.`;
  // ATT-01
  text += `${LINE}${LINE}## Sources${LINE}${sources}${LINE}${LINE}## Attribution${LINE}${credits}`;
  if (venues !== undefined) text += `${LINE}${LINE}Venues inside: ${venues}.`;
  if (nearby !== undefined) text += `${LINE}${LINE}Nearby: ${nearby}.`;
  return version === undefined ? text : `${text}${LINE}${LINE}${version}`;
}

type ReadEntry = (json: JsonScanner) => string;

function entries(json: JsonScanner, read: ReadEntry): string[] {
  const all: string[] = [];
  while (json.hasNext()) all.push(read(json));
  return all;
}

/** The first entries of a list and how many there are. */
function firstOf(json: JsonScanner, most: number, read: ReadEntry): { first: string[]; left: number } {
  const first: string[] = [];
  let left = 0;
  while (json.hasNext()) {
    if (first.length < most) first.push(read(json));
    else {
      json.skip();
      left += 1;
    }
  }
  return { first, left };
}

/** Undefined for an empty list. */
function named(json: JsonScanner, nameOne: ReadEntry): string | undefined {
  const { first, left } = firstOf(json, MAX_NAMED, nameOne);
  if (first.length === 0) return undefined;
  return left > 0 ? `${first.join('; ')} and ${left} more` : first.join('; ');
}

function sourceLines(json: JsonScanner): string {
  const { first, left } = firstOf(json, MAX_SOURCES, sourceLine);
  return left > 0 ? `${first.join('')}${LINE}and ${left} more` : first.join('');
}

function sourceLine(json: JsonScanner): string {
  let [source, recordId, url, won] = ['', '', '', ''];
  for (let key = json.key(); key !== undefined; key = json.key()) {
    if (key === 'source') source = json.string();
    else if (key === 'sourceRecordId') recordId = shown(json);
    else if (key === 'sourceUrl') url = shownUrl(json.string());
    else if (key === 'fields') won = entries(json, readString).join(', ');
    else json.skip();
  }
  return `${LINE}- ${source} ${recordId} ${url}: ${won === '' ? 'no fields' : won}`;
}

const readString: ReadEntry = (json) => json.string();

function creditLine(json: JsonScanner): string {
  let [source, licence, licenceUrl, credit] = ['', '', '', ''];
  for (let key = json.key(); key !== undefined; key = json.key()) {
    if (key === 'source') source = json.string();
    else if (key === 'licence') licence = json.string();
    else if (key === 'licenceUrl') licenceUrl = json.string();
    else if (key === 'credit') credit = json.string();
    else json.skip();
  }
  return `${LINE}- ${source}: ${credit} (${licence}, ${licenceUrl})`;
}

interface Origin {
  source: string;
  retrievedAt: string;
  confidence: string;
}

function originOf(json: JsonScanner): Origin {
  let [source, retrievedAt, confidence] = ['', '', ''];
  for (let key = json.key(); key !== undefined; key = json.key()) {
    if (key === 'source') source = json.string();
    else if (key === 'retrievedAt') retrievedAt = json.string();
    else if (key === 'confidence') confidence = json.literal();
    else json.skip();
  }
  return { source, retrievedAt, confidence };
}

function useOf(json: JsonScanner): string {
  let [category, value, source] = ['', '', ''];
  for (let key = json.key(); key !== undefined; key = json.key()) {
    if (key === 'category') category = json.string();
    else if (key === 'value') value = shown(json);
    else if (key === 'provenance') ({ source } = originOf(json));
    else json.skip();
  }
  return `${category} (${value}, ${source})`;
}

function aliasOf(json: JsonScanner): string {
  let alias = '';
  for (let key = json.key(); key !== undefined; key = json.key()) {
    if (key === 'value') alias = shown(json);
    else json.skip();
  }
  return alias;
}

function outlineOf(json: JsonScanner): string | undefined {
  if (json.isNull()) return undefined;
  let [areaM2, source] = ['', ''];
  for (let key = json.key(); key !== undefined; key = json.key()) {
    if (key === 'areaM2') areaM2 = json.literal();
    else if (key === 'provenance') ({ source } = originOf(json));
    else json.skip();
  }
  return `${areaM2} m2, ${source}`;
}

function areaOf(json: JsonScanner): string {
  let [lat, lon, prefecture, ward, machiAza] = ['', '', '', '', ''];
  for (let key = json.key(); key !== undefined; key = json.key()) {
    if (key === 'lat') lat = json.literal();
    else if (key === 'lon') lon = json.literal();
    else if (key === 'prefecture') prefecture = areaName(json);
    else if (key === 'ward') ward = areaName(json);
    else if (key === 'machiAza') machiAza = areaName(json);
    else json.skip();
  }
  const names = `${prefecture} ${ward} ${machiAza}`;
  return lat === 'null' ? names : `${names} (${lat}, ${lon})`;
}

function areaName(json: JsonScanner): string {
  let name = '';
  for (let key = json.key(); key !== undefined; key = json.key()) {
    if (key === 'nameJa') name = shown(json);
    else json.skip();
  }
  return name;
}

function venueOf(json: JsonScanner): string {
  let nameJa: string | undefined;
  let nameEn: string | undefined;
  let category = '';
  for (let key = json.key(); key !== undefined; key = json.key()) {
    if (key === 'nameJa') nameJa = shownOrNull(json);
    else if (key === 'nameEn') nameEn = shownOrNull(json);
    else if (key === 'category') category = shown(json);
    else json.skip();
  }
  return `${nameJa ?? nameEn ?? 'unnamed'} (${category})`;
}

function neighbourOf(json: JsonScanner): string {
  let nameJa: string | undefined;
  let nameEn: string | undefined;
  let [id, metres] = ['', ''];
  for (let key = json.key(); key !== undefined; key = json.key()) {
    if (key === 'id') id = json.string();
    else if (key === 'nameJa') nameJa = shownOrNull(json);
    else if (key === 'nameEn') nameEn = shownOrNull(json);
    else if (key === 'distanceM') metres = json.literal();
    else json.skip();
  }
  return `${nameJa ?? nameEn ?? 'unnamed'} ${id} ${metres} m`;
}

/** The latest version comes first. */
function versionOf(json: JsonScanner): string | undefined {
  return firstOf(json, 1, (entry) => {
    let [version, recordedAt] = ['', ''];
    for (let key = entry.key(); key !== undefined; key = entry.key()) {
      if (key === 'version') version = entry.literal();
      else if (key === 'recordedAt') recordedAt = entry.string();
      else entry.skip();
    }
    return `Version ${version}, recorded ${recordedAt}.`;
  }).first[0];
}

interface FieldLine {
  field: string;
  /** As it is shown, without the unit. */
  value: string;
  /** The line up to the end of what is said in brackets, and from there on. */
  before: string;
  after: string;
}

function fieldLines(json: JsonScanner, today: string): { lines: string; names: string[] } {
  const found: FieldLine[] = [];
  for (let field = json.key(); field !== undefined; field = json.key()) found.push(fieldLine(json, field));
  const [nameJa, nameEn, yearBuilt, completionMonth] = NAMED_FIELDS.map((name) =>
    found.find(({ field }) => field === name),
  );
  let lines = '';
  for (const { field, before, after } of found) {
    // UI-20
    const isCompletion = field === 'yearBuilt' || field === 'completionMonth';
    const isPlanned = isCompletion && isStillPlanned(field, { yearBuilt, completionMonth }, today);
    lines += isPlanned ? `${before}, planned, not built yet${after}` : `${before}${after}`;
  }
  return { lines, names: [nameJa, nameEn].flatMap((name) => name?.value ?? []) };
}
const NAMED_FIELDS = ['nameJa', 'nameEn', 'yearBuilt', 'completionMonth'] as const;

function fieldLine(json: JsonScanner, field: string): FieldLine {
  let [value, unit, marks, conflict]: [string, string | undefined, string, string] = ['', undefined, '', ''];
  let origin: Origin | undefined;
  for (let key = json.key(); key !== undefined; key = json.key()) {
    if (key === 'value') value = scalar(json);
    else if (key === 'unit') unit = json.isNull() ? undefined : json.string();
    else if (key === 'provenance') origin = originOf(json);
    else if (key === 'conflict') conflict = conflictOf(json);
    else if (key === 'estimated') marks += json.literal() === 'true' ? ', estimated' : '';
    else if (key === 'inheritedFrom') marks += `, inherited from ${complexName(json)}`;
    else json.skip();
  }
  const { source, retrievedAt, confidence } = origin as Origin;
  const measure = unit === undefined ? value : `${value} ${unit}`;
  const before = `${LINE}- ${field}: ${measure} (${source}, ${retrievedAt.slice(0, 10)}, confidence ${confidence}${marks}`;
  return { field, value, before, after: `)${conflict}` };
}

/** A text as it is shown, or a number. */
const scalar = (json: JsonScanner) => (json.isString() ? shown(json) : json.literal());

/** Nothing if no source disagrees. */
function conflictOf(json: JsonScanner): string {
  if (json.isNull()) return '';
  let [value, unit, source]: [string, string | undefined, string] = ['', undefined, ''];
  for (let key = json.key(); key !== undefined; key = json.key()) {
    if (key === 'value') value = scalar(json);
    else if (key === 'unit') unit = json.isNull() ? undefined : json.string();
    else if (key === 'source') source = json.string();
    else json.skip();
  }
  return `; ${source} says ${unit === undefined ? value : `${value} ${unit}`}`;
}

function complexName(json: JsonScanner): string {
  let nameJa: string | undefined;
  let nameEn: string | undefined;
  for (let key = json.key(); key !== undefined; key = json.key()) {
    if (key === 'nameJa') nameJa = shownOrNull(json);
    else if (key === 'nameEn') nameEn = shownOrNull(json);
    else json.skip();
  }
  return nameJa ?? nameEn ?? 'its complex';
}
