import { Parser } from 'htmlparser2';
import { BrokenFile } from '../../files/broken-file.ts';
import { decodeText } from '../../files/decode-text.ts';
import { localName } from '../../files/read-xml.ts';
import type { SourceFile } from '../../files/source-file.ts';
import { cleanText } from '../../vocabulary/text.ts';
import type { DisclosedTable } from '../disclosure/disclosed-table.ts';
import { GridBuilder } from './grid-builder.ts';

/** The text blocks in which a REIT lists what it holds. */
const BLOCKS = new Set(['ComponentsOfRealEstateInvestmentsTextBlock', 'MajorComponentsOfOtherInvestmentsTextBlock']);
/** Facts of the header file that name the fund. */
const FUND_NAMES = new Set(['FundNameInJapaneseDEI', 'FilerNameInJapaneseDEI']);
/** Facts about the filing itself, on its cover and in its header. */
const ABOUT_FILING = /(?:DEI|CoverPage)$/u;

const BREAKS = new Set(['br', 'p', 'div', 'tr', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
/** What nobody sees; the last holds facts. */
const UNSEEN = new Set(['head', 'script', 'style', 'header']);
const MAX_LINE = 2_000;
const MAX_NESTED = 12;
const MAX_DEPTH = 1_000;
const LINES_ABOVE = 3;

type Attributes = Readonly<Record<string, string>>;

interface FilingHandler {
  /** `inBlock`: it stands in a block of the properties held. */
  table(table: DisclosedTable, inBlock: boolean, shape: TableShape): void;
  /** A table that is not given, since it is not closed, or stands in too many others. */
  unreadTable?(why: 'notClosed' | 'tooDeep'): void;
  fundName(name: string): void;
  /** A fact about the filing itself. */
  fact?(name: string, text: string): void;
  /** A line of text outside tables, in the order of the document; `level` of a heading, else 0. */
  line?(text: string, level: number, inBlock: boolean): void;
}

export interface TableShape {
  /** It has more rows or columns than are kept. */
  isCut: boolean;
  /** Other tables stand in it. */
  hasTables: boolean;
  /** The lines before it in the cell or the row of the table that it stands in, and its caption. */
  captions: readonly string[];
}

interface OpenTable {
  grid: GridBuilder;
  above: string[];
  captions: string[];
  inBlock: boolean;
  hasTables: boolean;
}

/** Reads a body file of inline XBRL as it comes; yields between chunks. A table that is not closed is not given. */
export async function* readFiling(file: SourceFile, handler: FilingHandler): AsyncGenerator<void> {
  const reader = new FilingReader(handler);
  const parser = new Parser(reader, { recognizeSelfClosing: true });
  for await (const text of decodeText(file.bytes(), 'utf-8')) {
    parser.write(text);
    yield;
  }
  parser.end();
  if (!reader.ended) throw new BrokenFile('it ends before </html>: the file may be cut off');
}

class FilingReader {
  ended = false;
  readonly #handler: FilingHandler;
  readonly #tables: OpenTable[] = [];
  #depth = 0;
  #tooDeep = 0;
  /** Rows so far: the place of what is found. */
  #rows = 0;
  /** Of each fact around the place, whether it is a block of properties; and how many are. */
  readonly #facts: boolean[] = [];
  #blocks = 0;
  readonly #continuedAt = new Set<string>();
  #told: { fact: string; text: string } | undefined;
  #unseen = 0;
  #raised: string | undefined;
  #last = '';
  #caption = false;
  #line = '';
  #above: string[] = [];

  constructor(handler: FilingHandler) {
    this.#handler = handler;
  }

  onopentag(tag: string, attributes: Attributes): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new BrokenFile('its elements are nested too deeply');
    const name = localName(tag);
    if (UNSEEN.has(name)) this.#unseen += 1;
    if (BREAKS.has(name)) this.#break();
    if (name === 'nonnumeric' || name === 'continuation') this.#openFact(attributes);
    else if (name === 'table') this.#openTable();
    else if (this.#tooDeep > 0) return;
    else if (name === 'tr') this.#tables.at(-1)?.grid.openRow(++this.#rows);
    else if (name === 'td' || name === 'th') {
      this.#tables.at(-1)?.grid.openCell(spanOf(attributes.rowspan), spanOf(attributes.colspan));
    } else if (name === 'caption') this.#caption = true;
    else if (name === 'sup') this.#raised ??= '';
  }

  onclosetag(tag: string, implied: boolean): void {
    this.#depth -= 1;
    const name = localName(tag);
    if (UNSEEN.has(name)) this.#unseen -= 1;
    if (name === 'sup') this.#closeRaised();
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
    if (this.#raised === undefined) this.#addText(text);
    else if (this.#raised.length < MAX_LINE) this.#raised += text.slice(0, MAX_LINE);
  }

  /** A raised number is a footnote's, unless it follows a letter (m²); it must not become a digit of a figure. */
  #closeRaised(): void {
    const raised = this.#raised;
    this.#raised = undefined;
    if (raised === undefined) return;
    const isMark = /^\s*[\d０-９]{1,2}\s*[)）]?\s*$/u.test(raised) && !/[a-zａ-ｚ]/iu.test(this.#last);
    this.#addText(isMark ? `(注${raised.replace(/[\s)）]/gu, '')})` : raised);
  }

  #addText(text: string): void {
    if (text !== '') this.#last = text.at(-1) as string;
    if (this.#told !== undefined) this.#told.text = (this.#told.text + text).slice(0, MAX_LINE);
    if (this.#unseen > 0) return;
    // A cell that holds a table has the text of that table too.
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
    if (ABOUT_FILING.test(fact)) this.#told = { fact, text: '' };
  }

  #closeFact(): void {
    if (this.#facts.pop() === true) this.#blocks -= 1;
    const { fact, text } = this.#told ?? { fact: '', text: '' };
    this.#told = undefined;
    const said = cleanText(text);
    if (said === '') return;
    this.#handler.fact?.(fact, said);
    if (FUND_NAMES.has(fact)) this.#handler.fundName(said);
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
