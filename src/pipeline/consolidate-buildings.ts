import { consolidate } from '../consolidation/consolidate.ts';
import { loadEvidence } from '../observations/source-records.ts';
import type { Areas } from '../registry/areas.ts';
import { type BuildingRow, findMembers, loadBuildings } from '../registry/buildings.ts';
import { findAbsorbed } from '../registry/identity.ts';
import { type Placement, placeBuilding } from '../registry/place-building.ts';
import {
  type Decisions,
  decideBuilding,
  decideUnpublished,
  findCurrentVersions,
  noDecisions,
} from '../registry/publish.ts';
import type { Db } from '../storage/storage.ts';
import { type AssetKey, prefectureOfAsset } from '../vocabulary/asset-id.ts';
import type { Canonical, CanonicalGeometry } from '../vocabulary/canonical.ts';
import { changedFields } from '../vocabulary/changed-fields.ts';
import type { RecordEvidence } from '../vocabulary/evidence.ts';
import { REGISTERS, type Source } from '../vocabulary/sources.ts';

/** Consolidates some buildings from all their stored evidence. Only reads. */
export async function consolidateBuildings(
  db: Db,
  areas: Areas,
  ids: readonly AssetKey[],
  recordedAt: string,
): Promise<Decisions> {
  const buildings = [...(await loadBuildings(db, ids)).values()];
  const known = buildings.filter((building) => building.state === 'live' && building.version > 0);
  const currents = await findCurrentVersions(
    db,
    known.map((building) => building.id),
  );
  const decisions = noDecisions(recordedAt);
  for await (const { building, canonical, place } of deriveBuildings(db, areas, buildings)) {
    const current = currents.get(building.id);
    if (canonical === undefined) {
      decideUnpublished(decisions, building, current != null && current.etag !== null);
      continue;
    }
    const changed = changedFields(current?.decode(), canonical);
    decideBuilding(decisions, building, canonical, place, current, changed, areas);
  }
  return decisions;
}

/** What the evidence of a building gives. */
interface DerivedBuilding {
  building: BuildingRow;
  /** Undefined without evidence, and if the building is not live. */
  canonical: Canonical | undefined;
  /** Undefined if it is in no known area. */
  place: Placement | undefined;
}

/**
 * Derives some buildings from all their stored evidence, for publishing them and for verifying what is published, or from
 * what sources of one licence say.
 */
export async function* deriveBuildings(
  db: Db,
  areas: Areas,
  buildings: readonly BuildingRow[],
  accepts: (source: Source) => boolean = () => true,
): AsyncGenerator<DerivedBuilding> {
  const live = buildings.filter((building) => building.state === 'live');
  const { evidence, own } = await evidenceOf(db, live, accepts);
  for (const building of buildings) {
    const records = evidence.get(building.id);
    if (records === undefined) {
      yield { building, canonical: undefined, place: undefined };
      continue;
    }
    const alone = own.get(building.id);
    const ownCanonical = alone === undefined ? undefined : consolidate(building.id, alone);
    const canonical = keepLocation(consolidate(building.id, records), ownCanonical);
    const place =
      (ownCanonical === undefined ? undefined : await placeOf(db, areas, building.id, ownCanonical)) ??
      (await placeOf(db, areas, building.id, canonical));
    yield { building, canonical, place };
  }
}

/** An operator's merge never moves the survivor: absorbed evidence locates it only if its own evidence does not. */
function keepLocation(canonical: Canonical, ownCanonical: Canonical | undefined): Canonical {
  const [all, own] = [canonical.footprint, ownCanonical?.footprint];
  if (all === null || own == null) return canonical;
  const isOwn = ({ provenance }: Pick<CanonicalGeometry, 'provenance'>) =>
    provenance.source === own.provenance.source && provenance.sourceRecordId === own.provenance.sourceRecordId;
  const { geometry, provenance } = all;
  const alternatives = [{ geometry, provenance }, ...all.alternatives].filter((other) => !isOwn(other));
  return { ...canonical, point: ownCanonical?.point ?? null, footprint: { ...own, alternatives } };
}

interface Evidence {
  /** A building's evidence is its own and that of every building merged into it. */
  evidence: Map<AssetKey, RecordEvidence[]>;
  /** The evidence without that of buildings which an operator merged into it, if any is left. */
  own: Map<AssetKey, RecordEvidence[]>;
}

/** The evidence of some buildings, of the sources that are accepted. */
export async function evidenceOf(
  db: Db,
  live: readonly BuildingRow[],
  accepts: (source: Source) => boolean = () => true,
): Promise<Evidence> {
  const survivorOf = await findMembers(
    db,
    live.map((building) => building.id),
  );
  const byMember = new Map<AssetKey, RecordEvidence[]>();
  for (const [member, records] of await loadEvidence(db, [...survivorOf.keys()])) {
    const accepted = records.filter(({ source }) => accepts(source));
    if (accepted.length > 0) byMember.set(member, accepted);
  }
  const evidence = new Map<AssetKey, RecordEvidence[]>();
  const own = new Map<AssetKey, RecordEvidence[]>();
  for (const [member, records] of byMember) {
    const survivor = survivorOf.get(member) as AssetKey;
    const known = evidence.get(survivor);
    evidence.set(survivor, known === undefined ? records : joined(known, records));
  }
  const absorbed = await findAbsorbed(db, survivorOf);
  const affected = new Set([...absorbed].map((member) => survivorOf.get(member) as AssetKey));
  for (const [member, records] of byMember) {
    const survivor = survivorOf.get(member) as AssetKey;
    if (!affected.has(survivor) || absorbed.has(member)) continue;
    own.set(survivor, joined(own.get(survivor) ?? [], records));
  }
  return { evidence, own };
}

/** A record that names two buildings which were merged is one record. */
function joined(known: readonly RecordEvidence[], more: readonly RecordEvidence[]): RecordEvidence[] {
  const byRecord = new Map<string, RecordEvidence>();
  for (const record of [...known, ...more]) {
    const key = JSON.stringify([record.source, record.sourceRecordId]);
    const before = byRecord.get(key);
    byRecord.set(key, before ? { ...before, statements: [...before.statements, ...record.statements] } : record);
  }
  return [...byRecord.values()];
}

async function placeOf(db: Db, areas: Areas, building: AssetKey, canonical: Canonical): Promise<Placement | undefined> {
  const { areas: named, hintedAreas: hinted, municipalities, point } = canonical;
  return placeBuilding(db, areas, {
    named,
    points: point === null ? [] : [point],
    loadStatements: async () => ({ hinted, municipalities, addresses: addressesOf(canonical) }),
    prefecture: prefectureOfAsset(building),
  });
}

/** The addresses of a building, except those of registers, which were matched by its location. */
function addressesOf({ fields: { addressJa } }: Canonical): string[] {
  if (addressJa === undefined) return [];
  return [addressJa, ...addressJa.alternatives].flatMap(({ value, provenance }) =>
    REGISTERS.has(provenance.source) ? [] : [String(value)],
  );
}
