import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/** SQLite reserves these four bytes of the file header for the application (user_version). */
const SEAL_AT = 60;
const SEAL_BYTES = 4;
const CHUNK = 1 << 20;
const NO_SEAL = 0;

/**
 * Writes the checksum of a finished backup into it. SQLite has none of its own and would read damaged rows unnoticed.
 */
export async function sealBackup(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    const { sum } = await readThrough(handle, async () => {});
    const seal = Buffer.alloc(SEAL_BYTES);
    seal.writeUInt32BE(sum);
    await handle.write(seal, 0, SEAL_BYTES, SEAL_AT);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export type SealState = 'whole' | 'damaged' | 'unsealed';

/** Copies a backup and verifies its checksum. Backups of earlier versions have none. */
export async function copySealed(file: string, copy: string): Promise<SealState> {
  const from = await open(file, 'r');
  try {
    const to = await open(copy, 'wx');
    try {
      const { sum, seal } = await readThrough(from, (chunk) => to.writeFile(chunk));
      if (seal === NO_SEAL) return 'unsealed';
      return seal === sum ? 'whole' : 'damaged';
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

/** The checksum of a file without its seal, and the seal. */
async function readThrough(
  handle: FileHandle,
  onChunk: (chunk: Buffer) => Promise<void>,
): Promise<{ sum: number; seal: number }> {
  let [sum, seal] = [0, NO_SEAL];
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let at = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK, at);
    if (bytesRead === 0) return { sum: sum === NO_SEAL ? 1 : sum, seal };
    const chunk = buffer.subarray(0, bytesRead);
    await onChunk(chunk);
    if (at === 0 && chunk.length >= SEAL_AT + SEAL_BYTES) {
      seal = chunk.readUInt32BE(SEAL_AT);
      chunk.fill(0, SEAL_AT, SEAL_AT + SEAL_BYTES);
    }
    sum = crc32(chunk, sum);
    at += bytesRead;
  }
}
