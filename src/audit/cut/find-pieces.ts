import type { SourceFile } from '../../files/source-file.ts';
import { findBuildings } from './find-buildings.ts';
import { findEntities, findReplies } from './find-json.ts';
import { findOsm } from './find-osm.ts';
import { findCsvRows, findLines } from './find-rows.ts';
import { findHtmlRows, findSheetRows } from './find-table-rows.ts';
import type { Pieces, Wanted } from './piece.ts';

type Finder = (file: SourceFile, wanted: readonly Wanted[]) => Promise<Pieces>;

/** How the records of a source are found again in its files, by how a file is named; the first that fits. */
const FINDERS: Readonly<Record<string, readonly [name: RegExp, find: Finder][]>> = {
  records: [[/./, findLines]],
  osm: [[/./, findOsm]],
  plateau: [[/./, findBuildings]],
  wikidata: [[/./, findEntities]],
  nominatim: [[/./, findReplies]],
  edinet: [[/./, findHtmlRows]],
  jreit: [
    [/\.xlsx$/i, findSheetRows],
    [/./, findCsvRows],
  ],
};
const OF_TABLES: Finder = findCsvRows;

/** The raw bytes of some records of one file, as it was ingested for a source. */
export function findPieces(source: string, file: SourceFile, wanted: readonly Wanted[]): Promise<Pieces> {
  const [, find] = FINDERS[source]?.find(([name]) => name.test(file.name)) ?? [/./, OF_TABLES];
  return find(file, wanted);
}
