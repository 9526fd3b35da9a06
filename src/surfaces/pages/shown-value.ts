import type { BuildingPage } from '../../vocabulary/building-page.ts';
import { gradeDisagreement } from '../../vocabulary/disagreement.ts';
import type { ScalarField } from '../../vocabulary/fields.ts';
import type { Source } from '../../vocabulary/sources.ts';
import { type Figure, figureOf, inheritance, remarks } from './building/figures.ts';
import { disagreementText } from './building/losing-values.ts';
import type { Text } from './catalogue/catalogue.ts';

/** A value as tables of several buildings show it. */
export interface ShownValue extends Figure {
  /** Planned, estimated, inherited. */
  marks: readonly string[];
  /** UI-21: the best other value, if it differs by more than a little. */
  conflict: { text: string; value: string; source: Source } | undefined;
}

/** UI-66: undefined if the building has no such value. */
export function shownValue(
  t: Text,
  field: ScalarField,
  { fields }: Pick<BuildingPage, 'fields'>,
  today: string,
  form: 'html' | 'markdown' = 'html',
): ShownValue | undefined {
  const found = fields[field];
  if (found === undefined) return undefined;
  const inherited = inheritance(t, found.inheritedFrom);
  return {
    ...figureOf(t, field, found, form),
    marks: [...(inherited === undefined ? [] : [inherited]), ...remarks(t, field, fields, today)],
    conflict: conflictOf(t, field, found, form),
  };
}

function conflictOf(
  t: Text,
  field: ScalarField,
  { value, conflict }: NonNullable<BuildingPage['fields'][ScalarField]>,
  form: 'html' | 'markdown',
): ShownValue['conflict'] {
  if (conflict === null) return undefined;
  const disagreement = gradeDisagreement(field, value, conflict.value);
  if (disagreement.kind === 'slight') return undefined;
  const { text } = figureOf(t, field, conflict, form);
  return { text: disagreementText(t, disagreement), value: text, source: conflict.source };
}
