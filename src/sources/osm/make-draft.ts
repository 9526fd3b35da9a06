import { parsePostcode } from '../../vocabulary/address.ts';
import { type AreaGeometry, type Geometry, measure } from '../../vocabulary/geometry.ts';
import { type Draft, newDraft, noteHidden, observe, setGeometry } from '../draft.ts';
import { addressFromTags } from './address.ts';
import { type ElementType, elementKey, type Tags } from './elements.ts';
import type { PartTable } from './part-table.ts';
import { ADDRESS_KEYS } from './tag-tables.ts';
import { identifiersFromTags, namesFromTags, sizeFromTags, tagValues, usesFromTags } from './tags.ts';
import type { VenueTable } from './venue-table.ts';

interface FileContext {
  venues: VenueTable;
  parts: PartTable;
}

/** A building as a record, or why it is rejected. */
export function makeDraft(
  type: ElementType,
  id: number,
  tags: Tags,
  geometry: Geometry,
  around: FileContext,
): Draft | string {
  if (id <= 0) return 'not in OpenStreetMap yet (its ID is not positive); upload it and fetch it again';
  const key = elementKey(type, id);
  const draft = newDraft(key, `https://www.openstreetmap.org/${key}`, 'osm-tag');
  draft.whole = true;
  const fault = setGeometry(draft, geometry);
  if (fault !== undefined) return `outline ${fault}`;
  observeTags(draft, tags);
  const size = sizeFromTags(tags, (reason) => draft.notes.push(reason));
  if (draft.geometry !== null && draft.geometry.type !== 'Point') {
    const { areaM2, bbox } = measure(draft.geometry as AreaGeometry);
    observe(draft, 'footprintM2', areaM2);
    draft.venues = around.venues.within(draft.geometry as AreaGeometry, bbox);
    const ofParts = around.parts.claim(key, draft.geometry as AreaGeometry, bbox);
    size.heightM ??= ofParts.heightM;
    size.floorsAbove ??= ofParts.floorsAbove;
    size.floorsBelow ??= ofParts.floorsBelow;
  }
  observe(draft, 'heightM', size.heightM);
  observe(draft, 'floorsAbove', size.floorsAbove);
  observe(draft, 'floorsBelow', size.floorsBelow);
  return draft;
}

const NAMES_OR_PLACES = /(?:^|_)name(?::|$)|^addr:/;

function observeTags(draft: Draft, tags: Tags): void {
  for (const [key, text] of tags) if (NAMES_OR_PLACES.test(key)) noteHidden(draft, key, text);
  const { nameJa, nameEn, aliases } = namesFromTags(tags);
  observe(draft, 'nameJa', nameJa);
  observe(draft, 'nameEn', nameEn);
  for (const alias of aliases) observe(draft, 'aliases', alias);
  observe(draft, 'addressJa', addressFromTags(tags));
  const postcode = ADDRESS_KEYS.postcode.map((key) => tags.get(key)).find((text) => text !== undefined);
  if (postcode !== undefined) {
    const parsed = parsePostcode(postcode);
    if (parsed === undefined) draft.notes.push('addr:postcode must have seven digits');
    observe(draft, 'postcode', parsed);
  }
  for (const { value, extractionMethod } of usesFromTags(tags)) {
    observe(draft, 'assetTypes', value, extractionMethod === draft.extractionMethod ? {} : { extractionMethod });
  }
  for (const id of tagValues(tags, 'wikidata')) {
    if (/^Q[1-9]\d{0,11}$/.test(id)) draft.links.push(`wikidata:${id}`);
    else draft.notes.push('wikidata must be an item ID (Q and digits)');
  }
  draft.links.push(...identifiersFromTags(tags));
}
