import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const BLOCK_BYTES = 1 << 20;

/** What is known of a file's bytes once they have been read. */
export interface FileDigest {
  sha256: string;
  bytes: number;
  /** The CRC-32 of each block of BLOCK_BYTES, so that a later reader can check a block before it uses it. */
  blockSums: Uint32Array;
}

/** Reads chunks of any size to the end; `onChunk` receives each of them. */
export async function digestOf(
  chunks: AsyncIterable<Buffer>,
  onChunk: (chunk: Buffer) => Promise<void> = async () => {},
): Promise<FileDigest> {
  const hash = createHash('sha256');
  const blockSums: number[] = [];
  let bytes = 0;
  let sum = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    for (let rest = chunk; rest.length > 0; ) {
      const part = rest.subarray(0, BLOCK_BYTES - (bytes % BLOCK_BYTES));
      sum = crc32(part, sum);
      bytes += part.length;
      rest = rest.subarray(part.length);
      if (bytes % BLOCK_BYTES > 0) continue;
      blockSums.push(sum);
      sum = 0;
    }
    await onChunk(chunk);
  }
  if (bytes % BLOCK_BYTES > 0) blockSums.push(sum);
  return { sha256: hash.digest('hex'), bytes, blockSums: Uint32Array.from(blockSums) };
}
