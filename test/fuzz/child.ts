/** Runs the cases of one target in a process of its own, whose memory and processor time are measured. */
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Random } from '../support/random.ts';
import type { Target } from './target.ts';

/** Loaded one at a time, because most of them need much of the product. */
const TARGETS: Readonly<Record<string, () => Promise<Target>>> = {
  http: async () => (await import('./http.ts')).http,
  mcp: async () => (await import('./mcp.ts')).mcp,
  lines: async () => (await import('./texts.ts')).lines,
  bundles: async () => (await import('./texts.ts')).bundles,
  sources: async () => (await import('./sources.ts')).sources,
  planted: async () => (await import('./planted.ts')).planted,
};
/** Of processor time, which other processes on the machine do not change. */
const LONGEST_MS = 1_000;
/** Kilobytes, of the whole process. */
const MOST_MEMORY = 1_000_000;
const MOST_FAULTS = 20;
const CHECK_EVERY = 1_000;

const [name = '', count = '0', seed = '0', from = '0'] = process.argv.slice(2);
const target = await TARGETS[name]?.();
if (target === undefined) throw new Error(`there is no target ${name}`);

let faults = 0;
let current = '';
const report = (what: string, error: unknown) => {
  faults += 1;
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  console.error(`${what} (seed ${seed}): ${message}\n${stack?.split('\n').slice(1, 8).join('\n') ?? ''}`);
  if (faults >= MOST_FAULTS) process.exit(1);
};
process.on('uncaughtException', (error) => report(`uncaught error during ${current}`, error));
process.on('unhandledRejection', (error) => report(`unhandled rejection during ${current}`, error));

/** Every case has numbers of its own, whatever was run before it. */
const randomOf = (index: number) =>
  new Random(Math.imul(Number(seed) + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));

const opened = await target.open();
const watch = startWatch();
const run = async (index: number) => {
  try {
    await opened.run(randomOf(index));
  } catch (error) {
    report(`case ${index} of ${name}`, error);
  }
};
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
const timed = async (indexes: readonly number[]): Promise<number> => {
  current = `cases ${indexes[0]} to ${indexes.at(-1)} of ${name}`;
  watch.begin(indexes[0] as number);
  const before = cpuMs();
  await Promise.all(indexes.map(run));
  // What a case has left behind fails now.
  await setImmediate();
  return cpuMs() - before;
};

const end = Number(from) + Number(count);
for (let index = Number(from); index < end; index += target.atOnce) {
  const indexes = Array.from({ length: Math.min(target.atOnce, end - index) }, (_, i) => index + i);
  if ((await timed(indexes)) > LONGEST_MS) {
    // One of them, or all together: each is tried alone.
    for (const one of indexes) {
      const ms = await timed([one]);
      if (ms > LONGEST_MS) report(`case ${one} of ${name}`, new Error(`took ${Math.round(ms)} ms of processor time`));
    }
  }
  if (index % CHECK_EVERY < target.atOnce) await opened.check?.().catch((error) => report(`after ${current}`, error));
}
current = 'the last check';
await opened.check?.().catch((error) => report('at the end', error));
await opened.close();
watch.end();
const { maxRSS } = process.resourceUsage();
if (maxRSS > MOST_MEMORY) report('memory', new Error(`${Math.round(maxRSS / 1_000)} MB`));
console.log(`${name}: ${count} cases, ${faults} faults, at most ${Math.round(maxRSS / 1_000)} MB`);
process.exitCode = faults === 0 ? 0 : 1;

/** A thread that ends the process if a case never ends, which the thread of the case cannot. */
function startWatch(): { begin(index: number): void; end(): void } {
  const shared = new Int32Array(new SharedArrayBuffer(4));
  const script = `
    const { workerData: { shared, name, seed } } = require('node:worker_threads');
    let last = -1, since = 0;
    const cpuMs = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
    setInterval(() => {
      const current = Atomics.load(shared, 0);
      if (current !== last) [last, since] = [current, cpuMs()];
      else if (cpuMs() - since > 30000) {
        require('node:fs').writeSync(2, 'case ' + current + ' of ' + name + ' (seed ' + seed + ') does not end\\n');
        process.kill(process.pid, 'SIGKILL');
      }
    }, 500);`;
  const worker = new Worker(script, { eval: true, workerData: { shared, name, seed } });
  return { begin: (index) => void Atomics.store(shared, 0, index), end: () => void worker.terminate() };
}
