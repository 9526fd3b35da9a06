import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { BrokenFile } from '../../files/broken-file.ts';
import { readWhole, type SourceFile } from '../../files/source-file.ts';

const MAX_FILE = 50 << 20;
const MAX_OPENED = 200 << 20;
const MAX_PARTS = 5_000;

/** The parts of a workbook (a zip) by path. */
export type WorkbookParts = ReadonlyMap<string, SourceFile>;

/** Opens a workbook. The stated sizes are checked first and enforced during reading. */
export async function openWorkbook(file: SourceFile): Promise<WorkbookParts> {
  const zip = await openZip(await readWhole(file, MAX_FILE, `the workbook is larger than ${MAX_FILE >> 20} MB`));
  const parts = new Map<string, SourceFile>();
  let opened = 0;
  for await (const entry of entriesOf(zip)) {
    opened += entry.uncompressedSize;
    if (opened > MAX_OPENED || parts.size >= MAX_PARTS) {
      throw new BrokenFile(`the unpacked workbook is larger than ${MAX_OPENED >> 20} MB`);
    }
    if (entry.isEncrypted()) throw new BrokenFile('the workbook is protected by a password; save it without one');
    parts.set(entry.fileName, {
      name: entry.fileName,
      size: entry.uncompressedSize,
      bytes: () => readPart(zip, entry),
    });
  }
  return parts;
}

const OLD = Buffer.from('d0cf11e0', 'hex');

async function openZip(bytes: Buffer): Promise<ZipFile> {
  if (bytes.subarray(0, 4).equals(OLD)) throw new BrokenFile('an old or protected workbook; save it as .xlsx');
  try {
    return await fromBufferPromise(bytes, { lazyEntries: true });
  } catch {
    throw new BrokenFile('not a workbook, or cut off');
  }
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry();
  } catch (error) {
    throw error instanceof BrokenFile ? error : new BrokenFile('the workbook is damaged');
  }
}

async function* readPart(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  try {
    yield* (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>;
  } catch {
    throw new BrokenFile('a part of the workbook is damaged');
  }
}
