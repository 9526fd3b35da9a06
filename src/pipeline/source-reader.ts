import type { SourceFile } from '../files/source-file.ts';
import { unpacked } from '../files/unpack.ts';
import type { AreaItem, Item, Reading } from '../sources/adapter.ts';
import { mapInOrder } from '../threads/map-in-order.ts';
import { adapterOf, type IngestSource } from './adapters.ts';
import type { Jobs } from './jobs.ts';
import { type ArchivedFile, type Opened, openFiles } from './open-files.ts';
import type { PreparedItem } from './prepare-items.ts';
import { refusalOf } from './recognise-file.ts';

interface ReadingJob {
  source: IngestSource;
  files: readonly ArchivedFile[];
  reading: Reading;
}

/** A file that is read, inside a zip or not. */
interface OpenedFile {
  name: string;
  sha256: string;
  root: string;
  size: number;
  /** A zip without any file that is read. */
  unread?: true;
}

export interface OpenedFiles {
  files: OpenedFile[];
  /** Files in zips that the source does not read. */
  passedOver: Opened['passedOver'];
}

export interface Reader {
  open(job: ReadingJob): Promise<OpenedFiles>;
  /** The areas that must be stored before anything else is read. */
  areas(): AsyncIterable<AreaItem[]>;
  /** The next items; undefined after the last. */
  next(): Promise<PreparedItem[] | undefined>;
  close(): Promise<void>;
}

const ITEMS = 400;

/** Who prepares the items that an adapter finds: this thread or others. */
export interface Preparers extends Pick<Jobs, 'prepare'> {
  /** How many batches to have in preparation. */
  readonly ahead: number;
}

/** Runs an adapter and has its items prepared. */
export class SourceReader implements Reader {
  readonly #preparers: Preparers;
  #job: ReadingJob | undefined;
  #opened: Opened | undefined;
  #items: AsyncGenerator<PreparedItem[]> | undefined;

  constructor(preparers: Preparers) {
    this.#preparers = preparers;
  }

  async open(job: ReadingJob): Promise<OpenedFiles> {
    const opened = await openFiles(job.files, adapterOf(job.source));
    this.#job = job;
    this.#opened = opened;
    this.#items = this.#prepare(job, opened);
    const read = opened.files.map(({ name, sha256, root, size }) => ({ name, sha256, root, size }));
    const unread = opened.unread.map((file) => ({ ...file, unread: true as const }));
    return { files: [...read, ...unread], passedOver: opened.passedOver };
  }

  async *areas(): AsyncGenerator<AreaItem[]> {
    if (this.#job === undefined || this.#opened === undefined) return;
    yield* adapterOf(this.#job.source).readAreas?.(this.#opened.files) ?? [];
  }

  async next(): Promise<PreparedItem[] | undefined> {
    const { value, done } = (await this.#items?.next()) ?? { done: true, value: undefined };
    if (!done) return value;
    await this.close();
    return undefined;
  }

  async close(): Promise<void> {
    this.#opened?.close();
    this.#opened = undefined;
  }

  async *#prepare({ source, reading }: ReadingJob, opened: Opened): AsyncGenerator<PreparedItem[]> {
    const { ahead, prepare } = this.#preparers;
    const batches = readItems(source, opened, reading);
    const ask = (items: Item[]) => prepare({ source, reading, items });
    for await (const [, prepared] of mapInOrder(batches, ahead, ask)) yield prepared;
  }
}

/** What the adapter finds in the files of its source, in batches that are worth a job. */
async function* readItems(source: IngestSource, { files, broken }: Opened, reading: Reading): AsyncGenerator<Item[]> {
  const adapter = adapterOf(source);
  let waiting: Item[] = broken.map((file) => ({ kind: 'broken', ...file }));
  const accepted: SourceFile[] = [];
  for (const file of adapter.plainFiles === true ? files : files.map(unpacked)) {
    const refusal = await refusalOf(source, file);
    if (refusal === undefined) accepted.push(file);
    else waiting.push({ ...refusal, file: file.name });
  }
  for await (const items of adapter.read(accepted, reading)) {
    waiting.push(...items);
    // A portion of lines is a job of its own.
    if (waiting.length < ITEMS && items.at(-1)?.kind !== 'lines') continue;
    yield waiting;
    waiting = [];
  }
  if (waiting.length > 0) yield waiting;
}
