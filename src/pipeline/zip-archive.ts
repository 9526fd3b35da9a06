import { crc32 } from 'node:zlib';
import { type Entry, open, type ZipFile } from 'yauzl';
import { BrokenFile } from '../sources/broken-file.ts';

const MOST_ENTRIES = 500_000;
const MOST_BYTES = 32 * 2 ** 30;
/** Text packs up to some forty times; what packs far better was made to burst. */
const MOST_TIMES = 400;
const SMALL = 16 << 20;

/** A zip that is read in place: nothing of it is ever written to disk, so that no name in it leads anywhere. */
export class ZipArchive {
  readonly entries: readonly Entry[];
  readonly #zip: ZipFile;

  private constructor(zip: ZipFile, entries: readonly Entry[]) {
    this.#zip = zip;
    this.entries = entries;
  }

  static async open(path: string): Promise<ZipArchive> {
    const zip = await new Promise<ZipFile>((resolve, reject) =>
      open(path, { autoClose: false, lazyEntries: true, strictFileNames: false }, (error, opened) =>
        error === null ? resolve(opened) : reject(new BrokenFile(`it is no whole zip: ${describe(error)}`)),
      ),
    );
    try {
      const entries = await listEntries(zip);
      return new ZipArchive(zip, entries);
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  async *bytes(entry: Entry): AsyncGenerator<Buffer> {
    if (entry.isEncrypted()) throw new BrokenFile('it is encrypted inside the zip');
    const stream = await new Promise<AsyncIterable<Buffer>>((resolve, reject) =>
      this.#zip.openReadStream(entry, (error, opened) =>
        error === null ? resolve(opened) : reject(new BrokenFile(`the zip is damaged: ${describe(error)}`)),
      ),
    );
    let sum = 0;
    try {
      for await (const chunk of stream) {
        sum = crc32(chunk, sum);
        yield chunk;
      }
    } catch (error) {
      throw new BrokenFile(`the zip is damaged or cut off: ${describe(error as Error)}`);
    }
    if (sum !== entry.crc32) throw new BrokenFile('the zip is damaged: the file in it is not what was packed');
  }

  close(): void {
    this.#zip.close();
  }
}

function listEntries(zip: ZipFile): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    let total = 0;
    zip.on('error', (error: Error) => reject(new BrokenFile(`the zip is damaged or unsafe: ${describe(error)}`)));
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) => {
      const { uncompressedSize, compressedSize, fileName } = entry;
      total += uncompressedSize;
      if (entries.length >= MOST_ENTRIES) reject(new BrokenFile(`the zip has more than ${MOST_ENTRIES} entries`));
      else if (
        uncompressedSize > MOST_BYTES ||
        (uncompressedSize > SMALL && uncompressedSize > compressedSize * MOST_TIMES)
      )
        reject(new BrokenFile('the zip has an entry that unpacks to far more than it holds'));
      // Entries may share their bytes, so that each looks harmless.
      else if (total > SMALL && total > zip.fileSize * MOST_TIMES)
        reject(new BrokenFile('the zip unpacks to far more than it holds'));
      else {
        if (!fileName.endsWith('/')) entries.push(entry);
        zip.readEntry();
      }
    });
    zip.readEntry();
  });
}

/** yauzl's own words; a name inside the zip is shown no further than its first characters. */
function describe(error: Error): string {
  return error.message.replace(/[^\x20-\x7e]/g, '?').slice(0, 120);
}
