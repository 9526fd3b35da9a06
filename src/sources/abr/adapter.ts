import { BrokenFile, faultItem } from '../../files/broken-file.ts';
import type { SourceFile } from '../../files/source-file.ts';
import { SOURCE_FACTS } from '../../vocabulary/source-facts.ts';
import type { Adapter, Item, Reading } from '../adapter.ts';
import { AreaPoints, readAreaPoints, readBlocks } from './area-points.ts';
import { readParcels, readResidences } from './read-addresses.ts';
import { type KnownAreas, readMachiAza, readPrefectures, readWards } from './read-areas.ts';
import { type AbrTable, openTable } from './tables.ts';

/** The Address Base Registry: the areas of Japan, and residence and lot numbers with their points. */
export const abr: Adapter = {
  source: 'abr',
  expected: '.csv tables of the Address Base Registry, or zips of them',
  reads: (name) => /\.csv$/i.test(name),
  read,
};

async function* read(files: readonly SourceFile[], reading: Reading): AsyncGenerator<Item[]> {
  const tables: AbrTable[] = [];
  for (const file of files) {
    try {
      tables.push(await openTable(file));
    } catch (error) {
      if (!(error instanceof BrokenFile)) throw error;
      yield [faultItem(file.name, error)];
    }
  }
  tables.sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));

  const known: KnownAreas = { points: new AreaPoints(), yielded: new Set(), counties: new Map(), postcodes: new Map() };
  const hasAddresses = tables.some(({ kind }) => kind === 'residence' || kind === 'parcel');
  const url = reading.url ?? SOURCE_FACTS.abr.url;
  yield* readAreaPoints(tables, known.points);
  yield* readBlocks(tables, known.points);
  yield* readPrefectures(tables, known);
  yield* readWards(tables, known);
  yield* readMachiAza(tables, known, hasAddresses);
  known.points = new AreaPoints();
  yield* readResidences(tables, known, url);
  yield* readParcels(tables, known, url);
}
