import type { Source } from '../../vocabulary/sources.ts';
import { needsPermission, type PublicationOutline, type RevisionOutline } from './outline.ts';

export const PERMITTED_SURFACES = ['rest-json', 'csv', 'jsonld', 'mcp', 'page', 'markdown'] as const;
export type PermittedSurface = (typeof PERMITTED_SURFACES)[number];

/** A row is only ever added: the last one about a source and a surface holds. */
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

/** REIT-04: where every revision of the snapshot may be shown. No row is no permission. */
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
  const lastOf = (speaks: (subject: Permission['subject']) => boolean) =>
    rows.findLastIndex((row) => (row.surface === surface || row.surface === 'all') && speaks(row.subject));
  // The most specific first.
  const last = [
    lastOf((subject) => 'publicationId' in subject && subject.publicationId === publicationId),
    lastOf((subject) => 'lineageId' in subject && subject.lineageId === lineageId && subject.issuerId === issuer.id),
    lastOf((subject) => 'source' in subject && subject.source === source),
  ];
  const own = last.findIndex((row) => row >= 0);
  // The most specific rule decides, but a later denial of the lineage or of the whole source reaches it too.
  return own >= 0 && last.slice(own).every((row) => row < (last[own] ?? 0) || rows[row]?.verdict === 'allow');
}
