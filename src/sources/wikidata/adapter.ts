import { BrokenFile, ForeignFile, untilBroken } from '../../files/broken-file.ts';
import { type Json, own } from '../../files/read-json.ts';
import type { SourceFile } from '../../files/source-file.ts';
import { unpackedName } from '../../files/unpack.ts';
import type { Adapter, FileLine, Item, Reading } from '../adapter.ts';
import { coordinatesOf, entityId, entityKind, reasonAbsent, whereaboutsOf } from './classify.ts';
import { type ItemLookup, lookUpItems } from './look-up-items.ts';
import { mapItem } from './map-item.ts';
import { entityDataUrl, ItemList, readEntities } from './read-entities.ts';

export const wikidata: Adapter = {
  source: 'wikidata',
  expected: '.json (EntityData) or .ndjson (dump lines) of Wikidata, or either with .gz or .bz2',
  reads: (name) => /\.(json|ndjson|jsonl)$/i.test(unpackedName(name)),
  async *read(files, { retrievedAt }: Reading) {
    const lookup = await lookUpItems(files, retrievedAt);
    for (const file of files)
      yield* untilBroken(file.name, withListDetails(file.name, readItems(file, lookup, retrievedAt)));
  },
};

/** For a file that only lists items: the URL of each item. */
async function* withListDetails(file: string, reading: AsyncIterable<Item[]>): AsyncGenerator<Item[]> {
  try {
    yield* reading;
  } catch (error) {
    if (error instanceof ItemList) {
      yield error.items.map((item, index) => ({
        ...{ kind: 'detail', at: { file, line: index + 1 }, record: item },
        reason: `to fetch: ${entityDataUrl(item)}`,
      }));
    }
    throw error;
  }
}

async function* readItems(file: SourceFile, lookup: ItemLookup, now: string): AsyncGenerator<Item[]> {
  let entities = 0;
  let faults = 0;
  for await (const some of readEntities(file)) {
    for (const found of some) {
      if ('fault' in found) faults += 1;
      else if (isEntity(found.entity)) entities += 1;
      else if (own(found.entity, 'error') !== undefined) throw new BrokenFile('error reply; fetch it again');
    }
    const items = some.flatMap((found) => {
      const at = { file: file.name, line: found.line };
      if ('fault' in found) return [{ kind: 'rejected', at, record: null, reason: found.fault } satisfies Item];
      return itemsOf(found.entity, at, lookup, now);
    });
    if (items.length > 0) yield items;
  }
  if (entities === 0 && faults === 0) throw new ForeignFile('no Wikidata entity in the file');
}

/** Any entity, whether it is read or not: a dump has properties and redirects too. */
function isEntity(entity: Json): boolean {
  const id = own(entity, 'id');
  return own(entity, 'claims') !== undefined || (typeof id === 'string' && /^[QPLM]\d/.test(id));
}

function itemsOf(entity: Json, at: FileLine, lookup: ItemLookup, now: string): Item[] {
  const id = entityId(entity);
  if (id === undefined) return [];
  const rejected = (reason: string): Item[] => [{ kind: 'rejected', at, record: id, reason }];
  const note = (reason: string): Item => ({ kind: 'note', at, record: id, reason });
  const kind = entityKind(entity, now);
  const whereabouts = whereaboutsOf(entity, now);
  if (kind === undefined) {
    // An owner such as a city is here for its name.
    const isPlace = whereabouts === 'japan' && coordinatesOf(entity, now) !== undefined && !lookup.has(id);
    return isPlace ? rejected('a place without a building class (P31) or floors (P1101)') : [];
  }
  if (whereabouts === 'elsewhere') return [];
  if (whereabouts === 'misplaced') return rejected('country (P17) is Japan, but coordinates (P625) are outside');
  const absence = reasonAbsent(entity, now);
  if (absence !== undefined) return [note(`left out: ${absence}`)];
  const record = mapItem(id, { entity, kind, lookup, now });
  if (record.complex !== null && record.complex.nameJa === null && record.complex.nameEn === null) {
    return rejected('complex without a Japanese or English label');
  }
  return [...[...new Set(record.notes)].map(note), { kind: 'record', at, record }];
}
