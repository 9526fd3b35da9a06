import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Position } from '../../src/vocabulary/geometry.ts';
import { exampleBundle } from '../reit/support.ts';
import { type Filled, keepCopy, type TestDatabase } from '../support/engines.ts';
import { AREA, AREAS, id, type Json, MARUNOUCHI, OTHER_AREA, record, square } from '../support/records.ts';
import { begin, SAMPLE } from './commands.ts';
import { type State, stateOf } from './state.ts';

/** Buildings that the file of records names, so that commands can name them too. */
const NAMED = 40;

/** Footprints of two sources that matching assigns, owners, merges; a later revision changes every third. */
export function town(buildings: number, revision = 0): Json[] {
  const lines: Json[] = [...AREAS];
  for (let i = 1; i <= buildings; i++) {
    const place: Position = [MARUNOUCHI[0] + (i % 50) * 0.0004, MARUNOUCHI[1] + Math.floor(i / 50) * 0.0004];
    const isNew = revision > 0 && i % 3 === 0;
    const common = { area: i % 2 === 0 ? AREA : OTHER_AREA, geometry: square(place, 0.0001) };
    const retrievedAt = isNew ? '2026-03-01T00:00:00Z' : '2026-01-01T00:00:00Z';
    const named = i <= NAMED ? { building: id(i) } : {};
    const values = { nameJa: `第${i}ビル`, floorsAbove: (i % 30) + 1 + (isNew ? 1 : 0) };
    lines.push(record('osm', `way/${i}`, values, { ...common, ...named, retrievedAt }));
    if (i % 4 === 0) lines.push(record('plateau', `bldg-${i}`, { heightM: 10 + (i % 50) }, common));
    if (i % 7 === 0) {
      const item = { nameEn: `Tower ${i}`, ownerPublic: 'X' };
      lines.push(record('wikidata', `Q${i}`, item, { geometry: { type: 'Point', coordinates: place } }));
    }
  }
  for (const i of [1, 5, 9]) lines.push({ kind: 'merge', from: id(i), into: id(i + 1), reason: 'one building' });
  return lines;
}

export function writeTown(dir: string, buildings: number, revision = 0): string {
  const file = join(dir, `town-${buildings}-${revision}.ndjson`);
  writeFileSync(
    file,
    town(buildings, revision)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  return file;
}

/** What later steps of a story need of earlier ones. */
interface Told {
  /** A folder that no step changes. */
  dir: string;
  buildings: number;
  publication: string;
}

export interface Step {
  name: string;
  /** What the figures count it as. */
  kind: 'ingest' | 'publish' | 'identity' | 'backup' | 'reit';
  args(told: Told, database: TestDatabase): string[];
  /** It is refused, or adds another event, if it was already done. */
  once?: true;
}

const ingest = (source: string, folder: string, retrievedAt: string): Step => ({
  name: `ingest ${folder}`,
  kind: 'ingest',
  args: () => ['ingest', source, join(SAMPLE, folder), '--retrieved-at', retrievedAt],
});
const ingestTown = (revision: number): Step => ({
  name: `ingest records, revision ${revision}`,
  kind: 'ingest',
  args: ({ dir, buildings }) => ['ingest', 'records', writeTown(dir, buildings, revision)],
});
const reit = (name: string, args: (told: Told) => string[]): Step => ({
  name: `reit ${name}`,
  kind: 'reit',
  args: (told) => ['reit', name, ...args(told)],
  ...(name !== 'compose' && { once: true }),
});
const identity = (...args: string[]): Step => ({ name: args.join(' '), kind: 'identity', args: () => args });

/** The building of the publication, which a merge suspends. */
const MATCHED = id(20);
const BACKUP = 'backup.db';

export function writeBundle(dir: string): string {
  const file = join(dir, 'bundle.json');
  const example = exampleBundle();
  const matches = example.matches.map((match) => ({ ...match, buildingId: MATCHED }));
  writeFileSync(file, JSON.stringify({ ...example, matches }));
  return file;
}

/** Every command that writes, each on what those before it left. A new command gets a step here. */
export const WHOLE_STORY: readonly Step[] = [
  ingest('abr', 'abr', '2026-09-01T00:00:00Z'),
  ingest('estat', 'estat', '2026-09-02T00:00:00Z'),
  ingest('plateau', 'plateau', '2026-09-03T00:00:00Z'),
  ingest('osm', 'osm', '2026-09-04T00:00:00Z'),
  ingest('wikidata', 'wikidata', '2026-09-05T00:00:00Z'),
  ingest('edinet', 'edinet', '2026-09-07T00:00:00Z'),
  ingestTown(0),
  ingest('plateau', 'later/plateau', '2026-10-03T00:00:00Z'),
  ingest('osm', 'later/osm', '2026-10-04T00:00:00Z'),
  ingest('wikidata', 'later/wikidata', '2026-10-05T00:00:00Z'),
  reit('compose', ({ dir }) => [writeBundle(dir)]),
  reit('permit', () => ['allow', '--source', 'edinet', '--surface', 'all', '--basis', '公開情報', '--by', 'carol']),
  reit('review', ({ publication }) => ['data', publication, '--pass', '--by', 'alice', '--note', '原本と照合']),
  reit('review', ({ publication }) => ['match', publication, '--pass', '--by', 'alice', '--note', '所在地']),
  reit('activate', ({ publication }) => [publication, '--by', 'bob']),
  identity('merge', id(13), id(14), '--reason', 'one building'),
  identity('unmerge', id(13), '--reason', 'two after all'),
  identity('merge', MATCHED, id(22)),
  identity('unmerge', MATCHED),
  identity('retire', id(17), '--into', id(18)),
  identity('retire', id(19)),
  { name: 'republish --all', kind: 'publish', args: () => ['republish', '--all'] },
  { name: 'backup', kind: 'backup', args: (_, { dir }) => ['backup', join(dir, BACKUP)], once: true },
  ingestTown(1),
  { name: 'republish', kind: 'publish', args: () => ['republish'] },
  { name: 'restore', kind: 'backup', args: ({ dir }) => ['restore', join(dir, BACKUP)] },
  reit('withdraw', ({ publication }) => [publication, '--by', 'bob', '--reason', 'an error in the filing']),
];

/** For `npm test`. */
export const SHORT_STORY: readonly Step[] = [ingestTown(0), identity('unmerge', id(1))];

/** A step of an undisturbed run: what was there before it, and the registry after it. */
export interface Scene {
  step: Step;
  args(database: TestDatabase): string[];
  before: Filled;
  after: State;
  /** How long it took, in milliseconds. */
  took: number;
}

/** Runs a story undisturbed on an empty database. */
export async function play(story: readonly Step[], database: TestDatabase, buildings: number): Promise<Scene[]> {
  const told: Told = { dir: database.dir, buildings, publication: '' };
  const scenes: Scene[] = [];
  for (const step of story) {
    const before = await keepCopy(database);
    const startedAt = performance.now();
    const { code, stdout, stderr } = await begin(database, step.args(told, database)).ended;
    if (code !== 0) throw new Error(`${step.name}: exit code ${code}\n${stdout}${stderr}`);
    const took = performance.now() - startedAt;
    if (step.name === 'reit compose') told.publication = stdout.split('\n')[0] as string;
    const current = { ...told };
    scenes.push({ step, args: (on) => step.args(current, on), before, after: await stateOf(database), took });
  }
  return scenes;
}
