import type { Db, Tx } from '../storage/storage.ts';

/** Notes of work begun, kept in the database so that a run cut short is known to be unfinished. */
type Todo = 'sample' | 'enter buildings' | 'place records';

export async function markTodo(tx: Tx, name: Todo): Promise<void> {
  await tx.insertNew('todo', ['name'], [[name]]);
}

/** Takes a note down; false where there was none. */
export async function clearTodo(tx: Tx, name: Todo): Promise<boolean> {
  const { numDeletedRows } = await tx.db.deleteFrom('todo').where('name', '=', name).executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function hasTodo(db: Db, name: Todo): Promise<boolean> {
  return (await db.selectFrom('todo').select('name').where('name', '=', name).executeTakeFirst()) !== undefined;
}
