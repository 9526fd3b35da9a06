import { csvCell } from '../../vocabulary/text.ts';
import { citationsByField, distinctCitations, holdingsAt } from './citations.ts';
import type { AgreementField, Publication } from './document.ts';

/** CSV-02, in this order. */
export const CSV_COLUMNS = [
  'buildingId',
  'publicationId',
  'computedAt',
  'holdingId',
  'holdingName',
  'periodId',
  'periodLabel',
  'periodStart',
  'periodEnd',
  'metric',
  'unit',
  'value',
  'state',
  'agreement',
  'observations',
  'citations',
  'scale',
  'decimals',
  'rounding',
  'revisionId',
  'formulaVersion',
  'inputRevisionIds',
] as const;
type Row = Record<(typeof CSV_COLUMNS)[number], string>;

const LINE = '\r\n';

/** CSV-01, CSV-02, CSV-03, CSV-04: a header, then one row per metric, matched holding and period. */
export function projectCsv(buildingId: string, publications: readonly Publication[]): string {
  const rows = publications.flatMap((publication) => rowsOf(buildingId, publication));
  const lines = rows.map((row) => CSV_COLUMNS.map((column) => csvCell(row[column])).join(','));
  return [CSV_COLUMNS.join(','), ...lines, ''].join(LINE);
}

/** Older documents have no agreement, and so no rows. */
function rowsOf(buildingId: string, { id, computedAt, document }: Publication): Row[] {
  const holdings = new Map(holdingsAt(document, buildingId).map((holding) => [holding.id, holding]));
  const periods = new Map(document.periods.map((period) => [period.id, period]));
  const cite = citationsByField(document);
  return (document.agreement?.groups ?? []).flatMap(({ holdingId, periodId, fields }) => {
    const [holding, period] = [holdings.get(holdingId), periods.get(periodId)];
    if (holding === undefined || period === undefined) return [];
    return fields.map((field) => ({
      buildingId,
      publicationId: id,
      computedAt,
      holdingId,
      holdingName: holding.nameJa,
      periodId,
      periodLabel: period.labelJa,
      periodStart: period.startDate,
      periodEnd: period.endDate,
      ...cellsOf(field, cite),
    }));
  });
}

function cellsOf({ path, status, value, observations }: AgreementField, cite: ReturnType<typeof citationsByField>) {
  const cited = observations.map((o) => ({ ...o, citations: cite(o.revisionId, o.path) }));
  const [only, ...others] = observations;
  const derived = value?.state === 'derived' ? value : undefined;
  return {
    metric: path,
    unit: value !== null && 'unit' in value ? value.unit : '',
    value: valueText(value),
    state: value?.state ?? status,
    agreement: status,
    observations: JSON.stringify(cited),
    citations: JSON.stringify(distinctCitations(cited.flatMap(({ citations }) => citations))),
    // CSV-03: a consensus does not have the precision of any one source.
    scale: '',
    decimals: '',
    rounding: '',
    revisionId: only !== undefined && others.length === 0 ? only.revisionId : '',
    formulaVersion: derived?.formulaVersion ?? '',
    inputRevisionIds: derived === undefined ? '' : JSON.stringify(derived.inputRevisionIds),
  };
}

function valueText(value: AgreementField['value']): string {
  if (value === null) return '';
  if ('amount' in value) return value.amount;
  return 'date' in value ? value.date : '';
}
