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
  let text = '';
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    text += chunk;
    const origin = ready.exec(text)?.[1];
    if (origin === undefined) continue;
    const stop = async () => {
      child.kill('SIGTERM');
      await exit;
    };
    return { child, origin, stop };
  }
  throw new Error(`${args.join(' ')} did not start`);
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

/** Runs a tatemono command to its end; how long it took, and its peak memory. */
export async function runTatemono(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ seconds: number; peak: number }> {
  const started = performance.now();
  const child = spawn('bin/tatemono.js', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid as number));
  }, 100);
  const [code] = await once(child, 'exit');
  clearInterval(watch);
  if (code !== 0) throw new Error(`tatemono ${args[0]} ended with ${code}`);
  return { seconds: (performance.now() - started) / 1000, peak };
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

/** Bytes according to the kernel; 0 if the system is not Linux or the process has ended. */
function memoryOf(pid: number, kind: 'VmRSS' | 'VmHWM'): number {
  try {
    const match = new RegExp(`${kind}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(match?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
