import { Readable } from 'node:stream';
import { batches, type ReadStorage, type Reads } from '../storage/storage.ts';
import { type AssetKey, formatAssetId } from '../vocabulary/asset-id.ts';
import type { FailureOf } from '../vocabulary/failure.ts';
import { ok, type Result } from '../vocabulary/result.ts';
import type { LongReadLimits, OpenLongRead } from './long-reads.ts';
import { pageTag, parseBody, readRecords, tagOf } from './records.ts';
import { ownerKey } from './search/format/entry.ts';
import { markReit, readSummaries } from './summaries.ts';

/** A response too long to hold in memory, with its ETag. */
export interface StreamedResponse {
  etag: string;
  body: AsyncIterable<Uint8Array>;
  /** Call when the body is no longer needed, read or not. */
  release(): void;
  /** Aborted when the rest of the body can no longer be read, because another request needed the connection. */
  evicted?: AbortSignal;
}

/** Receives each record as it is sent. */
export type OnRecord = (record: Uint8Array) => void;

const RECORDS_AT_ONCE = 20;
/** Portfolios and lists up to this size are read at once and never wait for a slot. */
export const SMALL_PORTFOLIO = 50;
/** Each holds a connection while its client reads. */
export const PORTFOLIO_LIMITS: LongReadLimits = { atOnce: 16, waiting: 64, waitMs: 1_000, stallMs: 10_000 };

interface Owned {
  building: AssetKey;
  tag: string;
}

interface Portfolio {
  etag: string;
  owner: string;
  owned: readonly Owned[];
}

interface PortfolioOptions {
  onRecord?: OnRecord;
  /** FIT-11: summaries instead of records; `served` has the buildings with a REIT publication on the surface. */
  summaries?: { served: ReadonlySet<string> };
  /** Whether the ETag is all that is needed, so that the body is not read. */
  isEnough?: (etag: string) => boolean;
}

export type GetPortfolio = (
  name: string,
  options?: PortfolioOptions,
) => Promise<Result<StreamedResponse, FailureOf<'busy'>>>;

/**
 * OWN-01: every building of an owner, as of one snapshot. The tags of all records are read first, for the ETag; the
 * records of a large portfolio are streamed.
 */
export function portfolios(storage: ReadStorage, open: OpenLongRead): GetPortfolio {
  return async (name, options = {}) => {
    const { onRecord } = options;
    const short = await storage.snapshot((reads) => readShort(reads, name, options));
    if (short !== undefined) {
      const { etag, parts, records } = short;
      // Not while they are read: a snapshot may be read again.
      if (onRecord !== undefined) for (const record of records) onRecord(record);
      return ok({ etag, body: Readable.from(parts), release() {} });
    }
    const opened = await open();
    if (!opened.ok) return opened;
    const { reads, release, progress, evicted } = opened.value;
    try {
      const portfolio = await findOwned(reads, name, options);
      const body = sendRecords(reads, portfolio, {
        ...options,
        onRecord(record) {
          progress();
          onRecord?.(record);
        },
      });
      return ok({ etag: portfolio.etag, body, release, evicted });
    } catch (error) {
      release();
      throw error;
    }
  };
}

interface ShortPortfolio {
  etag: string;
  parts: Uint8Array[];
  records: Uint8Array[];
}

/** The response if no long read is needed; undefined for a large portfolio. */
async function readShort(reads: Reads, name: string, options: PortfolioOptions): Promise<ShortPortfolio | undefined> {
  // Only the ETag needs all buildings of a large portfolio.
  const { isEnough } = options;
  const portfolio = await findOwned(reads, name, options, isEnough === undefined ? SMALL_PORTFOLIO + 1 : undefined);
  const { etag, owned } = portfolio;
  if (isEnough?.(etag)) return { etag, parts: [], records: [] };
  if (owned.length > SMALL_PORTFOLIO) return undefined;
  const records: Uint8Array[] = [];
  const collecting = { ...options, onRecord: (record: Uint8Array) => void records.push(record) };
  const parts = await Array.fromAsync(sendRecords(reads, portfolio, collecting));
  return { etag, parts, records };
}

async function findOwned(
  reads: Reads,
  name: string,
  { summaries }: PortfolioOptions,
  most?: number,
): Promise<Portfolio> {
  const entries = await reads.all<{ building: AssetKey; etag: string; tailEtag: string | null }>(
    `select e.building, p.etag, n.etag as "tailEtag" from search_entry e
      join page p on p.building = e.building left join nearby n on n.building = e.building
      where e.owner = ? and e.area is not null order by e.pos desc${most === undefined ? '' : ` limit ${most}`}`,
    [ownerKey(name)],
  );
  const [first] = await readRecords(
    reads,
    entries.slice(0, 1).map(({ building }) => building),
  );
  const owned = entries.map(({ building, etag, tailEtag }) => ({ building, tag: pageTag(etag, tailEtag) }));
  const owner = first === undefined ? name : recordedOwner(first.body);
  const tags = owned.map(({ building, tag }) => `${building} ${tag}`);
  const served = summaries && owned.map(({ building }) => summaries.served.has(formatAssetId(building)));
  const all = served === undefined ? [owner, tags] : [owner, tags, served];
  return { etag: `"${tagOf(Buffer.from(JSON.stringify(all)))}"`, owner, owned };
}

function recordedOwner(record: Uint8Array): string {
  const { fields } = parseBody<{ fields: { ownerPublic: { value: string } } }>(record);
  return fields.ownerPublic.value;
}

async function* sendRecords(
  reads: Reads,
  { owner, owned }: Portfolio,
  { onRecord, summaries }: PortfolioOptions,
): AsyncGenerator<Uint8Array> {
  let before = `{"owner":${JSON.stringify(owner)},"items":[`;
  for (const batch of batches(owned, RECORDS_AT_ONCE)) {
    const ids = batch.map(({ building }) => building);
    const parts: Uint8Array[] = [];
    for (const body of await readItems(reads, ids, summaries)) {
      onRecord?.(body);
      parts.push(Buffer.from(before), body);
      before = ',';
    }
    yield Buffer.concat(parts);
  }
  const end = summaries === undefined ? ']}' : '],"view":"summary"}';
  yield Buffer.from(owned.length === 0 ? `${before}${end}` : end);
}

async function readItems(
  reads: Reads,
  ids: readonly AssetKey[],
  summaries: PortfolioOptions['summaries'],
): Promise<Uint8Array[]> {
  if (summaries === undefined) return (await readRecords(reads, ids)).map(({ body }) => body);
  const items = await readSummaries(reads, ids);
  return items.map((item, i) => markReit(item, [summaries.served.has(formatAssetId(ids[i] as AssetKey))]));
}
