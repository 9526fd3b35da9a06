import type { Adapter, Item, SourceFile } from '../adapter.ts';
import { untilBroken } from '../broken-file.ts';
import { collect } from './collector.ts';
import { readOsmPbf } from './pbf/read-osm-pbf.ts';
import { readOsmXml } from './read-osm-xml.ts';
import { readOverpassJson } from './read-overpass-json.ts';

/** How a file is read, by how its name ends. */
const READERS: readonly [ending: string, read: (file: SourceFile) => AsyncIterable<Item[]>][] = [
  ['.pbf', readOsmPbf],
  ['.json', (file) => collect(file.name, (into) => readOverpassJson(file, into))],
  ['.osm', (file) => collect(file.name, (into) => readOsmXml(file, into))],
  ['.xml', (file) => collect(file.name, (into) => readOsmXml(file, into))],
];

function readerOf(name: string) {
  return READERS.find(([ending]) => name.toLowerCase().endsWith(ending))?.[1];
}

/** OpenStreetMap: each file is a world of its own, in which its ways find their nodes. */
export const osm: Adapter = {
  source: 'osm',
  reads: (name) => readerOf(name) !== undefined,
  async *read(files) {
    for (const file of files) {
      const read = readerOf(file.name);
      if (read === undefined) {
        yield [{ kind: 'broken', file: file.name, reason: 'its name ends in none of .osm, .xml, .osm.pbf and .json' }];
        continue;
      }
      for await (const items of untilBroken(file.name, read(file))) if (items.length > 0) yield items;
    }
  },
};
