import type { Source } from '../../vocabulary/sources.ts';
import { needsPermission, type PublicationOutline, type RevisionOutline } from './outline.ts';

export const PERMITTED_SURFACES = ['rest-json', 'csv', 'jsonld', 'mcp', 'page', 'markdown'] as const;
export type PermittedSurface = (typeof PERMITTED_SURFACES)[number];

/** Rows are only added; the last one for a subject and a surface applies. */
export interface Permission {
  subject: { source: Source } | { issuerId: string; lineageId: string } | { publicationId: string };
  surface: PermittedSurface | 'all';
  verdict: 'allow' | 'deny';
  basis: string;
  by: string;
  at: string;
}

export function isSurface(text: string): text is PermittedSurface {
  return (PERMITTED_SURFACES as readonly string[]).includes(text);
}

/** REIT-04: the surfaces on which every revision is allowed. Without a row there is no permission. */
export function allowedSurfaces(
  document: PublicationOutline,
  rows: readonly Permission[],
  publicationId?: string,
): PermittedSurface[] {
  const needed = document.sourceRevisions.filter(needsPermission);
  if (needed.length === 0) return [];
  return PERMITTED_SURFACES.filter((surface) =>
    needed.every((revision) => isAllowed(document, revision, surface, rows, publicationId)),
  );
}

function isAllowed(
  { issuer }: PublicationOutline,
  { source, lineageId }: RevisionOutline,
  surface: PermittedSurface,
  rows: readonly Permission[],
  publicationId: string | undefined,
): boolean {
  const lastOf = (applies: (subject: Permission['subject']) => boolean) =>
    rows.findLastIndex((row) => (row.surface === surface || row.surface === 'all') && applies(row.subject));
  // From the most specific subject to the least specific.
  const last = [
    lastOf((subject) => 'publicationId' in subject && subject.publicationId === publicationId),
    lastOf((subject) => 'lineageId' in subject && subject.lineageId === lineageId && subject.issuerId === issuer.id),
    lastOf((subject) => 'source' in subject && subject.source === source),
  ];
  const own = last.findIndex((row) => row >= 0);
  // The most specific row decides, but a later denial of the lineage or the source overrides it.
  return own >= 0 && last.slice(own).every((row) => row < (last[own] ?? 0) || rows[row]?.verdict === 'allow');
}
