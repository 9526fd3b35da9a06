import { type Anchors, anchorHash } from '../publication/anchors.ts';
import { canonicalJson, compareText, sha256 } from '../publication/canonical-json.ts';
import type { Finding } from '../publication/findings.ts';
import type { PublicationOutline } from './outline.ts';
import { allowedSurfaces, type Permission, type PermittedSurface } from './permissions.ts';

export type Review = 'data' | 'match';
export type ReviewVerdict = 'pass' | 'reject';

/** What is kept of a publication's life, in order: who, when and why. None of it is in the document. */
export type LifeEvent =
  | { type: 'checked'; at: string }
  | {
      type: 'reviewed';
      review: Review;
      verdict: ReviewVerdict;
      by: string;
      note: string;
      at: string;
      /** What the reviewer looked at: the heads, or the anchors. When that changes, the review no longer holds. */
      seen: string;
    }
  | { type: 'activated'; by: string; at: string }
  | { type: 'suspended'; reason: string; at: string }
  | { type: 'withdrawn'; by: string; reason: string; at: string };

type PublicationState = 'draft' | 'blocked' | 'inReview' | 'reviewed' | 'accepted' | 'suspended' | 'withdrawn';
type CheckResult = 'passed' | 'pending' | 'rejected';

/** What holds now, apart from the publication's own life. */
export interface PublicationFacts {
  publicationId: string;
  document: PublicationOutline;
  findings: readonly Finding[];
  /** The newest head known of each lineage of the issuer (latestHeads). */
  heads: ReadonlyMap<string, string>;
  /** By building ID. What is not there is not known, and a doubt hides. */
  anchors: ReadonlyMap<string, Anchors>;
  /** In the order in which they were added. */
  permissions: readonly Permission[];
}

/** What decides about an active publication: it was checked when it was reviewed, so that findings and heads no longer matter. */
export function factsOfActive(
  { id, outline }: { id: string; outline: PublicationOutline },
  anchors: PublicationFacts['anchors'],
  permissions: PublicationFacts['permissions'],
): PublicationFacts {
  return { publicationId: id, document: outline, findings: [], heads: new Map(), anchors, permissions };
}

export interface PublicationStatus {
  state: PublicationState;
  data: CheckResult;
  match: CheckResult;
  permission: CheckResult;
  /** Where its sources may be shown. */
  allowed: readonly PermittedSurface[];
  /** Where it is served now: nowhere unless it is accepted (REIT-09). */
  served: readonly PermittedSurface[];
}

export function statusOf(events: readonly LifeEvent[], facts: PublicationFacts): PublicationStatus {
  const allowed = allowedSurfaces(facts.document, facts.permissions, facts.publicationId);
  const data = checkOf(events, 'data', dataReviewHash(facts));
  const match = checkOf(events, 'match', matchReviewHash(facts));
  const permission: CheckResult = allowed.length > 0 ? 'passed' : 'pending';
  const state = stateOf(events, facts, { data, match, permission });
  return { state, data, match, permission, allowed, served: state === 'accepted' ? allowed : [] };
}

function stateOf(
  events: readonly LifeEvent[],
  facts: PublicationFacts,
  checks: Pick<PublicationStatus, 'data' | 'match' | 'permission'>,
): PublicationState {
  if (events.some(({ type }) => type === 'withdrawn')) return 'withdrawn';
  if (events.some(({ type }) => type === 'activated')) {
    if (removedBuildings(facts).length > 0) return 'withdrawn';
    return checks.match === 'passed' && !isSuspended(events) ? 'accepted' : 'suspended';
  }
  if (!events.some(({ type }) => type === 'checked')) return 'draft';
  if (facts.findings.length > 0) return 'blocked';
  return Object.values(checks).every((check) => check === 'passed') ? 'reviewed' : 'inReview';
}

/** REIT-10: once suspended it stays so until the match is reviewed again, also where the anchors go back. */
export function isSuspended(events: readonly LifeEvent[]): boolean {
  const suspended = events.findLastIndex(({ type }) => type === 'suspended');
  return suspended > events.findLastIndex((event) => isReview(event, 'match') && event.verdict === 'pass');
}

/** The last review decides, as long as what it looked at is what there is. */
function checkOf(events: readonly LifeEvent[], review: Review, seen: string | undefined): CheckResult {
  const last = events.findLast((event) => isReview(event, review));
  if (last === undefined) return 'pending';
  if (last.verdict === 'reject') return 'rejected';
  return seen !== undefined && last.seen === seen ? 'passed' : 'pending';
}

function isReview(event: LifeEvent, review: Review): event is LifeEvent & { type: 'reviewed' } {
  return event.type === 'reviewed' && event.review === review;
}

/** What a data review looks at: which revision is the head of each lineage, as far as is known. */
export function dataReviewHash({ document, heads }: PublicationFacts): string {
  const current = document.revisionHeads.map(({ lineageId, revisionId }) => [
    lineageId,
    heads.get(lineageId) ?? revisionId,
  ]);
  return sha256(canonicalJson(current));
}

/** What a match review looks at; undefined where a building is not known or is no more. */
export function matchReviewHash({ document, anchors }: PublicationFacts): string | undefined {
  const buildings = [...new Set(document.buildingMatches.map(({ buildingId }) => buildingId))].sort(compareText);
  const current = buildings.map((id) => anchors.get(id));
  if (current.some((found) => found?.lifecycle !== 'live')) return undefined;
  return sha256(canonicalJson((current as Anchors[]).map(anchorHash)));
}

/** Buildings of its matches that were merged or retired. */
export function removedBuildings({ document, anchors }: PublicationFacts): string[] {
  const ids = document.buildingMatches.map(({ buildingId }) => buildingId);
  return [...new Set(ids)].filter((id) => {
    const lifecycle = anchors.get(id)?.lifecycle;
    return lifecycle === 'merged' || lifecycle === 'retired';
  });
}

/**
 * The newest head known of each lineage of a document: where a kept document of the issuer corrects its head, that one.
 * Another document that only has other revisions changes nothing.
 */
export function latestHeads(document: PublicationOutline, kept: readonly PublicationOutline[]): Map<string, string> {
  const corrections = Map.groupBy(
    kept.filter(({ issuer }) => issuer.id === document.issuer.id).flatMap(({ sourceRevisions }) => sourceRevisions),
    ({ lineageId, supersedes }) => canonicalJson([lineageId, supersedes]),
  );
  const newest = (lineageId: string, id: string, passed: ReadonlySet<string>): string[] => {
    const later = corrections.get(canonicalJson([lineageId, id])) ?? [];
    const next = [...new Set(later.map((revision) => revision.id))].filter((other) => !passed.has(other));
    return next.length === 0 ? [id] : next.flatMap((other) => newest(lineageId, other, new Set([...passed, other])));
  };
  return new Map(
    document.revisionHeads.map(({ lineageId, revisionId }) => {
      const heads = new Set(newest(lineageId, revisionId, new Set([revisionId])));
      return [lineageId, [...heads].sort(compareText).join(' ')];
    }),
  );
}
