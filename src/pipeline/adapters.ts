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
import { wikidata } from '../sources/wikidata/adapter.ts';
import type { Source } from '../vocabulary/sources.ts';

/** Every source that is read in its own format. */
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
} as const satisfies Readonly<Record<Exclude<Source, 'dnk'>, Adapter>>;

export type AdaptedSource = keyof typeof ADAPTERS;
export const ADAPTED_SOURCES = Object.keys(ADAPTERS) as AdaptedSource[];

export function adapterOf(source: AdaptedSource): Adapter {
  return ADAPTERS[source];
}
