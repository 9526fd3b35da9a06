import { type AssetKey, formatAssetId } from '../vocabulary/asset-id.ts';
import type {
  Candidate,
  Canonical,
  CanonicalEntry,
  CanonicalField,
  CanonicalUse,
  CanonicalVenue,
  Provenance,
} from '../vocabulary/canonical.ts';
import { CATEGORIES, categoryOf } from '../vocabulary/categories.ts';
import { type RecordEvidence, TIERS, type Tier } from '../vocabulary/evidence.ts';
import { FIELD_NAMES, FIELDS, type Field, faultInValue, type ScalarField } from '../vocabulary/fields.ts';
import { type AreaGeometry, centroidOf } from '../vocabulary/geometry.ts';
import { GEOMETRY_PRECEDENCE, INHERITABLE_FIELDS, PRECEDENCE } from '../vocabulary/precedence.ts';
import { confidenceOf, SOURCES, type Source } from '../vocabulary/sources.ts';
import { normaliseAlias } from '../vocabulary/text.ts';
import { instantSortKey } from '../vocabulary/time.ts';
import { type Claim, type CurrentClaims, currentClaims } from './current-claims.ts';
import { compareStrings } from './current-revision.ts';
import { compareRevisions, orderClaims, rankOf, type SourceRank } from './order-claims.ts';

const RANK = Object.fromEntries(FIELD_NAMES.map((field) => [field, rankOf(PRECEDENCE[field])])) as Record<
  Field,
  SourceRank
>;
const GEOMETRY_RANK = rankOf(GEOMETRY_PRECEDENCE);
const AREA_RANK = rankOf([...GEOMETRY_PRECEDENCE, ...SOURCES.filter((s) => !GEOMETRY_PRECEDENCE.includes(s))]);
const CATEGORY_RANK = new Map(CATEGORIES.map((category, index) => [category, index]));
const WIKIDATA = rankOf(['wikidata']);

/**
 * Consolidates the evidence of one building. Pure; order of evidence does not matter.
 * CON-01, CON-02, CON-03, CON-04, CON-05, CON-06, CON-07, CON-08, CON-09, CON-10, CON-11, CON-12, CON-13, CON-14,
 * CON-15, CON-16, CON-17.
 */
export function consolidate(building: AssetKey, evidence: readonly RecordEvidence[]): Canonical {
  const records = evidence.map(currentClaims).sort(byRecord);
  const own = new Map<Field, Claim[]>();
  const inherited = new Map<Field, Claim[]>();
  for (const record of records) {
    for (const claim of record.claims) {
      const claims = claim.complex === null ? own : inherited;
      const known = claims.get(claim.field);
      if (known === undefined) claims.set(claim.field, [claim]);
      else known.push(claim);
    }
  }

  const fields: Canonical['fields'] = {};
  for (const [field, claims] of own) {
    if (FIELDS[field].repeated || field === 'appraisalDate') continue;
    const decided = decideField(orderClaims(claims, RANK[field]));
    if (decided !== undefined) fields[field as ScalarField] = decided;
  }
  decideAppraisalDate(fields, own);
  inheritFromComplex(fields, inherited);
  computeGfa(fields, building);

  const footprint = decideFootprint(records);
  return {
    fields: inContractOrder(fields),
    aliases: decideGroups(own.get('aliases') ?? [], RANK.aliases, (value) => normaliseAlias(value)).map(toEntry),
    assetTypes: decideUses(own.get('assetTypes') ?? [], building, records),
    footprint,
    venues: decideVenues(records),
    records: records.map(({ source, sourceRecordId, sourceUrl }) => ({ source, sourceRecordId, sourceUrl })),
    areas: decideAreas(records, (source) => GEOMETRY_RANK.has(source)),
    hintedAreas: decideAreas(records, (source) => !GEOMETRY_RANK.has(source)),
    municipalities: decideMunicipalities(records),
    point: footprint !== null ? centroidOf(footprint.geometry) : firstPoint(records),
    observations: records.reduce((sum, record) => sum + record.observations, 0),
  };
}

/** CON-05, CON-06: the best claim is published, the best one that differs is the conflict, all others are kept. */
function decideField(claims: readonly Claim[]): CanonicalField | undefined {
  const winner = claims[0];
  if (winner === undefined) return undefined;
  const { value, unit, tier, provenance } = winner;
  const alternatives = claims.slice(1);
  return {
    value,
    unit,
    tier,
    provenance,
    conflict: alternatives.find((candidate) => candidate.value !== value) ?? null,
    estimated: false,
    inheritedFrom: null,
    alternatives,
  };
}

/** CON-10: the date of the winning amount, from the same record, payload and fetch, or none. */
function decideAppraisalDate(fields: Canonical['fields'], own: ReadonlyMap<Field, Claim[]>): void {
  const [amount] = orderClaims(own.get('appraisalValueJpy') ?? [], RANK.appraisalValueJpy);
  if (amount === undefined) return;
  const dates = orderClaims(own.get('appraisalDate') ?? [], RANK.appraisalDate);
  const paired = dates.find((date) => isSameFetch(date, amount));
  if (paired === undefined) return;
  const decided = decideField([paired, ...dates.filter((date) => date !== paired)]);
  if (decided === undefined) return;
  // It may have been retrieved before; what counts is the fetch it shares with the amount.
  const { retrievedAt } = amount.provenance;
  if (decided.provenance.retrievedAt !== retrievedAt) decided.provenance = { ...decided.provenance, retrievedAt };
  fields.appraisalDate = decided;
}

function isSameFetch(a: Claim, b: Claim): boolean {
  return (
    a.provenance.source === b.provenance.source &&
    a.provenance.sourceRecordId === b.provenance.sourceRecordId &&
    a.rawPayloadRef === b.rawPayloadRef &&
    a.fetches.some((fetch) => b.fetches.includes(fetch))
  );
}

/**
 * CON-12: a building inherits from its complex only what none of its own sources supplies. Only another complex can
 * conflict.
 */
function inheritFromComplex(fields: Canonical['fields'], inherited: ReadonlyMap<Field, Claim[]>): void {
  for (const field of INHERITABLE_FIELDS) {
    const claims = orderClaims(inherited.get(field) ?? [], WIKIDATA);
    const own = fields[field];
    if (own !== undefined) {
      own.alternatives.push(...claims);
      continue;
    }
    const decided = decideField(claims);
    if (decided === undefined) continue;
    decided.estimated = true;
    decided.inheritedFrom = claims[0]?.complex ?? null;
    fields[field] = decided;
  }
}

/** CON-11: if not reported, footprint times floors. */
function computeGfa(fields: Canonical['fields'], building: AssetKey): void {
  const { footprintM2, floorsAbove, floorsBelow } = fields;
  if (fields.gfaM2 !== undefined || footprintM2 === undefined || floorsAbove === undefined) return;
  const floors = Number(floorsAbove.value) + Number(floorsBelow?.value ?? 0);
  const gfa = Math.round(Number(footprintM2.value) * floors * 1e6) / 1e6;
  if (gfa <= 0 || faultInValue('gfaM2', gfa) !== undefined) return;
  const inputs = [footprintM2, floorsAbove, ...(floorsBelow === undefined ? [] : [floorsBelow])];
  fields.gfaM2 = {
    value: gfa,
    unit: FIELDS.gfaM2.unit,
    tier: highestTier(inputs),
    provenance: computed(
      building,
      inputs.map((input) => input.provenance.retrievedAt),
    ),
    conflict: null,
    estimated: true,
    inheritedFrom: null,
    alternatives: [],
  };
}

/** A computed value reveals its inputs, so it has the highest of their tiers. */
function highestTier(inputs: readonly Candidate[]): Tier {
  return TIERS.findLast((tier) => inputs.some((input) => input.tier === tier)) ?? 'free';
}

/** A computed value is as old as its newest input. */
function computed(building: AssetKey, retrievals: readonly string[]): Provenance {
  const id = formatAssetId(building);
  const newest = [...retrievals].sort(
    (a, b) => compareStrings(instantSortKey(b), instantSortKey(a)) || compareStrings(a, b),
  )[0];
  return {
    source: 'dnk',
    sourceRecordId: id,
    sourceUrl: `/japan/id/${id}`,
    retrievedAt: newest ?? '1970-01-01T00:00:00Z',
    extractionMethod: 'computed',
    confidence: confidenceOf('dnk', 'computed') ?? 0,
  };
}

/** CON-07: groups the claims, orders each group by precedence, and the groups by their winners. */
function decideGroups(claims: readonly Claim[], rank: SourceRank, groupOf: (value: string) => string): Claim[][] {
  const groups = new Map<string, Claim[]>();
  for (const claim of orderClaims(claims, rank)) {
    const group = groupOf(String(claim.value));
    const known = groups.get(group);
    if (known === undefined) groups.set(group, [claim]);
    else known.push(claim);
  }
  const bySource = (claim: Claim | undefined) => (claim && rank.get(claim.provenance.source)) ?? 0;
  return [...groups]
    .sort(([a, [first]], [b, [second]]) => bySource(first) - bySource(second) || compareStrings(a, b))
    .map(([, members]) => members);
}

function decideUses(claims: readonly Claim[], building: AssetKey, records: readonly CurrentClaims[]): CanonicalUse[] {
  const categoryRank = (value: string) => String(CATEGORY_RANK.get(categoryOf(value))).padStart(2, '0');
  const uses = decideGroups(claims, RANK.assetTypes, categoryRank).map((members) => {
    const { value, unit, tier, provenance, alternatives } = toEntry(members);
    return { value, unit, tier, provenance, alternatives, category: categoryOf(String(value)) };
  });
  // Words without a use come last, whatever their source.
  uses.sort((a, b) => Number(a.category === 'unspecified') - Number(b.category === 'unspecified'));
  if (uses.length > 0) return uses;
  const provenance = computed(
    building,
    records.map((record) => record.since),
  );
  return [{ value: 'unknown', unit: null, tier: 'free', provenance, alternatives: [], category: 'unspecified' }];
}

function decideFootprint(records: readonly CurrentClaims[]): Canonical['footprint'] {
  const shapes = records
    .flatMap((record) => (record.geometry === null || record.geometry.geometry.type === 'Point' ? [] : record.geometry))
    .filter((shape) => GEOMETRY_RANK.has(shape.provenance.source))
    .sort(compareRevisions(GEOMETRY_RANK))
    .map((shape) => ({ geometry: shape.geometry as AreaGeometry, provenance: shape.provenance }));
  const [winner, ...alternatives] = shapes;
  return winner === undefined ? null : { ...winner, alternatives };
}

function firstPoint(records: readonly CurrentClaims[]): Canonical['point'] {
  const shapes = records.flatMap((record) => record.geometry ?? []).sort(compareRevisions(AREA_RANK));
  return shapes[0] === undefined ? null : centroidOf(shapes[0].geometry);
}

function decideAreas(records: readonly CurrentClaims[], isFrom: (source: Source) => boolean): string[] {
  const places = records.flatMap((record) => (record.area !== null && isFrom(record.source) ? record.area : []));
  return [...new Set(places.sort(compareRevisions(AREA_RANK)).map((place) => place.area))];
}

function decideMunicipalities(records: readonly CurrentClaims[]): string[] {
  const inOrder = GEOMETRY_PRECEDENCE.flatMap((source) => records.filter((record) => record.source === source));
  return [...new Set(inOrder.flatMap(({ municipality }) => municipality ?? []))];
}

/** One venue per name, category and level, from the first source that names it. */
function decideVenues(records: readonly CurrentClaims[]): CanonicalVenue[] {
  const byName = new Map<string, CanonicalVenue>();
  for (const record of records) {
    const said = record.venues.map(({ venue, provenance }) => ({ ...venue, provenance }));
    for (const venue of said.sort((a, b) => compareStrings(JSON.stringify(a), JSON.stringify(b)))) {
      const name = normaliseAlias(venue.nameJa ?? venue.nameEn ?? '');
      const key = JSON.stringify([name, venue.category, venue.level]);
      if (!byName.has(key)) byName.set(key, venue);
    }
  }
  return [...byName].sort(([a], [b]) => compareStrings(a, b)).map(([, venue]) => venue);
}

function byRecord(a: CurrentClaims, b: CurrentClaims): number {
  return SOURCES.indexOf(a.source) - SOURCES.indexOf(b.source) || compareStrings(a.sourceRecordId, b.sourceRecordId);
}

function inContractOrder(fields: Canonical['fields']): Canonical['fields'] {
  const ordered: Canonical['fields'] = {};
  for (const field of FIELD_NAMES as ScalarField[]) if (fields[field] !== undefined) ordered[field] = fields[field];
  return ordered;
}

function toEntry(members: readonly Claim[]): CanonicalEntry {
  const { value, unit, tier, provenance } = members[0] as Claim;
  return { value, unit, tier, provenance, alternatives: members.slice(1) };
}
