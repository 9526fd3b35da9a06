import { untilBroken } from '../../files/broken-file.ts';
import { readXml } from '../../files/read-xml.ts';
import type { SourceFile } from '../../files/source-file.ts';
import { unpackedName } from '../../files/unpack.ts';
import { measure } from '../../vocabulary/geometry.ts';
import { municipalityInId, readMunicipality } from '../../vocabulary/municipalities.ts';
import { SOURCE_FACTS } from '../../vocabulary/source-facts.ts';
import { dayInJapan } from '../../vocabulary/time.ts';
import type { Adapter, Item, Reading } from '../adapter.ts';
import { newDraft, observe, setGeometry } from '../draft.ts';
import { type CodeLists, isCodeList, labelsFor, readCodeLists } from './code-lists.ts';
import { BranchGatherer, countRepeatedIds, type IdentifiedBuilding } from './gather-branches.ts';
import { TileHandler } from './tile-handler.ts';

const PORTION = 300;

/** Project PLATEAU: CityGML 2.0 and 3.0 tiles of buildings, and the code lists beside them. */
export const plateau: Adapter = {
  source: 'plateau',
  expected: 'CityGML of buildings (.gml, .gml.gz or .xml; in a city folder only udx/bldg), with codelists/*.xml',
  reads: (name) => isTile(name) || isCodeList(name),
  // In a folder an .xml is usually metadata; a named one is read.
  readsNamed: (name) => isTile(name) || isXml(name),
  read: (files, reading) => readPlateau(files, reading),
};

/** The folder below `udx` is the kind of feature; a tile outside `udx` may have any kind. */
function isTile(name: string): boolean {
  if (!/\.gml$/i.test(unpackedName(name))) return false;
  const kind = /(?:^|\/)udx\/([^/]+)\//i.exec(name)?.[1];
  return kind === undefined || kind.toLowerCase() === 'bldg';
}

function isXml(name: string): boolean {
  return /\.xml$/i.test(unpackedName(name));
}

async function* readPlateau(files: readonly SourceFile[], reading: Reading): AsyncGenerator<Item[]> {
  const tiles = files.filter(({ name }) => isTile(name) || (isXml(name) && !isCodeList(name)));
  const lists = new Map<string, ReadonlyMap<string, string>>();
  yield* readCodeLists(files, lists);
  let items: Item[] = [];
  const gatherer = new BranchGatherer(
    await countRepeatedIds(tiles),
    (identified) => items.push(...itemsOf(identified, reading)),
    (item) => items.push(item),
  );
  const take = (least: number): Item[][] => {
    if (items.length < least) return [];
    const some = items;
    items = [];
    return [some];
  };
  for (const tile of tiles) {
    const handler = tileHandler(tile, lists, reading, gatherer);
    yield* untilBroken(tile.name, readTile(tile, handler, take));
  }
  gatherer.end();
  yield* take(1);
}

async function* readTile(
  tile: SourceFile,
  handler: TileHandler,
  take: (least: number) => Item[][],
): AsyncGenerator<Item[]> {
  try {
    for await (const _ of readXml(tile, handler)) yield* take(PORTION);
  } catch (error) {
    yield* take(1);
    throw error;
  }
}

function tileHandler(tile: SourceFile, lists: CodeLists, reading: Reading, gatherer: BranchGatherer): TileHandler {
  const year = Number(dayInJapan(reading.retrievedAt).slice(0, 4));
  return new TileHandler(tile.name, labelsFor(tile.name, lists), year, (building) => gatherer.add(building));
}

function itemsOf({ id, building }: IdentifiedBuilding, reading: Reading): Item[] {
  const { at, geometry, values, links, notes } = building;
  const draft = newDraft(id, reading.url ?? SOURCE_FACTS.plateau.url, 'citygml');
  draft.whole = true;
  draft.notes.push(...notes);
  draft.links = links;
  const fault = geometry === undefined ? (building.fault ?? MISSING) : setGeometry(draft, geometry);
  if (fault !== undefined || draft.geometry === null || draft.geometry.type === 'Point') {
    return [{ kind: 'rejected', at, record: id, reason: `no footprint: ${fault ?? MISSING}` }];
  }
  const municipality = building.municipality ?? municipalityInId('plateau', id) ?? municipalityInName(at.file);
  if (municipality !== municipalityInId('plateau', id) && municipality !== undefined) draft.municipality = municipality;
  observe(draft, 'nameJa', values.nameJa);
  observe(draft, 'addressJa', values.addressJa);
  for (const use of values.assetTypes) observe(draft, 'assetTypes', use);
  observe(draft, 'footprintM2', measure(draft.geometry).areaM2);
  observe(draft, 'gfaM2', values.gfaM2);
  observe(draft, 'floorsAbove', values.floorsAbove);
  observe(draft, 'floorsBelow', values.floorsBelow);
  observe(draft, 'heightM', values.heightM);
  observe(draft, 'yearBuilt', values.yearBuilt);
  const noteItems = draft.notes.map((reason): Item => ({ kind: 'note', at, record: id, reason }));
  return [...noteItems, { kind: 'record', at, record: draft }];
}

/** The files of a city are in a folder or zip whose name begins with its code: 13111_ota-ku_2020_citygml. */
function municipalityInName(file: string): string | undefined {
  const codes = file.split('/').flatMap((part) => readMunicipality(/^(\d{5})_(?!\d)/.exec(part)?.[1] ?? '') ?? []);
  return codes.at(-1);
}

const MISSING = 'no polygon in lod0FootPrint, lod0RoofEdge, lod0MultiSurface, lod1Solid or a ground surface';
