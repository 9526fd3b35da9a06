import type { BuildingPage } from '../../vocabulary/building-page.ts';
import { isStillPlanned } from '../../vocabulary/completion.ts';
import { gradeDisagreement } from '../../vocabulary/disagreement.ts';
import type { ScalarField } from '../../vocabulary/fields.ts';
import type { Text } from './catalogue/catalogue.ts';
import { formatField, formatFieldPlainly } from './format.ts';

/** A value as tables of several buildings show it. */
export interface ShownValue {
  text: string;
  /** The exact value, if the text rounds it. */
  exact: string | undefined;
  /** Planned, estimated, inherited. */
  marks: readonly string[];
  /** UI-21: how far the best other value is, if that is worth a mark; `title` states that value. */
  conflict: { text: string; value: string; source: NonNullable<FieldConflict>['source'] } | undefined;
}

type FieldConflict = NonNullable<BuildingPage['fields'][ScalarField]>['conflict'];

/** UI-66: undefined if the building has no such value. `isPlain` is for Markdown. */
export function shownValue(
  t: Text,
  field: ScalarField,
  { fields }: Pick<BuildingPage, 'fields'>,
  today: string,
  isPlain = false,
): ShownValue | undefined {
  const found = fields[field];
  if (found === undefined) return undefined;
  const format = isPlain ? formatFieldPlainly : formatField;
  const { value, unit, estimated, inheritedFrom, conflict } = found;
  const isComputed = estimated && inheritedFrom === undefined && typeof value === 'number';
  const exact = format(t, field, value, unit);
  const rounded = isComputed ? format(t, field, roundTo(value, COMPUTED_DIGITS), unit) : exact;
  const marks = [
    (field === 'yearBuilt' || field === 'completionMonth') && isStillPlanned(field, fields, today)
      ? t.building.planned
      : undefined,
    inheritedFrom === undefined ? undefined : complexText(t, inheritedFrom),
    isComputed ? t.building.estimated : undefined,
  ].filter((mark) => mark !== undefined);
  return {
    text: isComputed ? t.building.about(rounded) : exact,
    exact: rounded === exact ? undefined : exact,
    marks,
    conflict: conflict === null ? undefined : conflictOf(t, field, value, conflict, format),
  };
}

function conflictOf(
  t: Text,
  field: ScalarField,
  value: string | number,
  conflict: NonNullable<FieldConflict>,
  format: typeof formatField,
): ShownValue['conflict'] {
  const grade = gradeDisagreement(field, value, conflict.value);
  const other = { value: format(t, field, conflict.value, conflict.unit), source: conflict.source };
  switch (grade.kind) {
    case 'slight':
      return undefined;
    case 'share':
      return { ...other, text: t.building.differsBy(String(Math.max(1, Math.round(grade.share * 100)))) };
    case 'years':
      return { ...other, text: t.building.differsByYears(grade.years) };
    case 'different':
      return { ...other, text: t.building.differs };
  }
}

function complexText(t: Text, { nameJa, nameEn }: { nameJa: string | null; nameEn: string | null }): string {
  const name = t.lang === 'ja' ? (nameJa ?? nameEn) : (nameEn ?? nameJa);
  return name === null ? t.building.fromSomeComplex : t.building.fromComplex(name);
}

/** A product of a footprint and floors is worth no more digits. */
const COMPUTED_DIGITS = 2;

function roundTo(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}
