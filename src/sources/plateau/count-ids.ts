import type { SourceFile } from '../adapter.ts';
import { BrokenFile } from '../broken-file.ts';
import { decodeText } from '../decode-text.ts';

/** As much of a file as may hold an ID and the tag before it. */
const OVERLAP = 1_000;
const ID = /(?:[:<]buildingID\s*>|建物ID["']\s*>\s*<[^<>]{1,100}>)\s*([^<\s][^<]{0,199})</g;

/**
 * How often each building ID stands in the files, where it is more than once, by its hash. Osaka gives every
 * building a branch number, and most are the only branch: only a first look tells which have to wait for others.
 * It searches the text and parses nothing, so it may err; then an ID comes again after its record was made.
 */
export async function countRepeatedIds(files: readonly SourceFile[]): Promise<ReadonlyMap<number, number>> {
  const once = new Set<number>();
  const repeated = new Map<number, number>();
  const count = (text: string, from: number) => {
    ID.lastIndex = 0;
    for (let match = ID.exec(text); match !== null; match = ID.exec(text)) {
      if (ID.lastIndex <= from) continue;
      const hash = hashOf((match[1] as string).trim());
      if (once.has(hash)) repeated.set(hash, (repeated.get(hash) ?? 1) + 1);
      else once.add(hash);
    }
  };
  for (const file of files) {
    let tail = '';
    try {
      for await (const chunk of decodeText(file.bytes())) {
        const text = tail + chunk;
        count(text, tail.length);
        tail = text.slice(-OVERLAP);
      }
    } catch (error) {
      // Whoever reads the file for its buildings says that it is broken.
      if (!(error instanceof BrokenFile)) throw error;
    }
  }
  return repeated;
}

/** 53 bits of a text. Two texts of a million share them once in ten thousand readings. */
export function hashOf(text: string): number {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x5bd1e995);
    b ^= b >>> 15;
  }
  a ^= a >>> 16;
  return (b >>> 0) * 0x200000 + ((a >>> 0) & 0x1fffff);
}
