import type { AssetKey } from './asset-id.ts';
import { FailureError } from './failure.ts';

/** The parts of the registry that are verified, in order (VRF-01). */
export const VERIFIED_PARTS = [
  ...(['archive', 'evidence', 'matching', 'areas', 'identity', 'records', 'nearby'] as const),
  ...(['search', 'summaries', 'meshes', 'reit', 'changes', 'markers'] as const),
] as const;
export type VerifiedPart = (typeof VERIFIED_PARTS)[number];

/** What repairs a difference; nothing if it is lost, such as a file of the archive. */
type Remedy =
  | { by: 'publishing'; building: AssetKey }
  | { by: 'locating' | 'lending'; record: number }
  | { by: 'identity'; building: AssetKey }
  | { by: 'sweeping' | 'indexing' | 'summarising' | 'counting' }
  | { by: 'numbering' | 'drawing' | 'rechecking' | 'finishing' };

export type RemedyName = Remedy['by'];

/** Where the stored registry is not what its evidence gives. */
export interface Difference {
  /**
   * `unresolved`: it refers to something that does not exist. `unfinished`: work that an interrupted run left. `note`: told,
   * but not an error.
   */
  kind: 'missing' | 'extra' | 'differs' | 'unreadable' | 'unresolved' | 'unfinished' | 'note';
  /** The table, or `archive`. */
  table: string;
  /** The row or file; may contain text of a source. */
  row: string;
  detail: string | null;
  remedy: Remedy | null;
  /** A building whose evidence is damaged or lost. What is published of it stays as it is. */
  blocks?: AssetKey;
}

/** The message of an error that damaged bytes caused. */
export function describeDamage(error: unknown): string {
  if (error instanceof FailureError && error.failure.kind === 'unknownArea') return 'an area around it is missing';
  return error instanceof Error ? error.message : String(error);
}
