import { holdingsAt } from '../../../reit/publication/citations.ts';
import { AMOUNT_BASIS, describeHolding } from '../../../reit/publication/describe-interest.ts';
import type { AgreementField, Publication } from '../../../reit/publication/document.ts';
import { periodsWithFigures } from '../../../reit/publication/periods.ts';
import type { FigureFilter } from '../../../reit/publication/restrict-document.ts';
import { short } from './words.ts';

/** The latest periods of a holding; the structured content has them all. */
const MAX_PERIODS = 2;
const MAX_ASKED_PERIODS = 20;

/** A publication as text: the interest and its latest figures, or those that were asked for, with how far the sources agree. */
export function digestPublication(
  buildingId: string,
  { id, computedAt, document }: Publication,
  filter?: FigureFilter,
): string {
  const most = filter === undefined ? MAX_PERIODS : MAX_ASKED_PERIODS;
  const lines = [`# ${short(document.issuer.nameJa)}`, '', `- publication: ${id}`, `- computed: ${computedAt}`];
  for (const holding of holdingsAt(document, buildingId)) {
    const held = `held from ${holding.heldFrom}${holding.heldTo === null ? '' : ` to ${holding.heldTo}`}`;
    lines.push('', `## ${short(holding.nameJa)} (${short(holding.propertyCode)})`, '');
    lines.push(`${describeHolding(document, holding)}; ${held}; amounts are for ${AMOUNT_BASIS[holding.amountBasis]}.`);
    const periods = periodsWithFigures(document, holding.id).reverse();
    for (const [i, { period, fields }] of periods.slice(0, most).entries()) {
      const span = `${period.startDate} to ${period.endDate}${i === 0 ? ', the latest' : ''}`;
      lines.push('', `${short(period.labelJa)} (${span}):`, '');
      lines.push(...fields.map(reitFieldLine));
    }
    const rest = periods.length - most;
    if (rest > 0) {
      const more = `and ${rest} earlier period${rest === 1 ? '' : 's'}`;
      lines.push('', `${more}, in the structured content.`);
    }
    if (periods.length === 0 && filter !== undefined) lines.push('', 'No figure that was asked for is known.');
  }
  lines.push('', 'Agreement between sources is not an audit. A figure that is not listed is missing, not zero.');
  lines.push('', `Sources: ${document.attributions.map(({ text }) => short(text)).join('; ')}.`);
  return lines.join('\n');
}

function reitFieldLine({ path, status, value }: AgreementField): string {
  if (value === null) return `- ${path}: ${status}`;
  if ('amount' in value) {
    const how = value.state === 'derived' ? `derived by ${short(value.formulaVersion)}` : status;
    return `- ${path}: ${value.amount} ${value.unit} (${how})`;
  }
  return `- ${path}: ${'date' in value ? short(value.date) : value.state} (${status})`;
}
