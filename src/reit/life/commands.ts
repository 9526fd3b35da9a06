import type { Reads, Tx } from '../../storage/storage.ts';
import { fail, ok, type Result } from '../../vocabulary/result.ts';
import type { Bundle } from '../publication/bundle.ts';
import { compose, type PublicationDraft } from '../publication/compose.ts';
import type { Document } from '../publication/document.ts';
import { type BundleFault, fault } from '../publication/fault.ts';
import { findingsIn } from '../publication/findings.ts';
import { buildingsOf } from '../publication/outline.ts';
import { type Facts, knownHeads, type LifeEvent, type Standing, standingOf } from './life.ts';
import { type Permission, permit } from './permissions.ts';
import { readAnchors } from './read-anchors.ts';
import { type CommandRefusal, refusal } from './refusal.ts';
import { readPublication } from './reit.ts';
import {
  addEvents,
  addPermission,
  eventsOf,
  findPublications,
  type KeptPublication,
  keepPublication,
  lockPublications,
  permissionsIn,
  publicationsOfIssuer,
  readDocument,
} from './store.ts';
import { type Command, decideTransition, isSameProperty } from './transitions.ts';

/** Everything that is known of one publication. */
export interface Dossier extends KeptPublication {
  document: Document;
  bytes: Uint8Array;
  events: LifeEvent[];
  facts: Facts;
  standing: Standing;
  /** Other publications of the same property that are in force. */
  predecessors: KeptPublication[];
}

export const UNKNOWN = refusal('no publication has this id: reit compose prints it');

type ComposedDraft = PublicationDraft & {
  /** The same content was published and withdrawn: under this id it never comes back. */
  isWithdrawn: boolean;
};

/** Keeps the draft of a bundle; the same content again is the same draft. */
export async function composeDraft(
  tx: Tx,
  bundle: Bundle,
  at: string,
  supersedes?: string,
): Promise<Result<ComposedDraft, BundleFault[]>> {
  await lockPublications(tx);
  const faults = supersedes === undefined ? [] : await faultsInSuperseded(tx, bundle, supersedes);
  if (faults.length > 0) return fail(faults);
  const buildings = bundle.matches.map(({ buildingId }) => buildingId);
  const draft = compose(bundle, await readAnchors(tx, buildings), supersedes);
  if (!draft.ok) return draft;
  await keepPublication(tx, draft.value, at);
  const dossier = await readDossier(tx, draft.value.id);
  return ok({ ...draft.value, isWithdrawn: dossier?.standing.state === 'withdrawn' });
}

/** What is in force is replaced by activating another; only what has ended is superseded by name. */
async function faultsInSuperseded(reads: Reads, bundle: Bundle, id: string): Promise<BundleFault[]> {
  const at = '--supersedes';
  const superseded = await readDossier(reads, id);
  if (superseded === undefined) return [fault(at, 'no publication has this id', 'give one that reit list shows')];
  if (!isSameProperty(superseded.outline, bundle)) {
    return [fault(at, 'it is of another issuer or property', 'give a withdrawn publication of the same property')];
  }
  const { state } = superseded.standing;
  if (state === 'withdrawn') return [];
  return [fault(at, `it is ${state}, not withdrawn`, 'compose without --supersedes: activating replaces it')];
}

/** What a command does to one publication, all of it or nothing; tells how it stands then. */
export async function command(
  tx: Tx,
  id: string,
  asked: (dossier: Dossier) => Command,
): Promise<Result<Dossier, CommandRefusal>> {
  await lockPublications(tx);
  const dossier = await readDossier(tx, id);
  if (dossier === undefined) return fail(UNKNOWN);
  const decided = decideTransition(dossier.events, asked(dossier), dossier.facts);
  if (!decided.ok) return decided;
  const { events, others } = decided.value;
  await addEvents(tx, dossier, events);
  for (const { id: other, event } of others) {
    const kept = dossier.predecessors.find((predecessor) => predecessor.id === other);
    if (kept !== undefined) await addEvents(tx, kept, [event]);
  }
  const all = [...dossier.events, ...events];
  return ok({ ...dossier, events: all, standing: standingOf(all, dossier.facts) });
}

export async function grant(tx: Tx, asked: Parameters<typeof permit>[0]): Promise<Result<Permission, CommandRefusal>> {
  await lockPublications(tx);
  const permission = permit(asked);
  if (permission.ok) await addPermission(tx, permission.value);
  return permission;
}

export async function readDossier(reads: Reads, id: string): Promise<Dossier | undefined> {
  const [kept] = await findPublications(reads, [id]);
  const bytes = kept && (await readDocument(reads, id));
  if (kept === undefined || bytes === undefined) return undefined;
  const { document } = readPublication({ ...kept, body: bytes });
  const ofIssuer = await publicationsOfIssuer(reads, document.issuer.id);
  const outlines = ofIssuer.map(({ outline }) => outline);
  const siblings = ofIssuer.filter(({ id: other, outline }) => other !== id && isSameProperty(outline, kept.outline));
  const events = await eventsOf(reads, [id, ...siblings.map((sibling) => sibling.id)]);
  const facts: Facts = {
    publicationId: id,
    document: kept.outline,
    findings: findingsIn(document),
    heads: knownHeads(kept.outline, outlines),
    anchors: await readAnchors(reads, buildingsOf(kept.outline)),
    permissions: await permissionsIn(reads),
  };
  const own = events.get(id) ?? [];
  const predecessors = siblings.filter((sibling) => isInForce(events.get(sibling.id) ?? []));
  return { ...kept, document, bytes, events: own, facts, standing: standingOf(own, facts), predecessors };
}

function isInForce(events: readonly LifeEvent[]): boolean {
  return events.some(({ type }) => type === 'activated') && !events.some(({ type }) => type === 'withdrawn');
}
