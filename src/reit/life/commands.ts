import type { Reads, Tx } from '../../storage/storage.ts';
import { fail, ok, type Result } from '../../vocabulary/result.ts';
import { isSource } from '../../vocabulary/sources.ts';
import { type Bundle, type BundleFault, fault } from '../publication/bundle.ts';
import { compose, type PublicationDraft } from '../publication/compose.ts';
import type { Document } from '../publication/document.ts';
import { findingsIn } from '../publication/findings.ts';
import { readAnchors } from './matched-buildings.ts';
import { buildingsOf } from './outline.ts';
import { isSurface, PERMITTED_SURFACES, type Permission } from './permissions.ts';
import {
  isActive,
  type LifeEvent,
  latestHeads,
  type PublicationFacts,
  type PublicationStatus,
  statusOf,
} from './publication-status.ts';
import { readPublication } from './reit.ts';
import {
  addEvents,
  addPermission,
  findPublications,
  lockPublications,
  publicationsOfIssuer,
  readDocument,
  readEvents,
  readPermissions,
  type StoredPublication,
  storePublication,
} from './store.ts';
import {
  type CommandRefusal,
  decideTransition,
  isBlankText,
  isSameProperty,
  type LifeCommand,
  refusal,
} from './transitions.ts';

/** Everything known about one publication. */
export interface Dossier extends StoredPublication {
  document: Document;
  bytes: Uint8Array;
  events: LifeEvent[];
  facts: PublicationFacts;
  status: PublicationStatus;
  /** Other active publications of the same property. */
  predecessors: StoredPublication[];
}

export const UNKNOWN_PUBLICATION = refusal(
  'no publication has this ID; reit compose prints it and reit list shows all',
);

type ComposedDraft = PublicationDraft & {
  /** The same content was published and withdrawn, so this ID can never be published again. */
  isWithdrawn: boolean;
};

/** Stores the draft of a bundle. The same content gives the same draft. */
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
  await storePublication(tx, draft.value, at);
  const dossier = await readDossier(tx, draft.value.id);
  return ok({ ...draft.value, isWithdrawn: dossier?.status.state === 'withdrawn' });
}

/** Only a withdrawn publication is superseded by its ID; activating another replaces an active one. */
async function faultsInSuperseded(reads: Reads, bundle: Bundle, id: string): Promise<BundleFault[]> {
  const at = '--supersedes';
  const superseded = await readDossier(reads, id);
  if (superseded === undefined) return [fault(at, 'no publication has this ID', 'give one that reit list shows')];
  if (!isSameProperty(superseded.outline, bundle)) {
    return [fault(at, 'it belongs to another issuer or property', 'give a withdrawn publication of the same property')];
  }
  const { state } = superseded.status;
  if (state === 'withdrawn') return [];
  return [fault(at, `it is ${state}, not withdrawn`, 'compose without --supersedes: activating replaces it')];
}

/** Applies a command to one publication in the transaction; returns the publication afterwards. */
export async function applyCommand(
  tx: Tx,
  id: string,
  commandFor: (dossier: Dossier) => LifeCommand,
): Promise<Result<Dossier, CommandRefusal>> {
  await lockPublications(tx);
  const dossier = await readDossier(tx, id);
  if (dossier === undefined) return fail(UNKNOWN_PUBLICATION);
  const decided = decideTransition(dossier.events, commandFor(dossier), dossier.facts);
  if (!decided.ok) return decided;
  const { events, others } = decided.value;
  await addEvents(tx, dossier, events);
  for (const { id: other, event } of others) {
    const kept = dossier.predecessors.find((predecessor) => predecessor.id === other);
    if (kept !== undefined) await addEvents(tx, kept, [event]);
  }
  const all = [...dossier.events, ...events];
  return ok({ ...dossier, events: all, status: statusOf(all, dossier.facts) });
}

/** Checks and makes a permission row as an operator asks for it. */
export function makePermission(asked: {
  verdict: 'allow' | 'deny';
  source: string;
  surface: string;
  basis: string;
  by: string;
  at: string;
}): Result<Permission, CommandRefusal> {
  const { verdict, source, surface, basis, by, at } = asked;
  if (!isSource(source)) return fail(refusal('unknown source; name one of the registry, such as edinet'));
  if (source === 'dnk') return fail(refusal('dnk marks computed values, which are allowed where their inputs are'));
  if (surface !== 'all' && !isSurface(surface)) {
    return fail(refusal(`unknown surface; use one of ${PERMITTED_SURFACES.join(', ')}, or all`));
  }
  if (isBlankText(basis)) return fail(refusal('a permission needs a basis; give it with --basis'));
  if (isBlankText(by)) return fail(refusal('give the name of the person who decides with --by'));
  return ok({ subject: { source }, surface, verdict, basis, by, at });
}

export async function grantPermission(
  tx: Tx,
  asked: Parameters<typeof makePermission>[0],
): Promise<Result<Permission, CommandRefusal>> {
  await lockPublications(tx);
  const permission = makePermission(asked);
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
  const events = await readEvents(reads, [id, ...siblings.map((sibling) => sibling.id)]);
  const facts: PublicationFacts = {
    publicationId: id,
    document: kept.outline,
    findings: findingsIn(document),
    heads: latestHeads(kept.outline, outlines),
    anchors: await readAnchors(reads, buildingsOf(kept.outline)),
    permissions: await readPermissions(reads),
  };
  const own = events.get(id) ?? [];
  const predecessors = siblings.filter((sibling) => isActive(events.get(sibling.id) ?? []));
  return { ...kept, document, bytes, events: own, facts, status: statusOf(own, facts), predecessors };
}
