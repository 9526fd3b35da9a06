import { mendInheritance } from '../matching/check-inheritance.ts';
import { relocateRecords } from '../matching/locate-records.ts';
import { findRecords } from '../matching/queries.ts';
import { clearDamagedFile, inspectCopy, markDamagedFile } from '../observations/archive.ts';
import { listArchived } from '../observations/check-archive.ts';
import { deriveBuildings } from '../pipeline/consolidate-buildings.ts';
import type { Context } from '../pipeline/context.ts';
import { recountAreas } from '../pipeline/rebuild-search.ts';
import { matchAndPublish } from '../pipeline/run.ts';
import { Areas } from '../registry/areas.ts';
import { markBuildingsStale } from '../registry/buildings.ts';
import { mendBuilding } from '../registry/check/mend-building.ts';
import { mendAreas, mendIdentity, mendMinted, sweepUnresolved } from '../registry/check/mend-tables.ts';
import { loadStored } from '../registry/check/stored-buildings.ts';
import { recountAllMeshes } from '../registry/map-tiles/mesh-counts.ts';
import { markTodo } from '../registry/markers.ts';
import { rebuildActive } from '../reit/life/check-publications.ts';
import { recheckPublications } from '../reit/life/matched-buildings.ts';
import { lockPublications } from '../reit/life/store.ts';
import { batches, type Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import type { Difference, RemedyName } from '../vocabulary/difference.ts';
import { IdSet } from '../vocabulary/id-set.ts';

const BATCH = 200;
const BY_AREA: readonly RemedyName[] = ['indexing', 'summarising'];

/** What has to be done to repair the differences that were found. */
export class Repairs {
  readonly #buildings = new IdSet();
  readonly #identities = new Set<AssetKey>();
  readonly #records = new IdSet();
  readonly #complexes = new Set<number>();
  readonly #blocked = new IdSet();
  readonly #needed = new Set<RemedyName>();
  #isArchiveDamaged = false;
  /** Areas are lost, and without them nothing can be counted or indexed by area. */
  #isTreeDamaged = false;

  add({ kind, table, remedy, blocks }: Difference): void {
    if (blocks !== undefined) this.#blocked.add(blocks);
    if (table === 'archive' && kind !== 'note') this.#isArchiveDamaged = true;
    if (table === 'area' && kind === 'unresolved') this.#isTreeDamaged = true;
    if (remedy === null) return;
    this.#needed.add(remedy.by);
    if (remedy.by === 'publishing' || remedy.by === 'identity') this.#buildings.add(remedy.building);
    if (remedy.by === 'identity') this.#identities.add(remedy.building);
    if (remedy.by === 'locating') this.#records.add(remedy.record);
    if (remedy.by === 'lending') this.#complexes.add(remedy.record);
  }

  get isEmpty(): boolean {
    return this.#needed.size === 0;
  }

  /** VRF-11: marks what differs and publishes it again. The caller holds the write lock. */
  async run(context: Context): Promise<void> {
    const { storage, report } = context;
    report.stage('repairing');
    if (this.#isArchiveDamaged) await noteDamagedFiles(context);
    if (this.isEmpty) return;
    const needs = (name: RemedyName) => this.#needed.has(name) && !(this.#isTreeDamaged && BY_AREA.includes(name));
    await storage.transaction(async (tx) => {
      if (needs('sweeping')) await sweepUnresolved(tx);
      if (needs('drawing')) await mendAreas(tx);
      if (needs('numbering')) await mendMinted(tx);
      for (const building of this.#identities) await mendIdentity(tx, building);
      for (const record of this.#complexes) await mendInheritance(tx, record);
      if (needs('indexing')) await markTodo(tx, 'enter buildings');
    });
    for (const ids of this.#records.batches(BATCH)) {
      await storage.transaction(async (tx) => relocateRecords(tx, [...(await findRecords(tx.db, ids)).values()]));
    }
    const areas = await Areas.load(storage.db);
    for (const ids of this.#buildings.batches(BATCH)) {
      const readable = ids.filter((id) => !this.#blocked.has(id));
      await storage.transaction(async (tx) => {
        const areRetimed = await mendBuildings(tx, areas, readable, context.now());
        if (areRetimed && !this.#isTreeDamaged) await markTodo(tx, 'enter buildings');
      });
    }
    await matchAndPublish(context);
    await storage.transaction(async (tx) => {
      if (needs('summarising')) await recountAreas(tx);
      if (needs('counting')) await recountAllMeshes(tx);
    });
    if (needs('rechecking')) {
      await storage.transaction(async (tx) => {
        await lockPublications(tx);
        await recheckPublications(tx, await rebuildActive(tx), context.now);
      });
    }
  }
}

/** Returns whether the time of one changed. */
async function mendBuildings(tx: Tx, areas: Areas, ids: readonly AssetKey[], now: string): Promise<boolean> {
  let areRetimed = false;
  for (const batch of batches(ids)) {
    for (const id of batch) {
      const [stored] = await loadStored(tx.db, { from: id, to: id });
      const row = stored?.row;
      if (stored === undefined || row === undefined) continue;
      for await (const derived of deriveBuildings(tx.db, areas, [row])) {
        const { isRetimed } = await mendBuilding(tx, { ...stored, row }, derived, areas, now);
        areRetimed ||= isRetimed;
      }
    }
    await markBuildingsStale(tx, batch);
  }
  return areRetimed;
}

/** Damaged files cannot be repaired from here; `status` names them until their originals are ingested again. */
async function noteDamagedFiles({ storage, archiveDir, now }: Context): Promise<void> {
  for (const { sha256 } of await listArchived(storage.db)) {
    const reason = await inspectCopy(archiveDir, sha256);
    if (reason === null) await clearDamagedFile(storage, sha256);
    else await markDamagedFile(storage, { sha256, reason: reason ?? 'it is missing', foundAt: now() });
  }
}
