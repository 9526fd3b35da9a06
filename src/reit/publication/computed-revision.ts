import { fieldPath } from '../../vocabulary/reit-metrics.ts';
import { instantSortKey } from '../../vocabulary/time.ts';
import { byTexts, canonicalJson, compareText, sha256 } from './canonical-json.ts';
import { COMPUTED_PREFIX } from './check-references.ts';
import type { Derivation } from './derive.ts';
import { type FoldedRevision, joinCitations } from './fold-revision.ts';
import type { Group } from './group.ts';

/**
 * REIT-13: the revision that holds what was derived, so that every revisionId resolves. It is as old as the newest of its
 * inputs, is read where that is, and cites what they cite. Undefined where nothing was derived.
 */
export function computedRevision(
  issuerId: string,
  derived: readonly { group: Group; derivations: readonly Derivation[] }[],
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
