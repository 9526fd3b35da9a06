import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { type Finished, runHere, start, tatemono } from './command.ts';
import { registryState } from './registry-state.ts';
import type { Files } from './small-sources.ts';

/** A database, an archive and a folder of files to ingest; call `remove` at the end. */
export class IngestPlace {
  readonly dir = mkdtempSync(join(tmpdir(), 'tatemono-ingest-'));
  readonly cwd = this.folder('cwd');
  readonly env: Record<string, string>;
  readonly url: string;

  constructor(url?: string) {
    this.url = url ?? `file:${join(this.dir, 'registry.db')}`;
    this.env = {
      ...{ DATABASE_URL: this.url, ARCHIVE_DIR: join(this.dir, 'archive') },
      ...{ LOG_LEVEL: 'silent', PORT: '0', RATE_LIMIT_API: '0' },
    };
  }

  folder(name: string): string {
    const path = join(this.dir, name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  /** Writes files below a folder of that name and returns the folder. */
  write(folder: string, files: Files): string {
    const root = this.folder(folder);
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), content);
    }
    return root;
  }

  /** Writes one file and returns its path. */
  file(name: string, content: string | Buffer): string {
    return join(this.write('files', { [name]: content }), name);
  }

  /** Runs in this process, which is fast. */
  run(...args: string[]): Promise<Finished> {
    return runHere(this.env, ...args);
  }

  ingest(source: string, ...args: string[]): Promise<Finished> {
    return this.run('ingest', source, ...args);
  }

  /** Runs in a separate process, optionally with a memory limit in MB. */
  spawned(options: { megabytes?: number }, ...args: string[]): Promise<Finished> {
    const { megabytes } = options;
    const env = megabytes === undefined ? this.env : { ...this.env, NODE_OPTIONS: `--max-old-space-size=${megabytes}` };
    return tatemono({ cwd: this.cwd, env }, ...args);
  }

  start(...args: string[]) {
    return start({ cwd: this.cwd, env: this.env }, ...args);
  }

  async read<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
    const storage = openStorage(this.url, () => {});
    try {
      return await work(storage);
    } finally {
      await storage.close();
    }
  }

  state(): Promise<string> {
    return this.read(registryState);
  }

  /** The number of stored statements by record. */
  async kept(): Promise<Record<string, number>> {
    return this.read(async ({ db }) => {
      const rows = await db
        .selectFrom('source_record as r')
        .innerJoin('statement as s', 's.record', 'r.id')
        .select(['r.key', (eb) => eb.fn.countAll().as('n')])
        .groupBy('r.key')
        .orderBy('r.key')
        .execute();
      return Object.fromEntries(rows.map(({ key, n }) => [key, Number(n)]));
    });
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** The counts of a summary line, by their labels. */
export function countsIn(stdout: string, root: string): Record<string, number> {
  const line = stdout.split('\n').find((text) => text.startsWith(`${root}: `));
  if (line === undefined) throw new Error(`no summary of ${root}: ${stdout}`);
  return Object.fromEntries(
    line
      .slice(root.length + 2)
      .split(', ')
      .map((part) => part.split(' '))
      .map(([name, count]) => [name, Number(count)]),
  );
}
