import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { consolidate } from '../../src/consolidation/consolidate.ts';
import type { Canonical } from '../../src/vocabulary/canonical.ts';
import { changedFields } from '../../src/vocabulary/changed-fields.ts';
import type { RecordEvidence } from '../../src/vocabulary/evidence.ts';
import { candidatesOf, statementChanges, versionChanges } from '../../src/vocabulary/version-changes.ts';
import { readEvidence } from './arbitrary-evidence.ts';
import { BUILDING, record, says, square, statement } from './support.ts';

const version = (...evidence: RecordEvidence[]) => consolidate(BUILDING, evidence);
const kinds = (before: Canonical | undefined, after: Canonical) =>
  Object.fromEntries(versionChanges(before, after).map(({ field, kind }) => [field, kind]));

describe('the changes between two versions', () => {
  it('UI-24 tell changes of value from changes of evidence', () => {
    const before = version(
      says('osm', { heightM: 30, nameJa: '甲', aliases: ['Alpha'], assetTypes: ['office'] }, { geometry: square(10) }),
      says('jreit', { floorsAbove: 9 }),
    );
    const after = version(
      says(
        'osm',
        { heightM: 30, nameJa: '乙', aliases: ['Beta'], assetTypes: ['office'], yearBuilt: 2001 },
        { geometry: square(20) },
      ),
      says('wikidata', { heightM: 31, assetTypes: ['office building'], ownerPublic: '丙' }),
    );
    expect(kinds(before, after)).toEqual({
      nameJa: 'value',
      aliases: 'value',
      assetTypes: 'evidence',
      floorsAbove: 'removed',
      heightM: 'value',
      ownerPublic: 'added',
      geometry: 'value',
    });
    expect(kinds(before, version(says('osm', { heightM: 30 }, { at: 2 })))).toMatchObject({ heightM: 'evidence' });
  });

  it('UI-24 name both sides, and nothing before the first version', () => {
    const first = version(says('osm', { heightM: 30 }));
    const second = version(says('osm', { heightM: 30 }), says('plateau', { heightM: 32 }));
    expect(new Set(Object.values(kinds(undefined, first)))).toEqual(new Set(['added']));
    const [change] = versionChanges(first, second);
    expect(change).toMatchObject({
      field: 'heightM',
      kind: 'value',
      before: { value: 30, provenance: { source: 'osm' } },
      after: { value: 32, provenance: { source: 'plateau' }, conflict: { value: 30 } },
    });
  });

  it('UI-24 are the changed fields of the history, none for equal versions, and mirrored backwards', () => {
    const mirrored = { value: 'value', evidence: 'evidence', added: 'removed', removed: 'added' };
    fc.assert(
      fc.property(readEvidence, readEvidence, (one, other) => {
        const [a, b] = [version(...one), version(...other)];
        const changes = versionChanges(a, b);
        expect(versionChanges(a, a)).toEqual([]);
        expect(changes.map(({ field }) => field)).toEqual(changedFields(a, b));
        const back = versionChanges(b, a).map(({ field, kind, before, after }) => ({
          field,
          kind: mirrored[kind],
          before: after,
          after: before,
        }));
        expect(back).toEqual(changes);
        for (const { field, kind, before, after } of changes) {
          expect([before === null, after === null], field).toEqual([kind === 'added', kind === 'removed']);
          if (before !== null && after !== null && 'value' in before && 'value' in after && kind === 'evidence') {
            expect(after.value).toBe(before.value);
          }
        }
      }),
    );
  });

  it('UI-24 through a version between are among the changes of both steps', () => {
    fc.assert(
      fc.property(readEvidence, readEvidence, readEvidence, (...all) => {
        const [a, b, c] = all.map((evidence) => version(...evidence)) as [Canonical, Canonical, Canonical];
        const steps = new Set([...changedFields(a, b), ...changedFields(b, c)]);
        for (const { field } of versionChanges(a, c)) expect(steps).toContain(field);
      }),
    );
  });
});

describe('the changes of the statements behind a field', () => {
  const heightOf = (...evidence: RecordEvidence[]) => version(...evidence).fields.heightM ?? null;

  it('UI-24 say what is new, withdrawn, replaced and read again', () => {
    const before = heightOf(says('osm', { heightM: 30 }), says('wikidata', { heightM: 31 }));
    const after = heightOf(
      says('plateau', { heightM: 33 }),
      record('osm', 'way/1', [statement({ heightM: 32 }, { at: 2 })]),
    );
    const told = statementChanges(before, after).map((change) => [
      change.kind,
      'before' in change && change.before.value,
      'after' in change && change.after.value,
    ]);
    expect(told).toContainEqual(['stated', false, 33]);
    expect(told).toContainEqual(['withdrawn', 31, false]);
    const again = statementChanges(
      before,
      heightOf(says('osm', { heightM: 30 }, { at: 5 }), says('wikidata', { heightM: 31 })),
    );
    expect(again).toMatchObject([{ kind: 'readAgain', before: { value: 30 }, after: { value: 30 } }]);
  });

  it('UI-24 account for every statement on both sides exactly once', () => {
    fc.assert(
      fc.property(readEvidence, readEvidence, (one, other) => {
        const [a, b] = [version(...one), version(...other)];
        for (const change of versionChanges(a, b)) {
          if (change.field !== 'heightM' && change.field !== 'nameJa') continue;
          const { before, after } = change;
          const changes = statementChanges(before, after);
          const gone = changes.filter((each) => 'before' in each).length;
          const come = changes.filter((each) => 'after' in each).length;
          const [old, now] = [candidatesOf(before).length, candidatesOf(after).length];
          expect(old - gone).toBe(now - come);
          expect(gone <= old && come <= now).toBe(true);
        }
        const [name] = [a.fields.nameJa ?? null];
        expect(statementChanges(name, name)).toEqual([]);
      }),
    );
  });
});
