import { BrokenFile } from '../../files/broken-file.ts';
import type { SourceFile } from '../../files/source-file.ts';

/** What stands before an ID, in i-UR 2.0 and later and in 1.4 (in CityGML 2.0 and 3.0), and the ID with it. */
const MARKS = [
  { mark: Buffer.from('buildingID'), id: /^buildingID\s*>\s*([^<\s][^<]{0,199})</ },
  { mark: Buffer.from('建物ID'), id: /^建物ID(?:["']|\s*<\/[^<>]{1,100})\s*>\s*<[^<>]{1,100}>\s*([^<\s][^<]{0,199})</ },
];
/** Bytes from a mark to the end of its ID, at most. */
const REACH = 1_500;

/**
 * How often each building ID stands in the files, where it is more than once, by its hash. Osaka gives every
 * building a branch number, and most are the only branch: only a first look tells which have to wait for others.
 * It searches bytes and parses nothing, so it may err; then an ID comes again after its record was made.
 */
export async function countRepeatedIds(files: readonly SourceFile[]): Promise<ReadonlyMap<number, number>> {
  const once = new Set<number>();
  const repeated = new Map<number, number>();
  const count = (bytes: Buffer, end: number) => {
    for (const { mark, id } of MARKS) {
      for (let at = bytes.indexOf(mark); at >= 0 && at < end; at = bytes.indexOf(mark, at + mark.length)) {
        const found = id.exec(bytes.toString('utf8', at, at + REACH))?.[1];
        if (found === undefined) continue;
        const hash = hashOf(found.trim());
        if (once.has(hash)) repeated.set(hash, (repeated.get(hash) ?? 1) + 1);
        else once.add(hash);
      }
    }
  };
  for (const file of files) {
    let rest = Buffer.alloc(0);
    try {
      for await (const chunk of file.bytes()) {
        const bytes = Buffer.concat([rest, chunk]);
        const end = Math.max(0, bytes.length - REACH);
        count(bytes, end);
        rest = bytes.subarray(end);
      }
    } catch (error) {
      // Whoever reads the file for its buildings says that it is broken.
      if (!(error instanceof BrokenFile)) throw error;
    }
    count(rest, rest.length);
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
