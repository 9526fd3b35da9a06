import { LRUCache } from 'lru-cache';
import { resolveSurvivor } from '../../registry/identity.ts';
import type { GetFailure } from '../../registry/registry.ts';
import type { Reads, Storage } from '../../storage/storage.ts';
import { type AssetKey, parseAssetId } from '../../vocabulary/asset-id.ts';
import { fail, ok, type Result } from '../../vocabulary/result.ts';
import { byTexts } from '../publication/canonical-json.ts';
import type { Document, Publication } from '../publication/document.ts';
import { readAnchors } from './matched-buildings.ts';
import { buildingsOf } from './outline.ts';
import type { PermittedSurface } from './permissions.ts';
import { factsOfActive, statusOf } from './publication-status.ts';
import {
  findActivePublications,
  findPublications,
  readDocument,
  readEvents,
  readPermissions,
  type StoredPublication,
} from './store.ts';

/** A publication that is served: the bytes of its document, and every surface that serves it now. */
export interface ServedPublication {
  id: string;
  computedAt: string;
  body: Uint8Array;
  surfaces: readonly PermittedSurface[];
}

/** Every question the surfaces ask about REITs. */
export interface Reit {
  /**
   * REIT-01: what is accepted for a building and may be shown on a surface, by issuer and id. Whatever fails is thrown:
   * an empty list says that there is none (REIT-07).
   */
  served(buildingId: string, surface: PermittedSurface): Promise<Result<ServedPublication[], GetFailure>>;
}

/** Bytes that are kept in memory. */
const RECENT_DOCUMENTS = 64e6;

export function openReit(storage: Storage): Reit {
  /** By id, which is the hash of the bytes, so that nothing goes stale. Whether a document is served is never cached. */
  const recent = new LRUCache<string, Uint8Array>({
    maxSize: RECENT_DOCUMENTS,
    sizeCalculation: ({ byteLength }) => byteLength,
  });
  const documentOf = async (reads: Reads, id: string): Promise<Uint8Array> => {
    const known = recent.get(id);
    if (known !== undefined) return known;
    const body = await readDocument(reads, id);
    if (body === undefined) throw new Error(`the document of ${id} is missing`);
    recent.set(id, body);
    return body;
  };
  return {
    async served(buildingId, surface) {
      const key = parseAssetId(buildingId);
      if (key === undefined) return fail({ kind: 'malformedId' });
      const found = await storage.snapshot((reads) => readServed(reads, key, surface, documentOf));
      if (found !== undefined) return ok(found);
      const survivor = await resolveSurvivor(storage.db, key);
      if (survivor === undefined || survivor === key) return fail({ kind: 'unknownBuilding' });
      return fail({ kind: 'movedBuilding', survivor });
    },
  };
}

/** All of one moment; undefined where no building is published under this ID. */
async function readServed(
  reads: Reads,
  building: AssetKey,
  surface: PermittedSurface,
  documentOf: (reads: Reads, id: string) => Promise<Uint8Array>,
): Promise<ServedPublication[] | undefined> {
  const [published] = await reads.all('select building from page where building = ?', [building]);
  if (published === undefined) return undefined;
  const active = await findPublications(reads, await findActivePublications(reads, [building]));
  if (active.length === 0) return [];
  const served: ServedPublication[] = [];
  for (const [{ id, computedAt }, surfaces] of await findServed(reads, active)) {
    if (!surfaces.includes(surface)) continue;
    served.push({ id, computedAt, body: await documentOf(reads, id), surfaces });
  }
  return served;
}

/** REIT-09, REIT-10: judged anew at every read, by the buildings and permissions of the moment: a doubt hides. */
async function findServed(
  reads: Reads,
  active: readonly StoredPublication[],
): Promise<[StoredPublication, readonly PermittedSurface[]][]> {
  const events = await readEvents(
    reads,
    active.map(({ id }) => id),
  );
  const anchors = await readAnchors(
    reads,
    active.flatMap(({ outline }) => buildingsOf(outline)),
  );
  const permissions = await readPermissions(reads);
  const inOrder = active.toSorted(
    byTexts(
      ({ outline }) => outline.issuer.id,
      ({ id }) => id,
    ),
  );
  return inOrder.map((kept) => {
    return [kept, statusOf(events.get(kept.id) ?? [], factsOfActive(kept, anchors, permissions)).served];
  });
}

/** The same for whoever needs more of it than its bytes. */
export function readPublication({ id, computedAt, body }: Omit<ServedPublication, 'surfaces'>): Publication {
  return { id, computedAt, document: JSON.parse(textOf(body)) as Document };
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}
