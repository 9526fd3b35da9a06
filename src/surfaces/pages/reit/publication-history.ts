import type { PermittedSurface } from '../../../reit/life/permissions.ts';
import type { Holding, Ownership, Period } from '../../../reit/publication/bundle.ts';
import { citationsAt, citationsByField, holdingsAt } from '../../../reit/publication/citations.ts';
import { coverageOf } from '../../../reit/publication/describe-interest.ts';
import type { AgreementField, Document, Publication } from '../../../reit/publication/document.ts';
import { latestPeriod, periodsInOrder } from '../../../reit/publication/periods.ts';
import type { Metric } from '../../../vocabulary/reit-metrics.ts';
import { METRIC_LABELS } from '../catalogue/labels.ts';

/** The accepted publications of a building for a surface, or that reading them failed (REIT-08). */
export type ReitHistories = readonly ServedHistory[] | 'unavailable';

/** A publication, and the surfaces that serve it now. */
type ServedHistory = Publication & { surfaces?: readonly PermittedSurface[] };

/** The forms of the API that carry REIT histories, each with its own permission (REIT-04). */
const API_FORMS = [
  { surface: 'rest-json', name: 'json', path: 'reit' },
  { surface: 'csv', name: 'csv', path: 'reit.csv' },
  { surface: 'jsonld', name: 'jsonLd', path: 'reit.jsonld' },
] as const satisfies readonly { surface: PermittedSurface; name: string; path: string }[];

/** UI-63: the forms in which a publication is served. */
export const formsOf = ({ surfaces = [] }: ServedHistory) =>
  API_FORMS.filter(({ surface }) => surfaces.includes(surface));

/** The part of a publication about one building, as shown on the page and in its Markdown twin. */
export interface PublicationHistory {
  id: string;
  computedAt: string;
  issuer: Document['issuer'];
  holdings: HoldingHistory[];
  /** REIT-14: only of the holdings matched to this building. `cited` refers to their numbers, from 1. */
  citations: { sourceUrl: string; locator: string; title: string | undefined }[];
  attributions: Document['attributions'];
}

export interface HoldingHistory {
  holding: Holding;
  /** How much of the building the publication covers. */
  coverage: string;
  /** Oldest first. */
  periods: readonly Period[];
  /** The last period with any figure. */
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
  cited: number[];
}

export function historyForBuilding({ id, computedAt, document }: Publication, buildingId: string): PublicationHistory {
  const titles = new Map(document.sourceRevisions.map(({ sourceUrl, title }) => [sourceUrl, title]));
  const citations = citationsAt(document, buildingId).map((citation) => {
    return { ...citation, title: titles.get(citation.sourceUrl) };
  });
  const numbers = new Map(citations.map(({ sourceUrl, locator }, i) => [`${sourceUrl} ${locator}`, i + 1]));
  const numberOf = (sourceUrl: string, locator: string) => numbers.get(`${sourceUrl} ${locator}`) ?? [];
  const cite = citationsByField(document);
  const urls = new Map(document.sourceRevisions.map((revision) => [revision.id, revision.sourceUrl]));
  const citationsOf = (evidence: readonly { revisionId: string; locator: string }[]) =>
    inOrder(evidence.flatMap(({ revisionId, locator }) => numberOf(urls.get(revisionId) ?? '', locator)));
  const periods = periodsInOrder(document.periods);
  const groups = new Map(
    document.agreement?.groups.map((group) => [`${group.holdingId} ${group.periodId}`, group.fields] as const),
  );
  const cellOf = (holding: Holding, period: Period, metric: Metric): Cell | undefined => {
    const field = groups.get(`${holding.id} ${period.id}`)?.find(({ path }) => path === metric);
    if (field === undefined) return undefined;
    const cited = field.observations.flatMap(({ revisionId, path }) =>
      cite(revisionId, path).flatMap(({ sourceUrl, locator }) => numberOf(sourceUrl, locator)),
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
      coverage: coverageOf(document, holding.id),
      periods,
      latest: latestPeriod(document, holding.id),
      rows: rows.filter(({ cells }) => cells.some(({ field }) => field.observations.length > 0)),
      transactions: document.transactions
        .filter(ofHolding)
        .map((row) => ({ ...row, cited: citationsOf(row.evidence) })),
      ownership: document.ownership.filter(ofHolding).map((row) => ({ ...row, cited: citationsOf(row.evidence) })),
    };
  });
  return {
    id,
    computedAt,
    issuer: document.issuer,
    holdings,
    citations,
    attributions: document.attributions,
  };
}

const METRICS = Object.keys(METRIC_LABELS) as Metric[];
const inOrder = (numbers: readonly number[]): number[] => [...new Set(numbers)].sort((a, b) => a - b);
