import { isAmong, listParameter, type Reads } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import type { BuildingPage } from '../vocabulary/building-page.ts';
import { toBuildingSummary } from '../vocabulary/building-summary.ts';
import { type FinishedResponse, parseBody, tagOf } from './records.ts';
import type { SearchEntry } from './search/format/entry.ts';
import { decodeSummary } from './search/format/entry-summary.ts';

/** FIT-08: the summary of each building, in the order of `buildings`. */
export async function readSummaries(reads: Reads, buildings: readonly AssetKey[]): Promise<Uint8Array[]> {
  if (buildings.length === 0) return [];
  const rows = await reads.all<Pick<SearchEntry, 'building' | 'site' | 'summary'>>(
    `select building, site, summary from search_entry where ${isAmong(reads, 'building')}`,
    [listParameter(reads, buildings)],
  );
  const byBuilding = new Map(rows.map((row) => [row.building, row]));
  return buildings.map((building) => {
    const { summary, site } = byBuilding.get(building) ?? {};
    if (summary == null) throw new Error('a published entry has no summary');
    return Buffer.from(JSON.stringify(decodeSummary(building, summary, site ?? null)));
  });
}

/** A summary with a further property. */
export function withDistance(summary: Uint8Array, metres: number): Uint8Array {
  return Buffer.concat([summary.subarray(0, -1), Buffer.from(`,"distanceM":${metres}}`)]);
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
