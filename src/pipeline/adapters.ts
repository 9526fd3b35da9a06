import { abr } from '../sources/abr/adapter.ts';
import type { Adapter } from '../sources/adapter.ts';
import { edinet } from '../sources/edinet/adapter.ts';
import { estat } from '../sources/estat/adapter.ts';
import { greenarchive } from '../sources/greenarchive/adapter.ts';
import { greenbuilding } from '../sources/greenbuilding/adapter.ts';
import { jreit } from '../sources/jreit/adapter.ts';
import { mankan } from '../sources/mankan/adapter.ts';
import { nominatim } from '../sources/nominatim/adapter.ts';
import { osm } from '../sources/osm/adapter.ts';
import { plateau } from '../sources/plateau/adapter.ts';
import { records } from '../sources/records/adapter.ts';
import { wikidata } from '../sources/wikidata/adapter.ts';
import type { Source } from '../vocabulary/sources.ts';

/** Every source that can be ingested. */
const ADAPTERS = {
  osm,
  plateau,
  abr,
  estat,
  wikidata,
  nominatim,
  edinet,
  jreit,
  greenarchive,
  greenbuilding,
  mankan,
  records,
} as const satisfies Readonly<Record<Exclude<Source, 'dnk'> | 'records', Adapter>>;

export type IngestSource = keyof typeof ADAPTERS;
export const INGEST_SOURCES = Object.keys(ADAPTERS) as IngestSource[];

export function adapterOf(source: IngestSource): Adapter {
  return ADAPTERS[source];
}
