/**
 * node bench/peers/run.ts <peer> <corpus> <folder> <rounds> <url of the registry>: builds the index of a peer, runs each query
 * with it and with the registry in this process; prints a PeerRun.
 */
import { searchPage } from '../../src/registry/search/read/search.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
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
  theirs: number[][];
  /** The same queries by the registry, which also reads the records of the page. */
  ours: number[][];
}

const [name, corpus = '', folder = '', rounds, url = ''] = process.argv.slice(2);
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

const storage = openStorage(url, () => {});
const timed = async (work: () => unknown) => {
  const since = performance.now();
  await work();
  return performance.now() - since;
};
const found: (number[] | null)[] = [];
const [ours, theirs]: [number[][], number[][]] = [[], []];
/** A peer whose warm-up takes longer is measured in one round. */
const PATIENCE_MS = 60_000;
let last = Number(rounds);
const warmUp = performance.now();
for (let round = 0; round <= last; round++) {
  const times: [number[], number[]] = [[], []];
  for (const [i, query] of WORD_QUERIES.entries()) {
    if (round === 0) found.push((await open.find(query)) ?? null);
    if (found[i] === null) continue;
    times[0].push(await timed(() => storage.snapshot((reads) => searchPage(reads, query.query))));
    times[1].push(await timed(() => open.find(query)));
  }
  if (round === 0) {
    if (performance.now() - warmUp > PATIENCE_MS) last = 1;
    continue;
  }
  ours.push(times[0]);
  theirs.push(times[1]);
}
await storage.close();
const run: PeerRun = { buildSeconds, memoryBytes, indexBytes: await open.indexBytes(), found, theirs, ours };
await open.close();
console.log(JSON.stringify(run));
