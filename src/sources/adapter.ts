import type { SourceFile } from '../files/source-file.ts';
import type { Portion } from '../files/split-lines.ts';
import type { Source } from '../vocabulary/sources.ts';
import type { AreaDraft, BoundaryDraft, Draft } from './draft.ts';

/** What the operator states about the files of one ingest. */
export interface Reading {
  /** When the source was fetched. */
  retrievedAt: string;
  /** The URL it was fetched from, if the operator gave one. */
  url: string | undefined;
}

/** The position of a record in a file: a line of text, a row of a table, or an ordinal, counted from 1. */
export interface FileLine {
  file: string;
  line: number;
}

/** What an adapter yields, in the order of the files. */
export type Item =
  | { kind: 'area'; at: FileLine; area: AreaDraft }
  | { kind: 'boundary'; at: FileLine; boundary: BoundaryDraft }
  | { kind: 'record'; at: FileLine; record: Draft }
  /** Lines of the record format, not parsed yet: those that are stored already never are. */
  | { kind: 'lines'; file: string; portion: Portion }
  /** An invalid area, boundary or record. */
  | { kind: 'rejected'; at: FileLine; record: string | null; reason: string }
  /** A part was left out; the record is read without it. */
  | { kind: 'note'; at: FileLine; record: string | null; reason: string }
  /** One of many things left out for the same reason, shown only on request; a `remark` counts them. */
  | { kind: 'detail'; at: FileLine; record: string | null; reason: string }
  /** A remark about the whole file, which is not an error. `alone`: no details follow it. */
  | { kind: 'remark'; file: string; reason: string; alone?: true }
  /** The file cannot be read any further; what was read before it stays. */
  | { kind: 'broken'; file: string; reason: string }
  /** A file of another source: an error if the operator named it, passed over in a folder or zip. */
  | { kind: 'foreign'; file: string; reason: string };

/** Which files a source reads. */
export interface FileRules {
  /** What it reads, as it follows "expected" in an error. */
  readonly expected: string;
  /** Whether it reads a file of a folder or a zip, by its name. */
  reads(name: string): boolean;
  /** Whether it reads a file that the operator named, where that differs from `reads`. */
  readsNamed?(name: string): boolean;
  /** Whether an unread file of a folder or a zip needs no note, because it always comes with those that are read. */
  ignores?(name: string): boolean;
  /**
   * The files that one reading needs together with a named one, out of the names in its folder: the main one
   * first, whichever of them was named. Empty where the main one is missing.
   */
  companions?(name: string, siblings: readonly string[]): string[];
  /** Zips and packed files are refused. */
  readonly plainFiles?: true;
}

/** Bytes of one source → items. Uses neither database nor clock. */
export interface Adapter extends FileRules {
  readonly source: Source | 'records';
  /** Each file is read, counted and completed before the next, instead of all together. */
  readonly oneByOne?: true;
  /** Each line is stored as a statement with its own time of retrieval, even if it repeats another statement. */
  readonly keepsLines?: true;
  /** Areas that must be stored before the records of the same files are read. */
  readAreas?(files: readonly SourceFile[]): AsyncIterable<AreaItem[]>;
  /** Reads all files of one ingest; those that belong together may be in any order. */
  read(files: readonly SourceFile[], reading: Reading): AsyncIterable<Item[]>;
}

export type AreaItem = Extract<Item, { kind: 'area' }>;
