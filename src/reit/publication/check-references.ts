import { faultInText } from '../../vocabulary/fields.ts';
import { isMetric, splitFieldPath } from '../../vocabulary/reit-metrics.ts';
import { parseInstant } from '../../vocabulary/time.ts';
import { type BundleFault, type Fraction, fault, pointerStep, type RawBundle } from './bundle.ts';
import { compareText } from './canonical-json.ts';
import { isDay } from './periods.ts';
import { COMPUTED_PREFIX } from './revisions.ts';

/** Checks what a schema cannot: texts, days, shares, IDs and references. */
export function faultsInReferences(bundle: RawBundle): BundleFault[] {
  return [
    ...faultsInTexts(bundle, ''),
    ...faultsInIds(bundle),
    ...faultsInPeriods(bundle.periods),
    ...faultsInHoldings(bundle),
    ...faultsInRevisions(bundle),
    ...faultsInMatches(bundle),
    ...faultsInRecords(bundle),
  ];
}

function faultsInIds(bundle: RawBundle): BundleFault[] {
  const lists = ['holdings', 'periods', 'sourceRevisions', 'transactions', 'ownership'] as const;
  const twice = lists.flatMap((list) => {
    const seen = new Set<string>();
    return bundle[list].flatMap(({ id }, index) => {
      if (!seen.has(id)) return seen.add(id) && [];
      return [fault(`/${list}${pointerStep(index)}/id`, 'is used twice', 'give every entry its own ID')];
    });
  });
  const reserved = bundle.sourceRevisions.flatMap((revision, index) =>
    (['id', 'lineageId'] as const)
      .filter((key) => revision[key].startsWith(COMPUTED_PREFIX))
      .map((key) =>
        fault(`/sourceRevisions${pointerStep(index)}/${key}`, `begins with ${COMPUTED_PREFIX}`, 'use another ID'),
      ),
  );
  return [...twice, ...reserved];
}

function faultsInPeriods(periods: RawBundle['periods']): BundleFault[] {
  const faults = periods.flatMap((period, index) =>
    faultsInDays(period, ['startDate', 'endDate'], `/periods${pointerStep(index)}`),
  );
  if (faults.length > 0) return faults;
  const inOrder = periods
    .map((period, index) => ({ ...period, index }))
    .sort((a, b) => compareText(a.startDate, b.startDate) || a.index - b.index);
  return inOrder.flatMap(({ startDate, index }, i) => {
    const before = inOrder[i - 1];
    if (before === undefined || before.endDate < startDate) return [];
    return [
      fault(
        `/periods${pointerStep(index)}/startDate`,
        'lies inside another period',
        'give periods that do not overlap',
      ),
    ];
  });
}

function faultsInHoldings({ holdings }: RawBundle): BundleFault[] {
  return holdings.flatMap((holding, index) => {
    const at = `/holdings${pointerStep(index)}`;
    return [
      ...faultsInRange(holding, 'heldFrom', 'heldTo', at),
      ...faultsInShare(holding.interest.share, `${at}/interest/share`),
    ];
  });
}

function faultsInRevisions({ holdings, periods, sourceRevisions }: RawBundle): BundleFault[] {
  const [holdingIds, periodIds] = [new Set(holdings.map(({ id }) => id)), new Set(periods.map(({ id }) => id))];
  const faults = sourceRevisions.flatMap((revision, index) => {
    const at = `/sourceRevisions${pointerStep(index)}`;
    const paths = revision.fields.flatMap(({ path }, i) => {
      const where = `${at}/fields${pointerStep(i)}/path`;
      const parts = splitFieldPath(path);
      if (parts === undefined) return [fault(where, 'not a path', 'write /<holding id>/<period id>/<metric>')];
      if (!holdingIds.has(parts.holdingId))
        return [fault(where, 'names an unknown holding', 'name a holding of the bundle')];
      if (!periodIds.has(parts.periodId))
        return [fault(where, 'names an unknown period', 'name a period of the bundle')];
      return isMetric(parts.metric) ? [] : [fault(where, 'names an unknown metric', 'use a documented metric')];
    });
    return [...faultsInInstants(revision, ['publishedAt', 'retrievedAt'], at), ...paths];
  });
  return [...faults, ...faultsInLineages(sourceRevisions)];
}

/** Every holding is matched to exactly one building. */
function faultsInMatches({ holdings, matches }: RawBundle): BundleFault[] {
  const holdingIds = new Set(holdings.map(({ id }) => id));
  const matched = new Set<string>();
  const faults = matches.flatMap((match, index) => {
    const at = `/matches${pointerStep(index)}`;
    const found = faultsInInstants(match, ['reviewedAt'], at);
    const { holdingId } = match;
    if (!holdingIds.has(holdingId))
      found.push(fault(`${at}/holdingId`, 'names an unknown holding', 'name a holding of the bundle'));
    else if (matched.has(holdingId)) {
      found.push(fault(`${at}/holdingId`, 'is the second match of its holding', 'match each holding to one building'));
    }
    matched.add(holdingId);
    return found;
  });
  const unmatched = holdings.flatMap(({ id }, index) =>
    matched.has(id)
      ? []
      : [fault(`/holdings${pointerStep(index)}`, 'has no match to a building', 'add a match for it')],
  );
  return [...faults, ...unmatched];
}

function faultsInRecords({ holdings, transactions, ownership }: RawBundle): BundleFault[] {
  const holdingIds = new Set(holdings.map(({ id }) => id));
  const unknownHolding = (holdingId: string, at: string) =>
    holdingIds.has(holdingId)
      ? []
      : [fault(`${at}/holdingId`, 'names an unknown holding', 'name a holding of the bundle')];
  return [
    ...transactions.flatMap((transaction, index) => {
      const at = `/transactions${pointerStep(index)}`;
      const { holdingId, shareDelta, type } = transaction;
      return [
        ...unknownHolding(holdingId, at),
        ...faultsInDays(transaction, ['contractDate', 'deliveryDate'], at),
        ...faultsInShare(type === 'acquisition' ? shareDelta : magnitude(shareDelta), `${at}/shareDelta`),
      ];
    }),
    ...ownership.flatMap((row, index) => {
      const at = `/ownership${pointerStep(index)}`;
      return [
        ...unknownHolding(row.holdingId, at),
        ...faultsInRange(row, 'from', 'to', at),
        ...faultsInShare(row.share, `${at}/share`),
      ];
    }),
  ];
}

/** Databases cannot store NUL, and neither UTF-8 nor RFC 8785 can write a lone surrogate. */
function faultsInTexts(value: unknown, at: string): BundleFault[] {
  if (typeof value === 'string') {
    // A blank printed cell is valid: it becomes unresolved.
    const problem = at.endsWith('/printed') && value.trim() === '' ? undefined : faultInText(value);
    return problem === undefined ? [] : [fault(at, problem, 'give a text that can be stored')];
  }
  if (typeof value !== 'object' || value === null) return [];
  const entries = Array.isArray(value) ? value.map((item, i) => [i, item] as const) : Object.entries(value);
  return entries.flatMap(([key, member]) => faultsInTexts(member, at + pointerStep(key)));
}

function faultsInDays<K extends string>(item: Record<K, string | null>, keys: readonly K[], at: string): BundleFault[] {
  return keys.flatMap((key) => {
    const day = item[key];
    return day === null || isDay(day) ? [] : [fault(`${at}/${key}`, 'not a calendar day', 'write YYYY-MM-DD')];
  });
}

function faultsInRange<K extends string>(item: Record<K, string | null>, from: K, to: K, at: string): BundleFault[] {
  const bad = faultsInDays(item, [from, to], at);
  const [first, last] = [item[from], item[to]];
  if (bad.length > 0 || first === null || last === null || first <= last) return bad;
  return [fault(`${at}/${to}`, `comes before ${from}`, 'swap the two')];
}

function faultsInInstants<K extends string>(item: Record<K, string>, keys: readonly K[], at: string): BundleFault[] {
  return keys.flatMap((key) =>
    parseInstant(item[key]) === undefined
      ? [fault(`${at}/${key}`, 'not an instant', 'write ISO 8601 with a time zone, such as 2026-01-05T00:00:00Z')]
      : [],
  );
}

/** A share above one is accepted here; it blocks the draft as implausible (implausible.ts). */
function faultsInShare(share: Fraction | null, at: string): BundleFault[] {
  if (share === null || (share.numerator > 0 && share.denominator > 0)) return [];
  return [fault(at, 'not a positive share', 'write it as a fraction of the whole, such as 1 of 2')];
}

/** A disposed share may be negative. */
function magnitude(share: Fraction | null): Fraction | null {
  return share && { ...share, numerator: Math.abs(share.numerator) };
}

type Revisions = readonly Pick<RawBundle['sourceRevisions'][number], 'id' | 'lineageId' | 'supersedes'>[];

/** A correction supersedes a revision of its own lineage, and every lineage ends in one head. */
function faultsInLineages(revisions: Revisions): BundleFault[] {
  const byId = new Map(revisions.map((revision) => [revision.id, revision]));
  const faults: BundleFault[] = [];
  revisions.forEach(({ id, lineageId, supersedes }, index) => {
    const path = `/sourceRevisions${pointerStep(index)}/supersedes`;
    if (supersedes === null) return;
    const earlier = byId.get(supersedes);
    if (supersedes === id)
      faults.push(fault(path, 'names its own revision', 'name the revision that it corrects, or write null'));
    else if (earlier === undefined) {
      faults.push(fault(path, 'names an unknown revision', 'add that revision, or write null'));
    } else if (earlier.lineageId !== lineageId) {
      faults.push(
        fault(path, 'names a revision of another lineage', 'give both revisions the lineage of their document'),
      );
    }
  });
  return faults.length > 0 ? faults : faultsInHeads(revisions);
}

function faultsInHeads(revisions: Revisions): BundleFault[] {
  const superseded = new Set(revisions.map(({ supersedes }) => supersedes));
  const heads = Map.groupBy(
    revisions.filter(({ id }) => !superseded.has(id)),
    ({ lineageId }) => lineageId,
  );
  const faults: BundleFault[] = [];
  const seen = new Set<string>();
  revisions.forEach(({ lineageId }, index) => {
    if (seen.has(lineageId)) return;
    seen.add(lineageId);
    const count = heads.get(lineageId)?.length ?? 0;
    const path = `/sourceRevisions${pointerStep(index)}/lineageId`;
    if (count === 0)
      faults.push(
        fault(path, 'its revisions supersede each other in a circle', 'leave one revision that no other supersedes'),
      );
    if (count > 1) {
      faults.push(
        fault(
          path,
          'has several heads',
          'state which revision supersedes which, or give each document its own lineage',
        ),
      );
    }
  });
  // A lineage with one head may still contain a circle.
  return faults.length > 0 ? faults : faultsInChains(revisions, superseded);
}

function faultsInChains(revisions: Revisions, superseded: ReadonlySet<string | null>): BundleFault[] {
  const byId = new Map(revisions.map((revision) => [revision.id, revision]));
  const reached = new Set<string>();
  for (const head of revisions.filter(({ id }) => !superseded.has(id))) {
    for (let at: string | null = head.id; at !== null && !reached.has(at); at = byId.get(at)?.supersedes ?? null) {
      reached.add(at);
    }
  }
  return revisions.flatMap(({ id }, index) =>
    reached.has(id)
      ? []
      : [fault(`/sourceRevisions${pointerStep(index)}/supersedes`, 'is part of a circle', 'end the chain in null')],
  );
}
