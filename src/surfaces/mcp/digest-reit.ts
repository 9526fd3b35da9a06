import { holdingsAt } from '../../reit/publication/citations.ts';
import { AMOUNT_BASIS, describeHolding } from '../../reit/publication/describe-interest.ts';
import type { AgreementField, Publication } from '../../reit/publication/document.ts';
import { periodsWithFigures } from '../../reit/publication/periods.ts';
import { markdownText } from '../http/markdown.ts';

const LONGEST = 300;
/** Of a holding, from the latest back; the structured content has them all. */
const MOST_PERIODS = 2;

/** A publication as a model can read it: whose interest it is, and the latest figures with how far sources agree. */
export function digestPublication(buildingId: string, { id, computedAt, document }: Publication): string {
  const lines = [`# ${short(document.issuer.nameJa)}`, '', `- publication: ${id}`, `- computed: ${computedAt}`];
  for (const holding of holdingsAt(document, buildingId)) {
    const held = `held from ${holding.heldFrom}${holding.heldTo === null ? '' : ` to ${holding.heldTo}`}`;
    lines.push('', `## ${short(holding.nameJa)} (${short(holding.propertyCode)})`, '');
    lines.push(`${describeHolding(document, holding)}; ${held}; amounts are for ${AMOUNT_BASIS[holding.amountBasis]}.`);
    const periods = periodsWithFigures(document, holding.id).reverse();
    for (const [i, { period, fields }] of periods.slice(0, MOST_PERIODS).entries()) {
      const span = `${period.startDate} to ${period.endDate}${i === 0 ? ', the latest' : ''}`;
      lines.push('', `${short(period.labelJa)} (${span}):`, '');
      lines.push(...fields.map(fieldLine));
    }
    const left = periods.length - MOST_PERIODS;
    if (left > 0) lines.push('', `and ${left} earlier period${left === 1 ? '' : 's'}, in the structured content.`);
  }
  lines.push('', 'Agreement between sources is no audit. What is not listed is missing, and not zero.');
  lines.push('', `Sources: ${document.attributions.map(({ text }) => short(text)).join('; ')}.`);
  return lines.join('\n');
}

function fieldLine({ path, status, value }: AgreementField): string {
  if (value === null) return `- ${path}: ${status}`;
  if ('amount' in value) {
    const how = value.state === 'derived' ? `derived by ${short(value.formulaVersion)}` : status;
    return `- ${path}: ${value.amount} ${value.unit} (${how})`;
  }
  return `- ${path}: ${'date' in value ? short(value.date) : value.state} (${status})`;
}

function short(text: string): string {
  return markdownText(text.length > LONGEST ? `${text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '')}…` : text);
}
