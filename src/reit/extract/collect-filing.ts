import { BrokenFile } from '../../files/broken-file.ts';
import type { SourceFile } from '../../files/source-file.ts';
import type { DisclosedTable } from '../../sources/disclosure/disclosed-table.ts';
import { readFiling, type TableShape } from '../../sources/edinet/read-filing.ts';

export interface FilingTable extends DisclosedTable, TableShape {
  /** Counted over the whole filing, from 1. */
  number: number;
  inBlock: boolean;
  /** The base name of its file. */
  file: string;
}

export type FilingPart =
  | { kind: 'line'; text: string; level: number; inBlock: boolean; file: string }
  | { kind: 'table'; table: FilingTable }
  /** A table that could not be read at all. */
  | { kind: 'unread'; number: number; file: string; why: 'notClosed' | 'tooDeep' };

/** The text and tables of a filing in order, and its XBRL facts. */
export interface CollectedFiling {
  facts: ReadonlyMap<string, string>;
  parts: readonly FilingPart[];
  /** The lines of the cover, which is a file of its own. */
  cover: readonly string[];
  tables: {
    /** All tables outside the cover. */
    seen: number;
    /** Those of one or two cells, which are read as lines of text. */
    asText: number;
  };
}

const COVER = /(?:^|[\\/])\d{7}_header_[^\\/]*$/u;
const MAX_PARTS = 300_000;
const MAX_CELLS = 1_000_000;
const TOO_LARGE = 'the filing has more text than any report';
/** A table with so few cells is the caption or the unit of another table. */
const CAPTION_CELLS = 2;

/** Reads all files of a filing. A broken file throws, because part of a filing would look like the whole. */
export async function collectFiling(files: readonly SourceFile[]): Promise<CollectedFiling> {
  const facts = new Map<string, string>();
  const parts: FilingPart[] = [];
  const cover: string[] = [];
  let [cells, number] = [0, 0];
  const tables = { seen: 0, asText: 0 };
  for (const file of files) {
    const isCover = COVER.test(file.name);
    const name = baseName(file);
    const add = (part: FilingPart) => {
      if (parts.length + cover.length >= MAX_PARTS) throw new BrokenFile(TOO_LARGE);
      if (!isCover) parts.push(part);
      else if (part.kind === 'line') cover.push(part.text);
    };
    const reading = readFiling(file, {
      fundName: () => {},
      fact: (name, text) => {
        if (!facts.has(name)) facts.set(name, text);
      },
      line: (text, level, inBlock) => add({ kind: 'line', text, level, inBlock, file: name }),
      table: (table, inBlock, shape) => {
        cells += table.rows.reduce((sum, row) => sum + row.cells.length, 0);
        if (cells > MAX_CELLS) throw new BrokenFile(TOO_LARGE);
        const texts = captionIn(table);
        number += 1;
        if (!isCover) tables.seen += 1;
        if (texts === undefined) {
          add({ kind: 'table', table: { ...table, number, inBlock, file: name, ...shape } });
          return;
        }
        if (!isCover) tables.asText += 1;
        for (const text of texts) add({ kind: 'line', text, level: 0, inBlock, file: name });
      },
      unreadTable: (why) => {
        number += 1;
        if (!isCover) tables.seen += 1;
        add({ kind: 'unread', number, file: name, why });
      },
    });
    await untilEnd(file, reading);
  }
  return { facts, parts, cover, tables };
}

async function untilEnd({ name }: SourceFile, reading: AsyncIterable<void>): Promise<void> {
  try {
    for await (const _ of reading);
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
    throw new BrokenFile(`${baseName({ name })}: ${error.message}`);
  }
}

const baseName = ({ name }: Pick<SourceFile, 'name'>): string => name.slice(name.lastIndexOf('/') + 1);

function captionIn({ rows }: DisclosedTable): string[] | undefined {
  if (rows.length > CAPTION_CELLS) return undefined;
  const distinct = new Set(rows.flatMap(({ cells }) => cells.filter((cell) => cell !== undefined)));
  const texts = [...distinct].map(({ text }) => text.trim()).filter((text) => text !== '');
  return texts.length <= CAPTION_CELLS ? texts.flatMap((text) => text.split('\n')) : undefined;
}
