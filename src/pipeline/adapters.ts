import type { Adapter } from '../sources/adapter.ts';
import { nominatim } from '../sources/nominatim/adapter.ts';
import { plateau } from '../sources/plateau/adapter.ts';
import { wikidata } from '../sources/wikidata/adapter.ts';
import type { Source } from '../vocabulary/sources.ts';

/** Every source that is read in its own format. */
const ADAPTERS: Readonly<Partial<Record<Source, Adapter>>> = { plateau, wikidata, nominatim };

export const ADAPTED_SOURCES = Object.keys(ADAPTERS) as Source[];

export function adapterOf(source: Source): Adapter | undefined {
  return ADAPTERS[source];
}
