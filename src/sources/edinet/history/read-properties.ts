import { propertyCodeKey } from '../../../vocabulary/text.ts';
import { nameKey } from '../../disclosure/names.ts';
import type { Part } from './collect-filing.ts';
import { FLOWS } from './find-metric.ts';
import { findTables, type PlacedTable } from './find-tables.ts';
import type { HistoryPeriod, PropertyHistory, ReadTable } from './history.ts';
import { readInterest } from './interest.ts';
import { type KnownProperty, PropertyList } from './property-list.ts';
import { readColumnTable } from './read-column-table.ts';
import { readLabelTable } from './read-label-table.ts';
import { readRowTable } from './read-row-table.ts';
import { type Periods, readStatements } from './read-statements.ts';
import { pointedNotes } from './table-notes.ts';

type Found = PlacedTable & { read: ReadTable };

const NOT_HELD =
  /(?:取得|譲渡|売却|処分)予定(?:資産|物件|の)|(?:譲渡|売却|処分)した(?:資産|物件|不動産)|後発事象|支出の(?:予定|計画)/u;
const TITLE = 60;

/** The properties that a filing lists, and what its tables state of each. */
export function readProperties(
  parts: readonly Part[],
  current: HistoryPeriod,
  periods: readonly HistoryPeriod[],
  notes: string[],
): PropertyHistory[] {
  const found: Found[] = [];
  for (const placed of findTables(parts)) {
    const { table } = placed;
    if (table.above.some((line) => line.length <= TITLE && NOT_HELD.test(line))) continue;
    const read = readColumnTable(table) ?? readLabelTable(table) ?? readRowTable(table);
    if (read !== undefined && read.mentions.length > 0) found.push({ ...placed, read });
  }
  // The text blocks of what is held say which properties there are; other tables only tell of their results.
  const inBlocks = found.filter(({ table }) => table.inBlock);
  const listing = inBlocks.some(({ read }) => read.mentions.some(({ name }) => name !== '')) ? inBlocks : found;
  const list = new PropertyList();
  for (const { read, notes: own } of listing) {
    for (const mention of read.mentions) {
      const pointed = pointedNotes(mention.name + mention.number + mention.interest, own);
      list.add(mention, /共有|区分所有|持分/u.test(pointed) ? pointed : '');
    }
  }
  const days = new Map<KnownProperty, string>();
  const where: Periods = { current, periods };
  for (const { read, table, ...around } of found) {
    const onlyFlows = listing === inBlocks && !table.inBlock;
    const stated = read.statements.filter(({ metric }) => !onlyFlows || FLOWS.has(metric));
    readStatements(stated, { table, ...around }, where, list, days, notes);
    for (const note of read.notes) if (!notes.includes(note)) notes.push(note);
  }
  const texts = found.flatMap(({ notes: { own } }) => own.map(({ text }) => text));
  const codes = new Set<string>();
  return list.all.map((property) => {
    let code = codeFor(property);
    // A name may read as the number of another.
    while (codes.has(propertyCodeKey(code))) code += '-';
    codes.add(propertyCodeKey(code));
    return { code, ...toHistory(property, days.get(property) ?? null, texts) };
  });
}

const WHOLE = /(?:物件|不動産|建物|土地)全体(?:の|に係る|に関する)[^。]{0,20}(?:金額|収入|収益|費用|価格|価額|noi)/iu;

function toHistory(
  property: KnownProperty,
  heldFrom: string | null,
  notes: readonly string[],
): Omit<PropertyHistory, 'code'> {
  const interest = readInterest([...property.interest, inBrackets(property.name)], [...property.remarks]);
  const isPart = interest.tenure === 'coOwnership' || interest.tenure === 'quasiCoOwnership';
  return {
    nameJa: property.name,
    interest,
    amountBasis: isPart && notes.some((text) => WHOLE.test(text)) ? 'whole' : 'interest',
    heldFrom,
    fields: property.fields,
  };
}

/** A name may tell the share: 見本タワー（準共有持分50％）, 見本センター（底地）. */
function inBrackets(name: string): string {
  const inner = /[(（]([^()（）]*(?:共有|持分|底地|区分所有)[^()（）]*)[)）]/u.exec(name)?.[1];
  return inner ?? '';
}

function codeFor({ number, name }: KnownProperty): string {
  return (number ?? nameKey(name))
    .replace(/[\s/\p{C}]+/gu, '-')
    .slice(0, 100)
    .toWellFormed();
}
