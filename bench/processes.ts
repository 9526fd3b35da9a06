import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

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

/** `tatemono serve`, as `npm start` runs it. */
export function startRegistry(env: NodeJS.ProcessEnv): Promise<Started> {
  return start(['--max-semi-space-size=8', 'bin/tatemono.js', 'serve'], env, /serves (http:\S+?)\/japan/);
}

/** Runs a tatemono command to its end. */
export async function runTatemono(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn('bin/tatemono.js', args, { env, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`tatemono ${args[0]} ended with ${code}`);
}

/** The peak memory of a process, sampled from the kernel every 100 ms. */
export function watchMemory({ child }: Started): { most: () => number; end: () => void } {
  let most = 0;
  const look = () => {
    try {
      const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
      most = Math.max(most, Number(match?.[1] ?? 0) * 1024);
    } catch {
      // Not Linux, or the process has ended.
    }
  };
  look();
  const timer = setInterval(look, 100);
  return { most: () => most, end: () => clearInterval(timer) };
}

/** The peak memory of a process according to the kernel; 0 if unknown. */
export function peakOf(pid: number): number {
  try {
    const match = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(match?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
