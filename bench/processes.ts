import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Started {
  child: ChildProcess;
  origin: string;
  stop: () => Promise<void>;
}

/** Starts a script in its own process, and waits for the address that it prints. */
export async function start(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  ready: RegExp,
  input: readonly string[] = [],
): Promise<Started> {
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(input.join('\n'));
  const exit = once(child, 'exit');
  const started = Promise.withResolvers<string>();
  let text = '';
  // It may print more later, so its output stays open.
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk;
    const origin = ready.exec(text)?.[1];
    if (origin !== undefined) started.resolve(origin);
  });
  exit.then(() => started.reject(new Error(`${args.join(' ')} did not start`)), started.reject);
  const origin = await started.promise;
  const stop = async () => {
    child.kill('SIGTERM');
    await exit;
  };
  return { child, origin, stop };
}

/** Uses a process, and stops it afterwards. */
export async function withProcess<T>(starting: Promise<Started>, use: (started: Started) => Promise<T>): Promise<T> {
  const started = await starting;
  try {
    return await use(started);
  } finally {
    await started.stop();
  }
}

/** A server of this folder that replays the responses of the registry, as a bare limit or a peer. */
export function startReplay(
  script: 'bare-server.ts' | 'bare-mcp-server.ts' | 'fastify-server.ts',
  { origin }: Started,
  requests: readonly string[],
): Promise<Started> {
  return start([scriptPath(script), origin], process.env, /listens on (http:\S+)/, requests);
}

/** The path of a script of this folder. */
export const scriptPath = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** `tatemono serve`, as `npm start` runs it. */
export function startRegistry(env: NodeJS.ProcessEnv): Promise<Started> {
  return start(['--max-semi-space-size=8', 'bin/tatemono.js', 'serve'], env, /serves (http:\S+?)\/japan/);
}

/** Runs a tatemono command to its end; how long it took, its processor time in seconds, and its peak memory. */
export async function runTatemono(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ seconds: number; processorTime: number; peak: number }> {
  const started = performance.now();
  const child = spawn('bin/tatemono.js', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  let peak = 0;
  let processorTime = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid as number));
    processorTime = Math.max(processorTime, processorTimeOf(child.pid as number));
  }, 100);
  const [code] = await once(child, 'exit');
  clearInterval(watch);
  if (code !== 0) throw new Error(`tatemono ${args[0]} ended with ${code}`);
  return { seconds: (performance.now() - started) / 1000, processorTime, peak };
}

/** The peak memory of a process in MB from now on, sampled from the kernel every 100 ms; 0 if unknown. */
export function watchMemory({ child }: Started): () => number {
  let most = 0;
  const look = () => {
    most = Math.max(most, memoryOf(child.pid as number, 'VmRSS'));
  };
  look();
  setInterval(look, 100).unref();
  return () => most / 1e6;
}

const peakOf = (pid: number) => memoryOf(pid, 'VmHWM');

/** Seconds of processor time of a process and those it started, according to the kernel; 0 if unknown, as for memory. */
export function processorTimeOf(pid: number): number {
  try {
    const [, state = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const [user, system] = state.split(' ').slice(11, 13).map(Number) as [number, number];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return children.reduce((sum, child) => sum + processorTimeOf(Number(child)), (user + system) / TICKS_PER_SECOND);
  } catch {
    return 0;
  }
}

const TICKS_PER_SECOND = 100;

/** Bytes according to the kernel; 0 if the system is not Linux or the process has ended. */
function memoryOf(pid: number, kind: 'VmRSS' | 'VmHWM'): number {
  try {
    const match = new RegExp(`${kind}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(match?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
