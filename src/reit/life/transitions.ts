import type { FailureOf } from '../../vocabulary/failure.ts';
import { fail, ok, type Result } from '../../vocabulary/result.ts';
import { normaliseAlias, propertyCodeKey } from '../../vocabulary/text.ts';
import type { PublicationOutline } from './outline.ts';
import {
  dataReviewHash,
  isActive,
  isSuspended,
  type LifeEvent,
  matchReviewHash,
  type PublicationFacts,
  type PublicationStatus,
  type Review,
  type ReviewVerdict,
  removedBuildings,
  statusOf,
} from './publication-status.ts';

export type LifeCommand =
  | { type: 'check'; at: string }
  | { type: 'review'; review: Review; verdict: ReviewVerdict; by: string; note: string; at: string }
  | {
      type: 'activate';
      id: string;
      by: string;
      at: string /** Accepted or suspended ones of the same property. */;
      predecessors: readonly string[];
    }
  | { type: 'withdraw'; by: string; reason: string; at: string };

/** The events that a command adds to this publication, and to others in the same transaction. */
interface Transition {
  events: LifeEvent[];
  others: { id: string; event: LifeEvent }[];
}

type Decision = Result<Transition, CommandRefusal>;

const adds = (...events: LifeEvent[]): Decision => ok({ events, others: [] });
const refuse = (reason: string): Decision => fail(refusal(reason));

const WITHDRAWN = 'it is withdrawn and cannot return; compose its bundle again with --supersedes and its ID';

/** Decides what a command changes, or why it is refused. */
export function decideTransition(
  events: readonly LifeEvent[],
  command: LifeCommand,
  facts: PublicationFacts,
): Decision {
  const status = statusOf(events, facts);
  switch (command.type) {
    case 'check':
      return status.state === 'draft' ? adds({ type: 'checked', at: command.at }) : adds();
    case 'review':
      return review(events, command, facts, status);
    case 'activate':
      return activate(events, command, status);
    case 'withdraw':
      return withdraw(command, status);
  }
}

function review(
  events: readonly LifeEvent[],
  { review, verdict, by, note, at }: LifeCommand & { type: 'review' },
  facts: PublicationFacts,
  { state }: PublicationStatus,
): Decision {
  if (isBlankText(by)) return refuse('give the name of the reviewer with --by');
  if (isBlankText(note)) return refuse('describe what was reviewed with --note');
  if (state === 'withdrawn') return refuse(WITHDRAWN);
  const wasActivated = state === 'accepted' || state === 'suspended';
  // An active publication passed the checks of its time, and its match can be reviewed again.
  if (facts.findings.length > 0 && !wasActivated) {
    return refuse('findings block it; correct the bundle and compose it again');
  }
  const seen = review === 'data' ? dataReviewHash(facts) : matchReviewHash(facts);
  if (seen === undefined && verdict === 'pass') {
    return refuse('a matched building is no longer live; match the building that took its place and compose it again');
  }
  const reviewed: LifeEvent = { type: 'reviewed', review, verdict, by, note, at, seen: seen ?? '' };
  const checked: LifeEvent[] = events.some(({ type }) => type === 'checked') ? [] : [{ type: 'checked', at }];
  if (!wasActivated || verdict === 'pass') return adds(...checked, reviewed);
  // A rejected active publication is withdrawn: its bytes and its match can never change.
  return adds(reviewed, { type: 'withdrawn', by, reason: `${review} review rejected: ${note}`, at });
}

function activate(
  events: readonly LifeEvent[],
  { id, by, at, predecessors }: LifeCommand & { type: 'activate' },
  { state, data, match, permission }: PublicationStatus,
): Decision {
  if (isBlankText(by)) return refuse('give the name of the person who activates it with --by');
  switch (state) {
    case 'draft':
      return refuse('it is a draft; it needs a data review, a match review and permission');
    case 'blocked':
      return refuse('findings block it; correct the bundle and compose it again');
    case 'inReview': {
      const missing = [
        ...(data === 'passed' ? [] : [`data review ${data}`]),
        ...(match === 'passed' ? [] : [`match review ${match}`]),
        ...(permission === 'passed' ? [] : ['no surface allows all of its sources']),
      ];
      return refuse(`not all checks have passed: ${missing.join(', ')}`);
    }
    case 'accepted':
      return refuse('it is already accepted');
    case 'suspended':
      return refuse('it is suspended; review its match again');
    case 'withdrawn':
      return refuse(WITHDRAWN);
    case 'reviewed':
      break;
  }
  if (reviewersOf(events).has(normaliseAlias(by)))
    return refuse('a person who passed a review of it may not activate it');
  const replaced: LifeEvent = { type: 'withdrawn', by, reason: `replaced by ${id}`, at };
  return ok({
    events: [{ type: 'activated', by, at }],
    others: predecessors.filter((other) => other !== id).map((other) => ({ id: other, event: replaced })),
  });
}

/** Everyone who ever passed a review. Names are compared without regard to spacing and case. */
function reviewersOf(events: readonly LifeEvent[]): Set<string> {
  return new Set(
    events.flatMap((event) => (event.type === 'reviewed' && event.verdict === 'pass' ? normaliseAlias(event.by) : [])),
  );
}

function withdraw({ by, reason, at }: LifeCommand & { type: 'withdraw' }, { state }: PublicationStatus): Decision {
  if (isBlankText(by)) return refuse('give the name of the person who withdraws it with --by');
  if (isBlankText(reason)) return refuse('a withdrawal needs a reason');
  if (state === 'withdrawn') return refuse('it is already withdrawn');
  if (state !== 'accepted' && state !== 'suspended')
    return refuse('it is not accepted, so there is nothing to withdraw');
  return adds({ type: 'withdrawn', by, reason, at });
}

/** REIT-10: the events that a change of its buildings causes for an active publication. */
export function recheckEvents(events: readonly LifeEvent[], facts: PublicationFacts, at: string): LifeEvent[] {
  if (!isActive(events)) return [];
  const [removed] = removedBuildings(facts);
  if (removed !== undefined) {
    return [
      { type: 'withdrawn', by: 'registry', reason: `${removed} is ${facts.anchors.get(removed)?.lifecycle}`, at },
    ];
  }
  const { state } = statusOf(events, facts);
  const isKnown = matchReviewHash(facts) !== undefined;
  if (state !== 'suspended' || isSuspended(events) || !isKnown) return [];
  return [{ type: 'suspended', reason: 'the anchors of a matched building changed', at }];
}

/** Compares properties by issuer and code, regardless of width and case: Ａ-01, A-01, a-01. */
export function isSameProperty(
  a: Pick<PublicationOutline, 'issuer' | 'holdings'>,
  b: Pick<PublicationOutline, 'issuer' | 'holdings'>,
): boolean {
  if (a.issuer.id !== b.issuer.id) return false;
  const codes = new Set(a.holdings.map(({ propertyCode }) => propertyCodeKey(propertyCode)));
  return b.holdings.some(({ propertyCode }) => codes.has(propertyCodeKey(propertyCode)));
}

/** Why a command was refused and changed nothing. */
export type CommandRefusal = FailureOf<'refused'>;

export const refusal = (reason: string): CommandRefusal => ({ kind: 'refused', reason });

export const isBlankText = (text: string): boolean => !/\S/.test(text);
