import { findCategory } from '../../vocabulary/categories.ts';
import type { ExtractionMethod } from '../../vocabulary/sources.ts';
import type { Tags } from './element.ts';
import { valuesOf } from './names-of.ts';
import { BUSINESS, NO_USE } from './tag-tables.ts';

export interface Use {
  value: string;
  extractionMethod: ExtractionMethod;
}

/** `yes`, `roof` and other words name no use: with nothing else the use is not known. */
export function usesOf(tags: Tags): Use[] {
  const building = valuesOf(tags, 'building').map((value): Use => ({ value, extractionMethod: 'osm-tag' }));
  const business = BUSINESS.filter((key) => tags.has(key))
    .flatMap((key) => valuesOf(tags, key).map((value) => `${key}=${value}`))
    .filter((value) => !NO_USE.has(value) && findCategory(value) !== undefined)
    .map((value): Use => ({ value, extractionMethod: 'osm-business-tag' }));
  return [...building, ...business].filter(({ value }) => findCategory(value) !== 'unspecified');
}
