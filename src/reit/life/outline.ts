import type { BundleMatch, Holding } from '../publication/bundle.ts';
import type { Document, SourceRevision } from '../publication/document.ts';
import { abstains } from '../publication/measure.ts';

export type RevisionOutline = Pick<SourceRevision, 'id' | 'lineageId' | 'source' | 'supersedes' | 'fields'>;

/** The parts of a document that decide where it is served. Stored beside it, so that a read does not parse the whole. */
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
      // The fields matter only for a computed revision that is not purely derived (needsPermission).
      fields: source === 'dnk' && needsPermission({ source, fields }) ? fields : {},
    })),
  };
}

export function buildingsOf({ buildingMatches }: Pick<PublicationOutline, 'buildingMatches'>): string[] {
  return [...new Set(buildingMatches.map(({ buildingId }) => buildingId))];
}

/** Derived values are allowed where their inputs are. Anything else in a dnk revision has no permission of its own. */
export function needsPermission({ source, fields }: Pick<RevisionOutline, 'source' | 'fields'>): boolean {
  return source !== 'dnk' || Object.values(fields).some((value) => !abstains(value) && value.state !== 'derived');
}
