import { type ChildProcess, spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';

const BIN = fileURLToPath(new URL('../../bin/tatemono.js', import.meta.url));

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Place {
  /** The working directory; the command must not create files there. */
  cwd: string;
  env: Record<string, string>;
  /** Another user to run as, which only root can choose. */
  user?: number | undefined;
  /** A command line that runs another one, such as one that limits it. */
  through?: readonly string[];
}

export interface Running {
  child: ChildProcess;
  /** Waits for a pattern on standard output; fails if the command ends without it. */
  says(pattern: RegExp): Promise<RegExpMatchArray>;
  ended: Promise<Finished>;
}

/** Starts the real command in a separate process with only these settings. */
export function start(place: Place, ...args: string[]): Running {
  const [program = '', ...rest] = [...(place.through ?? []), process.execPath, BIN, ...args];
  const child = spawn(program, rest, {
    cwd: place.cwd,
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: inject('compileCache'), ...place.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(place.user !== undefined && { uid: place.user, gid: place.user }),
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  const says = (pattern: RegExp) =>
    new Promise<RegExpMatchArray>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(stdout);
        if (match !== null) resolve(match);
      };
      look();
      child.stdout?.on('data', look);
      ended.then(() => reject(new Error(`the command ended without ${pattern}: ${stdout}${stderr}`)), reject);
    });
  return { child, says, ended };
}

export const tatemono = (place: Place, ...args: string[]): Promise<Finished> => start(place, ...args).ended;

/** Runs the command line in this process: much faster, if the test does not need a separate one. */
export async function runHere(env: Record<string, string>, ...args: string[]): Promise<Finished> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const terminal = { out, err } as unknown as Parameters<typeof runCommand>[2];
  const code = await runCommand(args, env, terminal);
  out.end();
  err.end();
  return { code, stdout: await text(out), stderr: await text(err) };
}
