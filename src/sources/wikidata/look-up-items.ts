import { untilBroken } from '../../files/broken-file.ts';
import { type Json, own } from '../../files/read-json.ts';
import type { SourceFile } from '../../files/source-file.ts';
import { cleanText } from '../../vocabulary/text.ts';
import { BUILDING_CLASSES } from './classes.ts';
import { classesOf, entityId, entityKind, whereaboutsOf } from './classify.ts';
import { HUMAN_ITEM, P } from './properties.ts';
import { readEntities } from './read-entities.ts';
import { currentStatements, itemOf } from './statements.ts';

/** What is known of an item that a building names: an architect, an owner, a class, a part. */
interface NamedItem {
  ja: string | undefined;
  en: string | undefined;
  human: boolean;
  building: boolean;
}

export type ItemLookup = ReadonlyMap<string, NamedItem>;

/** Items that are looked up at most, so that a dump of the world stays in memory; some 300 MB. */
const MAX_NEEDED = 1_000_000;
const MAX_NAME_LENGTH = 300;

/**
 * What the buildings of the files name, from the files: they are in any order and may be larger than
 * memory, so they are read once for what is needed and once more for what that is.
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

/** A name in a language, cleaned; `mul` holds names that are one in all languages. */
export function labelOf(entity: Json, language: string): string | undefined {
  const label = own(own(own(entity, 'labels'), language), 'value');
  const name = typeof label === 'string' ? cleanText(label) : '';
  return name === '' ? undefined : name;
}

function shortName(entity: Json, language: string): string | undefined {
  const label = labelOf(entity, language);
  return label !== undefined && label.length <= MAX_NAME_LENGTH ? label : undefined;
}
