import { printable } from '../../vocabulary/text.ts';
import { describeMeasure } from './describe-measure.ts';
import { type Change, diffDocuments } from './diff.ts';
import type { Document } from './document.ts';
import type { Consensus, Measure } from './measure.ts';

const MAX_SHOWN = 500;
const MAX_PATH = 1_000;

/** What differs between two documents, one line each; figures as a reviewer reads them. */
export function describeDiff(before: Document, after: Document): string[] {
  return diffDocuments(before, after).map(describeChange);
}

function describeChange({ kind, path, before, after }: Change): string {
  const [was, is] = [showPart(path, before), showPart(path, after)];
  const said = kind === 'changed' ? `${was} → ${is}` : (was ?? is);
  return `${kind} ${printable(path, MAX_PATH)}: ${said}`;
}

function showPart(path: string, json: string | null): string | null {
  if (json === null) return null;
  const value = JSON.parse(json) as unknown;
  if (path.startsWith('/agreement/')) {
    const { status, value: consensus } = value as { status: string; value: Consensus | null };
    return consensus === null ? status : `${describeMeasure(consensus)} (${status})`;
  }
  if (value === null || (typeof value === 'object' && 'state' in value)) {
    return printable(describeMeasure(value as Measure | null), MAX_SHOWN);
  }
  return printable(json, MAX_SHOWN);
}
