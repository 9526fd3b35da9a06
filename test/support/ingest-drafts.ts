import { startIngest } from '../../src/observations/ingests.ts';
import { nextIds } from '../../src/observations/source-records.ts';
import { appendLines } from '../../src/pipeline/append-records.ts';
import type { Context } from '../../src/pipeline/context.ts';
import { noCounts } from '../../src/pipeline/counts.ts';
import { prepareItems } from '../../src/pipeline/prepare-items.ts';
import { matchAndPublish } from '../../src/pipeline/run.ts';
import { Areas } from '../../src/registry/areas.ts';
import type { Item } from '../../src/sources/adapter.ts';
import { type Draft, newDraft, observe } from '../../src/sources/draft.ts';
import { IdSet } from '../../src/vocabulary/id-set.ts';
import type { Source } from '../../src/vocabulary/sources.ts';

/** The draft that an adapter would create for an object of its source; it may link to others (`wikidata:Q1`). */
export function draftOf(key: string, nameJa: string | null, more: Partial<Draft> = {}): Draft {
  const draft = newDraft(key, `https://www.openstreetmap.org/${key}`, 'osm-tag');
  observe(draft, 'nameJa', nameJa);
  return { ...draft, whole: true, ...more };
}

/** Ingests drafts as if the adapter of a source had read them from one file. */
export async function ingestDrafts(
  context: Context,
  source: Source,
  retrievedAt: string,
  ...drafts: Draft[]
): Promise<void> {
  const { storage, now } = context;
  const log = { source, file: source, sha256: retrievedAt, startedAt: now(), retrievedAt };
  const ingest = await startIngest(storage, log);
  const items = drafts.map((record, line): Item => ({ kind: 'record', at: { file: source, line }, record }));
  const prepared = await prepareItems(storage.db, { source, reading: { retrievedAt, url: undefined }, items });
  const batch = {
    ingest,
    areas: await Areas.load(storage.db),
    counts: noCounts(),
    nextIds: await nextIds(storage.db),
    merges: [],
    records: new IdSet(),
    keepsLines: false,
    move: () => {},
    reject: (_: number, reason: string) => {
      throw new Error(reason);
    },
    note: () => {},
  };
  for (const item of prepared) {
    if (item.kind === 'lines') await storage.transaction((tx) => appendLines(tx, batch, item.lines));
  }
  await matchAndPublish(context);
}
