import { findStatements, type StatementSummary, updateRecords } from '../observations/source-records.ts';
import { hasTodo, takeTodo } from '../registry/todo.ts';
import type { Storage } from '../storage/storage.ts';
import { locateRecord } from './locate-record.ts';
import { addSpots, recordsWithoutTile, type Spots } from './spots.ts';
import { noteStaleMatches, noteStaleTiles } from './stale-matches.ts';

/** Finds the tiles of records that an earlier version of the program kept, which had none. */
export async function placeKeptRecords(storage: Storage): Promise<void> {
  if (!(await hasTodo(storage.db, 'place records'))) return;
  for (let after = 0; ; ) {
    const records = await recordsWithoutTile(storage.db, after);
    if (records.length === 0) break;
    await storage.transaction(async (tx) => {
      const said = new Map<number, StatementSummary[]>();
      const statements = await findStatements(
        tx.db,
        records.map((record) => record.id),
      );
      for (const statement of statements) {
        said.set(statement.record, [...(said.get(statement.record) ?? []), statement]);
      }
      const spots: Spots[] = [];
      const rows = records.map((record) => {
        const { tiles, point, area } = locateRecord(record, said.get(record.id) ?? []);
        spots.push({ record: record.id, tiles });
        return { ...record, tile: tiles[0] ?? null, lat: point?.[1] ?? null, lon: point?.[0] ?? null, area };
      });
      await updateRecords(tx, rows);
      await addSpots(tx, spots, []);
      await noteStaleTiles(
        tx,
        spots.flatMap(({ tiles }) => tiles),
      );
      await noteStaleMatches(
        tx,
        rows.flatMap(({ id, building }) => (building === null ? id : [])),
      );
    });
    after = records.at(-1)?.id ?? after;
  }
  await storage.transaction((tx) => takeTodo(tx, 'place records'));
}
