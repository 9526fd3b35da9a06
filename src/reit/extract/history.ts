import type { Units } from '../../sources/disclosure/figures.ts';
import type { SourceMetric } from '../../vocabulary/reit-metrics.ts';
import type { Fraction, INTEREST_TYPES, TENURES } from '../publication/bundle.ts';
import type { BareMeasure } from '../publication/measure.ts';
import type { FigureFrame } from '../publication/read-figure.ts';

export type ReasonCode = 'tenantConsent' | 'counterpartyConsent' | 'bundled' | 'unstated';

/** A cell as printed, or what it states instead of a figure. */
export type HistoryValue =
  | ({ printed: string } & FigureFrame)
  | ({ state: 'zero'; amount: '0' } & FigureFrame)
  | { state: 'recorded'; date: string; precision: 'day' | 'month' | 'year' }
  | { state: BareMeasure['state']; reasonCode?: ReasonCode }
  | { state: 'unresolved'; reasonCode: string };

/** The period that a header or a line names. */
export type PeriodHint = { ordinal: number } | { month: string } | 'current' | 'previous';

/** Null where the filing does not say. */
export interface HistoryPeriod {
  id: string;
  ordinal: number | null;
  startDate: string | null;
  endDate: string;
}

export interface Interest {
  type: (typeof INTEREST_TYPES)[number] | null;
  tenure: (typeof TENURES)[number] | null;
  share: Fraction | null;
}

export interface HistoryField {
  period: HistoryPeriod;
  metric: SourceMetric;
  value: HistoryValue;
  locator: string;
}

/** A property as stated by the tables of one filing. */
export interface PropertyHistory {
  code: string;
  nameJa: string;
  interest: Interest;
  /** Whether the notes say that amounts are for the whole. */
  amountBasis: 'interest' | 'whole';
  heldFrom: string | null;
  fields: HistoryField[];
}

/** One filing, and what it states about each property. */
export interface FilingHistory {
  docID: string;
  sourceUrl: string;
  title: string;
  fundCode: string;
  fundName: string | null;
  edinetCode: string | null;
  periodEnd: string;
  /** Sorts the filings of one period in the order of filing. */
  order: string;
  publishedAt: string;
  /** The document that this one corrects, if the package or the document list says so. */
  amends: string | null;
  period: HistoryPeriod;
  /** All periods that it names with both dates. */
  periods: HistoryPeriod[];
  properties: PropertyHistory[];
  /** What was left out, and why. */
  notes: string[];
  tables: TableReport;
}

/** Why a table of a filing was not used. */
export type UnusedReason =
  | 'noFigures'
  | 'noProperty'
  | 'unknownProperty'
  | 'ambiguousProperty'
  | 'notListed'
  | 'notHeld'
  | 'outsideSections'
  | 'noPeriod'
  | 'beforeCorrection'
  | 'unknownLayout'
  | 'tooLarge'
  | 'tooDeep'
  | 'notClosed'
  | 'holdsTables';

interface UnusedTable {
  /** The base name of its file. */
  file: string;
  /** Counted over the whole filing, as in locators. */
  number: number;
  /** The nearest heading or caption above it. */
  heading: string;
  reason: UnusedReason;
}

/** What became of the tables of a filing. */
export interface TableReport {
  seen: number;
  used: number;
  /** Tables of one or two cells, which are read as headings, captions and units. */
  asText: number;
  unused: UnusedTable[];
}

/** A figure of a table before its period and its precision are known. */
export interface TableStatement {
  number: string;
  name: string;
  metric: SourceMetric;
  text: string;
  units: Units;
  hint: PeriodHint | undefined;
  /** One cell for several properties. */
  shared: boolean;
  row: string;
  column: string;
  /** Why it is not taken as printed. */
  doubt?: string;
}

/** A property that a table names, and what it states about the interest in it. */
export interface PropertyMention {
  number: string;
  name: string;
  interest: string;
}

export interface ReadTable {
  mentions: PropertyMention[];
  statements: TableStatement[];
  notes: string[];
}
