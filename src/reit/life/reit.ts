import { LRUCache } from 'lru-cache';
import { resolveSurvivor } from '../../registry/identity.ts';
import type { GetFailure } from '../../registry/registry.ts';
import { whyMissing } from '../../registry/tombstones.ts';
import type { ReadStorage, Reads } from '../../storage/storage.ts';
import { type AssetKey, parseAssetId } from '../../vocabulary/asset-id.ts';
import { fail, ok, type Result } from '../../vocabulary/result.ts';
import type { Document, Publication } from '../publication/document.ts';
import type { PermittedSurface } from './permissions.ts';
import { findServed, ServedBuildings, servedAmong } from './served-buildings.ts';
import { findActivePublications, findPublications, readDocument } from './store.ts';

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
  /** The buildings with a publication that a surface serves now: all, or those of a list. */
  servedBuildings(surface: PermittedSurface, among?: readonly string[]): Promise<ReadonlySet<string>>;
}

/** In bytes. */
const RECENT_DOCUMENTS = 16e6;

export function openReit(storage: ReadStorage): Reit {
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
  const buildings = new ServedBuildings();
  return {
    servedBuildings: (surface, among) =>
      storage.snapshot((reads) =>
        among === undefined ? buildings.all(reads, surface) : servedAmong(reads, among, surface),
      ),
    async served(buildingId, surface) {
      const key = parseAssetId(buildingId);
      if (key === undefined) return fail({ kind: 'malformedId' });
      const found = await storage.snapshot((reads) => readServed(reads, key, surface, documentOf));
      if (found !== undefined) return ok(found);
      // REIT-06: an unknown or retired building is not found, a merged one redirects.
      const survivor = await resolveSurvivor(storage.db, key);
      if (survivor === undefined || survivor === key) return fail(await whyMissing(storage, key));
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

/** Parses the document of a publication. */
export function readPublication({ id, computedAt, body }: Omit<ServedPublication, 'surfaces'>): Publication {
  return { id, computedAt, document: JSON.parse(textOf(body)) as Document };
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}
