import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../bin/tatemono.js', import.meta.url));

/** A place for a service and the commands beside it. */
export interface LoadPlace {
  dir: string;
  env: Readonly<Record<string, string>>;
}

function run({ dir, env }: LoadPlace, args: readonly string[]): ChildProcess {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  const kept = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
  return spawn(process.execPath, [BIN, ...args], {
    cwd: dir,
    env: { PATH, ...kept, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

const endOf = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
    else child.once('exit', resolve);
  });

/** Runs a command to its end; fails if it fails. */
export async function command(place: LoadPlace, ...args: string[]): Promise<void> {
  const child = run(place, args);
  child.stdout?.resume();
  const code = await endOf(child);
  if (code !== 0) throw new Error(`tatemono ${args.join(' ')} ended with ${code}`);
}

export interface LoadService {
  pid: number;
  port: number;
  /** SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null>;
}

/** `tatemono serve` on a free port or a given one. */
export async function startService(place: LoadPlace, settings: Record<string, string> = {}): Promise<LoadService> {
  const env = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error', ...place.env, ...settings };
  const child = run({ ...place, env }, ['serve']);
  const ended = endOf(child);
  const port = await new Promise<number>((resolve, reject) => {
    let said = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      said = `${said}${text}`.slice(-10_000);
      const [, found] = /tatemono serves http:\/\/127\.0\.0\.1:(\d+)\/japan/.exec(said) ?? [];
      if (found !== undefined) resolve(Number(found));
    });
    void ended.then((code) => reject(new Error(`the service ended with ${code}: ${said}`)));
  });
  return {
    pid: child.pid as number,
    port,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
