import { startIngest } from '../../src/observations/ingests.ts';
import { nextIds } from '../../src/observations/source-records.ts';
import { encodeBody } from '../../src/observations/statement-codec.ts';
import { appendLines } from '../../src/pipeline/append-lines.ts';
import { type Context, noCounts } from '../../src/pipeline/context.ts';
import { IdList } from '../../src/pipeline/id-list.ts';
import { type ReadLine, shortHash, toReadRecord } from '../../src/pipeline/read-portion.ts';
import { settle } from '../../src/pipeline/run.ts';
import { Areas } from '../../src/registry/areas.ts';
import { type Draft, newDraft, observe } from '../../src/sources/draft.ts';
import type { Statement } from '../../src/vocabulary/evidence.ts';
import type { Source } from '../../src/vocabulary/sources.ts';

/** What an adapter would make of an object of its source, which may name others (`wikidata:Q1`). */
export function draftOf(key: string, nameJa: string | null, more: Partial<Draft> = {}): Draft {
  const draft = newDraft(key, `https://www.openstreetmap.org/${key}`, 'osm-tag');
  observe(draft, 'nameJa', nameJa);
  return { ...draft, whole: true, ...more };
}

/** One command that reads some objects of a source in its own format. */
export async function ingestDrafts(
  context: Context,
  source: Source,
  retrievedAt: string,
  ...drafts: Draft[]
): Promise<void> {
  const { storage, now } = context;
  const ingest = await startIngest(storage, {
    source,
    file: source,
    sha256: retrievedAt,
    startedAt: now(),
    retrievedAt,
  });
  const lines = drafts.map(({ sourceRecordId, notes: _, ...said }, line): ReadLine => {
    const statement: Statement = { ...said, retrievedAt, rawPayloadRef: '' };
    const rawPayloadRef = `sha256:${shortHash(encodeBody(statement))}`;
    const entry = { source, sourceRecordId, building: null, statement: { ...statement, rawPayloadRef } };
    const hash = shortHash(`${source}:${sourceRecordId} ${retrievedAt} ${rawPayloadRef}`);
    return toReadRecord({ kind: 'record', ...entry }, { line, hash });
  });
  const batch = {
    areas: await Areas.load(storage.db),
    counts: noCounts(),
    nextIds: await nextIds(storage.db),
    merges: [],
    records: new IdList(),
    fromRecords: false,
    move: () => {},
    reject: (_: number, reason: string) => {
      throw new Error(reason);
    },
    note: () => {},
  };
  await storage.transaction((tx) => appendLines(tx, batch, ingest, lines));
  await settle(context);
}
