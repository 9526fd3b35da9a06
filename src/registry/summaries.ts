import { isAmong, listParameter, type Reads } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import type { BuildingPage } from '../vocabulary/building-page.ts';
import { toBuildingSummary } from '../vocabulary/building-summary.ts';
import { type FinishedResponse, parseBody, tagOf } from './records.ts';
import type { EntryKeys, SearchEntry } from './search/format/entry.ts';
import { type SummaryEntry, writeSummary } from './search/format/entry-summary.ts';

/** What a summary is written from, in the order of the keys. */
export async function readSummaryEntries(reads: Reads, keys: EntryKeys): Promise<SummaryEntry[]> {
  const [column, list] =
    'positions' in keys ? (['pos', keys.positions] as const) : (['building', keys.buildings] as const);
  if (list.length === 0) return [];
  const rows = await reads.all<SummaryEntry & Pick<SearchEntry, 'pos'>>(
    `select pos, building, site, summary from search_entry where ${isAmong(reads, column)}`,
    [listParameter(reads, list)],
  );
  const byKey = new Map(rows.map((row) => [row[column], row]));
  return list.map((key) => {
    const row = byKey.get(key);
    if (row?.summary == null) throw new Error('a published entry has no summary');
    return row;
  });
}

/** FIT-08: the summary of each building, in the order of `buildings`. */
export async function readSummaries(reads: Reads, buildings: readonly AssetKey[]): Promise<Uint8Array[]> {
  return (await readSummaryEntries(reads, { buildings })).map((entry) => Buffer.from(writeSummary(entry)));
}

/** FIT-10: the summary of a whole record, as a response. */
export function finishSummary({ body: record }: FinishedResponse): FinishedResponse {
  const body = Buffer.from(JSON.stringify(toBuildingSummary(parseBody<BuildingPage>(record))));
  return { etag: `"${tagOf(body)}"`, body };
}

const HAS_NONE = Buffer.from('"hasReit":false');
const HAS_REIT = Buffer.from('"hasReit":true');

/** FIT-08: the summaries with `hasReit` of each, in order. In text, quotes are escaped, so the key is found in no value. */
export function markReit(summaries: Uint8Array, hasReit: readonly boolean[]): Uint8Array {
  const bytes = Buffer.from(summaries.buffer, summaries.byteOffset, summaries.byteLength);
  const parts: Uint8Array[] = [];
  let start = 0;
  let at = -1;
  for (const has of hasReit) {
    at = bytes.indexOf(HAS_NONE, at + 1);
    if (!has) continue;
    parts.push(bytes.subarray(start, at), HAS_REIT);
    start = at + HAS_NONE.length;
  }
  return Buffer.concat([...parts, bytes.subarray(start)]);
}
