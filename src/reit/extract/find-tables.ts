import { unitsAbove } from '../../sources/disclosure/figures.ts';
import { YEN_UNIT } from '../../vocabulary/printed-figure.ts';
import type { FilingPart, FilingTable } from './collect-filing.ts';
import { Headings, isTitle, styleOf } from './headings.ts';
import type { PeriodHint } from './history.ts';
import { periodHint } from './periods.ts';
import { isGeneralNote, isNote, readNotes, type TableNotes } from './table-notes.ts';

/** A table with its headings, captions and notes. */
export interface PlacedTable {
  table: FilingTable;
  notes: TableNotes;
  /** The headings above it and its caption, outermost first. */
  section: string[];
  /** The period that a line above it names. */
  hint: PeriodHint | undefined;
  /** It shows the text before a correction (訂正前). */
  isOld: boolean;
}

const LINES_ABOVE = 4;
const LINES_BELOW = 60;
const MAX_GENERAL = 100;
const BEFORE = /^[(<[【]?訂正前[)>\]】]?$/u;
const AFTER = /^[(<[【]?訂正後[)>\]】]?$/u;

/** The tables of a filing in their order. */
export function* findTables(parts: readonly FilingPart[]): Generator<PlacedTable> {
  const general = generalLines(parts);
  const headings = new Headings();
  let lines: string[] = [];
  let hint: PeriodHint | undefined;
  let isOld = false;
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'line') {
      const plain = part.text.normalize('NFKC').replace(/\s+/gu, '');
      if (BEFORE.test(plain) || AFTER.test(plain)) isOld = BEFORE.test(plain);
      headings.take(part.text, part.level);
      lines.push(part.text);
      continue;
    }
    if (part.kind === 'unread') continue;
    const textLines = lines.filter((line) => !isNote(line));
    const own = [...part.table.above, ...part.table.captions].filter((line) => !isNote(line));
    const captions = [...new Set([...textLines.slice(-LINES_ABOVE), ...own])];
    const titles = captions.filter((line) => isTitle(line) && !isUnit(line));
    // A continued table without its own title has the period of the table before it.
    if (titles.some((line) => !/続き|つづき/u.test(line))) hint = hintIn(titles);
    lines = [];
    const below = [...insideNotes(part.table), ...linesBelow(parts, index + 1)];
    yield {
      table: { ...part.table, above: [...statedUnits(below), ...captions] },
      notes: { own: readNotes(captions, below), general },
      section: [...new Set([...headings.titles, ...titles.slice(-1)])],
      hint,
      isOld,
    };
  }
}

const UNIT_NOTE = new RegExp(`(?:^|[^」』])(?:金額の?)?単位[は:]\\s*「?(${YEN_UNIT})`, 'u');

/** The unit that the notes below state for the whole table; a caption overrides it. */
function statedUnits(below: readonly string[]): string[] {
  return below.flatMap((line) => {
    const unit = isNote(line) && !/[「『]/u.test(line) ? UNIT_NOTE.exec(line.normalize('NFKC'))?.[1] : undefined;
    return unit === undefined ? [] : [`単位：${unit}`];
  });
}

function hintIn(titles: readonly string[]): PeriodHint | undefined {
  return titles
    .map(periodHint)
    .filter((found) => found !== undefined)
    .at(-1);
}

function generalLines(parts: readonly FilingPart[]): string[] {
  const found: string[] = [];
  for (const part of parts) {
    if (part.kind === 'line' && found.length < MAX_GENERAL && isGeneralNote(part.text)) found.push(part.text);
  }
  return found;
}

function* linesBelow(parts: readonly FilingPart[], from: number): Generator<string> {
  for (let at = from; at < Math.min(parts.length, from + LINES_BELOW); at++) {
    const part = parts[at] as FilingPart;
    if (part.kind !== 'line' || part.level > 0 || styleOf(part.text) !== undefined) return;
    yield part.text;
  }
}

/** Notes may be the last rows of the table itself. */
function insideNotes({ rows }: FilingTable): string[] {
  return rows.slice(-10).flatMap(({ cells }) =>
    [...new Set(cells)].flatMap((cell) => {
      const text = cell?.text ?? '';
      return isNote(text) && text.length > 10 ? text.split('\n') : [];
    }),
  );
}

/** A line that states a unit is not a title. */
function isUnit(line: string): boolean {
  return Object.keys(unitsAbove([line])).length > 0 && line.length < 30;
}
