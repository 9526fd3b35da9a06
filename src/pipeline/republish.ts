import { markAllBuildingsStale } from '../registry/stale.ts';
import { markTodo } from '../registry/todo.ts';
import { asWriter, type Context } from './context.ts';
import type { Republished } from './publish-stale.ts';
import { publishAll } from './run.ts';

/** `republish`: whatever is stale, or with `all` every building, from what is stored. */
export function republish(context: Context, all: boolean): Promise<Republished> {
  return asWriter(context, async () => {
    if (all) {
      await context.storage.transaction(async (tx) => {
        await markAllBuildingsStale(tx);
        await markTodo(tx, 'enter buildings');
      });
    }
    return publishAll(context);
  });
}
