import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const BUFFERED = 1024 * 1024;

/** EXP-03: a file that gets its name only when it is complete. */
export class OutputFile {
  readonly name: string;
  readonly #path: string;
  readonly #partial: string;
  readonly #hash = createHash('sha256');
  #descriptor: number | undefined;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #bytes = 0;

  constructor(folder: string, name: string) {
    this.name = name;
    this.#path = join(folder, name);
    this.#partial = `${this.#path}.part`;
    this.#descriptor = openSync(this.#partial, 'w');
  }

  /** The bytes must not be changed afterwards. */
  write(data: Uint8Array | string): void {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes >= BUFFERED) this.#flush();
  }

  /** Completes the file, still under its other name. */
  end(): { bytes: number; sha256: string } {
    this.#flush();
    const descriptor = this.#descriptor as number;
    fsyncSync(descriptor);
    closeSync(descriptor);
    this.#descriptor = undefined;
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  /** Gives the file its name. */
  publish(): void {
    renameSync(this.#partial, this.#path);
  }

  discard(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
    rmSync(this.#partial, { force: true });
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#waiting);
    this.#hash.update(bytes);
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#descriptor as number, bytes, done);
    this.#bytes += bytes.length;
    this.#waiting = [];
    this.#waitingBytes = 0;
  }
}
