import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import type { SourceFile } from '../../files/source-file.ts';

/** Bytes as they stand in a file, and where. */
export interface RawPiece {
  /** What it is: `row`, `header`, `element`, `node 12`. */
  what: string;
  /** Where it stands in the unpacked file, as a person can find it: `line 12, byte 3456`. */
  at: string;
  bytes: Buffer;
  /** It is longer than what is held: only its beginning is here. */
  isCut?: boolean;
}

/** A record that is looked for in one file. */
export interface RecordQuery {
  source: string;
  id: string;
  /** As it was kept when the record was read: a line, a row or a number counted from 1. */
  line: number;
  /** The name it states, by which rows of tables without an ID are found. */
  name: string | undefined;
  /** Names of venues that are looked for beside it. */
  venues: readonly string[];
  /** The points of its outline are wanted too. */
  outline: boolean;
  /** A size that the record may have from its parts: parts of this size are wanted too. */
  size: string | undefined;
}

/** What was found of each record: the record itself first, then what it refers to. */
export type RawPieces = Map<RecordQuery, RawPiece[]>;

/** More of one record than anybody reads; what is longer is shown from its beginning. */
export const MAX_PIECE = 16 << 20;

export function addPiece(pieces: RawPieces, wanted: RecordQuery, piece: RawPiece): void {
  const known = pieces.get(wanted);
  if (known === undefined) pieces.set(wanted, [piece]);
  else known.push(piece);
}

export const positionText = (line: number, offset: number): string => `line ${line}, byte ${offset}`;

/** A file's bytes; UTF-16 as UTF-8, since nothing that is cut by bytes could be found in it. */
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

/** The text of some bytes: UTF-8, else what Japanese files are written in. Bytes that are neither become U+FFFD. */
export function decodeBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  for (const encoding of ['shift_jis', 'euc-jp']) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // The next one, then.
    }
  }
  return bytes.toString('utf8');
}
