import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { BrokenFile } from './broken-file.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'shift_jis' | 'euc-jp';

const HEAD_BYTES = 1 << 16;

/**
 * Decodes bytes to text, chunk by chunk. A byte order mark decides the encoding and is removed. Without one the text is
 * UTF-8 if it begins as valid UTF-8, otherwise in the legacy encoding. Bytes that cannot be decoded break the file.
 */
export async function* decodeText(
  bytes: AsyncIterable<Buffer>,
  legacy: Encoding | ((head: Buffer) => Encoding) = 'shift_jis',
): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let encoding: Encoding = 'utf-8';
  let held: Buffer[] = [];
  let heldLength = 0;
  const decode = (chunk?: Buffer): string => {
    try {
      return (decoder as TextDecoder).decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new BrokenFile(`its text is not ${encoding.toUpperCase()}, or it ends inside a character`);
    }
  };
  const begin = (): string => {
    const head = Buffer.concat(held);
    held = [];
    encoding = encodingOf(head, legacy);
    decoder = new TextDecoder(encoding, { fatal: true });
    return decode(head);
  };
  for await (const chunk of bytes) {
    if (decoder !== undefined) {
      yield decode(chunk);
      continue;
    }
    held.push(chunk);
    heldLength += chunk.length;
    if (heldLength >= HEAD_BYTES) yield begin();
  }
  if (decoder === undefined) yield begin();
  yield decode();
}

/** The encoding of a text by its first bytes; `legacy` if it is neither UTF-8 nor UTF-16. */
export function encodingOf(head: Buffer, legacy: Encoding | ((head: Buffer) => Encoding)): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  // The head may end inside a character, so up to three bytes are left out.
  for (let cut = 0; cut < 4 && cut <= head.length; cut++) {
    if (isUtf8(head.subarray(0, head.length - cut))) return 'utf-8';
  }
  return typeof legacy === 'string' ? legacy : legacy(head);
}
