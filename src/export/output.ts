import { attributionOf, creditsOf } from '../vocabulary/attribution.ts';
import type { Source } from '../vocabulary/sources.ts';
import type { OutputFile } from './output-file.ts';

/** EXP-02: a file as the manifest lists it. */
export interface ManifestFile {
  name: string;
  bytes: number;
  sha256: string;
  /** Buildings, or rows of a bridge. */
  count: number;
  /** Of the sources that are named in it. */
  licences: string[];
}

/** A file that is being written, and what is in it so far. */
export class Output<T extends { end(): void }> {
  readonly file: OutputFile;
  readonly writer: T;
  readonly #sources = new Set<Source>();
  #count = 0;

  constructor(file: OutputFile, write: (file: OutputFile) => T) {
    this.file = file;
    this.writer = write(file);
  }

  /** Counts one building or row. */
  count(sources: Iterable<Source>): void {
    this.#count += 1;
    for (const source of sources) this.#sources.add(source);
  }

  end(): ManifestFile {
    this.writer.end();
    const { bytes, sha256 } = this.file.end();
    const licences = [...new Set(attributionOf(creditsOf(this.#sources)).map(({ licence }) => licence))];
    return { name: this.file.name, bytes, sha256, count: this.#count, licences };
  }
}
