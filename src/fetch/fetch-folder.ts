import {
  appendFileSync,
  closeSync,
  createReadStream,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isObject, own } from '../files/read-json.ts';
import { digestOf } from '../files/verified-file.ts';
import { FailureError } from '../vocabulary/failure.ts';
import { printable } from '../vocabulary/text.ts';
import { fetchFailure } from './fetch-failure.ts';

/** What a publisher says about the version of a file. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** A complete file in the folder, under its final name. */
export interface HeldFile extends Validators {
  /** Without an access key. */
  readonly url: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly fetchedAt: string;
  /** The day that its content states. */
  readonly cutOff: string | null;
}

/** What one `fetch <source> <what>` gave last. */
interface FetchEntry {
  readonly cutOff: string;
  readonly fetchedAt: string;
  readonly files: readonly string[];
}

/** A file that is not complete, or not yet under its final name. */
export interface Part extends Validators {
  readonly url: string;
  /** Its size when complete; null if the publisher does not say. */
  readonly total: number | null;
  readonly isComplete: boolean;
  readonly finalName: string;
}

export interface NamedFile {
  name: string;
  file: HeldFile;
}

const LEDGER = 'fetch.json';
const JOURNAL = 'fetch.json.part';
const LOCK = 'fetch.lock';

/**
 * The folder of fetched files. `fetch.json` describes those under final names, and changes only when a fetch is complete.
 * `fetch.json.part` has a line for each change of an unfinished file, so that a killed fetch can be resumed.
 */
export class FetchFolder {
  readonly path: string;
  readonly #lock: DatabaseSync;
  readonly #files: Map<string, HeldFile>;
  readonly #fetches: Map<string, FetchEntry>;
  readonly #parts: Map<string, Part>;
  readonly #nameByUrl: Map<string, string>;

  private constructor(path: string, lock: DatabaseSync) {
    this.path = path;
    this.#lock = lock;
    const ledger = readLedger(join(path, LEDGER));
    this.#files = ledger.files;
    this.#fetches = ledger.fetches;
    this.#nameByUrl = new Map([...this.#files].map(([name, { url }]) => [url, name]));
    this.#parts = readJournal(join(path, JOURNAL));
    // A torn last line would damage the next one.
    if (this.#parts.size > 0) this.#rewriteJournal();
  }

  static open(path: string): FetchFolder {
    mkdirSync(path, { recursive: true });
    const lock = lockFolder(path);
    try {
      return new FetchFolder(path, lock);
    } catch (error) {
      lock.close();
      throw error;
    }
  }

  close(): void {
    this.#lock.close();
  }

  pathOf(name: string): string {
    return join(this.path, name);
  }

  partPathOf(name: string): string {
    return join(this.path, `${name}.part`);
  }

  entry(key: string): FetchEntry | undefined {
    return this.#fetches.get(key);
  }

  /** Whether anything of a source was fetched into this folder before. */
  knows(source: string): boolean {
    return [...this.#fetches.keys()].some((key) => key.startsWith(`${source} `));
  }

  /** The file that was fetched from an address, if it is still what was fetched (FTC-04). */
  async intact(url: string): Promise<NamedFile | undefined> {
    const name = this.#nameByUrl.get(url);
    const file = name === undefined ? undefined : this.#files.get(name);
    if (name === undefined || file === undefined) return undefined;
    if (sizeOf(this.pathOf(name)) !== file.bytes) return undefined;
    const { sha256 } = await digestOf(createReadStream(this.pathOf(name)) as AsyncIterable<Buffer>);
    return sha256 === file.sha256 ? { name, file } : undefined;
  }

  /** The unfinished file of an address, with its present size. */
  part(name: string, url: string): (Part & { size: number }) | undefined {
    const part = this.#parts.get(name);
    const size = sizeOf(this.partPathOf(name));
    if (part === undefined || part.url !== url || size === undefined) return undefined;
    // It may have been killed between the last byte and the note about it.
    return { ...part, size, isComplete: part.isComplete || (size > 0 && size === part.total) };
  }

  putPart(name: string, part: Part): void {
    this.#parts.set(name, part);
    appendFileSync(join(this.path, JOURNAL), `${JSON.stringify({ name, ...part })}\n`);
  }

  dropPart(name: string): void {
    rmSync(this.partPathOf(name), { force: true });
    if (this.#parts.delete(name)) this.#rewriteJournal();
  }

  /**
   * Gives finished files their final names. `fetch.json` goes first: if the rest is interrupted, files without their SHA-256
   * are fetched again, and the publisher confirms the finished parts.
   */
  commit(key: string, entry: FetchEntry, finished: readonly (NamedFile & { part: string | undefined })[]): void {
    for (const { name, file } of finished) {
      const earlier = this.#nameByUrl.get(file.url);
      if (earlier !== undefined) this.#files.delete(earlier);
      this.#files.set(name, file);
      this.#nameByUrl.set(file.url, name);
    }
    this.#fetches.set(key, entry);
    this.#replace(
      LEDGER,
      `${JSON.stringify({ files: Object.fromEntries(this.#files), fetches: Object.fromEntries(this.#fetches) }, null, 1)}\n`,
    );
    for (const { name, part } of finished) {
      if (part === undefined) continue;
      renameSync(this.partPathOf(part), this.pathOf(name));
      this.#parts.delete(part);
    }
    this.#rewriteJournal();
  }

  #rewriteJournal(): void {
    const lines = [...this.#parts].map(([name, part]) => `${JSON.stringify({ name, ...part })}\n`);
    if (lines.length === 0) rmSync(join(this.path, JOURNAL), { force: true });
    else this.#replace(JOURNAL, lines.join(''));
  }

  #replace(name: string, text: string): void {
    const temporary = join(this.path, `${name}.new`);
    const file = openSync(temporary, 'w');
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, join(this.path, name));
  }
}

/** The lock of SQLite ends with its process, however that ends. */
function lockFolder(path: string): DatabaseSync {
  const file = join(path, LOCK);
  // SQLite says only that it cannot open it.
  writeFileSync(file, '', { flag: 'a' });
  const lock = new DatabaseSync(file);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch {
    lock.close();
    throw fetchFailure(printable(path, 4_096), 'another fetch into this folder is running');
  }
  return lock;
}

function sizeOf(path: string): number | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? stats.size : undefined;
}

function readLedger(path: string): { files: Map<string, HeldFile>; fetches: Map<string, FetchEntry> } {
  if (sizeOf(path) === undefined) return { files: new Map(), fetches: new Map() };
  const ledger = parse(readFileSync(path, 'utf8'));
  const [files, fetches] = [own(ledger, 'files'), own(ledger, 'fetches')];
  if (!isObject(files) || !isObject(fetches)) {
    throw new FailureError({
      kind: 'fetch',
      reason: `${printable(path, 4_096)}: damaged; delete it, and everything is fetched again`,
    });
  }
  return {
    files: new Map(Object.entries(files as Record<string, HeldFile>)),
    fetches: new Map(Object.entries(fetches as Record<string, FetchEntry>)),
  };
}

/** Later lines replace earlier ones; a line that a killed fetch left unfinished is ignored. */
function readJournal(path: string): Map<string, Part> {
  const parts = new Map<string, Part>();
  if (sizeOf(path) === undefined) return parts;
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const entry = parse(line) as (Part & { name: string }) | undefined;
    if (entry === undefined) continue;
    const { name, ...part } = entry;
    parts.set(name, part);
  }
  return parts;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
