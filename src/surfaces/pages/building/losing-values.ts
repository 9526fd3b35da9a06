import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import type { Canonical, Provenance } from '../../../vocabulary/canonical.ts';
import { type Disagreement, gradeDisagreement } from '../../../vocabulary/disagreement.ts';
import { type FieldScalar, SCALAR_FIELDS, type ScalarField } from '../../../vocabulary/fields.ts';
import type { Source } from '../../../vocabulary/sources.ts';
import type { Text } from '../catalogue/catalogue.ts';
import type { FieldValue } from '../format.ts';

/** A value that lost against the published one, with everything that states it. */
export interface LosingValue {
  value: FieldScalar;
  unit: string | null;
  disagreement: Disagreement;
  /** The provenance is known if the stored version was read. */
  statedBy: { source: Source; provenance: Provenance | undefined }[];
}

/**
 * UI-25: every value that differs from the published one, in the order of precedence. `current` is the stored version;
 * without it only the conflict of the record is known. What is said about a complex does not compete.
 */
export function losingValues(name: ScalarField, field: FieldValue, current: Canonical | undefined): LosingValue[] {
  const stored = current?.fields[name];
  const losers = new Map<FieldScalar, LosingValue>();
  const add = (value: FieldScalar, unit: string | null, source: Source, provenance: Provenance | undefined) => {
    const known = losers.get(value);
    if (known !== undefined) known.statedBy.push({ source, provenance });
    else {
      const disagreement = gradeDisagreement(name, field.value, value);
      losers.set(value, { value, unit, disagreement, statedBy: [{ source, provenance }] });
    }
  };
  if (stored === undefined || stored.value !== field.value) {
    if (field.conflict !== null) add(field.conflict.value, field.conflict.unit, field.conflict.source, undefined);
    return [...losers.values()];
  }
  const isInherited = field.inheritedFrom !== undefined;
  for (const { value, unit, provenance } of stored.alternatives) {
    if (value === field.value || (!isInherited && provenance.extractionMethod === 'inherited-complex')) continue;
    add(value, unit, provenance.source, provenance);
  }
  return [...losers.values()];
}

/** UI-21: the fields on which sources visibly disagree. */
export function disputedFields({ fields }: BuildingPage, current: Canonical | undefined): ScalarField[] {
  return SCALAR_FIELDS.filter((name) => {
    const field = fields[name];
    if (field === undefined || field.conflict === null) return false;
    return losingValues(name, field, current).some(({ disagreement }) => disagreement.kind !== 'slight');
  });
}

/** UI-21: `differs by 12 %` */
export function disagreementText(t: Text, disagreement: Disagreement): string {
  switch (disagreement.kind) {
    case 'slight':
      return t.building.slight;
    case 'share':
      return t.building.differsBy(percent(disagreement.share));
    case 'years':
      return t.building.differsByYears(disagreement.years);
    case 'different':
      return t.building.differs;
  }
}

/** One decimal below 10 %. */
function percent(share: number): string {
  const value = share * 100;
  return value < 9.95 ? String(Number(value.toFixed(1))) : String(Math.round(value));
}
