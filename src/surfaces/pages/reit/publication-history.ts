import type { Holding, Ownership, Period } from '../../../reit/publication/bundle.ts';
import { citationsAt, citationsByField, holdingsAt } from '../../../reit/publication/citations.ts';
import { describeHolding } from '../../../reit/publication/describe-interest.ts';
import type { AgreementField, Document, Publication } from '../../../reit/publication/document.ts';
import { latestPeriod, periodsInOrder } from '../../../reit/publication/periods.ts';
import type { Metric } from '../../../vocabulary/reit-metrics.ts';
import { METRIC_LABELS } from './reit-text.ts';

/** What is accepted of a building for a surface, or that it could not be read (REIT-08). */
export type ReitHistories = readonly Publication[] | 'unavailable';

/** What a publication says of one building, as the page and its twin show it. */
export interface PublicationHistory {
  id: string;
  computedAt: string;
  issuer: Document['issuer'];
  holdings: HoldingHistory[];
  /** REIT-14: of the holdings matched to this building alone; others refer to them by their place, from 1. */
  citations: { sourceUrl: string; locator: string; title: string | undefined }[];
  attributions: readonly string[];
}

export interface HoldingHistory {
  holding: Holding;
  /** What of the building the publication covers, and the interest of the REIT in that. */
  interest: string;
  /** The oldest first. */
  periods: readonly Period[];
  /** The last in which anything is stated. */
  latest: Period | undefined;
  rows: readonly MetricRow[];
  transactions: readonly (Document['transactions'][number] & { cited: number[] })[];
  ownership: readonly (Ownership & { cited: number[] })[];
}

export interface MetricRow {
  metric: Metric;
  cells: readonly Cell[];
}

export interface Cell {
  period: Period;
  field: AgreementField;
  /** What the observations rest on. */
  cited: number[];
}

export function historyForBuilding({ id, computedAt, document }: Publication, buildingId: string): PublicationHistory {
  const titles = new Map(document.sourceRevisions.map(({ sourceUrl, title }) => [sourceUrl, title]));
  const citations = citationsAt(document, buildingId).map((citation) => {
    return { ...citation, title: titles.get(citation.sourceUrl) };
  });
  const places = new Map(citations.map(({ sourceUrl, locator }, i) => [`${sourceUrl} ${locator}`, i + 1]));
  const placeOf = (sourceUrl: string, locator: string) => places.get(`${sourceUrl} ${locator}`) ?? [];
  const cite = citationsByField(document);
  const urls = new Map(document.sourceRevisions.map((revision) => [revision.id, revision.sourceUrl]));
  const citedIn = (evidence: readonly { revisionId: string; locator: string }[]) =>
    inOrder(evidence.flatMap(({ revisionId, locator }) => placeOf(urls.get(revisionId) ?? '', locator)));
  const periods = periodsInOrder(document.periods);
  const groups = new Map(
    document.agreement?.groups.map((group) => [`${group.holdingId} ${group.periodId}`, group.fields] as const),
  );
  const cellOf = (holding: Holding, period: Period, metric: Metric): Cell | undefined => {
    const field = groups.get(`${holding.id} ${period.id}`)?.find(({ path }) => path === metric);
    if (field === undefined) return undefined;
    const cited = field.observations.flatMap(({ revisionId, path }) =>
      cite(revisionId, path).flatMap(({ sourceUrl, locator }) => placeOf(sourceUrl, locator)),
    );
    return { period, field, cited: inOrder(cited) };
  };
  const holdings = holdingsAt(document, buildingId).map((holding): HoldingHistory => {
    const rows = METRICS.map((metric) => ({
      metric,
      cells: periods.flatMap((period) => cellOf(holding, period, metric) ?? []),
    }));
    const ofHolding = ({ holdingId }: { holdingId: string }) => holdingId === holding.id;
    return {
      holding,
      interest: describeHolding(document, holding),
      periods,
      latest: latestPeriod(document, holding.id),
      rows: rows.filter(({ cells }) => cells.some(({ field }) => field.observations.length > 0)),
      transactions: document.transactions.filter(ofHolding).map((row) => ({ ...row, cited: citedIn(row.evidence) })),
      ownership: document.ownership.filter(ofHolding).map((row) => ({ ...row, cited: citedIn(row.evidence) })),
    };
  });
  return {
    id,
    computedAt,
    issuer: document.issuer,
    holdings,
    citations,
    attributions: document.attributions.map(({ text }) => text),
  };
}

const METRICS = Object.keys(METRIC_LABELS) as Metric[];
const inOrder = (places: readonly number[]): number[] => [...new Set(places)].sort((a, b) => a - b);
