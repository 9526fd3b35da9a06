import { formatAssetId } from '../../../vocabulary/asset-id.ts';
import { SUMMARY_FIGURES } from '../../../vocabulary/building-summary.ts';
import type { Canonical } from '../../../vocabulary/canonical.ts';
import { CATEGORIES } from '../../../vocabulary/categories.ts';
import { FIELDS, type FieldScalar } from '../../../vocabulary/fields.ts';
import { SOURCES, type Source } from '../../../vocabulary/sources.ts';
import type { SearchEntry } from './entry.ts';
import { decodePoint } from './site.ts';

/** Of a figure: which, its value, source, confidence and whether it is estimated; then the value and source that lost. */
type StoredFigure = [number, FieldScalar, number, number, 0 | 1, FieldScalar?, number?];

/** The path of its machi-aza, names, address, categories, the number of conflicts, and the figures. */
type StoredSummary = [
  string,
  FieldScalar | null,
  FieldScalar | null,
  FieldScalar | null,
  number[],
  number,
  StoredFigure[],
];

/**
 * FIT-08: what a summary says beside the ID and the point, as JSON of about 250 bytes. Sources and categories are
 * numbers, so that both lists only grow at their end.
 */
export function encodeSummary({ fields, assetTypes }: Canonical, areaPath: string): string {
  const figures: StoredFigure[] = [];
  for (const [i, name] of SUMMARY_FIGURES.entries()) {
    const field = fields[name];
    if (field === undefined) continue;
    const { value, provenance, estimated, conflict } = field;
    const figure: StoredFigure = [i, value, sourceNumber(provenance.source), provenance.confidence, estimated ? 1 : 0];
    if (conflict !== null) figure.push(conflict.value, sourceNumber(conflict.provenance.source));
    figures.push(figure);
  }
  const summary: StoredSummary = [
    areaPath,
    fields.nameJa?.value ?? null,
    fields.nameEn?.value ?? null,
    fields.addressJa?.value ?? null,
    assetTypes.map(({ category }) => CATEGORIES.indexOf(category)),
    Object.values(fields).filter(({ conflict }) => conflict !== null).length,
    figures,
  ];
  return JSON.stringify(summary);
}

const sourceNumber = (source: Source) => SOURCES.indexOf(source);

/** What a summary is written from. */
export type SummaryEntry = Pick<SearchEntry, 'building' | 'site'> & { summary: string };

/** The JSON of each figure before its value, and for each source from there to its confidence. */
const FIGURES = SUMMARY_FIGURES.map((name) => ({
  before: `"${name}":{"value":`,
  after: SOURCES.map((source) => `,"unit":${JSON.stringify(FIELDS[name].unit)},"source":"${source}","confidence":`),
}));
const CERTAIN = ',"estimated":false,"conflict":';
const ESTIMATED = ',"estimated":true,"conflict":';

/**
 * FIT-08: a summary as JSON, written without making it first. `hasReit` depends on the surface and is false here. `metres`
 * is the distance from the place that was asked for.
 */
export function writeSummary({ building, site, summary }: SummaryEntry, metres?: number): string {
  const { areaPath, nameJa, nameEn, addressJa, rest } = splitTexts(summary) ?? parseTexts(summary);
  const [categories, conflicts, known] = rest;
  let figures = '';
  for (const [i, value, source, confidence, estimated, lost, lostSource] of known) {
    const { before, after } = FIGURES[i] as (typeof FIGURES)[number];
    const conflict =
      lost === undefined ? 'null' : `{"value":${toJson(lost)},"source":"${SOURCES[lostSource as number]}"}`;
    figures += `${figures && ','}${before}${toJson(value)}${after[source]}${confidence}${estimated === 1 ? ESTIMATED : CERTAIN}${conflict}}`;
  }
  const id = formatAssetId(building);
  const point = site && decodePoint(site);
  const uses = categories.map((category) => `"${CATEGORIES[category]}"`).join(',');
  const distance = metres === undefined ? '' : `,"distanceM":${metres}`;
  return (
    `{"id":"${id}","path":${areaPath.slice(0, -1)}/${id}","nameJa":${nameJa},"nameEn":${nameEn},"addressJa":` +
    `${addressJa},"categories":[${uses}],"lat":${point?.lat ?? null},"lon":${point?.lon ?? null},"conflictsFlagged":` +
    `${conflicts},"hasReit":false,"figures":{${figures}}${distance}}`
  );
}

/** The texts of a stored summary as JSON, and what follows them. */
interface SummaryTexts {
  areaPath: string;
  nameJa: string;
  nameEn: string;
  addressJa: string;
  rest: [categories: number[], conflicts: number, figures: StoredFigure[]];
}

/** The texts as they are stored, which is their JSON; undefined if they have escapes or are numbers. */
function splitTexts(summary: string): SummaryTexts | undefined {
  if (summary.includes('\\')) return undefined;
  const path = endOfText(summary, 1);
  const ja = endOfText(summary, path + 1);
  const en = endOfText(summary, ja + 1);
  const address = endOfText(summary, en + 1);
  if (path === 0 || ja === 0 || en === 0 || address === 0) return undefined;
  return {
    areaPath: summary.slice(1, path),
    nameJa: summary.slice(path + 1, ja),
    nameEn: summary.slice(ja + 1, en),
    addressJa: summary.slice(en + 1, address),
    rest: JSON.parse(`[${summary.slice(address + 1)}`),
  };
}

const [QUOTE, N] = ['"'.charCodeAt(0), 'n'.charCodeAt(0)];

/** Where a string or null ends; 0 if it is neither. */
function endOfText(json: string, at: number): number {
  const first = json.charCodeAt(at);
  if (first === QUOTE) return json.indexOf('"', at + 1) + 1;
  return first === N ? at + 'null'.length : 0;
}

function parseTexts(summary: string): SummaryTexts {
  const [areaPath, nameJa, nameEn, addressJa, ...rest] = JSON.parse(summary) as StoredSummary;
  const [ja, en, address] = [textOf(nameJa), textOf(nameEn), textOf(addressJa)];
  return { areaPath: toJson(areaPath), nameJa: ja, nameEn: en, addressJa: address, rest };
}

/** Most text is its own JSON. */
const NEEDS_ESCAPING = /["\\\0-\x1f\ud800-\udfff]/;

const toJson = (value: FieldScalar): string =>
  typeof value === 'string' && !NEEDS_ESCAPING.test(value) ? `"${value}"` : JSON.stringify(value);
const textOf = (value: FieldScalar | null) => (value === null ? 'null' : toJson(String(value)));
