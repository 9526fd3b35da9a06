import { NAMES_NONE, type SourceRecord, updateRecords } from '../observations/source-records.ts';
import type { Areas } from '../registry/areas.ts';
import { findBuildingsIn, findMembers } from '../registry/buildings.ts';
import { findSurvivors } from '../registry/identity.ts';
import { houseNumbersIn, type MatchCandidate, matchRegister, normaliseName } from '../registry/register-rule.ts';
import type { Db, Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { REGISTERS } from '../vocabulary/sources.ts';
import { loadClaims, textsOf } from './load-claims.ts';
import { clearRegisterMarkers, registerAreasToMatch } from './match-markers.ts';
import {
  type MatchingContext,
  type MatchingRun,
  newRun,
  type Publish,
  reassign,
  reassignAttached,
} from './matching-run.ts';
import { recordsAddressedIn, recordsOfBuildings, registersIn, unplacedRegisters } from './queries.ts';

/**
 * CON-09: matches the records of registers and disclosures, machi-aza by machi-aza, against what the other sources say
 * about the buildings there. Returns true if any building gained or lost a record.
 */
export async function matchRegisters(
  { storage, report, now }: MatchingContext,
  areas: Areas,
  publish: Publish,
): Promise<boolean> {
  const run = newRun(areas, now(), publish);
  const stale = await registerAreasToMatch(storage.db);
  let done = 0;
  for (const area of stale) {
    await storage.transaction(async (tx) => {
      await matchIn(tx, run, area);
      await clearRegisterMarkers(tx, [area]);
    });
    report.progress(++done, stale.length);
  }
  return !run.moved.isEmpty;
}

async function matchIn(tx: Tx, run: MatchingRun, area: string): Promise<void> {
  const registers = (await registersIn(tx.db, area)).filter(({ claimed }) => claimed === NAMES_NONE);
  if (registers.length === 0) return;
  const candidates = await findCandidates(tx.db, run.areas, area);
  const claims = await loadClaims(tx.db, registers);
  await reassignAttached(
    tx,
    run,
    registers.map((record) => {
      const own = claims.get(record.id);
      const [name = null] = own === undefined ? [] : textsOf(own, 'nameJa');
      const numbers = own === undefined ? [] : houseNumbersIn(run.areas, area, textsOf(own, 'addressJa'));
      const verdict = matchRegister({ numbers, name }, candidates);
      return 'building' in verdict
        ? { record, building: verdict.building, reason: null }
        : { record, building: null, reason: verdict.reason };
    }),
  );
}

/** The buildings of a machi-aza with their addresses and names. Registers are not evidence for each other. */
async function findCandidates(db: Db, areas: Areas, area: string): Promise<MatchCandidate[]> {
  // An address may belong to a machi-aza whose boundary does not contain its building; address points name it.
  const inside = await findBuildingsIn(db, area);
  const addressed = (await recordsAddressedIn(db, area)).flatMap((record) => record.building ?? []);
  const elsewhere = [...(await findSurvivors(db, addressed)).values()];
  const buildings = [...new Set([...inside, ...elsewhere])].sort((a, b) => a - b);
  const survivorOf = await findMembers(db, buildings);
  const records = (await recordsOfBuildings(db, [...survivorOf.keys()])).filter(({ source }) => !REGISTERS.has(source));
  const claims = await loadClaims(db, records);
  const candidates = new Map(
    buildings.map((building) => [building, { building, numbers: new Set<string>(), names: new Set<string>() }]),
  );
  for (const record of records) {
    const own = claims.get(record.id);
    const candidate = candidates.get(survivorOf.get(record.building as AssetKey) as AssetKey);
    if (own === undefined || candidate === undefined) continue;
    for (const number of houseNumbersIn(areas, area, textsOf(own, 'addressJa'))) candidate.numbers.add(number);
    for (const name of textsOf(own, 'nameJa', 'nameEn', 'aliases')) candidate.names.add(normaliseName(name));
  }
  return [...candidates.values()];
}

/** Finds the machi-aza of registers and disclosures that have none yet; returns the affected areas. */
export async function placeRegisters(tx: Tx, run: MatchingRun, fresh: readonly number[]): Promise<string[]> {
  const { areas } = run;
  const records = await unplacedRegisters(tx.db, fresh);
  const claims = await loadClaims(tx.db, records);
  const placed: SourceRecord[] = [];
  for (const record of records) {
    const own = claims.get(record.id);
    const named = own?.area?.area;
    const resolved = own === undefined ? [] : textsOf(own, 'addressJa').map((text) => areas.resolveAddress(text));
    const area = named ?? resolved.find((place) => place?.machiAza != null)?.machiAza ?? null;
    if (area !== record.area) placed.push({ ...record, area });
  }
  await updateRecords(tx, placed);
  // A record that lost its machi-aza would not be visited otherwise.
  await reassign(
    tx,
    run,
    placed.flatMap((record) =>
      record.area === null ? [{ record, building: null, reason: 'unmatched' as const }] : [],
    ),
  );
  const before = records.flatMap((record) => record.area ?? []);
  return [...new Set([...before, ...placed.flatMap((record) => record.area ?? [])])];
}
