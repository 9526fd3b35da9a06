import { abr } from '../sources/abr/adapter.ts';
import type { Adapter } from '../sources/adapter.ts';
import { estat } from '../sources/estat/adapter.ts';
import { nominatim } from '../sources/nominatim/adapter.ts';
import { osm } from '../sources/osm/adapter.ts';
import { plateau } from '../sources/plateau/adapter.ts';
import { wikidata } from '../sources/wikidata/adapter.ts';
import type { Source } from '../vocabulary/sources.ts';

/** Every source that is read in its own format. */
const ADAPTERS: Readonly<Partial<Record<Source, Adapter>>> = { osm, plateau, abr, estat, wikidata, nominatim };

export const ADAPTED_SOURCES = Object.keys(ADAPTERS) as Source[];

export function adapterOf(source: Source): Adapter | undefined {
  return ADAPTERS[source];
}
