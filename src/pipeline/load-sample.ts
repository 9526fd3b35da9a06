import { fileURLToPath } from 'node:url';
import { isEmpty } from '../registry/counts.ts';
import { hasTodo, noteTodo, takeTodo } from '../registry/todo.ts';
import { retireNow } from './change-identity.ts';
import { asWriter, type Context } from './context.ts';
import { ingestFiles } from './ingest-records.ts';

const sampleFile = (name: string) => fileURLToPath(new URL(`../../sample/${name}`, import.meta.url));

/** The sample's history in its order: what was read first, what a later fetch said, what was then pulled down. */
const FIRST_FETCH = ['areas.ndjson', 'buildings.ndjson'].map(sampleFile);
const LATER_FETCH = ['updates.ndjson'].map(sampleFile);
const DEMOLISHED = { id: 'ASSET-JP-13-00000028', reason: 'demolished in 2022' };

/**
 * Fills an empty registry with the bundled sample, the way real data goes, and finishes a filling that
 * was cut short. True where there was something to do. All of it under the right to write, so that it
 * never mixes with data that another process brings.
 */
export async function loadSampleIfEmpty(context: Context): Promise<boolean> {
  return asWriter(context, async () => {
    const { storage } = context;
    if (!(await hasTodo(storage.db, 'sample')) && !(await isEmpty(storage.db))) return false;
    await storage.transaction((tx) => noteTodo(tx, 'sample'));
    await ingestFiles(context, FIRST_FETCH);
    await ingestFiles(context, LATER_FETCH);
    await retireNow(context, DEMOLISHED.id, undefined, DEMOLISHED.reason);
    await storage.transaction((tx) => takeTodo(tx, 'sample'));
    return true;
  });
}
