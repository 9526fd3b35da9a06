import { decodeCanonical } from '../../registry/canonical-codec.ts';
import type { StoredText } from '../../storage/compact/compact.ts';
import { isAmong, listParameter, type Reads, type Tx } from '../../storage/storage.ts';
import { type AssetKey, formatAssetId, parseAssetId } from '../../vocabulary/asset-id.ts';
import { type Anchors, anchorsOf, type Lifecycle } from '../publication/anchors.ts';
import { buildingsOf } from './outline.ts';
import { factsOfActive } from './publication-status.ts';
import { addEvents, findActivePublications, findPublications, lockPublications, readEvents } from './store.ts';
import { recheckEvents } from './transitions.ts';

interface Row {
  id: AssetKey;
  state: Lifecycle;
  canonical: StoredText | null;
  published: AssetKey | null;
  machi_aza: string | null;
  ward: string | null;
  prefecture: string | null;
}

const NOTHING_KNOWN = { fields: {}, footprint: null, point: null };

/** The current anchors of buildings. A live building that is not published has none. */
export async function readAnchors(reads: Reads, buildingIds: readonly string[]): Promise<Map<string, Anchors>> {
  const keys = buildingIds.map(parseAssetId).filter((key) => key !== undefined);
  const rows = await reads.all<Row>(
    `select b.id, b.state, v.canonical, p.building as published,
        m.slug as machi_aza, w.slug as ward, f.slug as prefecture
      from building b
      left join building_version v on v.building = b.id and v.version = b.version
      left join page p on p.building = b.id
      left join area m on m.code = b.area
      left join area w on w.code = m.parent
      left join area f on f.code = w.parent
      where ${isAmong(reads, 'b.id')}`,
    [listParameter(reads, keys)],
  );
  const anchors = new Map<string, Anchors>();
  for (const { id, state, canonical, published, machi_aza, ward, prefecture } of rows) {
    if (state === 'live' && published === null) continue;
    const buildingId = formatAssetId(id);
    const areaPath = machi_aza === null ? null : `/japan/${prefecture}/${ward}/${machi_aza}`;
    const known = canonical === null ? NOTHING_KNOWN : decodeCanonical(canonical);
    anchors.set(buildingId, anchorsOf({ buildingId, lifecycle: state, areaPath, canonical: known }));
  }
  return anchors;
}

/**
 * Keeps publications from being activated until the transaction ends; returns whether any active one refers to one of these
 * buildings. Several processes may do so at once.
 */
export async function holdPublications(tx: Tx, buildings: readonly AssetKey[]): Promise<boolean> {
  await lockPublications(tx, 'shared');
  return (await findActivePublications(tx, buildings)).length > 0;
}

/** REIT-10: suspends or withdraws publications whose buildings changed, in the transaction of the change. */
export async function recheckPublications(tx: Tx, buildings: readonly AssetKey[], now: () => string): Promise<void> {
  if (buildings.length === 0) return;
  await lockPublications(tx);
  const publications = await findPublications(tx, await findActivePublications(tx, buildings));
  if (publications.length === 0) return;
  const events = await readEvents(
    tx,
    publications.map(({ id }) => id),
  );
  for (const kept of publications) {
    const anchors = await readAnchors(tx, buildingsOf(kept.outline));
    // Permissions are checked on every read.
    const facts = factsOfActive(kept, anchors, []);
    await addEvents(tx, kept, recheckEvents(events.get(kept.id) ?? [], facts, now()));
  }
}
