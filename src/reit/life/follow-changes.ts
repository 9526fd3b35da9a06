import type { Tx } from '../../storage/storage.ts';
import type { AssetKey } from '../../vocabulary/asset-id.ts';
import { buildingsOf } from '../publication/outline.ts';
import { factsOfActive } from './life.ts';
import { readAnchors } from './read-anchors.ts';
import { activeAt, addEvents, eventsOf, findPublications, lockPublications } from './store.ts';
import { followBuildings } from './transitions.ts';

/** REIT-10: what a change of buildings does to the publications that speak of them, in the transaction that makes it. */
export async function followChanges(tx: Tx, buildings: readonly AssetKey[], now: () => string): Promise<void> {
  if (buildings.length === 0) return;
  await lockPublications(tx);
  const publications = await findPublications(tx, await activeAt(tx, buildings));
  if (publications.length === 0) return;
  const events = await eventsOf(
    tx,
    publications.map(({ id }) => id),
  );
  for (const kept of publications) {
    const anchors = await readAnchors(tx, buildingsOf(kept.outline));
    // Permissions are judged when it is read.
    const facts = factsOfActive(kept, anchors, []);
    await addEvents(tx, kept, followBuildings(events.get(kept.id) ?? [], facts, now()));
  }
}
