import { isMetric, splitFieldPath } from '../../vocabulary/reit-metrics.ts';
import type { RawBundle } from './bundle.ts';
import { compareText } from './canonical-json.ts';
import { faultsInLineages } from './check-lineages.ts';
import {
  faultsInDays,
  faultsInInstants,
  faultsInRange,
  faultsInShare,
  faultsInTexts,
  magnitude,
} from './check-scalars.ts';
import { type BundleFault, fault, step } from './fault.ts';

/** IDs that begin so are given to what the service computes. */
export const COMPUTED_PREFIX = 'dnk:';

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
      return [fault(`/${list}${step(index)}/id`, 'stands twice', 'give every entry its own ID')];
    });
  });
  const reserved = bundle.sourceRevisions.flatMap((revision, index) =>
    (['id', 'lineageId'] as const)
      .filter((key) => revision[key].startsWith(COMPUTED_PREFIX))
      .map((key) => fault(`/sourceRevisions${step(index)}/${key}`, `begins with ${COMPUTED_PREFIX}`, 'use another ID')),
  );
  return [...twice, ...reserved];
}

function faultsInPeriods(periods: RawBundle['periods']): BundleFault[] {
  const faults = periods.flatMap((period, index) =>
    faultsInDays(period, ['startDate', 'endDate'], `/periods${step(index)}`),
  );
  if (faults.length > 0) return faults;
  const inOrder = periods
    .map((period, index) => ({ ...period, index }))
    .sort((a, b) => compareText(a.startDate, b.startDate) || a.index - b.index);
  return inOrder.flatMap(({ startDate, index }, i) => {
    const before = inOrder[i - 1];
    if (before === undefined || before.endDate < startDate) return [];
    return [fault(`/periods${step(index)}/startDate`, 'lies inside another period', 'let periods follow each other')];
  });
}

function faultsInHoldings({ holdings }: RawBundle): BundleFault[] {
  return holdings.flatMap((holding, index) => {
    const at = `/holdings${step(index)}`;
    return [
      ...faultsInRange(holding, 'heldFrom', 'heldTo', at),
      ...faultsInShare(holding.interest.share, `${at}/interest/share`),
    ];
  });
}

function faultsInRevisions({ holdings, periods, sourceRevisions }: RawBundle): BundleFault[] {
  const [holdingIds, periodIds] = [new Set(holdings.map(({ id }) => id)), new Set(periods.map(({ id }) => id))];
  const faults = sourceRevisions.flatMap((revision, index) => {
    const at = `/sourceRevisions${step(index)}`;
    const paths = revision.fields.flatMap(({ path }, i) => {
      const where = `${at}/fields${step(i)}/path`;
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
    const at = `/matches${step(index)}`;
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
    matched.has(id) ? [] : [fault(`/holdings${step(index)}`, 'is matched to no building', 'add a match for it')],
  );
  return [...faults, ...unmatched];
}

function faultsInRecords({ holdings, transactions, ownership }: RawBundle): BundleFault[] {
  const holdingIds = new Set(holdings.map(({ id }) => id));
  const stray = (holdingId: string, at: string) =>
    holdingIds.has(holdingId) ? [] : [fault(`${at}/holdingId`, 'names no holding', 'name one of the bundle')];
  return [
    ...transactions.flatMap((transaction, index) => {
      const at = `/transactions${step(index)}`;
      const { holdingId, shareDelta, type } = transaction;
      return [
        ...stray(holdingId, at),
        ...faultsInDays(transaction, ['contractDate', 'deliveryDate'], at),
        ...faultsInShare(type === 'acquisition' ? shareDelta : magnitude(shareDelta), `${at}/shareDelta`),
      ];
    }),
    ...ownership.flatMap((row, index) => {
      const at = `/ownership${step(index)}`;
      return [
        ...stray(row.holdingId, at),
        ...faultsInRange(row, 'from', 'to', at),
        ...faultsInShare(row.share, `${at}/share`),
      ];
    }),
  ];
}
