import { BrokenFile } from '../../files/broken-file.ts';
import { stripMarks } from '../../sources/disclosure/figures.ts';
import { parseJapaneseDate, toDay } from '../../vocabulary/japanese.ts';
import { cleanText } from '../../vocabulary/text.ts';
import type { PlacedTable } from './find-tables.ts';
import { UNCLEAR_YIELD } from './find-yield.ts';
import type { HistoryPeriod, HistoryValue, TableStatement } from './history.ts';
import { describeHint, resolvePeriod } from './period-hint.ts';
import type { KnownProperty, PropertyList } from './property-list.ts';
import { readValue } from './read-value.ts';
import { explainsYield } from './table-notes.ts';

/** Of one property in one filing. */
const MAX_FIELDS = 5_000;
const MAX_NOTES = 200;

export interface Periods {
  current: HistoryPeriod;
  periods: readonly HistoryPeriod[];
}

/** How many statements of a table became fields, and how many are of a period that nobody dates. */
export interface TakenStatements {
  fields: number;
  withoutPeriod: number;
}

/** Gives what one table states to its properties; a blank counts only where the table says nothing else there. */
export function readStatements(
  statements: readonly TableStatement[],
  placed: PlacedTable,
  { current, periods }: Periods,
  list: PropertyList,
  days: Map<KnownProperty, string>,
  notes: string[],
): TakenStatements {
  let [fields, withoutPeriod] = [0, 0];
  const said = statements.flatMap((statement) => {
    const property = list.find(statement);
    if (property === undefined) return [];
    const hint = statement.hint ?? placed.hint;
    const period = resolvePeriod(hint, current, periods);
    if (period === undefined) {
      const name = hint === undefined ? '' : describeHint(hint);
      const note = `表${placed.table.number}: figures of ${name} are left out: the filing does not say when it was`;
      if (notes.length < MAX_NOTES && !notes.includes(note)) notes.push(note);
      withoutPeriod += 1;
      return [];
    }
    return [{ statement, property, period, path: `${statement.metric} ${period.id}` }];
  });
  const stated = new Map<KnownProperty, Set<string>>();
  for (const { statement, property, path } of said) {
    if (statement.text.trim() === '') continue;
    stated.set(property, (stated.get(property) ?? new Set()).add(path));
  }
  for (const { statement, property, period, path } of said) {
    const { metric, row, column, text } = statement;
    if (text.trim() === '' && stated.get(property)?.has(path) === true) continue;
    if (metric === 'acquisitionDate') keepEarliest(property, text, days);
    const locator = locatorOf(placed.section, placed.table.number, row, column);
    const field = { period, metric, value: toValue(statement, placed), locator };
    const key = JSON.stringify(field);
    fields += 1;
    if (property.taken.has(key)) continue;
    if (property.fields.length >= MAX_FIELDS) throw new BrokenFile('it states more of one property than a report can');
    property.taken.add(key);
    property.fields.push(field);
  }
  return { fields, withoutPeriod };
}

function toValue({ metric, text, units, shared, doubt }: TableStatement, { notes }: PlacedTable): HistoryValue {
  // A total of several properties is never split over them; a word such as 非開示 is said of each.
  if (shared && /[\p{Nd}]/u.test(stripMarks(text))) return { state: 'notDisclosed', reasonCode: 'bundled' };
  if (doubt !== undefined && !(doubt === UNCLEAR_YIELD && explainsYield(notes)))
    return { state: 'unresolved', reasonCode: doubt };
  return readValue(metric, text, units, notes);
}

const DAYS = /(?:\d{4}|(?:昭和|平成|令和)(?:元|\d{1,2}))[年/.]\d{1,2}[月/.]\d{1,2}日?/gu;

/** A share that was added later does not move the day from which the property was held. */
function keepEarliest(property: KnownProperty, text: string, days: Map<KnownProperty, string>): void {
  const plain = text.slice(0, 500).normalize('NFKC').replace(/\s+/gu, '');
  for (const [match] of plain.matchAll(DAYS)) {
    const date = parseJapaneseDate(match);
    const day = date === undefined ? undefined : toDay(date);
    const known = days.get(property);
    if (day !== undefined && (known === undefined || day < known)) days.set(property, day);
  }
}

const MAX_PART = 80;

/** REIT-03: a place that a person finds in the public document: headings, the table, its row and its column. */
function locatorOf(section: readonly string[], table: number, row: string, column: string): string {
  const titles = section.map((title) => short(title)).filter((title) => title !== '');
  return [...titles, `表${table}`, `行「${short(row)}」`, `列「${short(column)}」`].join(' > ');
}

function short(text: string): string {
  const plain = cleanText(stripMarks(text)).replaceAll('「', '').replaceAll('」', '');
  return plain.length > MAX_PART ? `${plain.slice(0, MAX_PART).toWellFormed()}…` : plain;
}
