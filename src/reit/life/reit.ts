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

/** A served publication: the bytes of its document and the surfaces that serve it now. */
export interface ServedPublication {
  id: string;
  computedAt: string;
  body: Uint8Array;
  surfaces: readonly PermittedSurface[];
}

/** The queries of the surfaces about REITs. */
export interface Reit {
  /**
   * REIT-01: the accepted publications of a building that a surface may show, by issuer and ID. Errors are thrown: an
   * empty list always means that there are none (REIT-07).
   */
  served(buildingId: string, surface: PermittedSurface): Promise<Result<ServedPublication[], GetFailure>>;
}

/** In bytes. */
const RECENT_DOCUMENTS = 64e6;

export function openReit(storage: Storage): Reit {
  /** Documents by ID, the hash of their bytes, so that entries never go stale. Whether they are served is not cached. */
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
      // REIT-06: an unknown building is not found, a merged one redirects.
      const survivor = await resolveSurvivor(storage.db, key);
      if (survivor === undefined || survivor === key) return fail({ kind: 'unknownBuilding' });
      return fail({ kind: 'movedBuilding', survivor });
    },
  };
}

/** Read in one snapshot; undefined if no building is published under this ID. */
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

/** REIT-09, REIT-10: decided on every read from the current buildings and permissions; unknown means not served. */
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

/** Parses the document of a publication. */
export function readPublication({ id, computedAt, body }: Omit<ServedPublication, 'surfaces'>): Publication {
  return { id, computedAt, document: JSON.parse(textOf(body)) as Document };
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}
