import { describe, expect, it } from 'vitest';
import { decodeChangedFields, encodeChangedFields } from '../../src/registry/changed-fields-codec.ts';
import { FIELD_NAMES } from '../../src/vocabulary/fields.ts';

const ALL = [...FIELD_NAMES, 'geometry', 'venues'];

describe('the stored fields of a version', () => {
  it('come back in the same order, whichever they are', () => {
    for (const field of ALL) expect(decodeChangedFields(encodeChangedFields([field]))).toEqual([field]);
    expect(decodeChangedFields(encodeChangedFields(ALL))).toEqual(ALL);
    expect(decodeChangedFields(encodeChangedFields([]))).toEqual([]);
  });

  it('keep their letters, because stored versions depend on them', () => {
    expect(encodeChangedFields(['nameJa', 'heightM', 'managementPlanCertifiedOn', 'geometry', 'venues'])).toBe('awCDE');
  });

  it('are read as earlier versions stored them', () => {
    expect(decodeChangedFields('["nameJa","geometry"]')).toEqual(['nameJa', 'geometry']);
    expect(decodeChangedFields('[]')).toEqual([]);
  });
});
