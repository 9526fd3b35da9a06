import { untilBroken } from '../../files/broken-file.ts';
import type { SourceFile } from '../../files/source-file.ts';
import { unpackedName } from '../../files/unpack.ts';
import type { Adapter, Item } from '../adapter.ts';
import { collect } from './collector.ts';
import { readOsmPbf } from './pbf/read-osm-pbf.ts';
import { readOsmXml } from './read-osm-xml.ts';
import { readOverpassJson } from './read-overpass-json.ts';

const readXml = (file: SourceFile) => collect(file.name, (into) => readOsmXml(file, into));
const readJson = (file: SourceFile) => collect(file.name, (into) => readOverpassJson(file, into));

/** Readers by the ending of the file name. */
const READERS: readonly [ending: string, read: (file: SourceFile) => AsyncIterable<Item[]>][] = [
  ['.pbf', readOsmPbf],
  ['.json', readJson],
  ['.osm', readXml],
  ['.xml', readXml],
];

function readerOf(name: string) {
  const bare = unpackedName(name).toLowerCase();
  return READERS.find(([ending]) => bare.endsWith(ending))?.[1];
}

/** OpenStreetMap. Each file is read by itself: its ways refer only to its own nodes. */
export const osm: Adapter = {
  source: 'osm',
  expected: '.osm or .xml (OSM XML), .osm.pbf, or .json (Overpass), each also with .gz or .bz2',
  reads: (name) => readerOf(name) !== undefined,
  async *read(files) {
    for (const file of files) {
      const read = readerOf(file.name);
      if (read === undefined) {
        yield [{ kind: 'broken', file: file.name, reason: `Unsupported file type; expected ${osm.expected}` }];
        continue;
      }
      for await (const items of untilBroken(file.name, read(file))) if (items.length > 0) yield items;
    }
  },
};
