import { Explainer, type Reason } from '../consolidation/explain.ts';
import { findOrigins, type Origin } from '../observations/origins.ts';
import { recordKey } from '../observations/source-records.ts';
import { evidenceOf } from '../pipeline/consolidate-buildings.ts';
import type { Context } from '../pipeline/context.ts';
import { loadBuildings } from '../registry/buildings.ts';
import { batches, type Db } from '../storage/storage.ts';
import { instantSortKey } from '../vocabulary/time.ts';
import { addSupplements } from './add-supplements.ts';
import type { RawPiece } from './cut/piece.ts';
import { drawValues, type SampleRequest, type ValueSample } from './draw-values.ts';
import type { PublishedValue } from './published-values.ts';
import { readRaw } from './read-raw.ts';

/** A published value with the raw record of its source. */
export interface Audited {
  value: PublishedValue;
  reason: Reason;
  /** The statement that it comes from; none for computed values. */
  origin: Origin | undefined;
  /** The raw bytes of its record, then of what the record refers to. */
  pieces: RawPiece[];
  /** AUD-04: why there are no raw bytes. */
  fault: string | undefined;
  /** The values it was computed from. */
  inputs: Audited[];
}

export interface Audit extends Omit<ValueSample, 'values'> {
  seed: string;
  audited: Audited[];
}

const BUILDINGS = 200;

/** Draws published values and finds, for each, why it won (AUD-03) and its raw bytes in the archive (AUD-02). Only reads. */
export async function audit({ storage: { db }, archiveDir, report }: Context, drawing: SampleRequest): Promise<Audit> {
  report.stage('drawing values');
  const { values, ...drawn } = await drawValues(db, drawing);
  const reasons = await explainAll(db, values);
  const keys = allOf(values).map(({ provenance: { source, sourceRecordId } }) => recordKey(source, sourceRecordId));
  const origins = await findOrigins(db, [...new Set(keys)]);
  const toAudited = (value: PublishedValue): Audited => ({
    value,
    reason: reasons.get(value) as Reason,
    origin: originOf(value, origins),
    pieces: [],
    fault: undefined,
    inputs: value.inputs.map(toAudited),
  });
  const audited = values.map(toAudited);
  const stated = audited
    .flatMap((each) => [each, ...each.inputs])
    .filter(({ value }) => value.provenance.source !== 'dnk');
  for (const each of stated) if (each.origin === undefined) each.fault = 'no stored statement has this value';
  report.stage('reading the archive');
  await readRaw(archiveDir, stated, report);
  await addSupplements(db, archiveDir, stated);
  return { ...drawn, seed: drawing.seed, audited };
}

const allOf = (values: readonly PublishedValue[]) => values.flatMap((value) => [value, ...value.inputs]);

async function explainAll(db: Db, values: readonly PublishedValue[]): Promise<Map<PublishedValue, Reason>> {
  const reasons = new Map<PublishedValue, Reason>();
  const byBuilding = Map.groupBy(allOf(values), ({ building }) => building);
  for (const batch of batches([...byBuilding.keys()], BUILDINGS)) {
    const { evidence } = await evidenceOf(db, [...(await loadBuildings(db, batch)).values()]);
    for (const building of batch) {
      const explainer = new Explainer(evidence.get(building) ?? []);
      for (const value of byBuilding.get(building) ?? []) reasons.set(value, value.explain(explainer));
    }
  }
  return reasons;
}

/** The statement that a value comes from: of those with this value, the one with its time of retrieval. */
function originOf(value: PublishedValue, origins: ReadonlyMap<string, Origin[]>): Origin | undefined {
  const { source, sourceRecordId, retrievedAt } = value.provenance;
  const candidates = (origins.get(recordKey(source, sourceRecordId)) ?? []).filter(({ statement }) =>
    value.isStatedBy(statement),
  );
  const moment = retrievedAt === '' ? '' : instantSortKey(retrievedAt);
  return (
    candidates.find(({ retrievals }) => retrievals.some((at) => instantSortKey(at) === moment)) ?? candidates.at(-1)
  );
}
