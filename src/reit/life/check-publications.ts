import { isAmong, listParameter, type Reads, type Tx } from '../../storage/storage.ts';
import { type AssetKey, parseAssetId } from '../../vocabulary/asset-id.ts';
import { type Difference, describeDamage } from '../../vocabulary/difference.ts';
import { publicationIdOf } from '../publication/compose.ts';
import { readAnchors } from './matched-buildings.ts';
import { buildingsOf, type PublicationOutline, publicationOutline } from './outline.ts';
import { factsOfActive, isActive, type LifeEvent } from './publication-status.ts';
import { readPublication } from './reit.ts';
import { listPublicationIds, readPermissions } from './store.ts';
import { recheckEvents } from './transitions.ts';

interface Row {
  id: string;
  issuer: string;
  computed_at: string;
  outline: string;
  document: Uint8Array;
}

type Report = (
  kind: Difference['kind'],
  table: string,
  row: string,
  detail: string,
  remedy?: Difference['remedy'],
) => void;

/**
 * VRF-09: publications whose document, outline, history, buildings or place in the list of active ones is not what it should
 * be. In one snapshot, because REIT commands do not wait for a verification.
 */
export async function checkPublications(reads: Reads): Promise<Difference[]> {
  const found: Difference[] = [];
  const report: Report = (kind, table, row, detail, remedy = null) => found.push({ kind, table, row, detail, remedy });
  const ids = await listPublicationIds(reads);
  const known = new Set(ids);
  for (const id of ids) await checkPublication(reads, id, known, report);
  await readPermissions(reads).catch((error: unknown) => {
    report('unreadable', 'reit_permission', '', describeDamage(error));
  });
  return found;
}

async function checkPublication(reads: Reads, id: string, known: ReadonlySet<string>, report: Report): Promise<void> {
  const [row] = await reads.all<Row>('select * from reit_publication where id = ?', [id]);
  if (row === undefined) return;
  const outline = checkDocument(row, known, report);
  const events = await readHistory(reads, id, report);
  if (outline === undefined || events === undefined) return;
  const buildings = buildingsOf(outline);
  const keys = buildings.map(parseAssetId).filter((key) => key !== undefined);
  const existing = await reads.all<{ id: AssetKey }>(`select id from building where ${isAmong(reads, 'id')}`, [
    listParameter(reads, keys),
  ]);
  if (existing.length < buildings.length) report('unresolved', 'reit_publication', id, 'a matched building');
  await checkActive(reads, id, isActive(events) ? keys : [], report);
  if (!isActive(events)) return;
  try {
    const anchors = await readAnchors(reads, buildings);
    const [pending] = recheckEvents(events, factsOfActive({ id, outline }, anchors, []), '');
    if (pending !== undefined) {
      report('missing', 'reit_event', id, `it should be ${pending.type}`, { by: 'rechecking' });
    }
  } catch (error) {
    const detail = `a matched building: ${describeDamage(error)}`;
    report('unreadable', 'reit_publication', id, detail, { by: 'rechecking' });
  }
}

/** Returns the outline of the document, if it is readable. */
function checkDocument(
  { id, issuer, computed_at, outline, document }: Row,
  known: ReadonlySet<string>,
  report: Report,
): PublicationOutline | undefined {
  if (publicationIdOf(Buffer.from(document).toString()) !== id) {
    report('differs', 'reit_publication', id, 'its document does not match its ID');
    return undefined;
  }
  try {
    const parsed = readPublication({ id, computedAt: computed_at, body: document }).document;
    const expected = publicationOutline(parsed);
    if (JSON.stringify(expected) !== outline) {
      report('differs', 'reit_publication', id, 'outline', { by: 'rechecking' });
    }
    if (parsed.issuer.id !== issuer) report('differs', 'reit_publication', id, 'issuer', { by: 'rechecking' });
    if (parsed.supersedes !== undefined && !known.has(parsed.supersedes)) {
      report('unresolved', 'reit_publication', id, 'the publication that it supersedes');
    }
    return expected;
  } catch (error) {
    report('unreadable', 'reit_publication', id, describeDamage(error));
    return undefined;
  }
}

const EVENT_TYPES: readonly LifeEvent['type'][] = ['checked', 'reviewed', 'activated', 'suspended', 'withdrawn'];

async function readHistory(reads: Reads, id: string, report: Report): Promise<LifeEvent[] | undefined> {
  const rows = await reads.all<{ id: number; body: string }>(
    'select id, body from reit_event where publication = ? order by id',
    [id],
  );
  const events: LifeEvent[] = [];
  for (const row of rows) {
    try {
      const event = JSON.parse(row.body) as LifeEvent;
      if (!EVENT_TYPES.includes(event.type)) throw new Error('it is no event');
      events.push(event);
    } catch (error) {
      report('unreadable', 'reit_event', String(row.id), describeDamage(error));
    }
  }
  return events.length === rows.length ? events : undefined;
}

async function checkActive(reads: Reads, id: string, expected: readonly AssetKey[], report: Report): Promise<void> {
  const rows = await reads.all<{ building: AssetKey }>('select building from reit_active where publication = ?', [id]);
  const listed = new Set(rows.map(({ building }) => building));
  const remedy = { by: 'rechecking' } as const;
  if (expected.some((building) => !listed.has(building))) report('missing', 'reit_active', id, 'a building', remedy);
  if ([...listed].some((building) => !expected.includes(building))) {
    report('extra', 'reit_active', id, 'a building', remedy);
  }
}

/** Makes the outlines and the list of active publications again from the documents and events. */
export async function rebuildActive(tx: Tx): Promise<AssetKey[]> {
  await tx.db.deleteFrom('reit_active').execute();
  const all: AssetKey[] = [];
  for (const id of await listPublicationIds(tx)) {
    const [row] = await tx.all<Row>('select * from reit_publication where id = ?', [id]);
    const none: Report = () => {};
    const outline = row && checkDocument(row, new Set(), none);
    const events = await readHistory(tx, id, none);
    if (outline === undefined || events === undefined) continue;
    await tx.db
      .updateTable('reit_publication')
      .set({ outline: JSON.stringify(outline), issuer: outline.issuer.id })
      .where('id', '=', id)
      .execute();
    if (!isActive(events)) continue;
    const buildings = buildingsOf(outline).flatMap((building) => parseAssetId(building) ?? []);
    const rows = buildings.map((building) => [building, id]);
    await tx.insertNew('reit_active', ['building', 'publication'], rows);
    all.push(...buildings);
  }
  return all;
}
