import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Connection, sqliteCode } from './sqlite-connection.ts';
import { StorageError } from './storage.ts';

/** SQLITE_READONLY and SQLITE_CANTOPEN: a file beside the database is missing and cannot be created. */
const CANNOT_CREATE: ReadonlySet<number | undefined> = new Set([8, 14]);

/**
 * RDO-02: a database file, opened without the right to write to it. SQLite needs two files beside it, which show what others
 * write (`-wal` and `-shm`). Where this user may not create them, the file is read as one that does not change, and opened
 * again as soon as it does.
 */
export class DatabaseFile {
  readonly #path: string;
  readonly #cacheMb: number;
  #connection: Connection;
  /** Set while the file is read as one that does not change. */
  #version: string | undefined;
  /** How often the file was opened. */
  openings = 1;

  constructor(path: string, cacheMb: number) {
    this.#path = path;
    this.#cacheMb = cacheMb;
    [this.#connection, this.#version] = this.#open();
  }

  get connection(): Connection {
    return this.#connection;
  }

  /** Runs a read, again if the file changed meanwhile: what it returned may be a mixture. */
  read<T>(work: (connection: Connection) => T): T {
    for (;;) {
      const connection = this.#connection;
      try {
        const result = work(connection);
        if (!this.hasChanged(connection)) return result;
      } catch (error) {
        if (!this.hasChanged(connection)) throw error;
      }
      this.reopen(connection);
    }
  }

  /** Whether what this connection has read may be wrong. */
  hasChanged(connection: Connection): boolean {
    return connection !== this.#connection || (this.#version !== undefined && this.#version !== versionOf(this.#path));
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
    const [path, cacheMb] = [this.#path, this.#cacheMb];
    // A file of another user: if this one created the files beside it, the other could not write to them.
    if (mayWrite(path) || (existsSync(`${path}-wal`) && existsSync(`${path}-shm`))) {
      try {
        return [openConnection(path, cacheMb), undefined];
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
    return [openConnection(url, cacheMb), version];
  }
}

/** Reads once, because SQLite opens the files only then. */
function openConnection(location: string | URL, cacheMb: number): Connection {
  const connection = new Connection(location, true, cacheMb);
  try {
    connection.database.prepare('select count(*) from sqlite_schema').get();
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
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
