import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import type { SourceFile } from '../adapter.ts';
import { BrokenFile } from '../broken-file.ts';

const MAX_FILE = 50 << 20;
const MAX_OPENED = 200 << 20;
const MAX_PARTS = 5_000;

/** The parts of a workbook, which is a zip, by their paths. */
export type Parts = ReadonlyMap<string, SourceFile>;

/** Opens a workbook. What it says of its own size is checked before, and held to while it is read. */
export async function openWorkbook(file: SourceFile): Promise<Parts> {
  const zip = await openZip(await bytesOf(file));
  const parts = new Map<string, SourceFile>();
  let opened = 0;
  for await (const entry of entriesOf(zip)) {
    opened += entry.uncompressedSize;
    if (opened > MAX_OPENED || parts.size >= MAX_PARTS) {
      throw new BrokenFile(`opened, the workbook is larger than ${MAX_OPENED >> 20} MB`);
    }
    if (entry.isEncrypted()) throw new BrokenFile('the workbook is protected by a password: save it without one');
    parts.set(entry.fileName, {
      name: entry.fileName,
      size: entry.uncompressedSize,
      bytes: () => readPart(zip, entry),
    });
  }
  return parts;
}

async function bytesOf(file: SourceFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of file.bytes()) {
    size += chunk.length;
    if (size > MAX_FILE) throw new BrokenFile(`the workbook is larger than ${MAX_FILE >> 20} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function openZip(bytes: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error !== null || zip === undefined) {
        const old = bytes.readUIntBE(0, Math.min(4, bytes.length || 1)) === 0xd0cf11e0;
        const what = old ? 'it is an old or a protected workbook: save it as .xlsx' : 'it is no workbook';
        reject(
          new BrokenFile(bytes.length < 4 ? 'it is no workbook' : `${what}${old ? '' : ': the file may be cut off'}`),
        );
      } else resolve(zip);
    });
  });
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const entry = await new Promise<Entry | undefined>((resolve, reject) => {
      const settle = (then: () => void) => {
        zip.removeAllListeners();
        then();
      };
      zip.once('entry', (found: Entry) => settle(() => resolve(found)));
      zip.once('end', () => settle(() => resolve(undefined)));
      zip.once('error', () => settle(() => reject(new BrokenFile('the workbook is damaged'))));
      zip.readEntry();
    });
    if (entry === undefined) return;
    yield entry;
  }
}

async function* readPart(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  try {
    const stream = await new Promise<AsyncIterable<Buffer>>((resolve, reject) => {
      zip.openReadStream(entry, (error, found) => (error === null ? resolve(found) : reject(error)));
    });
    yield* stream;
  } catch {
    throw new BrokenFile('a part of the workbook is damaged');
  }
}
