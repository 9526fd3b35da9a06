import { BrokenFile } from './broken-file.ts';

/** A file of a source, on disk or inside a zip. */
export interface SourceFile {
  /** Its path as the operator wrote it; inside a zip `city.zip/udx/bldg/53394611.gml`. */
  readonly name: string;
  readonly size: number;
  /** Its bytes from the start; may be called several times. */
  bytes(): AsyncIterable<Buffer>;
}

/** All bytes of a file; more than `max` are a broken file with the reason `tooLarge`. */
export async function readWhole(file: SourceFile, max: number, tooLarge: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of file.bytes()) {
    length += chunk.length;
    if (length > max) throw new BrokenFile(tooLarge);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
