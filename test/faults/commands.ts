import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { type Finished, type Place, type Running, runHere, start } from '../support/command.ts';
import type { TestDatabase } from '../support/engines.ts';

/** The time that commands write, so that two runs can be compared to the byte. */
export const NOW = '2026-11-01T00:00:00.000Z';

const CLOCK = new URL('./clock.ts', import.meta.url).href;
export const SAMPLE = fileURLToPath(new URL('../../sample/', import.meta.url));

export const placeOf = ({ url, dir }: TestDatabase, settings: Record<string, string> = {}): Place => ({
  cwd: dir,
  env: {
    ...{ DATABASE_URL: url, ARCHIVE_DIR: join(dir, 'archive') },
    ...{ NODE_OPTIONS: `--import=${CLOCK}`, FAULTS_FIXED_NOW: NOW },
    ...settings,
  },
});

/** Starts a command, in its own process, that writes the same time as all others. */
export const begin = (database: TestDatabase, args: readonly string[]): Running => start(placeOf(database), ...args);

/** Runs a command to its end, in this process, and fails unless it succeeds. */
export async function complete(database: TestDatabase, args: readonly string[]): Promise<Finished> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(NOW) });
  const finished = await runHere(placeOf(database).env, ...args).finally(() => vi.useRealTimers());
  if (finished.code !== 0) {
    throw new Error(`tatemono ${args.join(' ')}: exit code ${finished.code}\n${finished.stdout}${finished.stderr}`);
  }
  return finished;
}
