import { unitsAbove } from '../../disclosure/units.ts';
import type { FilingTable, Part } from './collect-filing.ts';
import { isGeneral, isNote, readNotes, type TableNotes } from './table-notes.ts';

/** A table with what stands around it. */
export interface PlacedTable {
  table: FilingTable;
  notes: TableNotes;
  /** The headings it stands under and its caption, from the outermost. */
  section: string[];
}

const LINES_ABOVE = 4;
const LINES_BELOW = 60;
const MAX_HEADING = 60;
const MAX_GENERAL = 100;
const NUMBERED =
  /^(?:第\s*[\d０-９一二三四五六七八九十]+|[(（]?\s*(?:[\d０-９]{1,2}|[ⅰ-ⅻⅠ-Ⅻ]|[ア-ンイロハニホヘト]|[a-zａ-ｚA-ZＡ-Ｚ])\s*[)）．.、】]|[①-⑳]|[【■●◆<＜])/u;
const ENDS_SENTENCE = /[。、]$/u;

/** The tables of a filing in their order; those of what was written before a correction are left out. */
export function* findTables(parts: readonly Part[]): Generator<PlacedTable> {
  const general = generalLines(parts);
  let headings: string[] = [];
  let lines: string[] = [];
  let corrected = false;
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'line') {
      const plain = part.text.normalize('NFKC').replace(/\s+/gu, '');
      if (/^[(<[【]?訂正前[)>\]】]?$/u.test(plain)) corrected = true;
      if (/^[(<[【]?訂正後[)>\]】]?$/u.test(plain)) corrected = false;
      if (isHeading(part)) {
        if (part.heading) headings = [];
        headings = [...headings.slice(-2), part.text];
      }
      lines.push(part.text);
      continue;
    }
    const captions = [...new Set([...lines.filter((line) => !isNote(line)).slice(-LINES_ABOVE), ...part.table.above])];
    lines = [];
    if (corrected) continue;
    const own = [...insideNotes(part.table), ...linesBelow(parts, index + 1)];
    yield {
      table: { ...part.table, above: captions },
      notes: { own: readNotes(captions, own), general },
      section: sectionOf(headings, captions),
    };
  }
}

function isHeading({ text, heading }: { text: string; heading: boolean }): boolean {
  if (heading) return true;
  return text.length <= MAX_HEADING && NUMBERED.test(text) && !ENDS_SENTENCE.test(text) && !isNote(text);
}

function generalLines(parts: readonly Part[]): string[] {
  const found: string[] = [];
  for (const part of parts) {
    if (part.kind === 'line' && found.length < MAX_GENERAL && isGeneral(part.text)) found.push(part.text);
  }
  return found;
}

function* linesBelow(parts: readonly Part[], from: number): Generator<string> {
  for (let at = from; at < Math.min(parts.length, from + LINES_BELOW); at++) {
    const part = parts[at] as Part;
    if (part.kind === 'table' || isHeading(part)) return;
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

/** A unit is no caption; and what is longer than a heading is text of its own. */
function sectionOf(headings: readonly string[], captions: readonly string[]): string[] {
  const titles = captions.filter((line) => line.length <= MAX_HEADING && !isUnit(line) && !ENDS_SENTENCE.test(line));
  return [...new Set([...headings, ...titles.slice(-1)])];
}

function isUnit(line: string): boolean {
  return Object.keys(unitsAbove([line])).length > 0 && line.length < 30;
}
