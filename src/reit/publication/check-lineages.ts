import type { RawBundle } from './bundle.ts';
import { compareText } from './canonical-json.ts';
import { type BundleFault, fault, step } from './fault.ts';

type Revisions = readonly Pick<RawBundle['sourceRevisions'][number], 'id' | 'lineageId' | 'supersedes'>[];

/** A correction supersedes a revision of its own lineage, and every lineage ends in one head. */
export function faultsInLineages(revisions: Revisions): BundleFault[] {
  const byId = new Map(revisions.map((revision) => [revision.id, revision]));
  const faults: BundleFault[] = [];
  revisions.forEach(({ id, lineageId, supersedes }, index) => {
    const path = `/sourceRevisions${step(index)}/supersedes`;
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
    const path = `/sourceRevisions${step(index)}/lineageId`;
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
      : [fault(`/sourceRevisions${step(index)}/supersedes`, 'is part of a circle', 'end the chain in null')],
  );
}

/** The revision of each lineage that no other supersedes. */
export function headsOf<R extends Revisions[number]>(revisions: readonly R[]): R[] {
  const superseded = new Set(revisions.map(({ supersedes }) => supersedes));
  return revisions
    .filter(({ id }) => !superseded.has(id))
    .sort((a, b) => compareText(a.lineageId, b.lineageId) || compareText(a.id, b.id));
}
