import { consolidate } from '../../src/consolidation/consolidate.ts';
import type { PlacePath } from '../../src/registry/areas.ts';
import { decodeCanonical, encodeCanonical } from '../../src/registry/canonical-codec.ts';
import { composePage, finishPage, type HistoryEntry, parseBody, toHead } from '../../src/registry/records.ts';
import { type AssetKey, assetKey } from '../../src/vocabulary/asset-id.ts';
import type { BuildingPage } from '../../src/vocabulary/building-page.ts';
import type { Canonical } from '../../src/vocabulary/canonical.ts';
import { changedFields } from '../../src/vocabulary/changed-fields.ts';
import type { Observation, RecordEvidence, Statement } from '../../src/vocabulary/evidence.ts';
import { FIELDS, type Field, type FieldScalar, type ScalarField } from '../../src/vocabulary/fields.ts';
import type { Polygon, Position } from '../../src/vocabulary/geometry.ts';
import type { ExtractionMethod, Source } from '../../src/vocabulary/sources.ts';

export const BUILDING: AssetKey = assetKey('13', 1);

export const PLACE: PlacePath = {
  prefecture: { code: '13', slug: 'tokyo', nameJa: '東京都', nameEn: 'Tokyo' },
  ward: { code: '13101', slug: 'chiyoda-ku', nameJa: '千代田区', nameEn: 'Chiyoda-ku' },
  machiAza: { code: '131010001001', slug: 'marunouchi-1-chome', nameJa: '丸の内一丁目', nameEn: null },
  path: '/japan/tokyo/chiyoda-ku/marunouchi-1-chome',
};

export const HISTORY: HistoryEntry[] = [
  { version: 1, recordedAt: '2026-02-01T00:00:00.000Z', changedFields: ['assetTypes'] },
];

/** How each source is usually read. */
export const USUAL_METHOD: Readonly<Record<Exclude<Source, 'dnk'>, ExtractionMethod>> = {
  osm: 'osm-tag',
  plateau: 'citygml',
  abr: 'area-lookup',
  estat: 'area-lookup',
  wikidata: 'wikidata-claim',
  nominatim: 'geocode-reverse',
  edinet: 'disclosure-table',
  jreit: 'disclosure-table',
  greenarchive: 'disclosure-table',
  greenbuilding: 'disclosure-table',
  mankan: 'disclosure-table',
};
export type GivenSource = keyof typeof USUAL_METHOD;
export const GIVEN_SOURCES = Object.keys(USUAL_METHOD) as GivenSource[];

type Cell = FieldScalar | (Pick<Observation, 'value'> & Partial<Observation>);
export type Values = { [F in ScalarField]?: Cell } & { aliases?: Cell[]; assetTypes?: Cell[] };

/** The n-th day of 2026. */
export function day(n: number): string {
  return `${new Date(Date.UTC(2026, 0, n)).toISOString().slice(0, 19)}Z`;
}

export interface StatementOptions extends Partial<Omit<Statement, 'observations' | 'retrievedAt' | 'rawPayloadRef'>> {
  /** The day of the fetch, or its instant. */
  at?: number | string;
  /** The raw payload reference; by default, each day has its own. */
  payload?: string;
}

type Draft = (source: GivenSource, sourceRecordId: string) => Statement;

/** The statement of one fetch: a value for each field, a list for the two repeated fields. */
export function statement(values: Values = {}, options: StatementOptions = {}): Draft {
  const { at = 1, payload, ...rest } = options;
  return (source, sourceRecordId) => ({
    sourceUrl: `https://${source}.example/${sourceRecordId}`,
    retrievedAt: typeof at === 'number' ? day(at) : at,
    rawPayloadRef: payload ?? `sha256:${at}`,
    extractionMethod: USUAL_METHOD[source],
    whole: false,
    area: null,
    geometry: null,
    observations: toObservations(values),
    venues: [],
    complex: null,
    ...rest,
  });
}

function toObservations(values: Values): Observation[] {
  return (Object.entries(values) as [Field, Cell | Cell[]][]).flatMap(([field, cells]) =>
    (Array.isArray(cells) ? cells : [cells]).map((cell) => ({
      field,
      unit: FIELDS[field].unit,
      tier: 'free' as const,
      ...(typeof cell === 'object' ? cell : { value: cell }),
    })),
  );
}

export function record(source: GivenSource, sourceRecordId: string, drafts: readonly Draft[]): RecordEvidence {
  return { source, sourceRecordId, statements: drafts.map((draft) => draft(source, sourceRecordId)) };
}

/** A record with one statement, if its ID does not matter. */
export function says(source: GivenSource, values: Values, options: StatementOptions = {}): RecordEvidence {
  return record(source, `${source}/1`, [statement(values, options)]);
}

export type FieldValue = NonNullable<BuildingPage['fields'][string]>;
export interface Page extends Omit<BuildingPage, 'fields'> {
  fields: Partial<Record<ScalarField, FieldValue>>;
}

/** The published record of some evidence, without nearby buildings. */
export function pageOf(evidence: readonly RecordEvidence[], history: HistoryEntry[] = HISTORY): Page {
  return publish(consolidate(BUILDING, evidence), history);
}

function publish(canonical: Canonical, history: HistoryEntry[]): Page {
  const { text, ...head } = toHead(BUILDING, composePage(BUILDING, canonical, PLACE, history));
  return parseBody<Page>(finishPage({ ...head, body: Buffer.from(text), tailEtag: null, tail: null }).body);
}

export function fieldOf(page: Page, field: ScalarField): FieldValue {
  const found = page.fields[field];
  if (found === undefined) throw new Error(`${field} is not published`);
  return found;
}

/** The published field of some evidence. */
export function decide(field: ScalarField, evidence: readonly RecordEvidence[]): FieldValue {
  return fieldOf(pageOf(evidence), field);
}

/** The fields that history would list if the second evidence replaced the first. */
export function changes(
  before: readonly RecordEvidence[] | undefined,
  after: readonly RecordEvidence[],
): readonly string[] {
  return changedFields(before && consolidate(BUILDING, before), consolidate(BUILDING, after));
}

/** Evidence consolidated, stored and read back: the stored text, the published record, and any differences. */
export function stored(evidence: readonly RecordEvidence[]) {
  const canonical = consolidate(BUILDING, evidence);
  const text = encodeCanonical(canonical);
  const restored = decodeCanonical(text);
  return {
    text,
    textAgain: encodeCanonical(restored),
    page: publish(restored, HISTORY),
    changes: [...changedFields(canonical, restored), ...changedFields(restored, canonical)],
    changesTo: (after: readonly RecordEvidence[]) => changedFields(restored, consolidate(BUILDING, after)),
  };
}

/** A square of some metres with its south-west corner in Marunouchi. */
export function square(metres: number, [lon, lat]: Position = [139.765, 35.681]): Polygon {
  const [dx, dy] = [metres / 90_000, metres / 111_000];
  const ring: [number, number][] = [
    [0, 0],
    [dx, 0],
    [dx, dy],
    [0, dy],
    [0, 0],
  ];
  return {
    type: 'Polygon',
    coordinates: [ring.map(([x, y]): Position => [round7(lon + x), round7(lat + y)])],
  };
}

function round7(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}

/** Shuffles a list, in the same way for the same seed. */
export function shuffle<T>(items: readonly T[], seed: number): T[] {
  const dealt = [...items];
  let state = seed >>> 0;
  for (let i = dealt.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const j = Math.floor((state / 2 ** 32) * (i + 1));
    [dealt[i], dealt[j]] = [dealt[j] as T, dealt[i] as T];
  }
  return dealt;
}
