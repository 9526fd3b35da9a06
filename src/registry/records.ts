import { hash } from 'node:crypto';
import { compact, expand, expandAll } from '../storage/compact/compact.ts';
import { batches, listAsRows, listParameter, type Reads, type Tx } from '../storage/storage.ts';
import { type AssetKey, formatAssetId } from '../vocabulary/asset-id.ts';
import type { Credits } from '../vocabulary/attribution.ts';
import type { BuildingPage, Nearby, SourcesEntry } from '../vocabulary/building-page.ts';
import type { Canonical, CanonicalField, Provenance } from '../vocabulary/canonical.ts';
import type { ScalarField } from '../vocabulary/fields.ts';
import { measure, windRings } from '../vocabulary/geometry.ts';
import { meshCodeOf } from '../vocabulary/mesh.ts';
import { SOURCE_FACTS } from '../vocabulary/source-facts.ts';
import type { PlacePath } from './areas.ts';
import { attributionPart, creditsIn, creditsOfPage } from './record-credits.ts';

/** A response body with its ETag. */
export interface FinishedResponse {
  etag: string;
  body: Uint8Array;
  /** Call once when the body is no longer needed. */
  release?: () => void;
}

/**
 * A record is stored in two parts that are sent one after the other: the building itself, and `nearby`, so that a
 * change of a neighbour rewrites only the second. `attribution` is put between them: it is the same text for all
 * buildings of the same sources, so only the set of sources is stored.
 */
export interface RecordPart {
  building: AssetKey;
  etag: string;
  body: Uint8Array;
}

/** A part before it is compressed. */
interface PartText {
  building: AssetKey;
  etag: string;
  text: string;
}

interface PageHead extends PartText {
  credits: Credits;
}

/** A record without the parts that are added when it is read. */
export type StoredPage = Omit<BuildingPage, 'attribution' | 'nearby'>;

export function toHead(building: AssetKey, page: StoredPage): PageHead {
  const text = JSON.stringify(page).slice(0, -1);
  return { building, etag: tagOf(text), text, credits: creditsOfPage(page) };
}

export function toTail(building: AssetKey, nearby: Nearby[]): PartText {
  const text = `,"nearby":${JSON.stringify(nearby)}}`;
  return { building, etag: tagOf(text).slice(0, TAIL_TAG_LENGTH), text };
}

/** Enough to tell the neighbours of one building from those it had before. */
const TAIL_TAG_LENGTH = 8;

/** The JSON of a stored record. Its bytes may be shared with another thread and are not copied. */
export function parseBody<T>({ buffer, byteOffset, byteLength }: Uint8Array): T {
  return JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString()) as T;
}

export function tagOf(body: string | Uint8Array): string {
  return hash('sha256', body, 'base64url').slice(0, 22);
}

/** ATT-03: changes with the facts about sources, which every record contains but none stores. */
const FACTS_TAG = tagOf(JSON.stringify(SOURCE_FACTS)).slice(0, 6);

export const HEAD_COLUMNS = ['building', 'etag', 'body', 'credits'] as const;

export function toHeadRow({ building, etag, text, credits }: PageHead): unknown[] {
  return [building, etag, compact(text), credits];
}

const SOURCES = '"sources":';
const AFTER_SOURCES = ',"venues":';

/** `sources` of a stored record. In text, quotes are escaped, so only a key can look like this. */
export function sourcesIn(body: Uint8Array): Uint8Array {
  const bytes = expand(body);
  const start = bytes.indexOf(SOURCES) + SOURCES.length;
  return bytes.subarray(start, bytes.indexOf(AFTER_SOURCES, start));
}

/** The end of a record until `nearby` is computed. */
const NOTHING_NEARBY = toTail(0, []);
const NO_TAIL = Buffer.from(NOTHING_NEARBY.text);

/** Both parts of a record, compact. */
export interface PageRow {
  etag: string;
  body: Uint8Array;
  credits: Credits | null;
  tailEtag: string | null;
  tail: Uint8Array | null;
}

export function finishPage({ etag, body, credits, tailEtag, tail }: PageRow): FinishedResponse {
  const attribution = attributionPart(credits ?? creditsIn(expand(body)));
  return { etag: pageTag(etag, tailEtag), body: expandAll([body, attribution, tail ?? NO_TAIL]) };
}

/** A tag that changes with every part. */
export function pageTag(etag: string, tailEtag: string | null): string {
  return `"${etag}${tailEtag ?? NOTHING_NEARBY.etag}${FACTS_TAG}"`;
}

export async function removePages(tx: Tx, ids: readonly AssetKey[]): Promise<void> {
  for (const batch of batches(ids)) await tx.db.deleteFrom('page').where('building', 'in', batch).execute();
  await removeNearby(tx, ids);
}

export async function removeNearby(tx: Tx, ids: readonly AssetKey[]): Promise<void> {
  for (const batch of batches(ids)) await tx.db.deleteFrom('nearby').where('building', 'in', batch).execute();
}

/** Complete records, in the order of `buildings`. */
export function readRecords(reads: Reads, buildings: readonly AssetKey[]): Promise<FinishedResponse[]> {
  return readPages(reads, buildings, 'join page p on p.building = k.value');
}

/** The same by the positions of their search entries. */
export function readRecordsAt(reads: Reads, positions: readonly number[]): Promise<FinishedResponse[]> {
  return readPages(reads, positions, 'join search_entry e on e.pos = k.value join page p on p.building = e.building');
}

async function readPages(reads: Reads, keys: readonly number[], join: string): Promise<FinishedResponse[]> {
  if (keys.length === 0) return [];
  const rows = await reads.all<PageRow & { key: number }>(
    `select k.value as key, p.etag, p.body, p.credits, n.etag as "tailEtag", n.body as tail
      from ${listAsRows(reads, 'k')} ${join} left join nearby n on n.building = p.building`,
    [listParameter(reads, keys)],
  );
  const byKey = new Map(rows.map((row) => [row.key, finishPage(row)]));
  return keys.map((key) => {
    const record = byKey.get(key);
    if (record === undefined) throw new Error('a published entry has no page');
    return record;
  });
}

export type HistoryEntry = BuildingPage['history'][number];

/**
 * The record of a building as it is stored.
 * REC-01, REC-02, REC-03, REC-04, REC-05, REC-06, REC-07, REC-08, REC-09, REC-10, REC-11, REC-12.
 */
export function composePage(
  building: AssetKey,
  canonical: Canonical,
  place: PlacePath,
  history: HistoryEntry[],
): StoredPage {
  const id = formatAssetId(building);
  const { footprint, point, venues } = canonical;
  const fields: Record<string, ReturnType<typeof toFieldValue>> = {};
  let conflicts = 0;
  for (const name in canonical.fields) {
    const field = canonical.fields[name as ScalarField] as CanonicalField;
    fields[name] = toFieldValue(field);
    if (field.conflict !== null) conflicts += 1;
  }
  const sources = composeSources(canonical);
  return {
    id,
    path: `${place.path}/${id}`,
    assetTypes: canonical.assetTypes.map(({ value, category, tier, provenance }) => ({
      value: String(value),
      category,
      tier,
      provenance,
    })),
    fields,
    location: {
      lat: point?.[1] ?? null,
      lon: point?.[0] ?? null,
      meshCode: point === null ? null : meshCodeOf(point),
      prefecture: place.prefecture,
      ward: place.ward,
      machiAza: place.machiAza,
    },
    aliases: canonical.aliases.map(({ value, tier, provenance }) => ({ value: String(value), tier, provenance })),
    // Only here, so that versions, anchors and matches do not depend on the winding.
    geometry: footprint && windRings(footprint.geometry),
    footprint: footprint === null ? null : { ...measure(footprint.geometry), provenance: footprint.provenance },
    sources,
    venues,
    history,
    counters: {
      observations: canonical.observations,
      sources: sources.length,
      fields: Object.keys(canonical.fields).length,
      aliases: canonical.aliases.length,
      venues: venues.length,
      versions: history.length,
      conflictsFlagged: conflicts,
    },
  };
}

function toFieldValue({ value, unit, tier, provenance, conflict, estimated, inheritedFrom }: CanonicalField) {
  const loser = conflict && { value: conflict.value, unit: conflict.unit, source: conflict.provenance.source };
  if (inheritedFrom === null) return { value, unit, tier, provenance, conflict: loser, estimated };
  return { value, unit, tier, provenance, conflict: loser, estimated, inheritedFrom };
}

/** SRC-01, SRC-02, SRC-03, SRC-04: every consulted source record, and the fields it won. */
function composeSources(canonical: Canonical): SourcesEntry[] {
  const won: [Provenance, string][] = [];
  for (const name in canonical.fields) {
    won.push([(canonical.fields[name as ScalarField] as CanonicalField).provenance, name]);
  }
  for (const alias of canonical.aliases) won.push([alias.provenance, 'aliases']);
  for (const use of canonical.assetTypes) won.push([use.provenance, 'assetTypes']);
  return canonical.records.map(({ source, sourceRecordId, sourceUrl }) => {
    const fields: string[] = [];
    for (const [provenance, name] of won) {
      if (provenance.sourceRecordId !== sourceRecordId || provenance.source !== source) continue;
      if (!fields.includes(name)) fields.push(name);
    }
    return { source, sourceRecordId, sourceUrl, fields };
  });
}
