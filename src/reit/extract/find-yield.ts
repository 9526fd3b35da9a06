import type { SourceMetric } from '../../vocabulary/reit-metrics.ts';
import { findMetric, plainLabel } from './find-metric.ts';
import { withoutPeriod } from './period-hint.ts';

export interface FoundMetric {
  metric: SourceMetric;
  doubt?: string;
}

export type Method = 'direct' | 'dcf';

/** A 利回り of the DCF method that neither its header nor what stands beside it explains. */
export const UNCLEAR_YIELD = 'unclearYield';

const MAX_BACK = 6;
const MAX_LABEL = 120;
const AROUND_YIELD = /直接還元法?|dcf法?|収益還元法|収益価格|価格|による|における|の/gu;

/** The method of appraisal that a label names; undefined where it names none, or both. */
export function methodIn(label: string): Method | undefined {
  if (label.length > MAX_LABEL) return undefined;
  const plain = plainLabel(label);
  const [direct, dcf] = [plain.includes('直接還元'), plain.includes('dcf')];
  return direct === dcf ? undefined : direct ? 'direct' : 'dcf';
}

export function isBareYield(label: string): boolean {
  if (label.length > MAX_LABEL) return false;
  const plain = withoutPeriod(plainLabel(label)).replace(/\([^()]*\)/gu, '');
  return plain.endsWith('利回り') && plain.replace(AROUND_YIELD, '') === '利回り';
}

/** The metric that the label at `index` means among those before it: a bare 利回り is of the method that stands there. */
export function findMetricAt(labels: readonly string[], index: number): FoundMetric | undefined {
  const label = labels[index] ?? '';
  const metric = findMetric(label);
  if (metric !== undefined) return { metric };
  if (!isBareYield(label)) return undefined;
  const method = methodIn(label) ?? methodBefore(labels, index);
  if (method === undefined) return undefined;
  return method === 'direct' ? { metric: 'directCapRate' } : { metric: 'terminalCapRate', doubt: UNCLEAR_YIELD };
}

function methodBefore(labels: readonly string[], index: number): Method | undefined {
  for (let at = index - 1; at >= Math.max(0, index - MAX_BACK); at--) {
    const label = labels[at] as string;
    const method = methodIn(label);
    if (method !== undefined) return method;
    if (findMetric(label) !== 'discountRate' && (isBareYield(label) || !/価格|収益/u.test(label))) return undefined;
  }
  return undefined;
}
