import type { FailureOf } from '../../vocabulary/failure.ts';
import { fail, ok, type Result } from '../../vocabulary/result.ts';
import { normaliseAlias, propertyCodeKey } from '../../vocabulary/text.ts';
import type { PublicationOutline } from './outline.ts';
import {
  dataReviewHash,
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

/** What a command adds: to this publication, and to others in the same transaction. */
interface Transition {
  events: LifeEvent[];
  others: { id: string; event: LifeEvent }[];
}

type Decision = Result<Transition, CommandRefusal>;

const adds = (...events: LifeEvent[]): Decision => ok({ events, others: [] });
const refuse = (reason: string): Decision => fail(refusal(reason));

const WITHDRAWN = 'it is withdrawn for good: compose its bundle again with --supersedes and its id';

/** The life of a publication: what a command does to it, or why it is refused and changes nothing. */
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
  if (isBlankText(by)) return refuse('say who reviewed it, with --by');
  if (isBlankText(note)) return refuse('say what was looked at, with --note');
  if (state === 'withdrawn') return refuse(WITHDRAWN);
  const isActive = state === 'accepted' || state === 'suspended';
  // What was accepted under the rules of its time stays so, and its match can be reviewed again.
  if (facts.findings.length > 0 && !isActive) {
    return refuse('findings block it: correct the bundle and compose it again');
  }
  const seen = review === 'data' ? dataReviewHash(facts) : matchReviewHash(facts);
  if (seen === undefined && verdict === 'pass') {
    return refuse('a building of its matches is not live: match the one that is known now, and compose it again');
  }
  const reviewed: LifeEvent = { type: 'reviewed', review, verdict, by, note, at, seen: seen ?? '' };
  const checked: LifeEvent[] = events.some(({ type }) => type === 'checked') ? [] : [{ type: 'checked', at }];
  if (!isActive || verdict === 'pass') return adds(...checked, reviewed);
  // What is wrong for good cannot stay: its bytes never change, and its match is to another building or none.
  return adds(reviewed, { type: 'withdrawn', by, reason: `${review} review rejected: ${note}`, at });
}

function activate(
  events: readonly LifeEvent[],
  { id, by, at, predecessors }: LifeCommand & { type: 'activate' },
  { state, data, match, permission }: PublicationStatus,
): Decision {
  if (isBlankText(by)) return refuse('say who activates it, with --by');
  switch (state) {
    case 'draft':
      return refuse('it is a draft: it needs a data review, a match review and permission');
    case 'blocked':
      return refuse('findings block it: correct the bundle and compose it again');
    case 'inReview': {
      const missing = [
        ...(data === 'passed' ? [] : [`data review ${data}`]),
        ...(match === 'passed' ? [] : [`match review ${match}`]),
        ...(permission === 'passed' ? [] : ['no surface on which every source is allowed']),
      ];
      return refuse(`not all checks are passed: ${missing.join(', ')}`);
    }
    case 'accepted':
      return refuse('it is accepted already');
    case 'suspended':
      return refuse('it is suspended: review its match again');
    case 'withdrawn':
      return refuse(WITHDRAWN);
    case 'reviewed':
      break;
  }
  if (reviewersOf(events).has(normaliseAlias(by))) return refuse('whoever passed a review may not activate it');
  const replaced: LifeEvent = { type: 'withdrawn', by, reason: `replaced by ${id}`, at };
  return ok({
    events: [{ type: 'activated', by, at }],
    others: predecessors.filter((other) => other !== id).map((other) => ({ id: other, event: replaced })),
  });
}

/** Everyone who ever passed either review; a name is one however it is spaced or capitalised. */
function reviewersOf(events: readonly LifeEvent[]): Set<string> {
  return new Set(
    events.flatMap((event) => (event.type === 'reviewed' && event.verdict === 'pass' ? normaliseAlias(event.by) : [])),
  );
}

function withdraw({ by, reason, at }: LifeCommand & { type: 'withdraw' }, { state }: PublicationStatus): Decision {
  if (isBlankText(by)) return refuse('say who withdraws it, with --by');
  if (isBlankText(reason)) return refuse('a withdrawal needs its reason');
  if (state === 'withdrawn') return refuse('it is withdrawn already');
  if (state !== 'accepted' && state !== 'suspended')
    return refuse('it is not accepted, so there is nothing to withdraw');
  return adds({ type: 'withdrawn', by, reason, at });
}

/** What a new version of its buildings does to an active publication; kept, so that it stays so (REIT-10). */
export function recheckEvents(events: readonly LifeEvent[], facts: PublicationFacts, at: string): LifeEvent[] {
  const isActive = events.some(({ type }) => type === 'activated') && !events.some(({ type }) => type === 'withdrawn');
  if (!isActive) return [];
  const [gone] = removedBuildings(facts);
  if (gone !== undefined) {
    return [{ type: 'withdrawn', by: 'registry', reason: `${gone} is ${facts.anchors.get(gone)?.lifecycle}`, at }];
  }
  const { state } = statusOf(events, facts);
  const isKnown = matchReviewHash(facts) !== undefined;
  if (state !== 'suspended' || isSuspended(events) || !isKnown) return [];
  return [{ type: 'suspended', reason: 'the anchors of a matched building changed', at }];
}

/** One publication per property of an issuer. Filings write a code in either width and case: Ａ-01, A-01, a-01. */
export function isSameProperty(
  a: Pick<PublicationOutline, 'issuer' | 'holdings'>,
  b: Pick<PublicationOutline, 'issuer' | 'holdings'>,
): boolean {
  if (a.issuer.id !== b.issuer.id) return false;
  const codes = new Set(a.holdings.map(({ propertyCode }) => propertyCodeKey(propertyCode)));
  return b.holdings.some(({ propertyCode }) => codes.has(propertyCodeKey(propertyCode)));
}

/** A command that changes nothing, and why. */
export type CommandRefusal = FailureOf<'refused'>;

export const refusal = (reason: string): CommandRefusal => ({ kind: 'refused', reason });

export const isBlankText = (text: string): boolean => !/\S/.test(text);
