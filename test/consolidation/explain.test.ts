import { describe, expect, it } from 'vitest';
import { consolidate } from '../../src/consolidation/consolidate.ts';
import { Explainer } from '../../src/consolidation/explain.ts';
import type { CanonicalField } from '../../src/vocabulary/canonical.ts';
import type { RecordEvidence } from '../../src/vocabulary/evidence.ts';
import type { ScalarField } from '../../src/vocabulary/fields.ts';
import { BUILDING, record, statement } from './support.ts';

function reasonOf(field: ScalarField, evidence: RecordEvidence[]): string {
  const decided = consolidate(BUILDING, evidence).fields[field] as CanonicalField;
  return new Explainer(evidence).ofField(field, decided).text;
}

describe('the reason for a value', () => {
  it.each<[string, ScalarField, RecordEvidence[], string]>([
    [
      'the only source',
      'heightM',
      [record('osm', 'way/1', [statement({ heightM: 9 })])],
      'osm alone states it (CON-16)',
    ],
    [
      'by source, whatever its age',
      'heightM',
      [
        record('osm', 'way/1', [statement({ heightM: 9 }, { at: 9 })]),
        record('plateau', 'p', [statement({ heightM: 8 })]),
      ],
      'plateau precedes osm (CON-05, CON-16)',
    ],
    [
      'by age within a source',
      'heightM',
      [
        record('osm', 'way/1', [statement({ heightM: 9 }, { at: 9 })]),
        record('osm', 'way/2', [statement({ heightM: 8 })]),
      ],
      'the newest of several osm values (CON-05)',
    ],
    [
      'by revision',
      'heightM',
      [record('osm', 'way/1', [statement({ heightM: 9 }, { at: 1 }), statement({ heightM: 8 }, { at: 2 })])],
      'osm alone states it (CON-16); the latest of 2 revisions of way/1 (CON-01, CON-03)',
    ],
    [
      'by computation',
      'gfaM2',
      [record('osm', 'way/1', [statement({ footprintM2: 10, floorsAbove: 2 })])],
      'no source states it: footprintM2 × (floorsAbove + floorsBelow) (CON-11)',
    ],
  ])('AUD-03 names the deciding rule: %s', (_, field, evidence, expected) => {
    expect(reasonOf(field, evidence)).toBe(expected);
  });

  it('AUD-03 is missing if the evidence gives another value', () => {
    const evidence = [record('osm', 'way/1', [statement({ heightM: 9 })])];
    const decided = consolidate(BUILDING, evidence).fields.heightM as CanonicalField;
    expect(new Explainer(evidence).ofField('heightM', { ...decided, value: 10 }).ok).toBe(false);
    expect(new Explainer([]).ofField('heightM', decided).ok).toBe(false);
  });
});
