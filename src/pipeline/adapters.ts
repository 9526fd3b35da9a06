import type { Adapter } from '../sources/adapter.ts';
import type { Source } from '../vocabulary/sources.ts';

/** Every source that is read in its own format. */
const ADAPTERS: Readonly<Partial<Record<Source, Adapter>>> = {};

export const ADAPTED_SOURCES = Object.keys(ADAPTERS) as Source[];

export function adapterOf(source: Source): Adapter | undefined {
  return ADAPTERS[source];
}
