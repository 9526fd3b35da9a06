import { Parser } from 'htmlparser2';
import { BrokenFile } from '../../files/broken-file.ts';
import { decodeText } from '../../files/decode-text.ts';
import { localName } from '../../files/read-xml.ts';
import type { SourceFile } from '../../files/source-file.ts';
import { cleanText } from '../../vocabulary/text.ts';
import type { DisclosedTable } from '../disclosure/disclosed-table.ts';
import { GridBuilder } from './grid-builder.ts';

/** The text blocks in which a REIT lists its properties. */
const BLOCKS = new Set(['ComponentsOfRealEstateInvestmentsTextBlock', 'MajorComponentsOfOtherInvestmentsTextBlock']);
/** Facts of the header file that name the fund. */
const FUND_NAMES = new Set(['FundNameInJapaneseDEI', 'FilerNameInJapaneseDEI']);
/** Facts about the filing itself, on its cover and in its header. */
const ABOUT_FILING = /(?:DEI|CoverPage)$/u;

const BREAKS = new Set(['br', 'p', 'div', 'tr', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
/** Invisible elements; ix:header contains facts. */
const HIDDEN = new Set(['head', 'script', 'style', 'header']);
const MAX_LINE = 2_000;
const MAX_NESTED = 12;
const MAX_DEPTH = 1_000;
const LINES_ABOVE = 3;

type Attributes = Readonly<Record<string, string>>;

interface FilingHandler {
  /** `inBlock`: inside a text block that lists properties. */
  table(table: DisclosedTable, inBlock: boolean, shape: TableShape): void;
  /** A table that is not read because it is not closed or nested too deeply. */
  unreadTable?(why: 'notClosed' | 'tooDeep'): void;
  fundName(name: string): void;
  /** A fact about the filing itself. */
  fact?(name: string, text: string): void;
  /** A line of text outside tables, in document order; `level` is that of a heading, else 0. */
  line?(text: string, level: number, inBlock: boolean): void;
}

export interface TableShape {
  /** Rows or columns were dropped because the table is too large. */
  isCut: boolean;
  /** It contains other tables. */
  hasTables: boolean;
  /** Its caption, and the lines before it in the cell or row of the table that contains it. */
  captions: readonly string[];
}

interface OpenTable {
  grid: GridBuilder;
  above: string[];
  captions: string[];
  inBlock: boolean;
  hasTables: boolean;
}

/** Reads a body file of inline XBRL as a stream; yields between chunks. Tables that are not closed are skipped. */
export async function* readFiling(file: SourceFile, handler: FilingHandler): AsyncGenerator<void> {
  const reader = new FilingReader(handler);
  const parser = new Parser(reader, { recognizeSelfClosing: true });
  for await (const text of decodeText(file.bytes(), 'utf-8')) {
    parser.write(text);
    yield;
  }
  parser.end();
  if (!reader.ended) throw new BrokenFile('no </html> at the end: the file may be cut off');
}

class FilingReader {
  ended = false;
  readonly #handler: FilingHandler;
  readonly #tables: OpenTable[] = [];
  #depth = 0;
  #tooDeep = 0;
  /** The number of rows so far, used as line numbers. */
  #rows = 0;
  /** For each open fact, whether it is a property block; and how many are. */
  readonly #facts: boolean[] = [];
  #blocks = 0;
  readonly #continuedAt = new Set<string>();
  #fact: { fact: string; text: string } | undefined;
  #hidden = 0;
  #superscript: string | undefined;
  #last = '';
  #caption = false;
  #line = '';
  #above: string[] = [];

  constructor(handler: FilingHandler) {
    this.#handler = handler;
  }

  onopentag(tag: string, attributes: Attributes): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new BrokenFile('elements are nested too deeply');
    const name = localName(tag);
    if (HIDDEN.has(name)) this.#hidden += 1;
    if (BREAKS.has(name)) this.#break();
    if (name === 'nonnumeric' || name === 'continuation') this.#openFact(attributes);
    else if (name === 'table') this.#openTable();
    else if (this.#tooDeep > 0) return;
    else if (name === 'tr') this.#tables.at(-1)?.grid.openRow(++this.#rows);
    else if (name === 'td' || name === 'th') {
      this.#tables.at(-1)?.grid.openCell(spanOf(attributes.rowspan), spanOf(attributes.colspan));
    } else if (name === 'caption') this.#caption = true;
    else if (name === 'sup') this.#superscript ??= '';
  }

  onclosetag(tag: string, implied: boolean): void {
    this.#depth -= 1;
    const name = localName(tag);
    if (HIDDEN.has(name)) this.#hidden -= 1;
    if (name === 'sup') this.#closeSuperscript();
    if (BREAKS.has(name)) this.#break(Number(/^h(\d)$/u.exec(name)?.[1] ?? 0));
    if (name === 'html') this.ended = !implied;
    else if (name === 'nonnumeric' || name === 'continuation') this.#closeFact();
    else if (name === 'table') this.#closeTable(implied);
    else if (this.#tooDeep > 0) return;
    else if (name === 'tr') this.#tables.at(-1)?.grid.closeRow();
    else if (name === 'td' || name === 'th') this.#tables.at(-1)?.grid.closeCell();
    else if (name === 'caption') this.#closeCaption();
  }

  ontext(text: string): void {
    if (this.#superscript === undefined) this.#addText(text);
    else if (this.#superscript.length < MAX_LINE) this.#superscript += text.slice(0, MAX_LINE);
  }

  /** A superscript number is a footnote mark, unless it follows a letter (m²), and must not become part of a figure. */
  #closeSuperscript(): void {
    const superscript = this.#superscript;
    this.#superscript = undefined;
    if (superscript === undefined) return;
    const isMark = /^\s*[\d０-９]{1,2}\s*(?:[)）]\s*)?$/u.test(superscript) && !/[a-zａ-ｚ]/iu.test(this.#last);
    this.#addText(isMark ? `(注${superscript.replace(/[\s)）]/gu, '')})` : superscript);
  }

  #addText(text: string): void {
    if (text !== '') this.#last = text.at(-1) as string;
    if (this.#fact !== undefined) this.#fact.text = (this.#fact.text + text).slice(0, MAX_LINE);
    if (this.#hidden > 0) return;
    // The text of a nested table also belongs to the cell that contains it.
    const last = this.#tables.at(-1);
    for (const { grid } of this.#tables) grid.addText(text, grid === last?.grid);
    if (this.#tables.at(-1)?.grid.inCell !== true && this.#line.length < MAX_LINE)
      this.#line += text.slice(0, MAX_LINE);
  }

  #break(level = 0): void {
    for (const { grid } of this.#tables) grid.breakLine();
    const line = cleanText(this.#line);
    this.#line = '';
    if (line === '' || this.#caption) return;
    this.#handler.line?.(line, level, this.#blocks > 0);
    this.#above.push(line);
    if (this.#above.length > LINES_ABOVE) this.#above.shift();
  }

  #openFact(attributes: Attributes): void {
    const fact = localName(attributes.name ?? '');
    const isBlock = BLOCKS.has(fact) || this.#continuedAt.has(attributes.id ?? '');
    this.#facts.push(isBlock);
    if (isBlock) this.#blocks += 1;
    if (isBlock && attributes.continuedat !== undefined) this.#continuedAt.add(attributes.continuedat);
    if (ABOUT_FILING.test(fact)) this.#fact = { fact, text: '' };
  }

  #closeFact(): void {
    if (this.#facts.pop() === true) this.#blocks -= 1;
    const { fact, text } = this.#fact ?? { fact: '', text: '' };
    this.#fact = undefined;
    const value = cleanText(text);
    if (value === '') return;
    this.#handler.fact?.(fact, value);
    if (FUND_NAMES.has(fact)) this.#handler.fundName(value);
  }

  #openTable(): void {
    if (this.#tables.length >= MAX_NESTED) {
      this.#handler.unreadTable?.('tooDeep');
      this.#tooDeep += 1;
      return;
    }
    this.#break();
    const outer = this.#tables.at(-1);
    if (outer !== undefined) outer.hasTables = true;
    const own = outer?.grid.linesBefore().map(cleanText).slice(-LINES_ABOVE) ?? [];
    const captions = own.length > 0 ? own : [...(outer?.captions ?? [])];
    const inBlock = this.#blocks > 0;
    this.#tables.push({ grid: new GridBuilder(), above: this.#above, captions, inBlock, hasTables: false });
    this.#above = [];
  }

  #closeCaption(): void {
    this.#caption = false;
    const caption = cleanText(this.#line);
    this.#tables.at(-1)?.above.push(caption);
    this.#tables.at(-1)?.captions.push(caption);
    this.#line = '';
  }

  #closeTable(implied: boolean): void {
    if (this.#tooDeep > 0) {
      this.#tooDeep -= 1;
      return;
    }
    const table = this.#tables.pop();
    if (table === undefined) return;
    table.grid.closeRow();
    this.#line = '';
    this.#above = [];
    const { grid, above, captions, inBlock, hasTables } = table;
    if (implied) this.#handler.unreadTable?.('notClosed');
    else this.#handler.table({ rows: grid.rows, above }, inBlock, { isCut: grid.isCut, hasTables, captions });
  }
}

function spanOf(attribute: string | undefined): number {
  const span = Number(attribute ?? 1);
  return Number.isSafeInteger(span) && span > 1 ? span : 1;
}
