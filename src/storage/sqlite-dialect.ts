import type { SQLInputValue } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import { type Connection, columnNames, nameColumns } from './sqlite-connection.ts';
import type { Tables } from './tables.ts';

/** Queries by Kysely, each of which `use` runs on a connection. */
export function kyselyOn(use: <T>(work: (connection: Connection) => T) => T): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: new SqliteDialect({
      database: {
        close() {},
        prepare: (sql) => ({
          reader: use((connection) => connection.prepare(sql).columns().length > 0),
          all: (parameters) =>
            use((connection) => {
              const statement = connection.prepare(sql);
              const names = columnNames(statement);
              statement.setReturnArrays(true);
              const rows = statement.all(...(parameters as SQLInputValue[])) as unknown as unknown[][];
              return rows.map((row) => nameColumns(names, row));
            }),
          run: (parameters) => use((connection) => connection.prepare(sql).run(...(parameters as SQLInputValue[]))),
          iterate: () => {
            throw new Error('rows are read in batches, never one by one');
          },
        }),
      },
    }),
  });
}
