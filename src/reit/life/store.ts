import { sql } from 'kysely';
import { isAmong, listParameter, type Reads, type Tx } from '../../storage/storage.ts';
import { type AssetKey, parseAssetId } from '../../vocabulary/asset-id.ts';
import type { Document } from '../publication/document.ts';
import { buildingsOf, type PublicationOutline, publicationOutline } from './outline.ts';
import type { Permission } from './permissions.ts';
import type { LifeEvent } from './publication-status.ts';

/** A stored publication without its document. */
export interface StoredPublication {
  id: string;
  computedAt: string;
  outline: PublicationOutline;
}

const REIT_LOCK = 7281003;

/**
 * Serialises changes of publications and of their buildings, so that what a command read is still true when it writes.
 * SQLite has only one writing transaction at a time anyway.
 */
export async function lockPublications(tx: Tx, mode?: 'shared'): Promise<void> {
  const lock = sql.raw(mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock');
  if (tx.engine === 'postgres') await sql`select ${lock}(${sql.lit(REIT_LOCK)})`.execute(tx.db);
}

/** The same content is the same publication and keeps its first computedAt. */
export async function storePublication(
  tx: Tx,
  { id, canonical, document }: { id: string; canonical: string; document: Document },
  computedAt: string,
): Promise<void> {
  const row = [
    id,
    document.issuer.id,
    computedAt,
    JSON.stringify(publicationOutline(document)),
    Buffer.from(canonical),
  ];
  await tx.insertNew('reit_publication', ['id', 'issuer', 'computed_at', 'outline', 'document'], [row]);
}

export async function listPublicationIds(reads: Reads): Promise<string[]> {
  const rows = await reads.all<{ id: string }>('select id from reit_publication order by computed_at, id', []);
  return rows.map(({ id }) => id);
}

export async function countPublications(reads: Reads): Promise<{ kept: number; active: number }> {
  const [row] = await reads.all<{ kept: number; active: number }>(
    `select (select count(*) from reit_publication) as kept,
        (select count(distinct publication) from reit_active) as active`,
    [],
  );
  return row ?? { kept: 0, active: 0 };
}

export async function hasPublications(reads: Reads): Promise<boolean> {
  return (await reads.all('select id from reit_publication limit 1', [])).length > 0;
}

const KEPT = 'select id, computed_at, outline from reit_publication';

export async function findPublications(reads: Reads, ids: readonly string[]): Promise<StoredPublication[]> {
  if (ids.length === 0) return [];
  return toKept(await reads.all(`${KEPT} where ${isAmong(reads, 'id')}`, [listParameter(reads, ids)]));
}

export async function publicationsOfIssuer(reads: Reads, issuer: string): Promise<StoredPublication[]> {
  return toKept(await reads.all(`${KEPT} where issuer = ? order by id`, [issuer]));
}

function toKept(rows: readonly { id: string; computed_at: string; outline: string }[]): StoredPublication[] {
  return rows.map(({ id, computed_at: computedAt, outline }) => ({ id, computedAt, outline: JSON.parse(outline) }));
}

/** The bytes whose hash is the ID. */
export async function readDocument(reads: Reads, id: string): Promise<Uint8Array | undefined> {
  const [row] = await reads.all<{ document: Uint8Array }>('select document from reit_publication where id = ?', [id]);
  return row?.document;
}

export async function readEvents(reads: Reads, ids: readonly string[]): Promise<Map<string, LifeEvent[]>> {
  const events = new Map<string, LifeEvent[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return events;
  const rows = await reads.all<{ publication: string; body: string }>(
    `select publication, body from reit_event where ${isAmong(reads, 'publication')} order by id`,
    [listParameter(reads, ids)],
  );
  for (const { publication, body } of rows) events.get(publication)?.push(JSON.parse(body) as LifeEvent);
  return events;
}

/** Appends events of a publication and updates the list of active publications. */
export async function addEvents(
  tx: Tx,
  { id, outline }: StoredPublication,
  events: readonly LifeEvent[],
): Promise<void> {
  const rows = events.map((event) => [id, JSON.stringify(event)]);
  if (rows.length > 0) await tx.insert('reit_event', ['publication', 'body'], rows);
  for (const { type } of events) {
    if (type === 'activated') {
      const buildings = buildingsOf(outline).map((buildingId) => [parseAssetId(buildingId), id]);
      await tx.insertNew('reit_active', ['building', 'publication'], buildings);
    }
    if (type === 'withdrawn') await tx.db.deleteFrom('reit_active').where('publication', '=', id).execute();
  }
}

/** The active publications that match any of these buildings. */
export async function findActivePublications(reads: Reads, buildings: readonly AssetKey[]): Promise<string[]> {
  const rows = await reads.all<{ publication: string }>(
    `select distinct publication from reit_active where ${isAmong(reads, 'building')} order by publication`,
    [listParameter(reads, buildings)],
  );
  return rows.map(({ publication }) => publication);
}

/** In the order in which they were added. */
export async function readPermissions(reads: Reads): Promise<Permission[]> {
  const rows = await reads.all<{ body: string }>('select body from reit_permission order by id', []);
  return rows.map(({ body }) => JSON.parse(body) as Permission);
}

export async function addPermission(tx: Tx, permission: Permission): Promise<void> {
  await tx.insert('reit_permission', ['body'], [[JSON.stringify(permission)]]);
}
