import { fail, ok, type Result } from '../../vocabulary/result.ts';
import { isSource, type Source } from '../../vocabulary/sources.ts';
import { abstains } from '../publication/measure.ts';
import type { PublicationOutline, RevisionOutline } from '../publication/outline.ts';
import { type CommandRefusal, isBlankText, refusal } from './refusal.ts';

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

/** A row as an operator asks for it. */
export function permit(asked: {
  verdict: 'allow' | 'deny';
  source: string;
  surface: string;
  basis: string;
  by: string;
  at: string;
}): Result<Permission, CommandRefusal> {
  const { verdict, source, surface, basis, by, at } = asked;
  if (!isSource(source)) return fail(refusal('no such source: name one of the registry’s, such as edinet'));
  if (source === 'dnk') return fail(refusal('dnk is what the service computes: it is allowed where its inputs are'));
  if (surface !== 'all' && !isSurface(surface)) {
    return fail(refusal(`no such surface: use one of ${PERMITTED_SURFACES.join(', ')}, or all`));
  }
  if (isBlankText(basis)) return fail(refusal('a permission needs its basis: say on what it rests'));
  if (isBlankText(by)) return fail(refusal('say who decides, with --by'));
  return ok({ subject: { source }, surface, verdict, basis, by, at });
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

/** What is derived is allowed where its inputs are, which the snapshot holds; dnk can vouch for nothing else. */
export function needsPermission({ source, fields }: Pick<RevisionOutline, 'source' | 'fields'>): boolean {
  return source !== 'dnk' || Object.values(fields).some((value) => !abstains(value) && value.state !== 'derived');
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
