import { fileURLToPath } from 'node:url';
import { recordsByKey } from '../matching/queries.ts';
import { recordKey } from '../observations/source-records.ts';
import { isEmpty } from '../registry/counts.ts';
import { clearTodo, hasTodo, markTodo } from '../registry/todo.ts';
import type { Db } from '../storage/storage.ts';
import { formatAssetId } from '../vocabulary/asset-id.ts';
import type { IngestSource } from './adapters.ts';
import { retireNow } from './change-identity.ts';
import { asWriter, type Context, type Counts } from './context.ts';
import { loadSampleReit } from './load-sample-reit.ts';
import { ingestSources } from './run.ts';
import type { SourcePaths } from './source-ingest.ts';

const SAMPLE = new URL('../../sample/', import.meta.url);

/** The sample's history in its order: what was fetched first, what a later fetch said, what was then pulled down. */
export const FIRST_FETCH: readonly SourcePaths[] = [
  fetched('abr', '2026-09-01T00:00:00Z'),
  fetched('estat', '2026-09-02T00:00:00Z'),
  fetched('plateau', '2026-09-03T00:00:00Z'),
  fetched('osm', '2026-09-04T00:00:00Z'),
  fetched('wikidata', '2026-09-05T00:00:00Z'),
  fetched('nominatim', '2026-09-06T00:00:00Z'),
  fetched('edinet', '2026-09-07T00:00:00Z'),
  fetched('jreit', '2026-09-08T00:00:00Z'),
  fetched('greenbuilding', '2026-09-09T00:00:00Z'),
  fetched('greenarchive', '2026-09-10T00:00:00Z'),
  fetched('mankan', '2026-09-11T00:00:00Z'),
];
export const LATER_FETCH: readonly SourcePaths[] = [
  fetched('plateau', '2026-10-03T00:00:00Z', 'later/'),
  fetched('osm', '2026-10-04T00:00:00Z', 'later/'),
  fetched('wikidata', '2026-10-05T00:00:00Z', 'later/'),
  fetched('edinet', '2026-10-07T00:00:00Z', 'later/'),
  fetched('greenbuilding', '2026-10-09T00:00:00Z', 'later/'),
];
const DEMOLISHED = { record: recordKey('osm', 'way/9000000013028'), reason: 'demolished in 2022' };

function fetched(source: IngestSource, retrievedAt: string, folder = ''): SourcePaths {
  return { source, paths: [fileURLToPath(new URL(`${folder}${source}`, SAMPLE))], options: { retrievedAt } };
}

/**
 * Fills an empty registry with the bundled sample, the way real data goes, and finishes a filling that
 * was cut short; tells of each step. True where there was something to do. All of it under the right to
 * write, so that it never mixes with data that another process brings.
 */
export async function loadSampleIfEmpty(context: Context, tell: (step: string) => void = () => {}): Promise<boolean> {
  const { storage } = context;
  if (!(await needsSample(storage.db))) return false;
  return asWriter(context, async () => {
    if (!(await needsSample(storage.db))) return false;
    await storage.transaction((tx) => markTodo(tx, 'sample'));
    tell('loading the bundled sample');
    for (const fetch of [FIRST_FETCH, LATER_FETCH]) {
      const results = await ingestSources({ ...context, report: { ...context.report, identity() {} } }, fetch);
      for (const { source, paths, options } of fetch) tell(describe(source, options.retrievedAt, paths, results));
      // Before the later fetch, which changes one of their buildings and has another merged.
      if (fetch === FIRST_FETCH) await loadSampleReit(context, tell);
    }
    await retireDemolished(context, tell);
    await storage.transaction((tx) => clearTodo(tx, 'sample'));
    return true;
  });
}

/** In this order: whoever loads it notes so before anything else is in. */
async function needsSample(db: Db): Promise<boolean> {
  return (await isEmpty(db)) || (await hasTodo(db, 'sample'));
}

function describe(
  source: IngestSource,
  retrievedAt: string | undefined,
  paths: readonly string[],
  results: ReadonlyMap<string, Counts>,
): string {
  const sum = (count: keyof Counts) => paths.reduce((total, path) => total + (results.get(path)?.[count] ?? 0), 0);
  const left = sum('unmatched') + sum('ambiguous');
  return `${source} of ${retrievedAt?.slice(0, 10)}: ${sum('read')} read${left === 0 ? '' : `, ${left} without a building`}`;
}

/** It is known by its record: which ID it has is for matching to say. */
export async function retireDemolished(context: Context, tell: (step: string) => void = () => {}): Promise<void> {
  const { record, reason } = DEMOLISHED;
  for (const { building } of await recordsByKey(context.storage.db, [record])) {
    if (building === null) continue;
    const id = formatAssetId(building);
    await retireNow(context, id, undefined, reason);
    tell(`${id} is retired: ${reason}`);
  }
}
