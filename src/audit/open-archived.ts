import type { SourceFile } from '../files/source-file.ts';
import { type Archived, openCopy } from '../observations/archive.ts';
import { ADAPTED_SOURCES, type AdaptedSource, adapterOf } from '../pipeline/adapters.ts';
import { type FileRules, isZip, type Opened, openFiles } from '../pipeline/source-files.ts';
import { fail, ok, type Result } from '../vocabulary/result.ts';

const RECORDS: FileRules = { expected: '', reads: () => true };

/** One archived file, of which files inside it are read by the names they were ingested under. */
export class ArchivedInput {
  readonly #copy: Archived;
  readonly #opened = new Map<string, Opened>();

  private constructor(copy: Archived) {
    this.#copy = copy;
  }

  static async open(archiveDir: string, sha256: string): Promise<Result<ArchivedInput, string>> {
    const copy = await openCopy(archiveDir, sha256);
    return copy.ok ? ok(new ArchivedInput(copy.value)) : copy;
  }

  /** `city.zip/udx/bldg/1.gml` lies in the archived zip; a folder may be called like a zip too. */
  async find(source: string, name: string): Promise<Result<SourceFile, string>> {
    const parts = name.split('/');
    const outer = parts.map((_, i) => parts.slice(0, i + 1).join('/')).filter((path) => isZip(path) && path !== name);
    const isAdapted = (ADAPTED_SOURCES as readonly string[]).includes(source);
    const rules = isAdapted ? adapterOf(source as AdaptedSource) : RECORDS;
    const faults: string[] = [];
    for (const path of [...outer, name]) {
      const opened = this.#opened.get(path) ?? (await openFiles([{ ...this.#copy, root: path, name: path }], rules));
      this.#opened.set(path, opened);
      const found = opened.files.find((file) => file.name === name);
      if (found !== undefined) return ok(found);
      faults.push(...opened.broken.map(({ reason }) => reason));
    }
    return fail(faults[0] ?? 'the archived file does not have it');
  }

  close(): void {
    for (const opened of this.#opened.values()) opened.close();
  }
}
