import type { BuildingPage } from './building-page.ts';

/** The fields that state when a building is completed, of a record or of a stored version. */
interface CompletionFields {
  yearBuilt?: Pick<NonNullable<BuildingPage['fields']['yearBuilt']>, 'value'> | undefined;
  completionMonth?: Pick<NonNullable<BuildingPage['fields']['completionMonth']>, 'value'> | undefined;
}
export type CompletionField = keyof CompletionFields;

/**
 * UI-20: whether a completion is still to come on a day in Japan (YYYY-MM-DD). A year is past once it begins, unless the
 * record also has a later month of it.
 */
export function isStillPlanned(field: CompletionField, fields: CompletionFields, today: string): boolean {
  const day = startOf(field, fields);
  return day !== undefined && day > today;
}

/** The year of completion and whether it is still to come; undefined if neither field is known. */
export function completionYear(
  fields: CompletionFields,
  today: string,
): { year: string; isPlanned: boolean } | undefined {
  const field = fields.yearBuilt === undefined ? 'completionMonth' : 'yearBuilt';
  const value = fields[field]?.value;
  if (value === undefined) return undefined;
  return { year: String(value).slice(0, 4), isPlanned: isStillPlanned(field, fields, today) };
}

/** The next day on which the answer of `isStillPlanned` changes for a record; undefined if it never will. */
export function nextCompletionDay(fields: CompletionFields, today: string): string | undefined {
  const days = [startOf('yearBuilt', fields), startOf('completionMonth', fields)];
  return days.filter((day) => day !== undefined && day > today).sort()[0];
}

/** The first day on which the completion no longer lies in the future. */
function startOf(field: CompletionField, { yearBuilt, completionMonth }: CompletionFields): string | undefined {
  const month = completionMonth && `${completionMonth.value}-01`;
  if (field === 'completionMonth') return month;
  if (yearBuilt === undefined) return undefined;
  const year = String(yearBuilt.value).padStart(4, '0');
  return month?.startsWith(year) ? month : `${year}-01-01`;
}
