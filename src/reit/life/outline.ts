import type { BundleMatch, Holding } from '../publication/bundle.ts';
import type { Document, SourceRevision } from '../publication/document.ts';
import { abstains } from '../publication/measure.ts';

export type RevisionOutline = Pick<SourceRevision, 'id' | 'lineageId' | 'source' | 'supersedes' | 'fields'>;

/** What of a document decides where it is served, kept beside it so that a read need not parse the whole. */
export interface PublicationOutline {
  issuer: { id: string };
  holdings: readonly Pick<Holding, 'propertyCode'>[];
  revisionHeads: Document['revisionHeads'];
  buildingMatches: readonly Pick<BundleMatch, 'buildingId'>[];
  sourceRevisions: readonly RevisionOutline[];
}

export function publicationOutline({
  issuer,
  holdings,
  revisionHeads,
  buildingMatches,
  sourceRevisions,
}: Document): PublicationOutline {
  return {
    issuer: { id: issuer.id },
    holdings: holdings.map(({ propertyCode }) => ({ propertyCode })),
    revisionHeads,
    buildingMatches: buildingMatches.map(({ buildingId }) => ({ buildingId })),
    sourceRevisions: sourceRevisions.map(({ id, lineageId, source, supersedes, fields }) => ({
      ...{ id, lineageId, source, supersedes },
      // Only of dnk it matters what it says: the rest of its fields is in the document.
      fields: source === 'dnk' && needsPermission({ source, fields }) ? fields : {},
    })),
  };
}

export function buildingsOf({ buildingMatches }: Pick<PublicationOutline, 'buildingMatches'>): string[] {
  return [...new Set(buildingMatches.map(({ buildingId }) => buildingId))];
}

/** What is derived is allowed where its inputs are, which the snapshot holds; dnk can vouch for nothing else. */
export function needsPermission({ source, fields }: Pick<RevisionOutline, 'source' | 'fields'>): boolean {
  return source !== 'dnk' || Object.values(fields).some((value) => !abstains(value) && value.state !== 'derived');
}
