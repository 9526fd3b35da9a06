import { currentClaims } from '../consolidation/current-claims.ts';
import { readRecordEvidence, recordIdOf } from '../observations/source-records.ts';
import { expand } from '../storage/compact/compact.ts';
import { isAmong, listParameter, type Reads } from '../storage/storage.ts';
import type { BuildingTable, SourceRecordTable } from '../storage/tables.ts';
import { areaCodeOf, areaRecordId } from '../vocabulary/area-code.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import type { SourcesEntry } from '../vocabulary/building-page.ts';
import type { RecordEvidence } from '../vocabulary/evidence.ts';
import { parseRealEstateId } from '../vocabulary/real-estate-id.ts';
import { SOURCE_FACTS } from '../vocabulary/source-facts.ts';
import {
  AREA_REASON,
  DISPOSITIONS,
  type Disposition,
  dispositionOf,
  reasonOf,
  type SourceRecordAnswer,
} from '../vocabulary/source-record.ts';
import type { Source } from '../vocabulary/sources.ts';
import { findSurvivor } from './identity.ts';
import { isWithdrawn } from './left-out.ts';
import { parseBody } from './records.ts';

/** REF-01, REF-03, REF-04: what became of a record, by its ID or by an identifier that it carries; undefined if it was never read. */
export async function findSourceRecord(
  reads: Reads,
  source: Source,
  id: string,
): Promise<SourceRecordAnswer | undefined> {
  // PostgreSQL rejects NUL in text, and no ID contains one.
  if (id.includes('\0')) return undefined;
  const named = await describeRows(reads, await rowsOf(reads, 'r.key = ?', [`${source}:${id}`]));
  if (named[0] !== undefined) return answer(reads, named[0]);
  for (const { identifier, names } of identifiersOf(source, id)) {
    const carriers = await describeRows(reads, await carriersOf(reads, source, names));
    if (carriers[0] !== undefined) return answerFor(reads, identifier, carriers[0], carriers);
  }
  return findAreaRecord(reads, source, id);
}

/**
 * RCN-02: the live buildings that a record describes, a complex those that inherit from it, an identifier those of the
 * records that carry it.
 */
export async function buildingsOfRecord(reads: Reads, source: Source, id: string): Promise<AssetKey[]> {
  if (id.includes('\0')) return [];
  let rows = await rowsOf(reads, 'r.key = ?', [`${source}:${id}`]);
  for (const { names } of rows.length > 0 ? [] : identifiersOf(source, id)) {
    rows = await carriersOf(reads, source, names);
    if (rows.length > 0) break;
  }
  const found = new Set<AssetKey>();
  for (const row of rows) {
    for (const building of await buildingsOf(reads, row)) {
      const live = await liveBuilding(reads, building);
      if (live !== null) found.add(live);
    }
  }
  return [...found];
}

type RecordRow = Pick<SourceRecordTable, 'id' | 'key' | 'source' | 'building' | 'reason'> & {
  [Column in 'state' | 'area' | 'version']: BuildingTable[Column] | null;
};

interface Described {
  row: RecordRow;
  evidence: RecordEvidence;
  disposition: Disposition;
  /** The live building that it belongs to or leads to. */
  asset: AssetKey | null;
}

async function rowsOf(
  reads: Reads,
  condition: string,
  parameters: unknown[],
  from = 'source_record r',
): Promise<RecordRow[]> {
  return reads.all<RecordRow>(
    `select r.id, r.key, r.source, r.building, r.reason, b.state, b.area, b.version
      from ${from} left join building b on b.id = r.building where ${condition} order by r.id limit ?`,
    [...parameters, MAX_ROWS],
  );
}

/** No record names, and no identifier of a building is shared by, as many buildings. */
const MAX_ROWS = 100;

/** The rows of a record, or of several, each with what became of it; the one that contributes first. */
async function describeRows(reads: Reads, rows: readonly RecordRow[]): Promise<Described[]> {
  if (rows.length === 0) return [];
  const evidence = await readRecordEvidence(
    reads,
    rows.map(({ id }) => id),
  );
  const described: Described[] = [];
  for (const row of rows) {
    const stated = evidence.get(row.id);
    // All statements of a row may have moved to another row of the same record.
    if (stated !== undefined) described.push(await describeRow(reads, row, stated));
  }
  const rank = ({ disposition, asset }: Described) => [DISPOSITIONS.indexOf(disposition), asset ?? Infinity] as const;
  return described.sort((a, b) => {
    const [x, y] = [rank(a), rank(b)];
    return x[0] - y[0] || (x[1] === y[1] ? 0 : x[1] - y[1]);
  });
}

async function describeRow(reads: Reads, row: RecordRow, evidence: RecordEvidence): Promise<Described> {
  const [building = null] = await buildingsOf(reads, row);
  const disposition = dispositionOf({
    reason: row.reason,
    building,
    isGone: building !== null && building.state !== 'live' && (await endsRetired(reads, building.id)),
    isWithdrawn: isWithdrawn(evidence),
  });
  return { row, evidence, disposition, asset: building === null ? null : await liveBuilding(reads, building) };
}

type Home = Pick<BuildingTable, 'id' | 'state' | 'area' | 'version'>;

/** The building of a record, live or not; of a complex those that inherit from it, published ones first (CON-12). */
async function buildingsOf(reads: Reads, { id, source, building, state, area, version }: RecordRow): Promise<Home[]> {
  if (building !== null && state !== null && version !== null) return [{ id: building, state, area, version }];
  if (source !== 'wikidata') return [];
  return reads.all<Home>(
    `select b.id, b.state, b.area, b.version from lent l join building b on b.id = l.building
      where l.record = ? order by case when b.area is null then 1 else 0 end, b.id limit ?`,
    [id, MAX_ROWS],
  );
}

async function liveBuilding(reads: Reads, { id, state }: Home): Promise<AssetKey | null> {
  return state === 'live' ? id : ((await findSurvivor(reads, id)) ?? null);
}

/** Whether a building, or the one that has its evidence through merges, is retired. */
async function endsRetired(reads: Reads, start: AssetKey): Promise<boolean> {
  for (let id: AssetKey | null = start; id !== null; ) {
    const [building]: Pick<BuildingTable, 'state' | 'successor'>[] = await reads.all(
      'select state, successor from building where id = ?',
      [id],
    );
    if (building?.state !== 'merged') return building?.state === 'retired';
    id = building.successor;
  }
  return false;
}

async function answer(reads: Reads, { row, evidence, disposition, asset }: Described): Promise<SourceRecordAnswer> {
  const { source, sourceRecordId } = evidence;
  const { sourceUrl, since } = currentClaims(evidence);
  const page = asset === null ? undefined : await readPage(reads, asset);
  // The evidence of a retired building does not go to its successor.
  const entry =
    disposition === 'retired'
      ? undefined
      : page?.sources.find((each) => each.source === source && each.sourceRecordId === sourceRecordId);
  return {
    source,
    sourceRecordId: recordIdOf(row.key),
    disposition,
    assetId: page?.id ?? null,
    path: page?.path ?? null,
    reason: reasonOf(disposition),
    sourceUrl,
    retrievedAt: since,
    fieldsWon: entry?.fields ?? [],
  };
}

interface PublishedPage {
  id: string;
  path: string;
  sources: SourcesEntry[];
}

async function readPage(reads: Reads, building: AssetKey): Promise<PublishedPage | undefined> {
  const [row] = await reads.all<{ body: Uint8Array }>('select body from page where building = ?', [building]);
  return row && parseBody<PublishedPage>(Buffer.concat([expand(row.body), CLOSING_BRACE]));
}

const CLOSING_BRACE = Buffer.from('}');

/** REF-04: the links under which records of a source carry an identifier, the most specific first. */
function identifiersOf(source: Source, id: string): { identifier: string; names: string[] }[] {
  if (source === 'osm') return [{ identifier: id, names: [/^ref[:=]/.test(id) ? id : `ref=${id}`] }];
  if (source !== 'plateau') return [];
  const [, kind, written = id] = /^(realestate(?:-unit|-land)?):(.*)$/.exec(id) ?? [];
  const identifier = parseRealEstateId(written);
  if (identifier === undefined) return [];
  const kinds = kind === undefined ? ['realestate', 'realestate-unit', 'realestate-land'] : [kind];
  return kinds.map((prefix) => ({ identifier, names: [`${prefix}:${identifier}`] }));
}

async function carriersOf(reads: Reads, source: Source, names: readonly string[]): Promise<RecordRow[]> {
  const condition = `${isAmong(reads, 'l.name')} and r.source = ?`;
  return rowsOf(
    reads,
    condition,
    [listParameter(reads, names), source],
    'link l join source_record r on r.id = l.record',
  );
}

/** REF-04: the record if all that carry the identifier lead to one building, otherwise none. */
async function answerFor(
  reads: Reads,
  identifier: string,
  first: Described,
  carriers: readonly Described[],
): Promise<SourceRecordAnswer> {
  const assets = new Set(carriers.flatMap(({ asset }) => asset ?? []));
  const found = await answer(reads, first);
  const isOne = assets.size === 0 ? new Set(carriers.map(({ row }) => row.key)).size === 1 : assets.size === 1;
  if (isOne) return found;
  return {
    ...found,
    ...{ sourceRecordId: identifier, disposition: 'ambiguous', assetId: null, path: null },
    ...{ reason: reasonOf('ambiguous'), fieldsWon: [] },
  };
}

/** REF-03: a boundary of e-Stat or a row of the tables of areas, which describe no building. */
async function findAreaRecord(reads: Reads, source: Source, id: string): Promise<SourceRecordAnswer | undefined> {
  if (source === 'estat') {
    const [piece] = await reads.all<{ area: string | null; at: string }>(
      `select p.area, coalesce(i.retrieved_at, i.started_at) as at
        from area_piece p join ingest i on i.id = p.ingest where p.id = ?`,
      [`estat:${id}`],
    );
    return piece && describeArea(source, id, piece.at, piece.area === null ? 'unmatched' : AREA_REASON);
  }
  const code = source === 'abr' ? areaCodeOf(id) : undefined;
  if (code === undefined) return undefined;
  // Areas of a records file have no such time.
  const [area] = await reads.all<{ at: string | null }>('select retrieved_at as at from area where code = ?', [code]);
  return area?.at == null ? undefined : describeArea(source, areaRecordId(code), area.at, AREA_REASON);
}

function describeArea(source: Source, sourceRecordId: string, retrievedAt: string, reason: string): SourceRecordAnswer {
  const { url: sourceUrl } = SOURCE_FACTS[source];
  const nowhere = { assetId: null, path: null, fieldsWon: [] };
  return { source, sourceRecordId, disposition: 'unmatched', reason, sourceUrl, retrievedAt, ...nowhere };
}
