import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { startPostgres } from '../../test/support/postgres-cluster.ts';
import { accepts, type Document, MOST_HITS } from '../search-corpus.ts';
import { numberValues, type Peer, placeOf } from './peer.ts';

const SHORTEST = 3;

export const sqliteTrigrams: Peer = {
  name: 'SQLite FTS5 trigram',
  mostBuildings: Number.POSITIVE_INFINITY,
  async open(documents, folder) {
    const file = join(folder, 'fts5.db');
    const database = new DatabaseSync(file);
    database.exec('pragma synchronous = off; pragma cache_size = -65536');
    database.exec(`create virtual table f using fts5(value, content = '', tokenize = 'trigram case_sensitive 1')`);
    const insert = database.prepare('insert into f (rowid, value) values (?, ?)');
    database.exec('begin');
    for (const [id, value] of numberValues(documents)) insert.run(id, value);
    database.exec('commit');
    database.exec(`insert into f (f) values ('optimize')`);
    const select = database.prepare('select rowid as id from f where f match ? order by rowid');
    return {
      find({ terms, filter }) {
        // It has no index of shorter terms.
        if (terms.some((term) => [...term].length < SHORTEST)) return undefined;
        const phrases = terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' AND ');
        const places: number[] = [];
        for (const { id } of select.iterate(phrases) as Iterable<{ id: number }>) {
          const place = placeOf(id);
          if (place === places.at(-1) || !accepts(filter, documents[place] as Document)) continue;
          places.push(place);
          if (places.length === MOST_HITS) break;
        }
        return places;
      },
      indexBytes: async () => statSync(file).size,
      close: async () => database.close(),
    };
  },
};

const AT_ONCE = 10_000;
const COLUMNS = { prefecture: 'prefecture', ward: 'ward', machiAza: 'machi_aza' } as const;

/** Short terms are answered without the index. */
export const postgresTrigrams: Peer = {
  name: 'PostgreSQL pg_trgm',
  mostBuildings: Number.POSITIVE_INFINITY,
  async open(documents, folder) {
    const { url, stop } = await startPostgres(join(folder, 'postgres'));
    const database = 'trigrams';
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    // With the locale C, pg_trgm takes no Japanese character for a letter.
    await admin.query(`create database ${database} template template0 locale 'C.UTF-8'`);
    await admin.end();
    const client = new pg.Client({ connectionString: url.replace(/\/postgres$/, `/${database}`) });
    await client.connect();
    await client.query('create extension pg_trgm');
    await client.query(
      'create table f (place integer, prefecture text, ward text, machi_aza text, uses text[], value text)',
    );
    for (let first = 0; first < documents.length; first += AT_ONCE) {
      const some = documents.slice(first, first + AT_ONCE);
      const rows = some.flatMap(({ prefecture, ward, machiAza, uses, values }, i) =>
        values.map((value) => ({ place: first + i, prefecture, ward, machi_aza: machiAza, uses, value })),
      );
      await client.query(
        `insert into f select * from jsonb_to_recordset($1)
          as x (place integer, prefecture text, ward text, machi_aza text, uses text[], value text)`,
        [JSON.stringify(rows)],
      );
    }
    await client.query('create index f_value on f using gin (value gin_trgm_ops)');
    await client.query('create index f_place on f (place)');
    await client.query('analyze f');
    return {
      async find({ terms, filter: { use, ...places } }) {
        const values: string[] = terms.map((term) => `%${term.replace(/[\\%_]/g, String.raw`\$&`)}%`);
        const conditions = terms.map((_, i) => `value like $${i + 1}`);
        for (const [name, slug] of Object.entries(places)) {
          conditions.push(`${COLUMNS[name as keyof typeof COLUMNS]} = $${values.push(slug)}`);
        }
        if (use !== undefined) conditions.push(`$${values.push(use)} = any (uses)`);
        const { rows } = await client.query(
          `select distinct place from f where ${conditions.join(' and ')} order by place limit ${MOST_HITS}`,
          values,
        );
        return (rows as { place: number }[]).map(({ place }) => place);
      },
      async indexBytes() {
        const { rows } = await client.query(`select pg_total_relation_size('f')::float8 as size`);
        return (rows[0] as { size: number }).size;
      },
      async close() {
        await client.end();
        await stop();
      },
    };
  },
};
