import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { latencyFigures, type TimedRounds } from './figures.ts';
import type { Context, Figure, Table } from './harness/benchmark.ts';
import { PEERS } from './peers/list.ts';
import type { PeerRun } from './peers/run.ts';
import { scriptPath } from './processes.ts';
import { withScratch } from './scratch.ts';
import { type Document, MOST_HITS, WORD_QUERIES, writeCorpus } from './search-corpus.ts';

/** All documents, and which of them each of WORD_QUERIES finds. */
export interface Truth {
  documents: readonly Document[];
  found: readonly (readonly number[])[];
}

const COLUMNS = [
  ...['engine', 'buildings', 'p50', 'p95', 'worst', 'index on disk', 'memory', 'built in'],
  ...['cannot answer', 'with missing hits', 'with invented hits'],
];

/** Each peer in a process of its own, one after the other, on the values and queries of words of the service, in turn with the registry in the same process. */
export function comparePeers(
  context: Context,
  truth: Truth,
  url: string,
  overHttp: TimedRounds,
): Promise<{ figures: Figure[]; table: Table }> {
  return withScratch('peers', async (folder) => {
    const figures: Figure[] = [];
    const count = String(WORD_QUERIES.length);
    const rows = [['Tatemono, over HTTP', String(context.buildings), ...speedOf(overHttp), '', '', '', '0', '0', '0']];
    for (const [i, { name, mostBuildings }] of PEERS.entries()) {
      const buildings = Math.min(mostBuildings, truth.documents.length);
      context.say(`${name}, ${buildings} buildings`);
      const own = join(folder, String(i));
      mkdirSync(own);
      const corpus = join(own, 'corpus.ndjson');
      await writeCorpus(corpus, truth.documents.slice(0, buildings));
      const run = await runPeer(name, [corpus, own, String(context.rounds), url]);
      const ours = { name: 'words', rounds: run.ours };
      // Without a target: a peer with fewer buildings has less to look at.
      const peerName = buildings < truth.documents.length ? `${name} with ${buildings} buildings` : name;
      const peer = { name: peerName, rounds: run.theirs };
      const [p95] = latencyFigures(ours, ['p95'], peer);
      figures.push({ ...(p95 as Figure), name: `words, p95, beside ${peerName}` });
      if (i === 0)
        rows.push(['Tatemono, in process', String(context.buildings), ...speedOf(ours), '', '', '', '0', '0', '0']);
      const { missing, invented, unanswered } = judge(run, truth, buildings);
      rows.push([
        ...[name, String(buildings), ...speedOf(peer)],
        run.indexBytes === undefined ? '' : `${(run.indexBytes / 1e6).toFixed(0)} MB`,
        run.indexBytes === undefined ? `${(run.memoryBytes / 1e6).toFixed(0)} MB` : '',
        `${run.buildSeconds.toFixed(1)} s`,
        ...[unanswered, missing, invented].map(String),
      ]);
    }
    return { figures, table: { title: `${count} queries of words, by engine`, columns: COLUMNS, rows } };
  });
}

/** The median of the rounds. */
function speedOf(rounds: TimedRounds): string[] {
  return latencyFigures(rounds, ['p50', 'p95', 'worst']).map(({ values }) => {
    const sorted = values.toSorted((a, b) => a - b);
    return `${(sorted[Math.floor(sorted.length / 2)] ?? Number.NaN).toFixed(1)} ms`;
  });
}

async function runPeer(name: string, args: readonly string[]): Promise<PeerRun> {
  const flags = ['--expose-gc', '--max-old-space-size=12288'];
  const child = spawn(process.execPath, [...flags, scriptPath('peers/run.ts'), name, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = await text(child.stdout);
  if (output === '') throw new Error(`${name} gave no figures`);
  return JSON.parse(output) as PeerRun;
}

/** How many queries it answers otherwise than the contract. */
function judge(
  { found }: PeerRun,
  truth: Truth,
  buildings: number,
): { missing: number; invented: number; unanswered: number } {
  const result = { missing: 0, invented: 0, unanswered: 0 };
  for (const [i, given] of found.entries()) {
    if (given === null) {
      result.unanswered += 1;
      continue;
    }
    const expected = new Set((truth.found[i] ?? []).filter((place) => place < buildings));
    // A full answer says nothing about what comes after it.
    const end = given.length === MOST_HITS ? (given.at(-1) as number) : Number.POSITIVE_INFINITY;
    const all = new Set(given);
    if ([...expected].some((place) => place <= end && !all.has(place))) result.missing += 1;
    if (given.some((place) => !expected.has(place))) result.invented += 1;
  }
  return result;
}
