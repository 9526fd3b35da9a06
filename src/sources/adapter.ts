import type { SourceFile } from '../files/source-file.ts';
import type { Source } from '../vocabulary/sources.ts';
import type { AreaDraft, BoundaryDraft, Draft } from './draft.ts';

/** What is known of a reading beside the bytes. */
export interface Reading {
  /** When the source was fetched. */
  retrievedAt: string;
  /** Where it was fetched, where the operator said so. */
  url: string | undefined;
}

/** The place of a record in what was read: a line of text, a row of a table, or a number counted from 1. */
export interface Place {
  file: string;
  line: number;
}

/** What an adapter finds, in the order of finding it. */
export type Item =
  | { kind: 'area'; at: Place; area: AreaDraft }
  | { kind: 'boundary'; at: Place; boundary: BoundaryDraft }
  | { kind: 'record'; at: Place; record: Draft }
  /** It should have been one of the above, and is not. */
  | { kind: 'rejected'; at: Place; record: string | null; reason: string }
  /** A part was passed over; the record goes on without it. */
  | { kind: 'note'; at: Place; record: string | null; reason: string }
  /** One of many things left out for the same reason, shown only on request; a `remark` counts them. */
  | { kind: 'detail'; at: Place; record: string | null; reason: string }
  /** Something to say once about the whole file. It is not a fault. `alone`: no details stand behind it. */
  | { kind: 'remark'; file: string; reason: string; alone?: true }
  /** The file cannot be read on; what was whole before stays. */
  | { kind: 'broken'; file: string; reason: string }
  /** Not a file of this source: an error where the operator named it, passed over in a folder or zip. */
  | { kind: 'foreign'; file: string; reason: string };

/** Bytes of one source → what they say. Knows neither database nor clock. */
export interface Adapter {
  readonly source: Source;
  /** What it reads, as it follows "expected" in an error. */
  readonly expected: string;
  /** Whether a file of a folder or a zip is for it, by its name. */
  reads(name: string): boolean;
  /** Whether it reads a file that the operator named, where that differs from `reads`. */
  readsNamed?(name: string): boolean;
  /** Whether an unread file of a folder or a zip is not worth a note: it always comes with those that are read. */
  ignores?(name: string): boolean;
  /**
   * The files that one reading needs together with a named one, out of the names in its folder: the main one
   * first, whichever of them was named. Empty where the main one is not there.
   */
  companions?(name: string, siblings: readonly string[]): string[];
  /** Reads all files of one ingest; those that belong together may be in any order. */
  read(files: readonly SourceFile[], reading: Reading): AsyncIterable<Item[]>;
}
