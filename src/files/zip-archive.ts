import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { crc32 } from 'node:zlib';
import {
  type Entry,
  fromBuffer,
  fromRandomAccessReader,
  getFileNameLowLevel,
  validateFileName,
  type ZipFile,
} from 'yauzl';
import { BrokenFile } from './broken-file.ts';
import { type KnownFile, VerifiedReader } from './verified-file.ts';

const MOST_ENTRIES = 500_000;
const MOST_BYTES = 32 * 2 ** 30;
/** Text shrinks up to forty times; an entry that shrinks far more is a zip bomb. */
const MOST_TIMES = 400;
const SMALL = 16 << 20;
/** Zips inside zips are held in memory. */
const MOST_HELD = 512 << 20;
const MOST_DEPTH = 3;

export interface ZipEntry {
  /** Its path in the zip, with slashes. */
  name: string;
  size: number;
  /** A symbolic link, which is not followed. */
  isLink: boolean;
  entry: Entry;
}

/** What a zip and all zips inside it use together; each level alone may look harmless. */
interface Budget {
  packed: number;
  unpacked: number;
  entries: number;
  held: number;
}

/** A limit of the whole zip is exceeded: nothing of it is read. */
export class UnsafeZip extends BrokenFile {}

/** A zip that is read in place. Nothing is written to disk, so names such as `../x` are harmless. */
export class ZipArchive {
  readonly entries: readonly ZipEntry[];
  readonly #zip: ZipFile;
  readonly #budget: Budget;
  readonly #depth: number;

  private constructor(zip: ZipFile, entries: readonly ZipEntry[], budget: Budget, depth: number) {
    this.#zip = zip;
    this.entries = entries;
    this.#budget = budget;
    this.#depth = depth;
  }

  static async open(file: KnownFile): Promise<ZipArchive> {
    const reader = await VerifiedReader.open(file);
    const zip = await opened((done) => fromRandomAccessReader(reader, file.bytes, OPTIONS, done)).catch((error) => {
      reader.close(() => {});
      throw error;
    });
    return ZipArchive.#list(zip, { packed: zip.fileSize, unpacked: 0, entries: 0, held: 0 }, 1);
  }

  static async #list(zip: ZipFile, budget: Budget, depth: number): Promise<ZipArchive> {
    try {
      return new ZipArchive(zip, await listEntries(zip, budget), budget, depth);
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  /** A zip that is a file of this one. */
  async openInside(inner: ZipEntry): Promise<ZipArchive> {
    if (this.#depth >= MOST_DEPTH)
      throw new UnsafeZip(`zips are nested more than ${MOST_DEPTH} deep: unpack them first`);
    this.#budget.held += inner.size;
    if (this.#budget.held > MOST_HELD) {
      throw new UnsafeZip(`the zips inside it are larger than ${MOST_HELD >> 20} MB: unpack them first`);
    }
    const chunks: Buffer[] = [];
    for await (const chunk of this.bytes(inner)) chunks.push(chunk);
    const zip = await opened((done) => fromBuffer(Buffer.concat(chunks), OPTIONS, done));
    return ZipArchive.#list(zip, this.#budget, this.#depth + 1);
  }

  async *bytes({ entry }: ZipEntry): AsyncGenerator<Buffer> {
    if (entry.isEncrypted()) throw new BrokenFile('it is encrypted');
    if (!entry.canDecodeFileData()) {
      throw new BrokenFile(`its compression method (${entry.compressionMethod}) is not supported: pack the zip again`);
    }
    const stream = await new Promise<AsyncIterable<Buffer>>((resolve, reject) =>
      this.#zip.openReadStream(entry, (error, opened) =>
        error === null ? resolve(opened) : reject(brokenBy(error, 'the zip is damaged')),
      ),
    );
    let sum = 0;
    try {
      for await (const chunk of stream) {
        sum = crc32(chunk, sum);
        yield chunk;
      }
    } catch (error) {
      throw brokenBy(error as Error, 'the zip is damaged or cut off');
    }
    if (sum !== entry.crc32) throw new BrokenFile('the zip is damaged: the file in it is not what was packed');
  }

  close(): void {
    this.#zip.close();
  }
}

/** Names are decoded here: yauzl reads those without a UTF-8 flag as CP437, but Windows in Japan writes CP932. */
const OPTIONS = { autoClose: false, lazyEntries: true, decodeStrings: false } as const;

function opened(begin: (done: (error: Error | null, zip: ZipFile) => void) => void): Promise<ZipFile> {
  return new Promise((resolve, reject) =>
    begin((error, zip) => (error === null ? resolve(zip) : reject(brokenBy(error, 'not a complete zip')))),
  );
}

const LINK = 0o120000;
const FILE_TYPE = 0o170000;

function listEntries(zip: ZipFile, budget: Budget): Promise<ZipEntry[]> {
  return new Promise((resolve, reject) => {
    const entries: ZipEntry[] = [];
    zip.on('error', (error: Error) => reject(brokenBy(error, 'the zip is damaged or unsafe')));
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) => {
      const fault = spend(budget, entry);
      const name = nameOf(entry);
      const unsafe = validateFileName(name);
      if (fault !== undefined) reject(new UnsafeZip(fault));
      else if (unsafe !== null) reject(new BrokenFile(`the zip is damaged or unsafe: ${describe(new Error(unsafe))}`));
      else {
        const isLink = ((entry.externalFileAttributes >>> 16) & FILE_TYPE) === LINK;
        if (!name.endsWith('/')) entries.push({ name, size: entry.uncompressedSize, isLink, entry });
        zip.readEntry();
      }
    });
    zip.readEntry();
  });
}

function spend(budget: Budget, { uncompressedSize, compressedSize }: Entry): string | undefined {
  budget.unpacked += uncompressedSize;
  budget.entries += 1;
  if (budget.entries > MOST_ENTRIES) return `the zip has more than ${MOST_ENTRIES} entries`;
  if (uncompressedSize > MOST_BYTES || (uncompressedSize > SMALL && uncompressedSize > compressedSize * MOST_TIMES)) {
    return 'the zip has an entry that unpacks to far more than it holds';
  }
  // Overlapping entries can each look harmless.
  if (budget.unpacked > SMALL && budget.unpacked > budget.packed * MOST_TIMES) {
    return 'the zip unpacks to far more than it holds';
  }
  return undefined;
}

const UTF8_FLAG = 0x800;
const UNICODE_PATH = 0x7075;

function nameOf({ generalPurposeBitFlag: flags, fileNameRaw: raw, extraFields }: Entry): string {
  const hasEncoding = (flags & UTF8_FLAG) !== 0 || extraFields.some(({ id }) => id === UNICODE_PATH);
  const name = (hasEncoding ? undefined : decodeName(raw)) ?? getFileNameLowLevel(flags, raw, extraFields, true);
  return name.replaceAll('\\', '/');
}

/** A name without a stated encoding is UTF-8 or CP932 if it can be; undefined means CP437, the default of the standard. */
function decodeName(raw: Buffer): string | undefined {
  if (isUtf8(raw)) return raw.toString('utf8');
  try {
    return new TextDecoder('shift_jis', { fatal: true }).decode(raw);
  } catch {
    return undefined;
  }
}

/** An error of the file on disk already has its own reason. */
function brokenBy(error: Error, what: string): BrokenFile {
  return error instanceof BrokenFile ? error : new BrokenFile(`${what}: ${describe(error)}`);
}

/** The message of yauzl, shortened because it may contain a name of the zip. */
function describe(error: Error): string {
  return error.message.replace(/[^\x20-\x7e]/g, '?').slice(0, 120);
}
