import { batches, type Reads, type Storage } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { pageTag, tagOf } from './pages.ts';
import { ownerKey } from './search/entry.ts';
import { readRecords } from './search/search.ts';

/** An answer that is too long to be held whole, and the tag that changes with it. */
export interface Streamed {
  etag: string;
  body: AsyncIterable<Uint8Array>;
}

const RECORDS_AT_ONCE = 20;

interface Owned {
  building: AssetKey;
  tag: string;
}

/**
 * OWN-01: every building of an owner. The tags of all records are read first, for the tag of the
 * answer; the records follow as they are sent. Where one changes in between, the rest cannot be sent
 * under that tag, and the answer breaks off.
 */
export async function openPortfolio(storage: Storage, name: string): Promise<Streamed> {
  const { owned, owner } = await storage.snapshot((reads) => findOwned(reads, name));
  const tags = owned.map(({ building, tag }) => `${building} ${tag}`);
  const etag = `"${tagOf(Buffer.from(JSON.stringify([owner, tags])))}"`;
  return { etag, body: sendRecords(storage, owner, owned) };
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

async function* sendRecords(storage: Storage, owner: string, owned: readonly Owned[]): AsyncGenerator<Uint8Array> {
  let before = `{"owner":${JSON.stringify(owner)},"items":[`;
  for (const batch of batches(owned, RECORDS_AT_ONCE)) {
    const ids = batch.map(({ building }) => building);
    const records = await storage.snapshot((reads) => readRecords(reads, ids));
    const parts: Uint8Array[] = [];
    for (const [i, { etag, body }] of records.entries()) {
      if (etag !== batch[i]?.tag) throw new Error('a record of the portfolio changed while it was sent');
      parts.push(Buffer.from(before), body);
      before = ',';
    }
    yield Buffer.concat(parts);
  }
  yield Buffer.from(owned.length === 0 ? `${before}]}` : ']}');
}
