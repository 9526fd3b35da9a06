import { deriveBuildings } from '../pipeline/consolidate-buildings.ts';
import type { Areas } from '../registry/areas.ts';
import { loadBuildings } from '../registry/buildings.ts';
import { findBuildingsOfSources } from '../registry/exported.ts';
import { creditsOfPage } from '../registry/record-credits.ts';
import { composePage } from '../registry/records.ts';
import { batches, type Db } from '../storage/storage.ts';
import { type AssetKey, parseAssetId } from '../vocabulary/asset-id.ts';
import { attributionOf } from '../vocabulary/attribution.ts';
import type { BuildingPage, Nearby } from '../vocabulary/building-page.ts';
import type { Canonical } from '../vocabulary/canonical.ts';
import { CLOSED_SOURCES } from '../vocabulary/source-facts.ts';
import type { Source } from '../vocabulary/sources.ts';
import type { ExportedRecord } from './format.ts';

const isOpen = (source: Source) => !CLOSED_SOURCES.has(source);
const BUILDINGS_AT_ONCE = 200;

type Label = Pick<Nearby, 'nameJa' | 'nameEn' | 'category'>;

/**
 * EXP-08: records without anything that a closed source says: they are derived again from the other evidence, so that the best
 * other source counts, also for computed values and for the names of neighbours.
 */
export class OpenRecords {
  readonly #db: Db;
  readonly #areas: Areas;
  /** How neighbours show the buildings about which a closed source says something; null if nothing else is known. */
  readonly #labels: ReadonlyMap<AssetKey, Label | null>;

  private constructor(db: Db, areas: Areas, labels: ReadonlyMap<AssetKey, Label | null>) {
    this.#db = db;
    this.#areas = areas;
    this.#labels = labels;
  }

  static async load(db: Db, areas: Areas): Promise<OpenRecords> {
    const labels = new Map<AssetKey, Label | null>();
    const ids = await findBuildingsOfSources(db, [...CLOSED_SOURCES]);
    for (const batch of batches(ids, BUILDINGS_AT_ONCE)) {
      for (const [id, canonical] of await deriveOpen(db, areas, batch)) {
        labels.set(id, canonical === undefined ? null : labelOf(canonical));
      }
    }
    return new OpenRecords(db, areas, labels);
  }

  /** Records without any other evidence are left out. */
  async rewrite(records: readonly ExportedRecord[]): Promise<ExportedRecord[]> {
    const keys = new Map(records.map((record) => [keyOf(record.building), record]));
    const affected = [...keys.keys()].filter((key) => this.#labels.has(key));
    const derived = await deriveOpen(this.#db, this.#areas, affected);
    const rows = await loadBuildings(this.#db, affected);
    return [...keys].flatMap(([key, record]): ExportedRecord[] => {
      const { building } = record;
      const nearby = building.nearby.flatMap((neighbour) => this.#relabel(neighbour));
      if (!this.#labels.has(key)) {
        const isSame = nearby.every((neighbour, i) => neighbour === building.nearby[i]);
        return isSame && nearby.length === building.nearby.length ? [record] : [toRecord({ ...building, nearby })];
      }
      const [canonical, area] = [derived.get(key), rows.get(key)?.area];
      if (canonical === undefined || area == null) return [];
      const page = composePage(key, canonical, this.#areas.place(area), building.history);
      return [toRecord({ ...page, attribution: attributionOf(creditsOfPage(page)), nearby } as BuildingPage)];
    });
  }

  #relabel(neighbour: Nearby): Nearby[] {
    const label = this.#labels.get(parseAssetId(neighbour.id) as AssetKey);
    if (label === undefined) return [neighbour];
    return label === null ? [] : [{ ...neighbour, ...label }];
  }
}

async function deriveOpen(
  db: Db,
  areas: Areas,
  ids: readonly AssetKey[],
): Promise<Map<AssetKey, Canonical | undefined>> {
  const open = new Map<AssetKey, Canonical | undefined>();
  const rows = [...(await loadBuildings(db, ids)).values()];
  for await (const { building, canonical } of deriveBuildings(db, areas, rows, isOpen)) {
    open.set(building.id, canonical);
  }
  return open;
}

function labelOf({ fields, assetTypes }: Canonical): Label {
  const text = (field: 'nameJa' | 'nameEn') => {
    const value = fields[field]?.value;
    return value === undefined ? null : String(value);
  };
  return { nameJa: text('nameJa'), nameEn: text('nameEn'), category: assetTypes[0]?.category ?? 'unspecified' };
}

const keyOf = ({ id }: BuildingPage) => parseAssetId(id) as AssetKey;

function toRecord(building: BuildingPage): ExportedRecord {
  return { building, body: Buffer.from(JSON.stringify(building)) };
}
