import { batches, type Reads, type Storage } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { longReads } from './long-reads.ts';
import { pageTag, tagOf } from './pages.ts';
import { ownerKey } from './search/entry.ts';
import { readRecords } from './search/search.ts';

/** An answer that is too long to be held whole, and the tag that changes with it. */
export interface Streamed {
  etag: string;
  body: AsyncIterable<Uint8Array>;
  /** To be called when the body is no longer needed, read or not. */
  release(): void;
}

/** Sees each record of an answer as it is sent. */
export type OnRecord = (record: Uint8Array) => void;

const RECORDS_AT_ONCE = 20;
/** Each holds a connection for as long as its client reads. */
const PORTFOLIOS_AT_ONCE = 16;

interface Owned {
  building: AssetKey;
  tag: string;
}

/**
 * OWN-01: every building of an owner, as of one moment, whatever is published meanwhile. The tags of all
 * records are read first, for the tag of the answer; the records follow as they are sent.
 */
export function portfolios(storage: Storage): (name: string, onRecord?: OnRecord) => Promise<Streamed> {
  const open = longReads(storage, PORTFOLIOS_AT_ONCE);
  return async (name, onRecord) => {
    const { reads, release } = await open();
    try {
      const { owned, owner } = await findOwned(reads, name);
      const tags = owned.map(({ building, tag }) => `${building} ${tag}`);
      const etag = `"${tagOf(Buffer.from(JSON.stringify([owner, tags])))}"`;
      return { etag, body: sendRecords(reads, owner, owned, onRecord), release };
    } catch (error) {
      release();
      throw error;
    }
  };
}

async function findOwned(reads: Reads, name: string): Promise<{ owned: Owned[]; owner: string }> {
  const entries = await reads.all<{ building: AssetKey; etag: string; tailEtag: string | null }>(
    `select e.building, p.etag, n.etag as "tailEtag" from search_entry e
      join page p on p.building = e.building left join nearby n on n.building = e.building
      where e.owner = ? and e.area is not null order by e.pos desc`,
    [ownerKey(name)],
  );
  const [first] = await readRecords(
    reads,
    entries.slice(0, 1).map(({ building }) => building),
  );
  return {
    owned: entries.map(({ building, etag, tailEtag }) => ({ building, tag: pageTag(etag, tailEtag) })),
    owner: first === undefined ? name : recordedOwner(first.body),
  };
}

function recordedOwner(record: Uint8Array): string {
  const { fields } = JSON.parse(Buffer.from(record).toString()) as { fields: { ownerPublic: { value: string } } };
  return fields.ownerPublic.value;
}

async function* sendRecords(
  reads: Reads,
  owner: string,
  owned: readonly Owned[],
  onRecord: OnRecord | undefined,
): AsyncGenerator<Uint8Array> {
  let before = `{"owner":${JSON.stringify(owner)},"items":[`;
  for (const batch of batches(owned, RECORDS_AT_ONCE)) {
    const ids = batch.map(({ building }) => building);
    const parts: Uint8Array[] = [];
    for (const { body } of await readRecords(reads, ids)) {
      onRecord?.(body);
      parts.push(Buffer.from(before), body);
      before = ',';
    }
    yield Buffer.concat(parts);
  }
  yield Buffer.from(owned.length === 0 ? `${before}]}` : ']}');
}
