import type { AreaName, Nearby } from './building-page.ts';
import type { Category } from './categories.ts';

/** UI-26: what remains of a building whose ID was retired without a successor. */
export interface Tombstone {
  id: string;
  retiredAt: string;
  /** Why, as the operator stated it. */
  reason: string | null;
  /** The retired building that this ID was merged into; null if the ID itself was retired. */
  mergedInto: string | null;
  /** Its last published version; null if it was never published. */
  last: LastVersion | null;
  /** Published buildings close to where it stood, nearest first. */
  nearby: Nearby[];
}

interface LastVersion {
  version: number;
  recordedAt: string;
  /** When its first version was recorded. */
  firstRecordedAt: string;
  nameJa: string | null;
  nameEn: string | null;
  addressJa: string | null;
  categories: Category[];
  yearBuilt: number | null;
  completionMonth: string | null;
  point: { lat: number; lon: number } | null;
  /** Its areas, if the sources of its outline named them; prefecture, ward, machi-aza. */
  areas: AreaName[] | null;
}
