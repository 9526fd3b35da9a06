import { splitFieldPath } from '../../vocabulary/reit-metrics.ts';
import type { Citation } from './bundle.ts';
import { byTexts } from './canonical-json.ts';
import type { Document } from './document.ts';

/** The holdings that are matched to a building. */
export function holdingsAt({ holdings, buildingMatches }: Document, buildingId: string): Document['holdings'] {
  const matched = new Set(buildingMatches.filter((m) => m.buildingId === buildingId).map((m) => m.holdingId));
  return holdings.filter(({ id }) => matched.has(id));
}

/** AGR-09: the citations of an observation, by revision and field path. */
export function citationsByField({ fieldCitations }: Document): (revisionId: string, path: string) => Citation[] {
  const byField = new Map(fieldCitations.map((field) => [`${field.revisionId} ${field.path}`, field.citations]));
  return (revisionId, path) => byField.get(`${revisionId} ${path}`) ?? [];
}

export function distinctCitations(citations: readonly Citation[]): Citation[] {
  const distinct = new Map(
    citations.map((citation) => [JSON.stringify([citation.sourceUrl, citation.locator]), citation]),
  );
  return [...distinct.values()].sort(
    byTexts(
      ({ sourceUrl }) => sourceUrl,
      ({ locator }) => locator,
    ),
  );
}

/** REIT-14: everything cited for the holdings matched to a building, their transactions and ownership included. */
export function citationsAt(document: Document, buildingId: string): Citation[] {
  const matched = new Set(holdingsAt(document, buildingId).map(({ id }) => id));
  const urls = new Map(document.sourceRevisions.map(({ id, sourceUrl }) => [id, sourceUrl]));
  const ofFields = document.fieldCitations
    .filter(({ path }) => matched.has(splitFieldPath(path)?.holdingId ?? ''))
    .flatMap(({ citations }) => citations);
  const ofRecords = [...document.transactions, ...document.ownership]
    .filter(({ holdingId }) => matched.has(holdingId))
    .flatMap(({ evidence }) => evidence)
    .flatMap(({ revisionId, locator }) => {
      const sourceUrl = urls.get(revisionId);
      return sourceUrl === undefined ? [] : [{ sourceUrl, locator }];
    });
  return distinctCitations([...ofFields, ...ofRecords]);
}
