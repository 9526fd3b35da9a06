import { printable } from '../../vocabulary/text.ts';
import type { Period } from './bundle.ts';
import { citationsByField } from './citations.ts';
import { AMOUNT_BASIS, describeHolding } from './describe-interest.ts';
import { describeCitations, describeMeasure } from './describe-measure.ts';
import type { Document } from './document.ts';
import { latestPeriod, periodsInOrder } from './periods.ts';

/** What a reviewer holds against the filings: every stated cell with who says it and where, holding by holding. */
export function describeTable(document: Document): string[] {
  const { issuer, holdings, agreement } = document;
  const lines = [`${printable(issuer.nameJa)} (${printable(issuer.id)}, EDINET ${printable(issuer.edinetCode)})`];
  for (const holding of holdings) {
    const matches = document.buildingMatches.filter(({ holdingId }) => holdingId === holding.id);
    lines.push('', `${printable(holding.propertyCode)} ${printable(holding.nameJa)}`);
    lines.push(`${describeHolding(document, holding)}; amounts are for ${AMOUNT_BASIS[holding.amountBasis]}`);
    lines.push(`held from ${holding.heldFrom}${holding.heldTo === null ? '' : ` to ${holding.heldTo}`}`);
    for (const { buildingId, coverage, evidence, reviewId } of matches) {
      const shown = evidence.map(({ kind, result }) => `${printable(kind)} ${printable(result)}`).join(', ');
      lines.push(`matched to ${buildingId}, ${printable(coverage)}: ${shown} (review ${printable(reviewId)})`);
    }
    lines.push(...recordLines(document, holding.id));
    const latest = latestPeriod(document, holding.id);
    if (latest !== undefined) lines.push(`latest figures: ${printable(latest.id)} ${printable(latest.labelJa)}`);
    for (const period of periodsInOrder(document.periods)) {
      const group = agreement?.groups.find((g) => g.holdingId === holding.id && g.periodId === period.id);
      if (group !== undefined) lines.push(...groupLines(document, group, period));
    }
  }
  if (agreement === undefined) lines.push('', 'no agreement was computed: this document is of an earlier version');
  return lines;
}

type Group = NonNullable<Document['agreement']>['groups'][number];

function groupLines(document: Document, { periodId, fields }: Group, period: Period): string[] {
  const cite = citationsByField(document);
  const span = `${printable(period.labelJa)} ${period.startDate} to ${period.endDate}`;
  const lines = ['', `  ${printable(periodId)} ${span}`];
  for (const { path, status, value, observations } of fields) {
    if (observations.length === 0) continue;
    lines.push(`  ${path}  ${status}${value === null ? '' : `: ${describeMeasure(value)}`}`);
    for (const { revisionId, path: at, value: said } of observations) {
      const cited = describeCitations(cite(revisionId, at));
      lines.push(`    ${printable(revisionId)} says ${describeMeasure(said)}${cited === '' ? '' : `, ${cited}`}`);
    }
  }
  const missing = fields.filter(({ status }) => status === 'missing').map(({ path }) => path);
  if (missing.length > 0) lines.push(`  missing: ${missing.join(', ')}`);
  return lines;
}

function recordLines({ transactions, ownership }: Document, holdingId: string): string[] {
  const cited = (evidence: readonly { revisionId: string; locator: string }[]) =>
    evidence.map(({ revisionId, locator }) => `${printable(revisionId)} ${printable(locator)}`).join('; ');
  const share = (fraction: { numerator: number; denominator: number } | null) =>
    fraction === null ? 'share unstated' : `${fraction.numerator}/${fraction.denominator}`;
  return [
    ...transactions
      .filter((record) => record.holdingId === holdingId)
      .map(({ id, type, contractDate, deliveryDate, shareDelta, price, counterparty, evidence }) => {
        const dates = `contract ${contractDate ?? 'undated'}, delivery ${deliveryDate ?? 'undated'}`;
        const from = counterparty === null ? '' : `, ${printable(counterparty)}`;
        const what = `${printable(type)} of ${share(shareDelta)} for ${describeMeasure(price)}`;
        return `transaction ${printable(id)}: ${what}, ${dates}${from} (${cited(evidence)})`;
      }),
    ...ownership
      .filter((record) => record.holdingId === holdingId)
      .map(({ id, from, to, share: held, trustee, propertyManager, evidence }) => {
        const who = [
          ...(trustee === null ? [] : [`trustee ${printable(trustee)}`]),
          ...(propertyManager === null ? [] : [`manager ${printable(propertyManager)}`]),
        ];
        const what = [`${share(held)} from ${from}${to === null ? '' : ` to ${to}`}`, ...who].join(', ');
        return `ownership ${printable(id)}: ${what} (${cited(evidence)})`;
      }),
  ];
}
