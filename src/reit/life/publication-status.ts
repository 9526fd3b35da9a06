import { type Anchors, anchorHash } from '../publication/anchors.ts';
import { canonicalJson, compareText, sha256 } from '../publication/canonical-json.ts';
import type { Finding } from '../publication/findings.ts';
import type { PublicationOutline } from './outline.ts';
import { allowedSurfaces, type Permission, type PermittedSurface } from './permissions.ts';

export type Review = 'data' | 'match';
export type ReviewVerdict = 'pass' | 'reject';

/** What happened to a publication, in order: who, when and why. Not part of the document. */
export type LifeEvent =
  | { type: 'checked'; at: string }
  | {
      type: 'reviewed';
      review: Review;
      verdict: ReviewVerdict;
      by: string;
      note: string;
      at: string;
      /** Hash of the reviewed heads or anchors. When they change, the review no longer counts. */
      seen: string;
    }
  | { type: 'activated'; by: string; at: string }
  | { type: 'suspended'; reason: string; at: string }
  | { type: 'withdrawn'; by: string; reason: string; at: string };

type PublicationState = 'draft' | 'blocked' | 'inReview' | 'reviewed' | 'accepted' | 'suspended' | 'withdrawn';
type CheckResult = 'passed' | 'pending' | 'rejected';

/** The current facts outside the publication's own events. */
export interface PublicationFacts {
  publicationId: string;
  document: PublicationOutline;
  findings: readonly Finding[];
  /** The newest head known of each lineage of the issuer (latestHeads). */
  heads: ReadonlyMap<string, string>;
  /** By building ID. An unknown building means not served. */
  anchors: ReadonlyMap<string, Anchors>;
  /** In the order in which they were added. */
  permissions: readonly Permission[];
}

/** The facts for an active publication. Findings and heads no longer matter after its reviews. */
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
  /** The surfaces on which all of its sources are allowed. */
  allowed: readonly PermittedSurface[];
  /** The surfaces that serve it now: none unless it is accepted (REIT-09). */
  served: readonly PermittedSurface[];
}

export function statusOf(events: readonly LifeEvent[], facts: PublicationFacts): PublicationStatus {
  const allowed = allowedSurfaces(facts.document, facts.permissions, facts.publicationId);
  const data = reviewResult(events, 'data', dataReviewHash(facts));
  const match = reviewResult(events, 'match', matchReviewHash(facts));
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

/** Whether it was activated and not withdrawn. */
export function isActive(events: readonly LifeEvent[]): boolean {
  return events.some(({ type }) => type === 'activated') && !events.some(({ type }) => type === 'withdrawn');
}

/** REIT-10: a suspension lasts until the match is reviewed again, even if the anchors change back. */
export function isSuspended(events: readonly LifeEvent[]): boolean {
  const suspended = events.findLastIndex(({ type }) => type === 'suspended');
  return suspended > events.findLastIndex((event) => isReview(event, 'match') && event.verdict === 'pass');
}

/** The last review decides, as long as what it covered is unchanged. */
function reviewResult(events: readonly LifeEvent[], review: Review, seen: string | undefined): CheckResult {
  const last = events.findLast((event) => isReview(event, review));
  if (last === undefined) return 'pending';
  if (last.verdict === 'reject') return 'rejected';
  return seen !== undefined && last.seen === seen ? 'passed' : 'pending';
}

function isReview(event: LifeEvent, review: Review): event is LifeEvent & { type: 'reviewed' } {
  return event.type === 'reviewed' && event.review === review;
}

/** Hash of what a data review covers: the newest known head of each lineage. */
export function dataReviewHash({ document, heads }: PublicationFacts): string {
  const current = document.revisionHeads.map(({ lineageId, revisionId }) => [
    lineageId,
    heads.get(lineageId) ?? revisionId,
  ]);
  return sha256(canonicalJson(current));
}

/** Hash of what a match review covers: the anchors. Undefined if a building is unknown or not live. */
export function matchReviewHash({ document, anchors }: PublicationFacts): string | undefined {
  const buildings = [...new Set(document.buildingMatches.map(({ buildingId }) => buildingId))].sort(compareText);
  const current = buildings.map((id) => anchors.get(id));
  if (current.some((building) => building?.lifecycle !== 'live')) return undefined;
  return sha256(canonicalJson((current as Anchors[]).map(anchorHash)));
}

/** The matched buildings that were merged or retired. */
export function removedBuildings({ document, anchors }: PublicationFacts): string[] {
  const ids = document.buildingMatches.map(({ buildingId }) => buildingId);
  return [...new Set(ids)].filter((id) => {
    const lifecycle = anchors.get(id)?.lifecycle;
    return lifecycle === 'merged' || lifecycle === 'retired';
  });
}

/**
 * The newest known head of each lineage of a document. A stored document of the issuer that corrects a head moves it; one
 * with unrelated revisions does not.
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
