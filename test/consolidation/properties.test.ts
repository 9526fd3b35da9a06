import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { consolidate } from '../../src/consolidation/consolidate.ts';
import { BuildingPageSchema } from '../../src/vocabulary/building-page.ts';
import type { RecordEvidence, Statement } from '../../src/vocabulary/evidence.ts';
import { randomRuns } from '../support/test-length.ts';
import { looseEvidence, readEvidence } from './arbitrary-evidence.ts';
import { CONTRACT_SCALARS } from './contract-table.ts';
import { areasOf, faultsIn, historyOf } from './naive-revisions.ts';
import { faultInField } from './naive-rules.ts';
import { BUILDING, changes, type Page, pageOf, says, shuffle } from './support.ts';

const seed = fc.integer({ min: 0, max: 2 ** 31 });
const bytesOf = (evidence: readonly RecordEvidence[]) => JSON.stringify(pageOf(evidence));

/** The same evidence with records and statements in another order, and `inside` applied to each statement. */
function reorder(
  evidence: readonly RecordEvidence[],
  seed: number,
  inside: (statement: Statement, seed: number) => Statement,
): RecordEvidence[] {
  return shuffle(evidence, seed).map((record, i) => ({
    ...record,
    statements: shuffle(record.statements, seed + i).map((statement, j) => inside(statement, seed + i * 31 + j)),
  }));
}

const shuffleObservations = (statement: Statement, seed: number): Statement => ({
  ...statement,
  observations: shuffle(statement.observations, seed),
});

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}

describe('consolidation is a pure function', () => {
  it('CON-17 any order of records, statements and observations gives the same bytes', () => {
    fc.assert(
      fc.property(readEvidence, seed, (evidence, seed) => {
        expect(bytesOf(reorder(evidence, seed, shuffleObservations))).toBe(bytesOf(evidence));
      }),
      { numRuns: randomRuns(400) },
    );
  });

  it('CON-17 any order of records and statements gives the same bytes, whatever their content', () => {
    fc.assert(
      fc.property(looseEvidence, seed, (evidence, seed) => {
        expect(bytesOf(reorder(evidence, seed, (statement) => statement))).toBe(bytesOf(evidence));
      }),
      { numRuns: randomRuns(400) },
    );
  });

  it('CON-17 any order of observations gives the same bytes, even if a value is stated in several ways', () => {
    fc.assert(
      fc.property(looseEvidence, seed, (evidence, seed) => {
        expect(bytesOf(reorder(evidence, seed, shuffleObservations))).toBe(bytesOf(evidence));
      }),
      { numRuns: randomRuns(400) },
    );
  });

  it('CON-17 an alias with two tiers is published the same in either order', () => {
    const aliases = [{ value: 'Alpha', tier: 'paid' as const }, 'Alpha'];
    expect(bytesOf([says('osm', { aliases })])).toBe(bytesOf([says('osm', { aliases: aliases.toReversed() })]));
  });

  it('CON-17 a use with two extraction methods is published the same in either order', () => {
    const assetTypes = [{ value: 'office', extractionMethod: 'osm-business-tag' as const }, 'office'];
    expect(bytesOf([says('osm', { assetTypes })])).toBe(
      bytesOf([says('osm', { assetTypes: assetTypes.toReversed() })]),
    );
  });

  it('CON-17 a venue with and without its English name is published the same in either order', () => {
    const venues = [null, 'Shop'].map((nameEn) => ({ nameJa: '店', nameEn, category: 'shop', level: null }));
    expect(bytesOf([says('osm', {}, { venues })])).toBe(bytesOf([says('osm', {}, { venues: venues.toReversed() })]));
  });

  it('CON-17 any order of venues gives the same bytes', () => {
    const venue = fc.record({
      nameJa: fc.constantFrom('店', '茶房'),
      nameEn: fc.constantFrom(null, 'Shop', 'Tea'),
      category: fc.constantFrom('shop', 'cafe'),
      level: fc.constantFrom(null, '1'),
    });
    fc.assert(
      fc.property(readEvidence, fc.array(venue, { maxLength: 6 }), seed, (evidence, venues, seed) => {
        const furnished = (dealt: typeof venues) =>
          evidence.map((record) => ({
            ...record,
            statements: record.statements.map((statement) => ({ ...statement, venues: dealt })),
          }));
        expect(bytesOf(furnished(shuffle(venues, seed)))).toBe(bytesOf(furnished(venues)));
      }),
      { numRuns: randomRuns(200) },
    );
  });

  it('CON-17 does not change the evidence, and gives the same result twice', () => {
    fc.assert(
      fc.property(looseEvidence, (evidence) => {
        const frozen = deepFreeze(evidence);
        expect(bytesOf(frozen)).toBe(bytesOf(frozen));
      }),
      { numRuns: randomRuns(200) },
    );
  });
});

describe('repeated statements', () => {
  it('CON-04 an exact replay of any statement changes nothing', () => {
    fc.assert(
      fc.property(looseEvidence, fc.nat(), fc.nat(), (evidence, i, j) => {
        const replayed = evidence.map((record, index) => {
          if (index !== i % evidence.length) return record;
          const { statements } = record;
          return {
            ...record,
            statements: [structuredClone(statements[j % statements.length] as Statement), ...statements],
          };
        });
        expect(bytesOf(replayed)).toBe(bytesOf(evidence));
        expect(changes(evidence, replayed)).toEqual([]);
      }),
      { numRuns: randomRuns(400) },
    );
  });

  it('CON-04 fetching the newest payload of every record again changes nothing', () => {
    fc.assert(
      fc.property(fc.oneof(readEvidence, looseEvidence), (evidence) => {
        const refetched = evidence.map((record) => {
          const moments = record.statements.map(
            ({ retrievedAt, rawPayloadRef }) => [Date.parse(retrievedAt), rawPayloadRef] as const,
          );
          const [moment, payload] = moments.reduce((a, b) => (b[0] > a[0] || (b[0] === a[0] && b[1] > a[1]) ? b : a));
          const newest = record.statements.filter((_, i) => moments[i]?.[0] === moment && moments[i]?.[1] === payload);
          const later = newest.map((statement) => ({ ...statement, retrievedAt: '2027-01-01T00:00:00Z' }));
          return { ...record, statements: [...record.statements, ...later] };
        });
        expect(bytesOf(refetched)).toBe(bytesOf(evidence));
        expect(changes(evidence, refetched)).toEqual([]);
      }),
      { numRuns: randomRuns(400) },
    );
  });
});

describe('the history of one record', () => {
  it('CON-01 CON-02 CON-03 CON-04 is published as a literal implementation of the rules gives it', () => {
    fc.assert(
      fc.property(historyOf(), (statements) => {
        const record = { source: 'osm' as const, sourceRecordId: 'way/1', statements };
        expect(faultsIn(pageOf([record]), statements)).toEqual([]);
        const [area] = consolidate(BUILDING, [record]).areas;
        const allowed = areasOf(statements);
        expect(allowed.length === 0 ? [undefined] : allowed).toContain(area);
      }),
      { numRuns: randomRuns(1500) },
    );
  });
});

describe('the winner', () => {
  it('CON-05 of every scalar field is that of a literal implementation of the rules', () => {
    fc.assert(
      fc.property(readEvidence, (evidence) => {
        const page = pageOf(evidence);
        const faults = CONTRACT_SCALARS.map((field) => [field, faultInField(field, page, evidence)] as const);
        expect(faults.filter(([, fault]) => fault !== undefined)).toEqual([]);
      }),
      { numRuns: randomRuns(1000) },
    );
  });

  it('CON-06 never has the value of its conflict, and of estimates only inherited ones have conflicts', () => {
    fc.assert(
      fc.property(looseEvidence, (evidence) => {
        const { fields, counters } = pageOf(evidence);
        const conflicts = Object.values(fields).filter(({ conflict }) => conflict !== null);
        for (const { value, conflict, estimated, inheritedFrom } of conflicts) {
          expect(conflict?.value).not.toBe(value);
          expect(estimated).toBe(inheritedFrom !== undefined);
        }
        expect(counters.conflictsFlagged).toBe(conflicts.length);
      }),
      { numRuns: randomRuns(400) },
    );
  });

  it('CON-06 does not change when a record that won nothing is removed', () => {
    fc.assert(
      fc.property(looseEvidence, (evidence) => {
        const page = pageOf(evidence);
        const losers = page.sources.filter((entry) => entry.fields.length === 0 && !suppliesMore(page, entry));
        for (const { source, sourceRecordId } of losers) {
          const rest = evidence.filter((r) => r.source !== source || r.sourceRecordId !== sourceRecordId);
          expect(winnersOf(pageOf(rest))).toEqual(winnersOf(page));
        }
      }),
      { numRuns: randomRuns(400) },
    );
  });
});

function suppliesMore({ footprint, venues }: Page, entry: Page['sources'][number]): boolean {
  const provenances = [
    ...venues.map((venue) => venue.provenance),
    ...(footprint === null ? [] : [footprint.provenance]),
  ];
  return provenances.some((p) => p.source === entry.source && p.sourceRecordId === entry.sourceRecordId);
}

/** CON-14: the time at which a value was computed is not part of it. */
function untimed<T extends { provenance: Page['aliases'][number]['provenance'] }>(entry: T): T {
  if (entry.provenance.source !== 'dnk') return entry;
  return { ...entry, provenance: { ...entry.provenance, retrievedAt: '' } };
}

function winnersOf({ fields, aliases, assetTypes, geometry, footprint, venues }: Page) {
  const winners = Object.entries(fields).map(([name, field]) => [name, { ...untimed(field), conflict: null }]);
  return { winners, aliases, assetTypes: assetTypes.map(untimed), geometry, footprint, venues };
}

describe('the changes of a version', () => {
  const differences = (before: Page, after: Page): string[] => {
    const differ = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b);
    const scalars = CONTRACT_SCALARS.filter((field) => {
      const [a, b] = [before.fields[field], after.fields[field]];
      return differ(a && untimed(a), b && untimed(b));
    });
    return [
      ...scalars,
      ...(differ(before.aliases, after.aliases) ? ['aliases'] : []),
      ...(differ(before.assetTypes.map(untimed), after.assetTypes.map(untimed)) ? ['assetTypes'] : []),
      ...(differ([before.geometry, before.footprint], [after.geometry, after.footprint]) ? ['geometry'] : []),
      ...(differ(before.venues, after.venues) ? ['venues'] : []),
    ];
  };

  it('CON-13 include every difference of the published record', () => {
    fc.assert(
      fc.property(looseEvidence, fc.nat(), fc.nat(), fc.boolean(), (evidence, i, j, dropsRecord) => {
        const before = evidence.flatMap((record, index) => {
          if (index !== i % evidence.length) return [record];
          const statements = record.statements.filter((_, k) => k !== j % record.statements.length);
          return dropsRecord || statements.length === 0 ? [] : [{ ...record, statements }];
        });
        const changed = changes(before, evidence);
        expect(changed).toEqual(expect.arrayContaining(differences(pageOf(before), pageOf(evidence))));
        expect(new Set(changes(evidence, before))).toEqual(new Set(changed));
      }),
      { numRuns: randomRuns(400) },
    );
  });

  it('CON-13 do not include another order of the evidence', () => {
    fc.assert(
      fc.property(readEvidence, seed, (evidence, seed) => {
        expect(changes(evidence, reorder(evidence, seed, shuffleObservations))).toEqual([]);
      }),
      { numRuns: randomRuns(200) },
    );
  });

  it('CON-15 of a first version are everything published', () => {
    fc.assert(
      fc.property(looseEvidence, (evidence) => {
        const { fields, aliases, geometry, venues } = pageOf(evidence);
        const present = [
          ...Object.keys(fields),
          'assetTypes',
          ...(aliases.length > 0 ? ['aliases'] : []),
          ...(geometry === null ? [] : ['geometry']),
          ...(venues.length > 0 ? ['venues'] : []),
        ];
        expect(new Set(changes(undefined, evidence))).toEqual(new Set(present));
      }),
      { numRuns: randomRuns(200) },
    );
  });
});

describe('the published record', () => {
  const schema = Compile(BuildingPageSchema);

  it('REC-03 matches the published schema', () => {
    fc.assert(
      fc.property(looseEvidence, (evidence) => {
        const page = JSON.parse(bytesOf(evidence));
        expect(schema.Check(page) ? [] : schema.Errors(page)).toEqual([]);
      }),
      { numRuns: randomRuns(400) },
    );
    expect(schema.Check({ ...pageOf([]), assetTypes: [] })).toBe(false);
  });

  it('SRC-01 lists every record once, with exactly the fields whose provenance names it', () => {
    fc.assert(
      fc.property(looseEvidence, (evidence) => {
        const { fields, aliases, assetTypes, sources, counters } = pageOf(evidence);
        const key = (p: { source: string; sourceRecordId: string }) => `${p.source} ${p.sourceRecordId}`;
        const published = [
          ...Object.entries(fields).map(([name, { provenance }]) => [name, provenance] as const),
          ...aliases.map(({ provenance }) => ['aliases', provenance] as const),
          ...assetTypes.map(({ provenance }) => ['assetTypes', provenance] as const),
        ];
        expect(new Set(sources.map(key))).toEqual(new Set(evidence.map(key)));
        expect(sources).toHaveLength(evidence.length);
        for (const entry of sources) {
          const won = published.filter(([, provenance]) => key(provenance) === key(entry)).map(([name]) => name);
          expect([...entry.fields].sort()).toEqual([...new Set(won)].sort());
        }
        expect(counters).toMatchObject({
          sources: evidence.length,
          fields: Object.keys(fields).length,
          aliases: aliases.length,
        });
      }),
      { numRuns: randomRuns(200) },
    );
  });

  it('CON-04 counts every distinct record, field, payload and value', () => {
    fc.assert(
      fc.property(looseEvidence, (evidence) => {
        const distinct = new Set(
          evidence.flatMap(({ source, sourceRecordId, statements }) =>
            statements.flatMap(({ rawPayloadRef, observations }) =>
              observations.map(({ field, value }) => `${source} ${sourceRecordId} ${field} ${rawPayloadRef} ${value}`),
            ),
          ),
        );
        expect(pageOf(evidence).counters.observations).toBe(distinct.size);
      }),
      { numRuns: randomRuns(200) },
    );
  });

  it('CON-07 has one alias per normalised text and one use per category', () => {
    fc.assert(
      fc.property(looseEvidence, (evidence) => {
        const { aliases, assetTypes } = pageOf(evidence);
        const texts = aliases.map(({ value }) => value.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, ' '));
        const categories = assetTypes.map(({ category }) => category);
        expect(new Set(texts).size).toBe(texts.length);
        expect(new Set(categories).size).toBe(categories.length);
        expect(categories.length).toBeGreaterThan(0);
      }),
      { numRuns: randomRuns(200) },
    );
  });
});
