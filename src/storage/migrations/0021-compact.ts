import { hash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Migration } from '../migrate.ts';
import type { Engine } from '../storage.ts';

/**
 * Statements and versions become compact bytes. What is stored already stays as it
 * is and is read as before; SQLite stores either in the same column. The times of retrievals move to a table of
 * their own, because many statements share them; hashes become bytes, and second copies go.
 */
export const compact: Migration = {
  name: '0021-compact',
  async up(db, engine) {
    const bytes = sql.raw(engine === 'sqlite' ? 'blob' : 'bytea');
    const integer = sql.raw(engine === 'sqlite' ? 'integer' : 'bigint');
    const statements = [
      sql`alter table page drop column sources`,
      sql`update statement set line_hash = substr(line_hash, 1, ${sql.lit(LINE_HASH_LENGTH)})`,
      sql`create table retrieval (id ${integer} primary key, at text not null)`,
      sql`alter table statement add column retrieval ${integer} references retrieval (id)`,
      sql`alter table statement add column payload ${bytes}`,
    ];
    for (const statement of statements) await statement.execute(db);
    await movePayloads(db, engine);
    await sql`alter table statement drop column raw_payload_ref`.execute(db);
    await sql`alter table statement drop column retrieved_at`.execute(db);
    if (engine === 'sqlite') return;
    const types = [
      sql`alter table statement alter column retrieval set not null`,
      sql`alter table statement alter column body type bytea using convert_to(body, 'UTF8')`,
      sql`alter table building_version alter column canonical type bytea using convert_to(canonical, 'UTF8')`,
    ];
    for (const statement of types) await statement.execute(db);
  },
};

const LINE_HASH_LENGTH = 15;
const STATEMENTS_AT_ONCE = 2_000;

interface Row {
  id: number;
  raw_payload_ref: string;
  retrieved_at: string;
  body: string;
}

/** The payload of most statements is their own content, whose hash need not be stored. */
// biome-ignore lint/suspicious/noExplicitAny: a migration knows the tables of its own time, not today's
async function movePayloads(db: Kysely<any>, engine: Engine): Promise<void> {
  const retrievals = new Map<string, number>();
  for (let after = 0; ; ) {
    const rows: Row[] = await db
      .selectFrom('statement')
      .select(['id', 'raw_payload_ref', 'retrieved_at', 'body'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(STATEMENTS_AT_ONCE)
      .execute();
    if (rows.length === 0) return;
    after = rows[rows.length - 1]?.id as number;
    const added: { id: number; at: string }[] = [];
    const moved = rows.map(({ id, raw_payload_ref, retrieved_at: at, body }) => {
      let retrieval = retrievals.get(at);
      if (retrieval === undefined) {
        retrieval = retrievals.size + 1;
        retrievals.set(at, retrieval);
        added.push({ id: retrieval, at });
      }
      return { id, retrieval, payload: payloadOf(raw_payload_ref, body) };
    });
    if (added.length > 0) await db.insertInto('retrieval').values(added).execute();
    const assigned = JSON.stringify(moved);
    if (engine === 'sqlite') {
      await sql`update statement set retrieval = v.value ->> 'retrieval', payload = unhex(v.value ->> 'payload')
        from json_each(${assigned}) as v where statement.id = v.value ->> 'id'`.execute(db);
    } else {
      await sql`update statement set retrieval = v.retrieval, payload = decode(v.payload, 'hex')
        from jsonb_to_recordset(${assigned}::jsonb) as v(id bigint, retrieval bigint, payload text)
        where statement.id = v.id`.execute(db);
    }
  }
}

/** In hexadecimal digits: a digest after a byte 0, or text. */
function payloadOf(ref: string, body: string): string | null {
  if (!/^sha256:[0-9a-f]{64}$/.test(ref)) return Buffer.from(ref).toString('hex');
  const digest = ref.slice('sha256:'.length);
  return digest === hash('sha256', body, 'hex') ? null : `00${digest}`;
}
