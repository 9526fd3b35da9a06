import type { FilingLists } from '../../sources/edinet/filing-lists.ts';
import { type FilingPackage, viewerUrl } from '../../sources/edinet/packages.ts';
import { cleanText, printable } from '../../vocabulary/text.ts';
import { isCalendarDate, parseInstant } from '../../vocabulary/time.ts';
import { type CollectedFiling, collectFiling } from './collect-filing.ts';
import type { FilingHistory, HistoryPeriod } from './history.ts';
import { currentPeriod, findPeriods } from './periods.ts';
import { readProperties } from './read-properties.ts';

/** Reads what one filing states about its properties. Throws if one of its files is broken. */
export async function readHistory(
  filing: FilingPackage,
  docID: string,
  lists: FilingLists,
  known: readonly HistoryPeriod[] = [],
): Promise<FilingHistory> {
  const collected = await collectFiling(filing.files);
  const { facts, cover: lines } = collected;
  const listed = lists.document(docID);
  // The cover takes precedence. An amended report may have no cover; then earlier filings give its periods.
  const cover = findPeriods([listed?.description ?? '', ...facts.values(), ...lines]);
  const periods = [findPeriods(textsOf(collected)), known].reduce(addUnknown, cover);
  const period = currentPeriod(periods, facts, filing.periodEnd);
  const notes: string[] = [];
  const { properties, tables } = readProperties(collected, period, [...periods, period], notes);
  return {
    docID,
    sourceUrl: viewerUrl(docID),
    title: titleOf(facts, filing),
    fundCode: filing.code,
    fundName: lists.fundName(filing.code) ?? nameIn(facts),
    edinetCode: edinetCodeOf(facts.get('EDINETCodeDEI')) ?? edinetCodeOf(listed?.edinetCode),
    periodEnd: filing.periodEnd,
    order: [filing.filedOn, filing.filing, docID].join(' '),
    publishedAt: publishedAt(listed?.submitted ?? '', filing.filedOn),
    amends: docIdOf(facts.get('IdentificationOfDocumentSubjectToAmendmentDEI')) ?? docIdOf(listed?.parent),
    period,
    periods,
    properties,
    notes,
    tables,
  };
}

function addUnknown(periods: HistoryPeriod[], more: readonly HistoryPeriod[]): HistoryPeriod[] {
  return [...periods, ...more.filter(({ id }) => periods.every((period) => period.id !== id))];
}

/** Lines of text, and the first rows of tables. */
function* textsOf({ parts }: CollectedFiling): Generator<string> {
  for (const part of parts) {
    if (part.kind === 'line') yield part.text;
    if (part.kind !== 'table') continue;
    for (const { cells } of part.table.rows.slice(0, 4)) for (const cell of new Set(cells)) yield cell?.text ?? '';
  }
}

function nameIn(facts: ReadonlyMap<string, string>): string | null {
  const names = [facts.get('FundNameInJapaneseDEI'), facts.get('FilerNameInJapaneseDEI')];
  return names.find((name) => name?.includes('投資法人') === true) ?? null;
}

function edinetCodeOf(text: string | undefined): string | null {
  return /^E\d{5}$/u.test(text ?? '') ? (text as string) : null;
}

function docIdOf(text: string | undefined): string | null {
  return /^S[0-9A-Z]{7}$/u.test(text ?? '') ? (text as string) : null;
}

const REPORT = /^(?:訂正)?有価証券報告書/u;

function titleOf(facts: ReadonlyMap<string, string>, { filing }: FilingPackage): string {
  const title = cleanText(facts.get('DocumentTitleCoverPage') ?? '').replace(/^【|】$/gu, '');
  if (REPORT.test(title)) return printable(title, 100);
  return filing === '01' ? '有価証券報告書' : '訂正有価証券報告書';
}

/** To the minute if the document list has it, else the day, in Japanese time. */
function publishedAt(submitted: string, filedOn: string): string {
  const [day = '', time = ''] = submitted.split(' ');
  const exact = isCalendarDate(day) ? parseInstant(`${day}T${time}:00+09:00`) : undefined;
  return exact ?? parseInstant(`${filedOn}T00:00:00+09:00`) ?? filedOn;
}
