import type { AssetKey } from '../../vocabulary/asset-id.ts';
import type { Statement } from '../../vocabulary/evidence.ts';
import type { AreaGeometry } from '../../vocabulary/geometry.ts';
import type { Source } from '../../vocabulary/sources.ts';

/** One line of the record format (docs/reference/record-format.md). */
export type Entry = AreaEntry | RecordEntry | MergeEntry;

interface Noted {
  /** What was removed from its texts. */
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
