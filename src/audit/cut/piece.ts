import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import type { SourceFile } from '../../files/source-file.ts';

/** Raw bytes of a file, and their position. */
export interface RawPiece {
  /** What it is: `row`, `header`, `element`, `node 12`. */
  what: string;
  /** Its position in the unpacked file: `line 12, byte 3456`. */
  at: string;
  bytes: Buffer;
  /** Only the beginning, because it is too long. */
  isCut?: boolean;
}

/** A record to find in one file. */
export interface RecordQuery {
  source: string;
  id: string;
  /** As stored at the ingest: a line, a row or an ordinal, counted from 1. */
  line: number;
  /** Its name, by which rows of tables without IDs are found. */
  name: string | undefined;
  /** Names of venues to find too. */
  venues: readonly string[];
  /** Find the points of its outline too. */
  outline: boolean;
  /** A size that may come from building parts: find parts of this size too. */
  size: string | undefined;
}

/** The pieces of each record: the record itself first, then what it refers to. */
export type RawPieces = Map<RecordQuery, RawPiece[]>;

/** Longer pieces are cut. */
export const MAX_PIECE = 16 << 20;

export function addPiece(pieces: RawPieces, wanted: RecordQuery, piece: RawPiece): void {
  const known = pieces.get(wanted);
  if (known === undefined) pieces.set(wanted, [piece]);
  else known.push(piece);
}

export const positionText = (line: number, offset: number): string => `line ${line}, byte ${offset}`;

/** The bytes of a file, with UTF-16 converted to UTF-8 so that it can be searched by bytes. */
export async function* plainBytes(file: SourceFile): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | undefined;
  let isFirst = true;
  for await (const chunk of file.bytes()) {
    if (isFirst && chunk.length >= 2) {
      const mark = chunk.readUInt16BE(0);
      if (mark === 0xfffe || mark === 0xfeff) decoder = new TextDecoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be');
    }
    isFirst = false;
    yield decoder === undefined ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }));
  }
}

/** The text of bytes in UTF-8, Shift JIS or EUC-JP. Other bytes become U+FFFD. */
export function decodeBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  for (const encoding of ['shift_jis', 'euc-jp']) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // Try the next encoding.
    }
  }
  return bytes.toString('utf8');
}
