import { propertyCodeKey } from '../../vocabulary/text.ts';
import { daysBetween } from '../publication/periods.ts';
import type { FilingHistory, HistoryField, HistoryPeriod, HistoryValue, Interest, PropertyHistory } from './history.ts';

const EXTRACTOR_VERSION = '2';
const MAX_AMENDED = 100;

interface DraftField {
  path: string;
  value: HistoryValue;
  citations: { sourceUrl: string; locator: string }[];
}

/** A bundle as far as filings state it. The rest is null, for the operator to fill in. */
export interface BundleDraft {
  issuer: { id: string; nameJa: string | null; edinetCode: string | null };
  holdings: {
    id: string;
    propertyCode: string;
    nameJa: string;
    interest: Interest;
    amountBasis: 'interest' | 'whole';
    heldFrom: string | null;
    heldTo: null;
  }[];
  periods: {
    id: string;
    ordinal: number | null;
    labelJa: string | null;
    startDate: string | null;
    endDate: string;
    days: number | null;
  }[];
  sourceRevisions: {
    id: string;
    lineageId: string;
    source: 'edinet';
    sourceRecordId: string;
    title: string;
    sourceUrl: string;
    publishedAt: string;
    retrievedAt: string | null;
    contentHash: string;
    extractionMethod: 'disclosure-table';
    extractorVersion: string;
    supersedes: string | null;
    fields: DraftField[];
  }[];
  matches: [];
  transactions: [];
  ownership: [];
}

export type HashedHistory = FilingHistory & { contentHash: string };

/** Makes the bundle of one property of one fund from all filings that were read. */
export function toBundle(filings: readonly HashedHistory[], code: string, retrievedAt: string | null): BundleDraft {
  const key = propertyCodeKey(code);
  const stating = [...filings]
    .sort((a, b) => (a.periodEnd + a.order < b.periodEnd + b.order ? -1 : 1))
    .map((filing) => ({
      filing,
      property: filing.properties.find((property) => propertyCodeKey(property.code) === key),
    }))
    .filter((one): one is { filing: HashedHistory; property: PropertyHistory } => one.property !== undefined);
  const newest = stating.at(-1) as (typeof stating)[number];
  const days = stating.map(({ property }) => property.heldFrom).filter((day) => day !== null);
  const interest = stating.map(({ property }) => property.interest).findLast(({ type }) => type !== null);
  const fields = new Map<string, DraftField[]>();
  return {
    issuer: {
      id: newest.filing.fundCode,
      nameJa: lastOf(stating.map(({ filing }) => filing.fundName)),
      edinetCode: lastOf(stating.map(({ filing }) => filing.edinetCode)),
    },
    holdings: [
      {
        id: code,
        propertyCode: code,
        nameJa: newest.property.nameJa,
        interest: interest ?? newest.property.interest,
        amountBasis: newest.property.amountBasis,
        heldFrom: days.sort()[0] ?? null,
        heldTo: null,
      },
    ],
    periods: periodsOf(stating),
    sourceRevisions: stating.map(({ filing, property }) => {
      const lineageId = lineageOf(filing, filings);
      const before = stating.filter(
        (other) => lineageOf(other.filing, filings) === lineageId && other.filing.order < filing.order,
      );
      const supersedes = before.at(-1)?.filing.docID ?? null;
      const own = property.fields.map((field) => toField(code, field, filing.sourceUrl));
      const revised = supersedes === null ? own : applyCorrection(fields.get(supersedes) ?? [], own);
      fields.set(filing.docID, revised);
      return {
        id: filing.docID,
        lineageId,
        source: 'edinet',
        sourceRecordId: filing.docID,
        title: filing.title,
        sourceUrl: filing.sourceUrl,
        publishedAt: filing.publishedAt,
        retrievedAt,
        contentHash: filing.contentHash,
        extractionMethod: 'disclosure-table',
        extractorVersion: EXTRACTOR_VERSION,
        supersedes,
        fields: revised,
      };
    }),
    matches: [],
    transactions: [],
    ownership: [],
  };
}

/** A correction belongs to the lineage of the filing that it corrects; otherwise each period of a fund has its own. */
function lineageOf(filing: FilingHistory, filings: readonly FilingHistory[], depth = 0): string {
  const parent = filings.find(({ docID }) => docID === filing.amends && docID !== filing.docID);
  if (parent !== undefined && depth < MAX_AMENDED) return lineageOf(parent, filings, depth + 1);
  return `${filing.fundCode}/${filing.periodEnd}`;
}

function lastOf<T>(values: readonly (T | null)[]): T | null {
  return values.findLast((value) => value !== null) ?? null;
}

/** An amended report repeats only what it corrects; the other fields come from the report before it. */
function applyCorrection(before: readonly DraftField[], own: readonly DraftField[]): DraftField[] {
  const stated = new Set(own.map(({ path }) => path));
  return [...before.filter(({ path }) => !stated.has(path)), ...own];
}

function toField(holdingId: string, { period, metric, value, locator }: HistoryField, sourceUrl: string): DraftField {
  return { path: `/${holdingId}/${period.id}/${metric}`, value, citations: [{ sourceUrl, locator }] };
}

/** The filings' own periods, and earlier ones that they report. */
function periodsOf(stating: readonly { filing: FilingHistory; property: PropertyHistory }[]): BundleDraft['periods'] {
  const periods = new Map<string, HistoryPeriod>();
  for (const { filing, property } of stating) {
    for (const period of [...property.fields.map((field) => field.period), filing.period])
      periods.set(period.id, period);
  }
  return [...periods.values()]
    .sort((a, b) => (a.endDate < b.endDate ? -1 : 1))
    .map(({ id, ordinal, startDate, endDate }) => ({
      id,
      ordinal,
      labelJa: ordinal === null ? null : `第${ordinal}期`,
      startDate,
      endDate,
      days: startDate === null ? null : daysBetween(startDate, endDate),
    }));
}
