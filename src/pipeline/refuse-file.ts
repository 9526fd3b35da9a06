import type { SourceFile } from '../files/source-file.ts';
import { unsupported } from '../files/unsupported-archive.ts';
import type { AdaptedSource } from './adapters.ts';
import { GEOJSON, HTML, headOf, OLD_OFFICE, type Recognised, recognise, ZIP } from './recognise-file.ts';

export interface Refusal {
  /** `foreign`: surely of another source. `broken`: of none, or nothing at all. */
  kind: 'foreign' | 'broken';
  reason: string;
}

/** Why a file is not given to the adapter of a source, by how it begins; undefined where only reading it can tell. */
export async function refusalOf(source: AdaptedSource | 'records', file: SourceFile): Promise<Refusal | undefined> {
  // Of a shapefile a part may be empty, and its adapter knows which.
  if (file.size === 0) return source === 'estat' ? undefined : { kind: 'broken', reason: 'the file is empty' };
  const recognised = recognise(await headOf(file));
  if (recognised === undefined || recognised.source === source || isOwn(source, file.name, recognised))
    return undefined;
  return describe(recognised);
}

/** Formats that are a source's own under some names only. */
function isOwn(source: AdaptedSource | 'records', name: string, recognised: Recognised): boolean {
  if (source === 'nominatim' || source === 'estat') return recognised === GEOJSON;
  if (source === 'edinet') return recognised === HTML && /\.html?$/i.test(name);
  return source === 'jreit' && /\.xlsx$/i.test(name) && (recognised === ZIP || recognised === OLD_OFFICE);
}

function describe(recognised: Recognised): Refusal {
  const { what, source, isArchive } = recognised;
  if (isArchive === true) return { kind: 'broken', reason: `the file is ${unsupported(what)}` };
  // A page, or bytes of another kind, under a name of the source is a download that failed.
  if (source === undefined)
    return { kind: recognised === GEOJSON ? 'foreign' : 'broken', reason: `the file is ${what}` };
  return { kind: 'foreign', reason: `the file looks like ${what}: use "tatemono ingest ${source}"` };
}
