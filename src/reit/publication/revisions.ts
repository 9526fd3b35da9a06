import { fieldPath } from '../../vocabulary/reit-metrics.ts';
import { instantSortKey } from '../../vocabulary/time.ts';
import type { ObservationGroup } from './agreement.ts';
import type { BundleField, BundleRevision, Citation } from './bundle.ts';
import { byTexts, canonicalJson, compareText, sha256 } from './canonical-json.ts';
import { distinctCitations } from './citations.ts';
import type { SourceRevision } from './document.ts';
import type { Derivation } from './formulas.ts';
import { abstains, consensusKey, consensusOf, type Measure, type UnresolvedMeasure, unresolved } from './measure.ts';

/** Prefix of the IDs that the service assigns to computed revisions. */
export const COMPUTED_PREFIX = 'dnk:';

/** The revision of each lineage that no other supersedes. */
export function headsOf<R extends { id: string; lineageId: string; supersedes: string | null }>(
  revisions: readonly R[],
): R[] {
  const superseded = new Set(revisions.map(({ supersedes }) => supersedes));
  return revisions
    .filter(({ id }) => !superseded.has(id))
    .sort((a, b) => compareText(a.lineageId, b.lineageId) || compareText(a.id, b.id));
}

/** A revision of the document, and the citations of each of its fields. */
export interface FoldedRevision {
  revision: SourceRevision;
  citations: ReadonlyMap<string, Citation[]>;
}

/** Joins repeated statements of a field into one value that cites every place. */
export function foldRevision({ fields, ...rest }: BundleRevision): FoldedRevision {
  const byPath = [...Map.groupBy(fields, ({ path }) => path)].sort(([a], [b]) => compareText(a, b));
  return {
    revision: {
      ...rest,
      fields: Object.fromEntries(
        byPath.map(([path, repeated]) => [path, joinValues(repeated.map(({ value }) => value))]),
      ),
    },
    citations: new Map(byPath.map(([path, repeated]) => [path, joinCitations(repeated)])),
  };
}

function joinCitations(fields: readonly Pick<BundleField, 'citations'>[]): Citation[] {
  const all = fields.flatMap(({ citations }) => citations);
  return all.length < 2 ? all : distinctCitations(all);
}

/** A revision that contradicts itself is unresolved, whatever the order of its values. */
function joinValues(values: readonly (Measure | null)[]): Measure | null {
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

/**
 * REIT-13: the revision of all derived values, so that every revisionId resolves. Its date and address are those of its
 * newest input, and its citations those of its inputs. Undefined if nothing was derived.
 */
export function computedRevision(
  issuerId: string,
  derived: readonly { group: ObservationGroup; derivations: readonly Derivation[] }[],
  inputs: readonly FoldedRevision[],
): FoldedRevision | undefined {
  const byId = new Map(inputs.map((input) => [input.revision.id, input]));
  const entries = derived
    .flatMap(({ group, derivations }) =>
      derivations.map((derivation) => ({
        path: fieldPath(group.holdingId, group.periodId, derivation.metric),
        derivation,
      })),
    )
    .sort(byTexts(({ path }) => path));
  const sources = [...new Set(entries.flatMap(({ derivation }) => derivation.measure.inputRevisionIds))]
    .flatMap((id) => byId.get(id)?.revision ?? [])
    .sort((a, b) => compareInstants(b.publishedAt, a.publishedAt) || compareText(a.id, b.id));
  const [newest] = sources;
  if (newest === undefined) return undefined;
  const fields = Object.fromEntries(entries.map(({ path, derivation }) => [path, derivation.measure]));
  const hash = sha256(canonicalJson(fields));
  return {
    revision: {
      id: `${COMPUTED_PREFIX}${hash.slice(0, 16)}`,
      lineageId: `${COMPUTED_PREFIX}formulas`,
      source: 'dnk',
      sourceRecordId: issuerId,
      title: '算出値',
      sourceUrl: newest.sourceUrl,
      publishedAt: newest.publishedAt,
      retrievedAt: sources.map(({ retrievedAt }) => retrievedAt).reduce((a, b) => (compareInstants(a, b) < 0 ? b : a)),
      contentHash: `sha256:${hash}`,
      extractionMethod: 'computed',
      extractorVersion: '1',
      supersedes: null,
      fields,
    },
    citations: new Map(
      entries.map(({ path, derivation }) => [
        path,
        joinCitations(
          derivation.inputs.map(({ revisionId, path }) => ({
            citations: byId.get(revisionId)?.citations.get(path) ?? [],
          })),
        ),
      ]),
    ),
  };
}

function compareInstants(a: string, b: string): number {
  return compareText(instantSortKey(a), instantSortKey(b)) || compareText(a, b);
}
