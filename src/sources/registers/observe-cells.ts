import type { Field } from '../../vocabulary/fields.ts';
import { toMonth } from '../../vocabulary/japanese.ts';
import { PLANNED_OR_INFERRED_CONFIDENCE } from '../../vocabulary/sources.ts';
import type { Reading } from '../adapter.ts';
import { type Draft, observe } from '../draft.ts';
import { isBlankCell, isLater, parseDate, parseFloorCount, parseStoreys } from './cells.ts';
import { companyPart } from './company-part.ts';

/**
 * The value of a cell, or undefined with a note. The cell is not quoted: in a row with shifted columns it may be a
 * person's name.
 */
export function readCell<T>(
  draft: Draft,
  header: string,
  example: string,
  cell: string,
  parse: (cell: string) => T | undefined,
): T | undefined {
  if (isBlankCell(cell)) return undefined;
  const value = parse(cell);
  if (value === undefined) draft.notes.push(`${header} cannot be read; expected a value like ${example}`);
  return value;
}

/** For values that no building has zero of: 0 means that the cell was not filled in. */
export function observeUnlessZero(draft: Draft, field: Field, header: string, value: number | undefined): void {
  if (value === 0) draft.notes.push(`${header} is 0`);
  else observe(draft, field, value);
}

/** CON-08: in a register of plans (`greenbuilding`), a date in the future when read is a plan. */
export function observeCompletion(
  draft: Draft,
  header: string,
  cell: string,
  { retrievedAt }: Reading,
  ofPlans = false,
): void {
  const date = readCell(draft, header, '2026-06', cell, parseDate);
  if (date === undefined) return;
  const manner = ofPlans && isLater(date, retrievedAt) ? { confidence: PLANNED_OR_INFERRED_CONFIDENCE } : {};
  observe(draft, 'completionMonth', toMonth(date), manner);
  observe(draft, 'yearBuilt', date.year, manner);
}

/** Only the company part is used, and the cell is never quoted, since it names persons. */
export function observeDeveloper(draft: Draft, cell: string): void {
  observe(draft, 'developer', companyPart(cell));
}

/** The cells of 構造, 地上階数 and 地下階数; the first may contain all three. */
export function observeStoreys(draft: Draft, structure: string, above: string, below: string): void {
  const stated = readCell(draft, '構造', 'RC造', structure, (text) => {
    const storeys = parseStoreys(text);
    return Object.values(storeys).every((part) => part === undefined) ? undefined : storeys;
  });
  const floorsAbove = readCell(draft, '地上階数', '25', above, parseFloorCount) ?? stated?.floorsAbove;
  const floorsBelow = readCell(draft, '地下階数', '2', below, parseFloorCount) ?? stated?.floorsBelow;
  observe(draft, 'structure', stated?.structure);
  if ((floorsBelow ?? 0) > 0) observe(draft, 'floorsAbove', floorsAbove);
  else observeUnlessZero(draft, 'floorsAbove', '地上階数', floorsAbove);
  observe(draft, 'floorsBelow', floorsBelow);
}
