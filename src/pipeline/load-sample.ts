import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { recordsByKey } from '../matching/queries.ts';
import { recordKey } from '../observations/source-records.ts';
import { isEmpty } from '../registry/counts.ts';
import { clearTodo, hasTodo, markTodo } from '../registry/markers.ts';
import { applyCommand, composeDraft } from '../reit/life/commands.ts';
import { addPermission, hasPublications } from '../reit/life/store.ts';
import type { LifeCommand } from '../reit/life/transitions.ts';
import { parseBundle } from '../reit/publication/read-bundle.ts';
import type { Db, Tx } from '../storage/storage.ts';
import { formatAssetId } from '../vocabulary/asset-id.ts';
import type { IngestSource } from './adapters.ts';
import { asWriter, type Context } from './context.ts';
import type { Counts } from './counts.ts';
import { retireNow } from './identity-commands.ts';
import { ingestSources } from './run.ts';
import type { SourcePaths } from './source-ingest.ts';

const SAMPLE = new URL('../../sample/', import.meta.url);

/** The history of the sample: a first fetch, a later fetch, and a building that was then demolished. */
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
 * Loads the bundled sample into an empty registry in the same way as real data, or finishes a load that was cut short.
 * Returns whether there was anything to do. It holds the write lock throughout, so that no other data comes between.
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
      // Before the later fetch, which changes one of the buildings and merges another.
      if (fetch === FIRST_FETCH) await loadSampleReit(context, tell);
    }
    await retireDemolished(context, tell);
    await storage.transaction((tx) => clearTodo(tx, 'sample'));
    return true;
  });
}

/** In this order: a load sets the marker before it stores anything. */
export async function needsSample(db: Db): Promise<boolean> {
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

/** The building is found by its record, because matching assigns its ID. */
export async function retireDemolished(context: Context, tell: (step: string) => void = () => {}): Promise<void> {
  const { record, reason } = DEMOLISHED;
  for (const { building } of await recordsByKey(context.storage.db, [record])) {
    if (building === null) continue;
    const id = formatAssetId(building);
    await retireNow(context, id, undefined, reason);
    tell(`${id} is retired: ${reason}`);
  }
}

/** The last step of each publication. Issuers and figures are fictional; the later fetch may change their status. */
export const SAMPLE_PUBLICATIONS = {
  'south-tower.json': 'accepted',
  'landmark.json': 'accepted',
  'landmark-corrected.json': 'accepted',
  'umeda-conflict.json': 'checked',
  'umeda.json': 'reviewed',
  'harukas.json': 'checked',
  'omokado.json': 'accepted',
  'park-tower.json': 'accepted',
  'ginza-six.json': 'withdrawn',
  'kyoto-station.json': 'composed',
} as const;
const BASIS = 'made up for the sample';
const STAGES = ['composed', 'checked', 'reviewed', 'accepted', 'withdrawn'] as const;

/** Composes and reviews the REIT publications of the sample by the usual commands, in one transaction. */
async function loadSampleReit({ storage, now }: Context, tell: (step: string) => void): Promise<void> {
  const count = await storage.transaction(async (tx) => {
    if (await hasPublications(tx)) return 0;
    for (const [file, stage] of Object.entries(SAMPLE_PUBLICATIONS)) await take(tx, file, stage, now());
    return Object.keys(SAMPLE_PUBLICATIONS).length;
  });
  if (count > 0) tell(`${count} fictional REIT publications composed, some of them accepted`);
}

async function take(tx: Tx, file: string, stage: (typeof STAGES)[number], at: string): Promise<void> {
  const bundle = parseBundle(readFileSync(new URL(`reit/${file}`, SAMPLE), 'utf8'));
  const draft = bundle.ok ? await composeDraft(tx, bundle.value, at) : bundle;
  if (!draft.ok) throw new Error(`the sample's ${file} is refused: ${JSON.stringify(draft.failure)}`);
  const { id } = draft.value;
  const review = { type: 'review', verdict: 'pass', by: 'sample reviewer', note: 'a fictional filing', at } as const;
  const steps: Record<(typeof STAGES)[number], ((predecessors: string[]) => LifeCommand)[]> = {
    composed: [],
    checked: [() => ({ type: 'check', at })],
    reviewed: [() => ({ ...review, review: 'data' }), () => ({ ...review, review: 'match' })],
    accepted: [(predecessors) => ({ type: 'activate', id, by: 'sample operator', at, predecessors })],
    withdrawn: [() => ({ type: 'withdraw', by: 'sample operator', reason: 'shows a withdrawal', at })],
  };
  // REIT-04: only for publications that it reviews; other sources are for operators to permit.
  if (STAGES.indexOf(stage) >= STAGES.indexOf('reviewed')) {
    const subject = { publicationId: id };
    await addPermission(tx, { subject, surface: 'all', verdict: 'allow', basis: BASIS, by: 'sample', at });
  }
  for (const step of STAGES.slice(0, STAGES.indexOf(stage) + 1).flatMap((reached) => steps[reached])) {
    const done = await applyCommand(tx, id, ({ predecessors }) => step(predecessors.map((other) => other.id)));
    if (!done.ok) throw new Error(`the sample's ${file}: ${done.failure.reason}`);
  }
}
