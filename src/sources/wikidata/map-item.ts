import { type Json, own } from '../../files/read-json.ts';
import { findCategory } from '../../vocabulary/categories.ts';
import { cleanText } from '../../vocabulary/text.ts';
import { type Draft, newDraft, noteHidden, observe, setGeometry } from '../draft.ts';
import { BUILDING_CLASSES, type EntityKind } from './classes.ts';
import { classesOf, coordinatesOf } from './classify.ts';
import { type ItemLookup, labelOf } from './look-up-items.ts';
import {
  COUNT_PROPERTIES,
  METRES_PER_UNIT,
  NAME_PROPERTIES,
  OSM_PROPERTIES,
  P,
  YEAR_PROPERTIES,
} from './properties.ts';
import { bestStatements, currentStatements, itemOf, quantityOf, yearOf } from './statements.ts';

interface ItemContext {
  entity: Json;
  kind: EntityKind;
  lookup: ItemLookup;
  now: string;
}

/** In degrees; a coarser point may be a kilometre off. */
const COARSEST_POINT = 0.01;
const MAX_ALIASES = 200;
const MAX_NAMES = 20;
const MAX_LINKS = 200;

export function mapItem(id: string, item: ItemContext): Draft {
  const { entity } = item;
  const draft = newDraft(id, `https://www.wikidata.org/wiki/${id}`, 'wikidata-claim');
  draft.whole = true;
  drawPoint(draft, item);
  addYear(draft, item);
  if (isComplex(item)) {
    // CON-12: only the year and the architect are inherited from a complex.
    for (const language of ['ja', 'en', 'mul']) noteLabel(draft, entity, language);
    draft.complex = { nameJa: labelOf(entity, 'ja') ?? null, nameEn: labelOf(entity, 'en') ?? null };
    addNamed(draft, item, 'architect', P.architect);
    draft.links.push(...linksTo(item, 'member', P.hasPart), ...osmLinks(item));
    return draft;
  }
  addNames(draft, entity);
  addUses(draft, item);
  addHeight(draft, item);
  for (const [field, property] of COUNT_PROPERTIES) addCount(draft, item, field, property);
  for (const [field, property] of NAME_PROPERTIES) addNamed(draft, item, field, property);
  draft.links.push(...linksTo(item, 'complex', P.partOf), ...osmLinks(item));
  return draft;
}

/** A complex by its class, or by two or more parts that are buildings in the files. */
function isComplex({ entity, kind, lookup, now }: ItemContext): boolean {
  if (kind === 'complex') return true;
  const parts = new Set(currentStatements(entity, P.hasPart, now).flatMap(({ value }) => itemOf(value) ?? []));
  return [...parts].filter((part) => lookup.get(part)?.building === true).length >= 2;
}

function drawPoint(draft: Draft, { entity, now }: ItemContext): void {
  const coordinates = coordinatesOf(entity, now);
  if (coordinates === undefined) {
    const given = bestStatements(entity, P.coordinates, now).length > 0;
    if (given) draft.notes.push('coordinates (P625) are not on Earth; latitude and longitude may be swapped');
    return;
  }
  if ((coordinates.precision ?? 0) > COARSEST_POINT) {
    draft.notes.push('coordinates (P625) are too coarse for a point');
    return;
  }
  const fault = setGeometry(draft, { type: 'Point', coordinates: coordinates.position });
  if (fault !== undefined) draft.notes.push(`coordinates (P625): ${fault}`);
}

function addNames(draft: Draft, entity: Json): void {
  for (const language of ['ja', 'en', 'mul']) noteLabel(draft, entity, language);
  const names = [labelOf(entity, 'ja'), labelOf(entity, 'en')];
  observe(draft, 'nameJa', names[0]);
  observe(draft, 'nameEn', names[1]);
  const aliases = ['ja', 'en'].flatMap((language) => {
    const some = own(own(entity, 'aliases'), language);
    return Array.isArray(some) ? some : [];
  });
  if (aliases.length > MAX_ALIASES) draft.notes.push(`only the first ${MAX_ALIASES} aliases are used`);
  for (const alias of aliases.slice(0, MAX_ALIASES)) {
    const value = own(alias, 'value');
    const name = typeof value === 'string' ? cleanText(value) : '';
    if (typeof value === 'string') noteHidden(draft, 'alias', value);
    if (!names.includes(name)) observe(draft, 'aliases', name);
  }
}

function noteLabel(draft: Draft, entity: Json, language: string): void {
  const label = own(own(own(entity, 'labels'), language), 'value');
  if (typeof label === 'string') noteHidden(draft, 'label', label);
}

function addUses(draft: Draft, { entity, lookup, now }: ItemContext): void {
  for (const item of classesOf(entity, now)) {
    const known = BUILDING_CLASSES.get(item);
    observe(draft, 'assetTypes', known === undefined ? useNamed(lookup, item) : known.use);
  }
}

/** The label of a class that is not in the table, if it is a word for a use. */
function useNamed(lookup: ItemLookup, item: string): string | undefined {
  const { en, ja } = lookup.get(item) ?? {};
  return [en, ja].find((word) => word !== undefined && (findCategory(word) ?? 'unspecified') !== 'unspecified');
}

function addHeight(draft: Draft, { entity, now }: ItemContext): void {
  const metres: number[] = [];
  for (const { value, ofPart } of bestStatements(entity, P.height, now)) {
    if (ofPart) continue;
    const quantity = quantityOf(value);
    const factor = METRES_PER_UNIT.get(quantity?.unit ?? '');
    if (quantity === undefined) draft.notes.push(`height (${P.height}) is not a number`);
    else if (factor === undefined) draft.notes.push(`height (${P.height}) has an unsupported unit`);
    else metres.push(factor === 1 ? quantity.amount : Math.round(quantity.amount * factor * 100) / 100);
  }
  observe(draft, 'heightM', greatest(draft, metres, P.height));
}

function addCount(
  draft: Draft,
  { entity, now }: ItemContext,
  field: 'floorsAbove' | 'floorsBelow',
  property: string,
): void {
  const counts: number[] = [];
  for (const { value, ofPart } of bestStatements(entity, property, now)) {
    if (ofPart) continue;
    const quantity = quantityOf(value);
    if (quantity?.bare === true) counts.push(quantity.amount);
    else draft.notes.push(`${field} (${property}) must be a number without a unit`);
  }
  observe(draft, field, greatest(draft, counts, property));
}

/** Of several values with the same rank the greatest is that of the whole building: a roof is below a spire. */
function greatest(draft: Draft, values: number[], property: string): number | undefined {
  if (new Set(values).size > 1) draft.notes.push(`several values (${property}); the greatest is used`);
  return values.length === 0 ? undefined : Math.max(...values);
}

function addYear(draft: Draft, { entity, kind, now }: ItemContext): void {
  const thisYear = Number(now.slice(0, 4));
  const found = YEAR_PROPERTIES[kind].map((property) => {
    const statements = bestStatements(entity, property, now).filter(({ ofPart }) => !ofPart);
    const years = statements.flatMap(({ value }) => yearOf(value) ?? []);
    if (years.length < statements.length) draft.notes.push(`date (${property}) has no usable year`);
    return years;
  });
  if (found.flat().some((year) => year > thisYear)) {
    draft.notes.push('opening is in the future; no yearBuilt');
    return;
  }
  // The first opening; later ones are reopenings.
  const years = found.find((some) => some.length > 0);
  if (years !== undefined) observe(draft, 'yearBuilt', Math.min(...years));
}

function addNamed(draft: Draft, item: ItemContext, field: 'architect' | 'ownerPublic', property: string): void {
  const { entity, lookup, now } = item;
  const items = [...new Set(bestStatements(entity, property, now).flatMap(({ value }) => itemOf(value) ?? []))];
  const names: string[] = [];
  for (const id of items.slice(0, MAX_NAMES)) {
    const named = lookup.get(id);
    if (field === 'ownerPublic' && named?.human === true) {
      draft.notes.push(`owner ${id} is a person and is not published`);
      return;
    }
    const name = named?.ja ?? named?.en;
    if (name === undefined) {
      draft.notes.push(`${field} (${property}) is ${id}, which has no label in the files; add that item`);
      return;
    }
    names.push(name);
  }
  observe(draft, field, names.join('、'));
}

function linksTo({ entity, now }: ItemContext, role: 'complex' | 'member', property: string): string[] {
  const items = currentStatements(entity, property, now).flatMap(({ value }) => itemOf(value) ?? []);
  return [...new Set(items)].slice(0, MAX_LINKS).map((item) => `${role}:${item}`);
}

function osmLinks({ entity, now }: ItemContext): string[] {
  return OSM_PROPERTIES.flatMap(([type, property]) =>
    bestStatements(entity, property, now).flatMap(({ value }) =>
      typeof value === 'string' && /^[1-9]\d{0,17}$/.test(value) ? `osm:${type}/${value}` : [],
    ),
  ).slice(0, MAX_LINKS);
}
