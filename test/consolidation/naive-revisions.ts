import fc from 'fast-check';
import type { RecordEvidence, Statement, VenueObservation } from '../../src/vocabulary/evidence.ts';
import { FIELDS, type Field } from '../../src/vocabulary/fields.ts';
import { square } from './support.ts';

/**
 * A literal implementation of CON-01, CON-02, CON-03 and CON-04 for one source record, independent of
 * src/consolidation.
 */

/** An eligible value, with the first of its consecutive fetches. */
export interface Eligible<T> {
  value: T;
  retrievedAt: string;
  moment: number;
  rawPayloadRef: string;
}

interface Fetch<T> {
  retrievedAt: string;
  moment: number;
  rawPayloadRef: string;
  isWhole: boolean;
  values: T[];
}

/** Lines with the same retrievedAt and rawPayloadRef are one revision. Sorted by time, then by reference. */
function fetchesOf<T>(lines: readonly Statement[], valuesOf: (line: Statement) => readonly T[]): Fetch<T>[] {
  const fetches: Fetch<T>[] = [];
  for (const line of lines) {
    const { retrievedAt, rawPayloadRef } = line;
    const moment = Date.parse(retrievedAt);
    let fetch = fetches.find((known) => known.moment === moment && known.rawPayloadRef === rawPayloadRef);
    if (fetch === undefined) {
      fetch = { retrievedAt, moment, rawPayloadRef, isWhole: false, values: [] };
      fetches.push(fetch);
    }
    fetch.isWhole ||= line.whole;
    fetch.values.push(...valuesOf(line));
  }
  return fetches.sort((a, b) => a.moment - b.moment || (a.rawPayloadRef < b.rawPayloadRef ? -1 : 1));
}

/** Applies the fetches of a record in order, and returns the values that are eligible at the end. */
export function eligibleIn<T>(
  { statements }: Pick<RecordEvidence, 'statements'>,
  valuesOf: (line: Statement) => readonly T[],
  isWithdrawable = true,
): Eligible<T>[] {
  let eligible: Eligible<T>[] = [];
  for (const { values, retrievedAt, moment, rawPayloadRef, isWhole } of fetchesOf(statements, valuesOf)) {
    if (values.length === 0) {
      // A field absent from a newer revision stays, unless that revision is complete.
      if (isWhole && isWithdrawable) eligible = [];
      continue;
    }
    const before = eligible;
    const distinct = values.filter((value, i) => values.findIndex((other) => isSame(other, value)) === i);
    eligible = distinct.map((value) => {
      const unbroken = before.find((known) => known.rawPayloadRef === rawPayloadRef && isSame(known.value, value));
      return unbroken ?? { value, retrievedAt, moment, rawPayloadRef };
    });
  }
  return eligible;
}

export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** CON-05: within one source the newest observation wins. */
export function newest<T>(eligible: readonly Eligible<T>[]): Eligible<T>[] {
  const last = Math.max(...eligible.map(({ moment }) => moment));
  return eligible.filter(({ moment }) => moment === last);
}

export const valuesFor = (field: Field) => (line: Statement) =>
  line.observations.flatMap((observation) => (observation.field === field ? [observation.value] : []));

/** CON-04: an observation is identified by source record, field, raw payload reference and value. */
export function countObservations({ statements }: Pick<RecordEvidence, 'statements'>): number {
  const all = statements.flatMap(({ rawPayloadRef, observations }) =>
    observations.map(({ field, value }) => [field, rawPayloadRef, value]),
  );
  return all.filter((one, i) => all.findIndex((other) => isSame(other, one)) === i).length;
}

/** A few instants, some in two notations, so that ties and repetitions are frequent. */
const INSTANTS = [
  ...['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.5Z', '2026-01-01T00:00:00.500Z'],
  ...['2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z', '2026-01-04T00:00:00Z'],
];
const REFERENCES = ['p', 'p', 'p', 'q', 'P q'];
const VENUES: VenueObservation[] = [
  { nameJa: '甲', nameEn: null, category: 'cafe', level: null },
  { nameJa: '乙', nameEn: null, category: 'cafe', level: null },
];
export const MACHI_AZA = ['131010001001', '131010001002'] as const;

/** One line of an osm record; `place` separates the shapes of different records. */
export const lineOf = (place = 0): fc.Arbitrary<Statement> =>
  fc
    .record({
      retrievedAt: fc.constantFrom(...INSTANTS),
      rawPayloadRef: fc.constantFrom(...REFERENCES),
      whole: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
      nameJa: fc.constantFrom(undefined, 'A', 'B'),
      heightM: fc.constantFrom(undefined, 10, 9, 20),
      aliases: fc.subarray(['x', 'y', 'z']),
      assetTypes: fc.subarray(['office', 'hotel', 'apartments']),
      geometry: fc.constantFrom(null, square(4, [139.7 + place, 35.6]), square(8, [139.7 + place, 35.6])),
      area: fc.constantFrom(null, ...MACHI_AZA),
      venues: fc.subarray(VENUES),
    })
    .map(({ retrievedAt, rawPayloadRef, whole, geometry, area, venues, ...values }) => ({
      sourceUrl: 'https://osm.example/way/1',
      retrievedAt,
      rawPayloadRef,
      extractionMethod: 'osm-tag',
      whole,
      area,
      geometry,
      observations: (Object.entries(values) as [Field, string | number | string[] | undefined][]).flatMap(
        ([field, value]) =>
          (Array.isArray(value) ? value : value === undefined ? [] : [value]).map((one) => ({
            ...{ field, value: one, unit: FIELDS[field].unit, tier: 'free' as const },
          })),
      ),
      venues,
      complex: null,
    }));

export const historyOf = (place = 0, maxLength = 7): fc.Arbitrary<Statement[]> =>
  fc.array(lineOf(place), { minLength: 1, maxLength });

/** The published record of a building with one osm record. */
export interface PublishedRecord {
  fields: {
    [name: string]:
      | { value: unknown; conflict: { value: unknown } | null; provenance: { retrievedAt: string } }
      | undefined;
  };
  aliases: Timed[];
  assetTypes: Timed[];
  geometry: unknown;
  footprint: { provenance: { retrievedAt: string } } | null;
  venues: (VenueObservation & { provenance: { retrievedAt: string } })[];
  counters: { observations: number; conflictsFlagged: number };
}
type Timed = { value: unknown; provenance: { source: string; retrievedAt: string } };

/** Every difference of a published record from the rules. */
export function faultsIn(page: PublishedRecord, statements: Statement[]): string[] {
  const record = { statements };
  const faults: string[] = [];
  const expectOneOf = (
    what: string,
    eligible: Eligible<unknown>[],
    value: unknown,
    retrievedAt: string | undefined,
  ) => {
    const isRight =
      eligible.length === 0
        ? value === undefined || value === null
        : newest(eligible).some((one) => isSame(one.value, value) && one.moment === Date.parse(retrievedAt ?? ''));
    if (!isRight) faults.push(`${what} is ${JSON.stringify(value)} of ${retrievedAt}`);
  };
  const expectAll = (
    what: string,
    eligible: Eligible<unknown>[],
    published: [value: unknown, retrievedAt: string][],
  ) => {
    const text = (all: [unknown, number][]) =>
      all
        .map((one) => JSON.stringify(one))
        .sort()
        .join();
    const expected = text(eligible.map(({ value, moment }) => [value, moment]));
    const found = text(published.map(([value, retrievedAt]) => [value, Date.parse(retrievedAt)]));
    if (found !== expected) faults.push(`${what} are ${found}, not ${expected}`);
  };

  let conflicts = 0;
  for (const field of ['nameJa', 'heightM'] as const) {
    const eligible = eligibleIn(record, valuesFor(field));
    const published = page.fields[field];
    expectOneOf(field, eligible, published?.value, published?.provenance.retrievedAt);
    const losers = newest(eligible.filter(({ value }) => value !== published?.value));
    const conflict = published?.conflict ?? null;
    if (losers.length > 0) conflicts += 1;
    if (losers.length === 0 ? conflict !== null : !losers.some(({ value }) => value === conflict?.value)) {
      faults.push(`${field} has the conflict ${JSON.stringify(conflict)}`);
    }
  }
  for (const field of ['aliases', 'assetTypes'] as const) {
    const published = page[field].filter(({ provenance }) => provenance.source !== 'dnk');
    expectAll(
      field,
      eligibleIn(record, valuesFor(field)),
      published.map(({ value, provenance }) => [value, provenance.retrievedAt]),
    );
  }
  const shapes = eligibleIn(record, ({ geometry }) => (geometry === null ? [] : [geometry]));
  expectOneOf('geometry', shapes, page.geometry, page.footprint?.provenance.retrievedAt);
  expectAll(
    'venues',
    eligibleIn(record, ({ venues }) => venues),
    page.venues.map(({ provenance, ...venue }) => [venue, provenance.retrievedAt]),
  );
  const { observations, conflictsFlagged } = page.counters;
  if (observations !== countObservations(record)) faults.push(`${observations} observations`);
  if (conflictsFlagged !== conflicts) faults.push(`${conflictsFlagged} conflicts`);
  return faults;
}

/** The possible machi-aza of the building. A source that no longer states one has not moved the building. */
export function areasOf(statements: Statement[]): string[] {
  return newest(eligibleIn({ statements }, ({ area }) => (area === null ? [] : [area]), false)).map(
    ({ value }) => value,
  );
}
