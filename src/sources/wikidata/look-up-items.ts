import { untilBroken } from '../../files/broken-file.ts';
import { type Json, own } from '../../files/read-json.ts';
import type { SourceFile } from '../../files/source-file.ts';
import { cleanText } from '../../vocabulary/text.ts';
import { BUILDING_CLASSES } from './classes.ts';
import { classesOf, entityId, entityKind, whereaboutsOf } from './classify.ts';
import { HUMAN_ITEM, P } from './properties.ts';
import { readEntities } from './read-entities.ts';
import { currentStatements, itemOf } from './statements.ts';

/** An item that a building refers to: an architect, an owner, a class, a part. */
interface NamedItem {
  ja: string | undefined;
  en: string | undefined;
  human: boolean;
  building: boolean;
}

export type ItemLookup = ReadonlyMap<string, NamedItem>;

/** About 300 MB of memory, which bounds the reading of a full dump. */
const MAX_NEEDED = 1_000_000;
const MAX_NAME_LENGTH = 300;

/**
 * Looks up, in the same files, the items that buildings refer to. Files are in any order and may exceed memory, so they are
 * read twice: once for the IDs needed, once for the items.
 */
export async function lookUpItems(files: readonly SourceFile[], now: string): Promise<ItemLookup> {
  const needed = new Set<string>();
  for await (const entity of itemsOf(files)) {
    if (needed.size < MAX_NEEDED) for (const item of itemsNamedBy(entity, now)) needed.add(item);
  }
  const lookup = new Map<string, NamedItem>();
  if (needed.size === 0) return lookup;
  for await (const entity of itemsOf(files)) {
    const id = entityId(entity);
    if (id === undefined || !needed.has(id)) continue;
    lookup.set(id, {
      ja: shortName(entity, 'ja'),
      en: shortName(entity, 'en') ?? shortName(entity, 'mul'),
      human: classesOf(entity, now).includes(HUMAN_ITEM),
      building: entityKind(entity, now) === 'building',
    });
  }
  return lookup;
}

async function* itemsOf(files: readonly SourceFile[]): AsyncGenerator<Json> {
  for (const file of files) {
    for await (const some of untilBroken(file.name, readEntities(file))) {
      for (const found of some) if ('entity' in found) yield found.entity;
    }
  }
}

function itemsNamedBy(entity: Json, now: string): string[] {
  if (entityId(entity) === undefined || entityKind(entity, now) === undefined) return [];
  if (whereaboutsOf(entity, now) !== 'japan') return [];
  const named = [P.architect, P.owner, P.hasPart].flatMap((property) =>
    currentStatements(entity, property, now).flatMap(({ value }) => itemOf(value) ?? []),
  );
  return [...named, ...classesOf(entity, now).filter((item) => !BUILDING_CLASSES.has(item))];
}

/** The cleaned label of a language; `mul` has labels that are the same in all languages. */
export function labelOf(entity: Json, language: string): string | undefined {
  const label = own(own(own(entity, 'labels'), language), 'value');
  const name = typeof label === 'string' ? cleanText(label) : '';
  return name === '' ? undefined : name;
}

function shortName(entity: Json, language: string): string | undefined {
  const label = labelOf(entity, language);
  return label !== undefined && label.length <= MAX_NAME_LENGTH ? label : undefined;
}
