import { printable } from '../../vocabulary/text.ts';
import type { Citation } from './bundle.ts';
import type { Consensus, Measure } from './measure.ts';

/** One value as a reviewer reads it: `57000000 JPY (scale 6, decimals -6, truncate)`, or its state. */
export function describeMeasure(value: Measure | Consensus | null): string {
  if (value === null) return 'nothing said';
  if ('amount' in value) {
    const amount = `${value.state === 'derived' ? 'derived ' : ''}${value.amount} ${value.unit}`;
    if (value.state === 'derived') return `${amount} (${value.formulaVersion})`;
    return 'scale' in value
      ? `${amount} (scale ${value.scale}, decimals ${value.decimals}, ${value.rounding})`
      : amount;
  }
  if ('date' in value) return value.date;
  return 'reasonCode' in value && value.reasonCode !== undefined ? `${value.state} (${value.reasonCode})` : value.state;
}

export function describeCitations(citations: readonly Citation[]): string {
  return citations.map(({ sourceUrl, locator }) => `${printable(sourceUrl, 500)} ${printable(locator)}`).join('; ');
}
