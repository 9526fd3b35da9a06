import type { AssetKey } from '../../vocabulary/asset-id.ts';
import type { Statement } from '../../vocabulary/evidence.ts';
import type { AreaGeometry } from '../../vocabulary/geometry.ts';
import type { Source } from '../../vocabulary/sources.ts';

/** The record format of docs/reference/record-format.md: what one line may say. */
export type Entry = AreaEntry | RecordEntry | MergeEntry;

interface Noted {
  /** What was removed from its texts, where something was. */
  notes?: string[];
}

export interface AreaEntry extends Noted {
  kind: 'area';
  level: 'prefecture' | 'ward' | 'machiAza';
  code: string;
  parent: string | null;
  slug: string;
  nameJa: string;
  nameEn: string | null;
  boundary: AreaGeometry | null;
}

export interface RecordEntry extends Noted {
  kind: 'record';
  source: Source;
  sourceRecordId: string;
  building: AssetKey | null;
  statement: Statement;
}

export interface MergeEntry extends Noted {
  kind: 'merge';
  from: AssetKey;
  into: AssetKey;
  reason: string | null;
}
