import type { Units } from '../../disclosure/units.ts';

/** What a property table of a filing can state of a holding in a period; the names are those of the bundle. */
export type HistoryMetric =
  | 'acquisitionPrice'
  | 'acquisitionDate'
  | 'appraisalValue'
  | 'appraisalDate'
  | 'bookValue'
  | 'leasableArea'
  | 'leasedArea'
  | 'occupancyRate'
  | 'tenantCount'
  | 'rentalRevenue'
  | 'rentalExpenses'
  | 'depreciation'
  | 'noi'
  | 'operatingDays'
  | 'capex'
  | 'directCapRate'
  | 'discountRate'
  | 'terminalCapRate';

export type Rounding = 'exact' | 'truncate' | 'halfUp' | 'ceil' | 'unknown';

export interface Frame {
  unit: 'JPY' | 'm2' | 'ratio' | 'day' | 'count';
  scale: number;
  decimals: number;
  rounding: Rounding;
}

export type ReasonCode = 'tenantConsent' | 'counterpartyConsent' | 'bundled' | 'unstated';
export type BareState = 'notRecorded' | 'notDisclosed' | 'notApplicable' | 'outsideHoldingPeriod';

/** A cell as printed, or what it says in place of a figure. */
export type HistoryValue =
  | ({ printed: string } & Frame)
  | ({ state: 'zero'; amount: '0' } & Frame)
  | { state: 'recorded'; date: string; precision: 'day' | 'month' | 'year' }
  | { state: BareState; reasonCode?: ReasonCode }
  | { state: 'unresolved'; reasonCode: string };

/** Which period a header or a line speaks of. */
export type PeriodHint = { ordinal: number } | { month: string } | 'current' | 'previous';

/** What the filing does not say is null. */
export interface HistoryPeriod {
  id: string;
  ordinal: number | null;
  startDate: string | null;
  endDate: string;
}

export interface Share {
  numerator: number;
  denominator: number;
}

export interface Interest {
  type: 'realProperty' | 'trustBeneficiary' | 'equityStake' | 'groundOnly' | null;
  tenure: 'whole' | 'coOwnership' | 'quasiCoOwnership' | 'sectional' | null;
  share: Share | null;
}

export interface HistoryField {
  period: HistoryPeriod;
  metric: HistoryMetric;
  value: HistoryValue;
  locator: string;
}

/** A property as the tables of one filing state it. */
export interface PropertyHistory {
  code: string;
  nameJa: string;
  interest: Interest;
  /** Whether the notes say that amounts are for the whole. */
  amountBasis: 'interest' | 'whole';
  heldFrom: string | null;
  fields: HistoryField[];
}

/** One filing: what it is, and what it states of each property. */
export interface FilingHistory {
  docID: string;
  sourceUrl: string;
  title: string;
  fundCode: string;
  fundName: string | null;
  edinetCode: string | null;
  periodEnd: string;
  /** In the order of filing, within one period. */
  order: string;
  publishedAt: string;
  /** The document that this one corrects, where the package or the document list says so. */
  amends: string | null;
  period: HistoryPeriod;
  /** All that it names with both their days. */
  periods: HistoryPeriod[];
  properties: PropertyHistory[];
  /** What was passed over, and why. */
  notes: string[];
  tables: TableReport;
}

/** Why a table of a filing was not used: a closed set. */
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

export interface UnusedTable {
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
export interface Statement {
  number: string;
  name: string;
  metric: HistoryMetric;
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

/** A property that a table names, and what it says of the interest in it. */
export interface Mention {
  number: string;
  name: string;
  interest: string;
}

export interface ReadTable {
  mentions: Mention[];
  statements: Statement[];
  notes: string[];
}
