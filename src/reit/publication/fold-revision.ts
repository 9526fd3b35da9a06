import type { BundleField, BundleRevision, Citation } from './bundle.ts';
import { canonicalJson, compareText } from './canonical-json.ts';
import { distinctCitations } from './citations.ts';
import type { SourceRevision } from './document.ts';
import { abstains, consensusKey, consensusOf, type Measure, type UnresolvedMeasure, unresolved } from './measure.ts';

/** A revision as the document has it, and what it cites for each of its fields. */
export interface FoldedRevision {
  revision: SourceRevision;
  citations: ReadonlyMap<string, Citation[]>;
}

/** A filing that says a thing twice says it once, and cites both places. */
export function foldRevision({ fields, ...rest }: BundleRevision): FoldedRevision {
  const byPath = [...Map.groupBy(fields, ({ path }) => path)].sort(([a], [b]) => compareText(a, b));
  return {
    revision: {
      ...rest,
      fields: Object.fromEntries(byPath.map(([path, said]) => [path, oneValue(said.map(({ value }) => value))])),
    },
    citations: new Map(byPath.map(([path, said]) => [path, joinCitations(said)])),
  };
}

export function joinCitations(fields: readonly Pick<BundleField, 'citations'>[]): Citation[] {
  const all = fields.flatMap(({ citations }) => citations);
  return all.length < 2 ? all : distinctCitations(all);
}

/** One lineage has one voice: where it contradicts itself it is unresolved, whichever value came first. */
function oneValue(values: readonly (Measure | null)[]): Measure | null {
  const [only, ...more] = values;
  if (more.length === 0) return only ?? null;
  const inOrder = [...values].sort(mostPreciseFirst);
  const doubtful = inOrder.find((value) => value?.state === 'unresolved');
  if (doubtful !== undefined) return doubtful;
  const asserted = inOrder.filter((value) => !abstains(value)) as Exclude<Measure, UnresolvedMeasure>[];
  const [first] = asserted;
  if (first === undefined) return inOrder.find((value) => value !== null) ?? null;
  const keys = new Set(asserted.map((value) => consensusKey(consensusOf(value))));
  return keys.size > 1 ? unresolved('contradictsItself') : first;
}

function mostPreciseFirst(a: Measure | null, b: Measure | null): number {
  return decimalsOf(b) - decimalsOf(a) || compareText(canonicalJson(a), canonicalJson(b));
}

function decimalsOf(value: Measure | null): number {
  return value !== null && 'decimals' in value ? value.decimals : Number.MIN_SAFE_INTEGER;
}
