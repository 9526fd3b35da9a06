import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Connection, sqliteCode } from './sqlite-connection.ts';
import { StorageError } from './storage.ts';

/** SQLITE_READONLY and SQLITE_CANTOPEN: a file beside the database is missing and cannot be created. */
const CANNOT_CREATE: ReadonlySet<number | undefined> = new Set([8, 14]);

/** DLY-04: how often it is checked that the file is still there. */
const LOOK_AGAIN_MS = 250;

interface FileOptions {
  cacheMb: number;
  /** How long a read waits for a lock of another process, which also stops this thread. */
  busyMs: number;
}

/**
 * RDO-02: a database file, opened without the right to write to it. SQLite needs two files beside it, which show what others
 * write (`-wal` and `-shm`). Where this user may not create them, the file is read as one that does not change, and opened
 * again as soon as it does.
 */
export class DatabaseFile {
  readonly #path: string;
  readonly #options: FileOptions;
  #connection: Connection;
  /** Which file is open. */
  #place: string;
  #isInPlace = true;
  #looked = performance.now();
  /** Set while the file is read as one that does not change. */
  #version: string | undefined;
  /** How often the file was opened. */
  openings = 1;

  constructor(path: string, options: FileOptions) {
    this.#path = path;
    this.#options = options;
    [this.#connection, this.#version] = this.#open();
    this.#place = placeOf(path);
  }

  get connection(): Connection {
    this.requireInPlace();
    return this.#connection;
  }

  /** Runs a read, again if the file changed meanwhile: what it returned may be a mixture. */
  read<T>(work: (connection: Connection) => T): T {
    for (;;) {
      const { connection } = this;
      try {
        const result = work(connection);
        if (!this.hasChanged(connection)) return result;
      } catch (error) {
        if (!this.hasChanged(connection)) throw unlessLocked(error);
      }
      this.reopen(connection);
    }
  }

  /** DLY-04: what an open file says is no longer the registry once another one, or none, is in its place. */
  requireInPlace(): void {
    const now = performance.now();
    if (now >= this.#looked + LOOK_AGAIN_MS) {
      this.#looked = now;
      const place = placeOf(this.#path);
      // A file that is read as one that does not change is opened again.
      this.#isInPlace = place === this.#place || (this.#version !== undefined && place !== NO_FILE);
    }
    if (!this.#isInPlace) throw new StorageError('connection', 'the database file was moved, deleted or replaced');
  }

  /** Whether what this connection has read may be wrong. */
  hasChanged(connection: Connection): boolean {
    return connection !== this.#connection || (this.#version !== undefined && this.#version !== versionOf(this.#path));
  }

  close(): void {
    this.#connection.close();
  }

  /** Replaces a connection, unless that was done already. One that is in a transaction is left to its user. */
  reopen(old: Connection): void {
    if (old === this.#connection) {
      [this.#connection, this.#version] = this.#open();
      this.openings += 1;
    }
    if (old.database.isOpen && !old.database.isTransaction) old.close();
  }

  #open(): [Connection, version: string | undefined] {
    const [path, options] = [this.#path, this.#options];
    // A file of another user: if this one created the files beside it, the other could not write to them.
    if (mayWrite(path) || (existsSync(`${path}-wal`) && existsSync(`${path}-shm`))) {
      try {
        return [openConnection(path, options), undefined];
      } catch (error) {
        if (!CANNOT_CREATE.has(sqliteCode(error)) || !existsSync(path)) throw error;
      }
    }
    const version = versionOf(path);
    if (version === undefined) {
      throw new StorageError(
        'connection',
        'the database file has a log of changes (-wal) that this user may not read; run a tatemono command as a user who may write to the database',
      );
    }
    const url = pathToFileURL(path);
    url.search = '?mode=ro&immutable=1';
    return [openConnection(url, options), version];
  }
}

/** Reads once, because SQLite opens the files only then. */
function openConnection(location: string | URL, { cacheMb, busyMs }: FileOptions): Connection {
  const connection = new Connection(location, true, cacheMb, busyMs);
  try {
    connection.database.prepare('select count(*) from sqlite_schema').get();
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

const NO_FILE = '';

/** Which file a path leads to. */
function placeOf(path: string): string {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false });
  return file === undefined ? NO_FILE : `${file.dev} ${file.ino}`;
}

/** SQLITE_BUSY */
const BUSY = 5;

/** DLY-03 */
export function unlessLocked(error: unknown): unknown {
  if (sqliteCode(error) !== BUSY) return error;
  return new StorageError('locked', 'the database is locked by another process', { cause: error });
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Changes with every write to the file. Undefined while another process has changes that are not in the file yet. */
function versionOf(path: string): string | undefined {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return undefined;
  const { ino, size, mtimeNs } = statSync(path, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
}
