/** node bench/peers/run.ts <peer> <corpus> <folder> <rounds>: builds the index of a peer, runs the queries; prints a PeerRun. */
import { loadCorpus, WORD_QUERIES } from '../search-corpus.ts';
import { PEERS } from './list.ts';

export interface PeerRun {
  buildSeconds: number;
  /** Of the process beyond the values themselves. */
  memoryBytes: number;
  indexBytes: number | undefined;
  /** By query; null where it cannot answer. */
  found: (number[] | null)[];
  /** By round, of the queries that it can answer. */
  rounds: number[][];
}

const [name, corpus = '', folder = '', rounds] = process.argv.slice(2);
const peer = PEERS.find((each) => each.name === name);
if (peer === undefined) throw new Error('unknown peer');
const documents = loadCorpus(corpus);
globalThis.gc?.();
const before = process.memoryUsage().rss;
const started = performance.now();
const open = await peer.open(documents, folder);
const buildSeconds = (performance.now() - started) / 1000;
globalThis.gc?.();
const memoryBytes = Math.max(0, process.memoryUsage().rss - before);
const found: (number[] | null)[] = [];
// The first round warms up.
for (const query of WORD_QUERIES) found.push((await open.find(query)) ?? null);
const times: number[][] = [];
for (let round = 0; round < Number(rounds); round++) {
  const ofRound: number[] = [];
  for (const [i, query] of WORD_QUERIES.entries()) {
    if (found[i] === null) continue;
    const since = performance.now();
    await open.find(query);
    ofRound.push(performance.now() - since);
  }
  times.push(ofRound);
}
const run: PeerRun = { buildSeconds, memoryBytes, indexBytes: await open.indexBytes(), found, rounds: times };
await open.close();
console.log(JSON.stringify(run));
