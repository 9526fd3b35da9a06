import { nameKey } from '../../sources/disclosure/names.ts';
import { propertyCodeKey } from '../../vocabulary/text.ts';
import type { CollectedFiling, FilingPart } from './collect-filing.ts';
import { FLOW_METRICS } from './find-metric.ts';
import { findTables, type PlacedTable } from './find-tables.ts';
import type { HistoryPeriod, PropertyHistory, ReadTable, TableReport, UnusedReason } from './history.ts';
import { readInterest } from './interest.ts';
import { type KnownProperty, PropertyList, PropertyNames } from './property-list.ts';
import { readColumnTable } from './read-column-table.ts';
import { type HeadedTable, headingLines, readHeadedTable } from './read-headed-table.ts';
import { APPRAISERS_FLOWS, isAppraisal, MAX_LABEL_ROWS, readLabelTable } from './read-label-table.ts';
import { readRowTable } from './read-row-table.ts';
import { type Periods, readStatements, type TakenStatements } from './read-statements.ts';
import { SubjectTracker } from './subject.ts';
import { referencedNotes } from './table-notes.ts';
import { declaredProperties, isNotHeld, reportTables, statesFigures } from './table-report.ts';

type ReadPlacedTable = PlacedTable & { read: ReadTable };

const NOT_HELD =
  /(?:取得|譲渡|売却|処分)予定(?:資産|物件|の)|(?:譲渡|売却|処分)した(?:資産|物件|不動産)|後発事象|支出の(?:予定|計画)/u;
const TITLE = 60;

interface ReadProperties {
  properties: PropertyHistory[];
  tables: TableReport;
}

/** Reads the properties that a filing lists, and what its tables state about each. */
export function readProperties(
  { parts, tables }: Pick<CollectedFiling, 'parts' | 'tables'>,
  current: HistoryPeriod,
  periods: readonly HistoryPeriod[],
  notes: string[],
): ReadProperties {
  const placed = new Map([...findTables(parts)].map((one) => [one.table.number, one]));
  const reasons = new Map<number, UnusedReason>();
  const named: ReadPlacedTable[] = [];
  for (const one of placed.values()) {
    const reason = whyNotRead(one);
    if (reason !== undefined) reasons.set(one.table.number, reason);
    const read = reason === undefined ? readNamed(one) : undefined;
    if (read !== undefined) named.push({ ...one, read });
  }
  // The text blocks about holdings define the properties; other tables only add their results.
  const inBlocks = named.filter(({ table }) => table.inBlock);
  const listing = inBlocks.some(({ read }) => read.mentions.some(({ name }) => name !== '')) ? inBlocks : named;
  const list = new PropertyList();
  for (const { read, notes: own } of listing) addMentions(list, read, own);
  const isDeclared = list.all.length === 0;
  if (isDeclared) for (const declared of declaredProperties(parts)) list.add({ ...declared, interest: '' }, '');
  const headings = new Set<number>();
  const headed = readHeaded(parts, placed, named, reasons, list, headings);
  for (const { read, notes: own } of headed) addMentions(list, read, own);
  const found = [...named, ...headed].sort((a, b) => a.table.number - b.table.number);
  const days = new Map<KnownProperty, string>();
  const where: Periods = { current, periods };
  const used = new Set<number>();
  for (const { read, table, ...around } of found) {
    const onlyFlows = listing === inBlocks && !table.inBlock;
    const stated = read.statements.filter(({ metric }) => !onlyFlows || FLOW_METRICS.has(metric));
    const taken = readStatements(stated, { table, ...around }, where, list, days, notes);
    for (const note of read.notes) if (!notes.includes(note)) notes.push(note);
    const statesInterest =
      !onlyFlows && read.mentions.some((mention) => mention.interest.trim() !== '' && list.find(mention));
    if (taken.fields > 0 || statesInterest) used.add(table.number);
    else reasons.set(table.number, unusedReason(taken, read, stated.length, list));
  }
  const report = reportTables({ parts, tables }, placed, used, headings, reasons);
  const texts = found.flatMap(({ notes: { own } }) => own.map(({ text }) => text));
  const codes = new Set<string>();
  // Without a list, a heading counts as a property only if figures belong to it.
  const held = list.all.filter(({ fields }) => !isDeclared || fields.length > 0);
  const properties = held.map((property) => {
    let code = codeFor(property);
    // A name may look like the number of another property.
    while (codes.has(propertyCodeKey(code))) code += '-';
    codes.add(propertyCodeKey(code));
    return { code, ...toHistory(property, days.get(property) ?? null, texts) };
  });
  return { properties, tables: report };
}

function whyNotRead({ table, isOld }: PlacedTable): UnusedReason | undefined {
  if (isOld) return 'beforeCorrection';
  if (table.isCut) return 'tooLarge';
  return table.above.some((line) => line.length <= TITLE && NOT_HELD.test(line)) ? 'notHeld' : undefined;
}

/** Reads a table that names its properties. */
function readNamed({ table, section }: PlacedTable): ReadTable | undefined {
  const read = readColumnTable(table) ?? readLabelTable(table) ?? readRowTable(table);
  if (read === undefined || read.mentions.length === 0) return undefined;
  const title = [...section, ...table.above].at(-1) ?? '';
  const isEstimate = ({ metric, hint }: ReadTable['statements'][number]) =>
    FLOW_METRICS.has(metric) && hint === undefined;
  if (!isAppraisal(title) || !read.statements.some(isEstimate)) return read;
  const statements = read.statements.filter((statement) => !isEstimate(statement));
  return { ...read, statements, notes: [...new Set([...read.notes, APPRAISERS_FLOWS])] };
}

function addMentions(list: PropertyList, read: ReadTable, own: PlacedTable['notes']): void {
  for (const mention of read.mentions) {
    const pointed = referencedNotes(mention.name + mention.number + mention.interest, own);
    list.add(mention, /共有|区分所有|持分/u.test(pointed) ? pointed : '');
  }
}

/** Reads the tables whose property is named in the headings above them. */
function readHeaded(
  parts: readonly FilingPart[],
  placed: ReadonlyMap<number, PlacedTable>,
  named: readonly ReadPlacedTable[],
  reasons: Map<number, UnusedReason>,
  list: PropertyList,
  headingTables: Set<number>,
): ReadPlacedTable[] {
  const numbers = new Set(named.map(({ table }) => table.number));
  const found: ReadPlacedTable[] = [];
  const tracker = new SubjectTracker(new PropertyNames(list.all));
  let file = '';
  for (const part of parts) {
    const place = part.kind === 'table' ? part.table : part;
    if (place.file !== file) tracker.reset();
    file = place.file;
    if (part.kind === 'line') tracker.takeLine(part.text, part.level, part.inBlock);
    if (part.kind !== 'table') continue;
    const { table } = part;
    const lines = numbers.has(table.number) || reasons.has(table.number) ? [] : headingLines(table);
    if (lines.length > 0) {
      for (const line of lines) tracker.takeLine(line, 0, table.inBlock);
      headingTables.add(table.number);
      continue;
    }
    if (!numbers.has(table.number) && !reasons.has(table.number)) {
      const one = placed.get(table.number) as PlacedTable;
      const above = tracker.copy();
      for (const caption of table.captions) above.takeLine(caption, 0, table.inBlock);
      const { read, orphan, headings } = readHeadedTable(one, above);
      const section = [...new Set([...one.section, ...headings.slice(0, 1)])];
      if (read !== undefined) found.push({ ...one, section, read });
      else reasons.set(table.number, reasonFor(one, orphan));
    }
    tracker.takeTable();
  }
  return found;
}

const ORPHANS: Readonly<Record<string, UnusedReason>> = {
  none: 'noProperty',
  unknown: 'unknownProperty',
  ambiguous: 'ambiguousProperty',
  property: 'unknownLayout',
};

function reasonFor({ table }: PlacedTable, orphan: HeadedTable['orphan']): UnusedReason {
  if (orphan !== undefined) return ORPHANS[orphan] as UnusedReason;
  if (table.rows.length > MAX_LABEL_ROWS) return 'tooLarge';
  if (isNotHeld(table)) return 'notHeld';
  if (table.hasTables) return 'holdsTables';
  return statesFigures(table) ? 'unknownLayout' : 'noFigures';
}

function unusedReason(taken: TakenStatements, read: ReadTable, stated: number, list: PropertyList): UnusedReason {
  if (read.statements.length === 0) return 'noFigures';
  if (stated === 0) return 'outsideSections';
  if (read.mentions.every((mention) => list.find(mention) === undefined)) return 'notListed';
  return taken.withoutPeriod > 0 ? 'noPeriod' : 'noFigures';
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

/** A name may contain the interest: 見本タワー（準共有持分50％）, 見本センター（底地）. */
function inBrackets(name: string): string {
  const inners = [...name.matchAll(/[(（]([^()（）]*)[)）]/gu)].map(([, inner]) => inner as string);
  return inners.find((inner) => /共有|持分|底地|区分所有/u.test(inner)) ?? '';
}

function codeFor({ number, name }: KnownProperty): string {
  return (number ?? nameKey(name))
    .replace(/[\s/\p{C}]+/gu, '-')
    .slice(0, 100)
    .toWellFormed();
}
