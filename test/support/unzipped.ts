import { buffer } from 'node:stream/consumers';
import { fromBuffer, type ZipFile } from 'yauzl';
import type { SourceFile } from '../../src/files/source-file.ts';
import { fileOf } from './source-files.ts';

/** Reads the files of a small zip into memory. */
export async function unzipped(zip: SourceFile): Promise<SourceFile[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of zip.bytes()) chunks.push(chunk);
  const opened = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(Buffer.concat(chunks), { lazyEntries: true }, (error, file) => (error ? reject(error) : resolve(file))),
  );
  return new Promise((resolve, reject) => {
    const files: SourceFile[] = [];
    opened.on('error', reject);
    opened.on('end', () => resolve(files));
    opened.on('entry', (entry) => {
      opened.openReadStream(entry, async (error, stream) => {
        if (error) return reject(error);
        files.push(fileOf(`${zip.name}/${entry.fileName}`, await buffer(stream), 1 << 16));
        opened.readEntry();
      });
    });
    opened.readEntry();
  });
}
