import { sql } from 'kysely';
import { encodeChanges, type LoggedChange } from '../../storage/change-block.ts';
import type { Tx } from '../../storage/storage.ts';
import type { AssetKey } from '../../vocabulary/asset-id.ts';
import { readCursor } from './read-changes.ts';
import { logChanges } from './write-changes.ts';

/** Where the log ended before a restore replaced it. */
interface FormerLog {
  last: number;
  at: string | null;
  body: Uint8Array;
}

/**
 * Keeps, for this transaction, what the registry publishes before a restore replaces it. Undefined if nothing was ever
 * published, so that nobody can have followed the log.
 */
export async function keepFormer(tx: Tx): Promise<FormerLog | undefined> {
  const former = await blockAt(tx, await readCursor(tx));
  if (former === undefined) return undefined;
  const [number, end] = tx.engine === 'sqlite' ? ['integer', ''] : ['bigint', ' on commit drop'];
  const table = `create temporary table former_page (building ${number} primary key, etag text, area text)${end}`;
  await sql.raw(table).execute(tx.db);
  await sql`insert into former_page select p.building, p.etag, b.area from page p
    join building b on b.id = p.building`.execute(tx.db);
  return former;
}

/**
 * LOG-06: after a restore, the log is that of the backup. If it does not continue the former one, a reader of that has seen changes
 * which are now undone, so numbers go on after both logs, and everything that differs is logged again.
 */
export async function logRestored(tx: Tx, former: FormerLog | undefined, at: string): Promise<void> {
  if (former === undefined) return;
  const same = await blockAt(tx, former.last);
  const isContinued = same !== undefined && same.at === former.at && Buffer.compare(same.body, former.body) === 0;
  if (!isContinued) {
    if ((await readCursor(tx)) < former.last) {
      // A block without changes: its number is the only thing that counts.
      await tx.insert('change_block', ['last', 'at', 'body'], [[former.last, at, encodeChanges([])]]);
    }
    await logDiffering(tx, WRITTEN, toWritten, at);
    await logDiffering(tx, GONE, toGone, at);
  }
  await sql`drop table former_page`.execute(tx.db);
}

async function blockAt(tx: Tx, last: number): Promise<FormerLog | undefined> {
  const query = tx.db.selectFrom('change_block').select(['last', 'at', 'body']).where('last', '=', last);
  return query.executeTakeFirst();
}

interface Row {
  building: AssetKey;
  /** Null if it was not published. */
  formerEtag: string | null;
  formerArea: string | null;
  state: string | null;
  version: number | null;
  area: string | null;
  event: number | null;
}

const COLUMNS = `f.etag as "formerEtag", f.area as "formerArea", b.state, b.version, b.area,
  (select max(e.id) from identity_event e where e.building = b.id and e.kind <> 'unmerge') as event`;
const WRITTEN = `select p.building, ${COLUMNS} from page p join building b on b.id = p.building
  left join former_page f on f.building = p.building
  where p.building > ? and (f.etag is null or f.etag <> p.etag) order by p.building limit ?`;
const GONE = `select f.building, ${COLUMNS} from former_page f left join building b on b.id = f.building
  left join page p on p.building = f.building where f.building > ? and p.building is null order by f.building limit ?`;

function toWritten({ building, formerEtag, formerArea, version, area }: Row): LoggedChange {
  const kind = formerEtag === null ? 'created' : 'updated';
  return { building, kind, version: version ?? 0, area, areaBefore: formerArea, event: null };
}

/** A building that the backup does not know counts as retired. */
function toGone({ building, formerArea, state, version, event }: Row): LoggedChange {
  const kind = state === 'live' ? 'updated' : state === 'merged' ? 'merged' : 'retired';
  return {
    ...{ building, kind, version: version ?? 0, area: null, areaBefore: formerArea },
    event: kind === 'updated' ? null : event,
  };
}

const BUILDINGS_PER_BLOCK = 500;

async function logDiffering(tx: Tx, query: string, toChange: (row: Row) => LoggedChange, at: string): Promise<void> {
  for (let after = -1; ; ) {
    const rows = await tx.all<Row>(query, [after, BUILDINGS_PER_BLOCK]);
    await logChanges(tx, rows.map(toChange), at);
    after = rows.at(-1)?.building ?? after;
    if (rows.length < BUILDINGS_PER_BLOCK) return;
  }
}
