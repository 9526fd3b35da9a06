import { parseJapaneseDate, toDay } from '../../vocabulary/japanese.ts';
import { dayInJapan } from '../../vocabulary/time.ts';
import type { Item, Reading } from '../adapter.ts';
import { parseFigure } from '../disclosure/figures.ts';
import { isAbroad, isGlued } from '../disclosure/names.ts';
import { draftOf, type Property, propertyId } from '../disclosure/portfolio.ts';

/** The items of one property; `given` are the records of the reading so far. */
export function itemsOf(property: Property, reading: Reading, reit: string | undefined, given: Set<string>): Item[] {
  const at = { file: property.file, line: property.line };
  const holder = property.beside.reit || reit;
  const url = urlIn(property.beside.propertyUrl) ?? urlIn(property.beside.listUrl) ?? urlIn(reading.url);
  if (url === undefined) {
    const reason = 'it cites no page: give --url, or a column 物件ページ or ポートフォリオページ';
    const named = holder === undefined ? property.name : propertyId(holder.normalize('NFKC'), property);
    return [{ kind: 'rejected', at, record: named, reason }];
  }
  const record = propertyId(holder?.normalize('NFKC') ?? new URL(url).host, property);
  const address = String(property.values.get('addressJa')?.[0] ?? '');
  if (isGlued(property.name, address)) {
    const reason = 'its name and its address run together: read the table again, cell by cell';
    return [{ kind: 'rejected', at, record, reason }];
  }
  const left = whyLeftOut(property, reading);
  if (left !== undefined) return [{ kind: 'note', at, record, reason: left }];
  if (given.has(record)) return [{ kind: 'note', at, record, reason: 'it is stated again; what came first stays' }];
  given.add(record);
  const draft = draftOf(record, url, property, holder);
  const notes = draft.notes.map((reason): Item => ({ kind: 'note', at, record, reason }));
  return [...notes, { kind: 'record', at, record: draft }];
}

/** A property that is not held, or not in Japan, is nothing for this source. */
function whyLeftOut({ values, beside }: Property, { retrievedAt }: Reading): string | undefined {
  const address = values.get('addressJa')?.[0];
  if (typeof address === 'string' && isAbroad(address)) return 'it is not in Japan, and is left out';
  if (dayIn(beside.sold) !== undefined || isFigure(beside.sold)) return 'it is sold, and is left out';
  const plannedOn = dayIn(beside.planned);
  const isPlanned = plannedOn === undefined ? isFigure(beside.planned) : plannedOn > dayInJapan(retrievedAt);
  return isPlanned ? 'it is not acquired yet, and is left out' : undefined;
}

function isFigure(text: string | undefined): boolean {
  return text !== undefined && ['number', 'bracketed'].includes(parseFigure(text).kind);
}

/** A day that can be compared; the first one, where only a month or a year is stated. */
function dayIn(text: string | undefined): string | undefined {
  const date = parseJapaneseDate((text ?? '').replace(/\s+/gu, ''));
  return date === undefined ? undefined : toDay({ year: date.year, month: date.month ?? 1, day: date.day ?? 1 });
}

/** The address of a page, which may have words around it. */
function urlIn(text: string | undefined): string | undefined {
  const url = /https?:\/\/[^\s()（）<>"'「」、。]{1,2000}/u.exec(text ?? '')?.[0];
  return url !== undefined && URL.canParse(url) ? url : undefined;
}
