import type { Reads } from '../../storage/storage.ts';
import { type AssetKey, formatAssetId, parseAssetId } from '../../vocabulary/asset-id.ts';
import { byTexts, canonicalJson, sha256 } from '../publication/canonical-json.ts';
import { readAnchors } from './matched-buildings.ts';
import { buildingsOf } from './outline.ts';
import type { PermittedSurface } from './permissions.ts';
import { factsOfActive, statusOf } from './publication-status.ts';
import {
  findActivePublications,
  findPublications,
  readEvents,
  readPermissions,
  type StoredPublication,
} from './store.ts';

/** REIT-09, REIT-10: decided on every read from the current buildings and permissions; unknown means not served. */
export async function findServed(
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

interface Decided {
  /** Everything that the decision was made from. */
  facts: string;
  surfaces: readonly PermittedSurface[];
}

/** UI-47: the buildings with a publication that a surface serves now. */
export class ServedBuildings {
  /** By publication. A decision is made again as soon as one of its facts changes. */
  #decided = new Map<string, Decided>();

  async all(reads: Reads, surface: PermittedSurface): Promise<ReadonlySet<string>> {
    const active = await readActive(reads);
    const shared = await readSharedFacts(reads);
    const events = await readEventStates(reads);
    const decided = new Map<string, Decided>();
    const unknown: string[] = [];
    const factsOf = new Map<string, string>();
    for (const [publication, matched] of Map.groupBy(active, (row) => row.publication)) {
      const facts = JSON.stringify([shared, events.get(publication), matched]);
      factsOf.set(publication, facts);
      const known = this.#decided.get(publication);
      if (known?.facts === facts) decided.set(publication, known);
      else unknown.push(publication);
    }
    for (const [{ id }, surfaces] of await findServed(reads, await findPublications(reads, unknown))) {
      decided.set(id, { facts: factsOf.get(id) as string, surfaces });
    }
    this.#decided = decided;
    const isServed = ({ publication }: ActiveRow) => decided.get(publication)?.surfaces.includes(surface) === true;
    return new Set(active.filter(isServed).map(({ building }) => formatAssetId(building)));
  }
}

/** The same for a few buildings, decided anew each time. */
export async function servedAmong(
  reads: Reads,
  buildingIds: readonly string[],
  surface: PermittedSurface,
): Promise<ReadonlySet<string>> {
  const keys = buildingIds.map(parseAssetId).filter((key) => key !== undefined);
  const active = await findPublications(reads, await findActivePublications(reads, keys));
  if (active.length === 0) return new Set();
  const served = (await findServed(reads, active)).filter(([, surfaces]) => surfaces.includes(surface));
  const matched = new Set(served.flatMap(([{ outline }]) => buildingsOf(outline)));
  return new Set(buildingIds.filter((id) => matched.has(id)));
}

/** A matched building of an active publication, with what its anchors are computed from. */
interface ActiveRow {
  publication: string;
  building: AssetKey;
  state: string | null;
  version: number | null;
  recorded: string | null;
  published: AssetKey | null;
  machi_aza: string | null;
  ward: string | null;
  prefecture: string | null;
}

async function readActive(reads: Reads): Promise<ActiveRow[]> {
  return reads.all<ActiveRow>(
    `select a.publication, a.building, b.state, b.version, b.recorded_at as recorded, p.building as published,
        m.slug as machi_aza, w.slug as ward, f.slug as prefecture
      from reit_active a
      left join building b on b.id = a.building
      left join page p on p.building = a.building
      left join area m on m.code = b.area
      left join area w on w.code = m.parent
      left join area f on f.code = w.parent
      order by a.publication, a.building`,
    [],
  );
}

/** The permissions, which concern every publication. */
async function readSharedFacts(reads: Reads): Promise<string> {
  return sha256(canonicalJson(await readPermissions(reads)));
}

/** Changes with every event of a publication. Events are only added; a restored database may reuse their IDs. */
async function readEventStates(reads: Reads): Promise<Map<string, string>> {
  const rows = await reads.all<{ publication: string; state: string }>(
    `select publication, max(id) || ' ' || count(*) || ' ' || sum(length(body)) as state from reit_event
      where publication in (select publication from reit_active) group by publication`,
    [],
  );
  return new Map(rows.map(({ publication, state }) => [publication, state]));
}
