import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { type CompletionField, completionYear, isStillPlanned } from '../../../vocabulary/completion.ts';
import type { ComplexName } from '../../../vocabulary/evidence.ts';
import type { Field, FieldScalar, ScalarField } from '../../../vocabulary/fields.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { FIELD_LABELS } from '../catalogue/labels.ts';
import { type FieldValue, formatField, formatFieldPlainly, languageOfWords, wasPlanned } from '../format.ts';

/** A value of a record or of a stored version. */
interface Valued {
  value: FieldScalar;
  unit: string | null;
  estimated?: boolean;
  inheritedFrom?: ComplexName | null | undefined;
}

/** HTML and Markdown write English dates differently. */
type Form = 'html' | 'markdown';

/** A computed floor area is footprint × floors, seldom right to more than 10 %, so two digits are all it is worth. */
const ESTIMATE_DIGITS = 2;

export interface Figure {
  text: string;
  /** UI-22: all digits of a value that the text rounds. */
  exact: string | undefined;
}

/** UI-22: a value with its unit. A computed one is rounded; an inherited one is exact, but of the complex. */
export function figureOf(t: Text, name: ScalarField, of: Valued, form: Form = 'html'): Figure {
  const { value, unit, estimated, inheritedFrom } = of;
  const format = form === 'html' ? formatField : formatFieldPlainly;
  const exact = format(t, name, value, unit);
  if (estimated !== true || inheritedFrom != null || typeof value !== 'number')
    return { text: exact, exact: undefined };
  const rounded = Number(value.toPrecision(ESTIMATE_DIGITS));
  return { text: t.building.about(format(t, name, rounded, unit)), exact };
}

/** The name of a complex in the language of the page, if it has one in either. */
export function complexName(t: Text, { nameJa, nameEn }: ComplexName): string | undefined {
  return (t.lang === 'en' ? (nameEn ?? nameJa) : (nameJa ?? nameEn)) ?? undefined;
}

/** UI-22: that a value is the one of a complex; undefined if it is the building's own. */
export function inheritance(t: Text, inheritedFrom: ComplexName | null | undefined): string | undefined {
  if (inheritedFrom == null) return undefined;
  const name = complexName(t, inheritedFrom);
  return name === undefined ? t.building.fromSomeComplex : t.building.fromComplex(name);
}

const NAMES_IN_ANY_LANGUAGE: ReadonlySet<string> = new Set(['aliases', 'architect', 'developer', 'ownerPublic']);

/** UI-07: the language that the text of a field is known to be in. */
export function statedLanguage(name: string, text: string): 'en' | undefined {
  if (name === 'nameEn') return 'en';
  return NAMES_IN_ANY_LANGUAGE.has(name) ? languageOfWords(text) : undefined;
}

const isCompletion = (name: Field): name is CompletionField => name === 'yearBuilt' || name === 'completionMonth';

/** UI-20: whether a field states a completion that is still to come. */
export const isToCome = (name: Field, fields: BuildingPage['fields'], today: string): boolean =>
  isCompletion(name) && isStillPlanned(name, fields, today);

/** UI-20: the label of a field; a year that is still to come is no year built. */
export function fieldLabel(t: Text, name: Field, fields: BuildingPage['fields'], today: string): string {
  if (!isToCome(name, fields, today)) return FIELD_LABELS[name][t.lang];
  return name === 'yearBuilt' ? t.building.plannedYear : t.building.plannedMonth;
}

/** UI-20: `built 2001` or `planned for 2028`; undefined if neither year nor month is known. */
export function completionText(t: Text, fields: BuildingPage['fields'], today: string): string | undefined {
  const completion = completionYear(fields, today);
  if (completion === undefined) return undefined;
  return completion.isPlanned ? t.building.plannedFor(completion.year) : t.building.built(completion.year);
}

/** How a value was obtained, if not simply read from a source about the building. */
export function remarks(t: Text, name: ScalarField, fields: BuildingPage['fields'], today: string): string[] {
  const field = fields[name] as FieldValue;
  const isPlanned = isToCome(name, fields, today);
  return [
    field.estimated && field.inheritedFrom === undefined ? t.building.estimated : undefined,
    isPlanned ? t.building.planned : wasPlanned(name, field) ? t.building.plannedWhenRead : undefined,
    field.tier === 'free' ? undefined : t.building.tiers[field.tier],
  ].filter((remark) => remark !== undefined);
}
