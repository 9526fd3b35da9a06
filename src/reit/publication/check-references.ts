import { faultInText } from '../../vocabulary/fields.ts';
import { isMetric, splitFieldPath } from '../../vocabulary/reit-metrics.ts';
import { parseInstant } from '../../vocabulary/time.ts';
import { type BundleFault, type Fraction, fault, pointerStep, type RawBundle } from './bundle.ts';
import { compareText } from './canonical-json.ts';
import { isDay } from './periods.ts';
import { COMPUTED_PREFIX } from './revisions.ts';

/** What a shape cannot say of a bundle: texts, days, shares, IDs, and what refers to what. */
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
      return [fault(`/${list}${pointerStep(index)}/id`, 'stands twice', 'give every entry its own ID')];
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
      fault(`/periods${pointerStep(index)}/startDate`, 'lies inside another period', 'let periods follow each other'),
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
      if (!holdingIds.has(parts.holdingId)) return [fault(where, 'names no holding', 'name one of the bundle')];
      if (!periodIds.has(parts.periodId)) return [fault(where, 'names no period', 'name one of the bundle')];
      return isMetric(parts.metric) ? [] : [fault(where, 'names no known metric', 'use a documented metric')];
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
    if (!holdingIds.has(holdingId)) found.push(fault(`${at}/holdingId`, 'names no holding', 'name one of the bundle'));
    else if (matched.has(holdingId)) {
      found.push(fault(`${at}/holdingId`, 'is a second match of the holding', 'match a holding to one building'));
    }
    matched.add(holdingId);
    return found;
  });
  const unmatched = holdings.flatMap(({ id }, index) =>
    matched.has(id) ? [] : [fault(`/holdings${pointerStep(index)}`, 'is matched to no building', 'add a match for it')],
  );
  return [...faults, ...unmatched];
}

function faultsInRecords({ holdings, transactions, ownership }: RawBundle): BundleFault[] {
  const holdingIds = new Set(holdings.map(({ id }) => id));
  const stray = (holdingId: string, at: string) =>
    holdingIds.has(holdingId) ? [] : [fault(`${at}/holdingId`, 'names no holding', 'name one of the bundle')];
  return [
    ...transactions.flatMap((transaction, index) => {
      const at = `/transactions${pointerStep(index)}`;
      const { holdingId, shareDelta, type } = transaction;
      return [
        ...stray(holdingId, at),
        ...faultsInDays(transaction, ['contractDate', 'deliveryDate'], at),
        ...faultsInShare(type === 'acquisition' ? shareDelta : magnitude(shareDelta), `${at}/shareDelta`),
      ];
    }),
    ...ownership.flatMap((row, index) => {
      const at = `/ownership${pointerStep(index)}`;
      return [
        ...stray(row.holdingId, at),
        ...faultsInRange(row, 'from', 'to', at),
        ...faultsInShare(row.share, `${at}/share`),
      ];
    }),
  ];
}

/** Neither a database nor UTF-8 holds NUL and half a surrogate pair, and RFC 8785 has no form for the latter. */
function faultsInTexts(value: unknown, at: string): BundleFault[] {
  if (typeof value === 'string') {
    // A printed cell may be blank: it is unresolved then, and no fault of the bundle.
    const problem = at.endsWith('/printed') && value.trim() === '' ? undefined : faultInText(value);
    return problem === undefined ? [] : [fault(at, problem, 'give a text that can be kept')];
  }
  if (typeof value !== 'object' || value === null) return [];
  const entries = Array.isArray(value) ? value.map((item, i) => [i, item] as const) : Object.entries(value);
  return entries.flatMap(([key, member]) => faultsInTexts(member, at + pointerStep(key)));
}

function faultsInDays<K extends string>(item: Record<K, string | null>, keys: readonly K[], at: string): BundleFault[] {
  return keys.flatMap((key) => {
    const day = item[key];
    return day === null || isDay(day) ? [] : [fault(`${at}/${key}`, 'no day of the calendar', 'write YYYY-MM-DD')];
  });
}

function faultsInRange<K extends string>(item: Record<K, string | null>, from: K, to: K, at: string): BundleFault[] {
  const bad = faultsInDays(item, [from, to], at);
  const [first, last] = [item[from], item[to]];
  if (bad.length > 0 || first === null || last === null || first <= last) return bad;
  return [fault(`${at}/${to}`, `comes before ${from}`, 'exchange the two')];
}

function faultsInInstants<K extends string>(item: Record<K, string>, keys: readonly K[], at: string): BundleFault[] {
  return keys.flatMap((key) =>
    parseInstant(item[key]) === undefined
      ? [fault(`${at}/${key}`, 'no instant', 'write an ISO 8601 instant with a zone, 2026-01-05T00:00:00Z')]
      : [],
  );
}

/** A share above one is a fraction still: it can be shown, and blocks the draft (implausible.ts). */
function faultsInShare(share: Fraction | null, at: string): BundleFault[] {
  if (share === null || (share.numerator > 0 && share.denominator > 0)) return [];
  return [fault(at, 'not a share above zero', 'write it as a fraction of the whole, such as 1 of 2')];
}

/** What is given up may be written with a minus sign. */
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
    if (supersedes === id) faults.push(fault(path, 'names its own revision', 'name the one it corrects, or null'));
    else if (earlier === undefined) {
      faults.push(fault(path, 'names no revision of the bundle', 'add that revision, or write null'));
    } else if (earlier.lineageId !== lineageId) {
      faults.push(fault(path, 'names a revision of another lineage', 'give both the lineage of the document'));
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
  const told = new Set<string>();
  revisions.forEach(({ lineageId }, index) => {
    if (told.has(lineageId)) return;
    told.add(lineageId);
    const count = heads.get(lineageId)?.length ?? 0;
    const path = `/sourceRevisions${pointerStep(index)}/lineageId`;
    if (count === 0) faults.push(fault(path, 'its revisions supersede each other in a circle', 'end it in one head'));
    if (count > 1) {
      faults.push(
        fault(path, 'has several heads', 'say which supersedes which, or give each document its own lineage'),
      );
    }
  });
  // One head does not exclude a circle beside it.
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
