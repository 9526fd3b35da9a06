import { Parser } from 'htmlparser2';
import { cleanText } from '../../vocabulary/text.ts';
import type { SourceFile } from '../adapter.ts';
import { BrokenFile } from '../broken-file.ts';
import { decodeText } from '../decode-text.ts';
import type { Table } from '../disclosure/table.ts';
import { localName } from '../read-xml.ts';
import { GridBuilder } from './build-grid.ts';

/** The text blocks in which a REIT lists what it holds. */
const BLOCKS = new Set(['ComponentsOfRealEstateInvestmentsTextBlock', 'MajorComponentsOfOtherInvestmentsTextBlock']);
/** Facts of the header file that name the fund. */
const FUND_NAMES = new Set(['FundNameInJapaneseDEI', 'FilerNameInJapaneseDEI']);

const BREAKS = new Set(['br', 'p', 'div', 'tr', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
const MAX_LINE = 2_000;
const MAX_NESTED = 12;
const MAX_DEPTH = 1_000;
const LINES_ABOVE = 3;

type Attributes = Readonly<Record<string, string>>;

export interface FilingHandler {
  /** `inBlock`: it stands in a block of the properties held. */
  table(table: Table, inBlock: boolean): void;
  fundName(name: string): void;
}

interface OpenTable {
  grid: GridBuilder;
  above: string[];
  inBlock: boolean;
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
  #name: string | undefined;
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
    if (BREAKS.has(name)) this.#break();
    if (name === 'nonnumeric' || name === 'continuation') this.#openFact(attributes);
    else if (name === 'table') this.#openTable();
    else if (this.#tooDeep > 0) return;
    else if (name === 'tr') this.#tables.at(-1)?.grid.openRow(++this.#rows);
    else if (name === 'td' || name === 'th') {
      this.#tables.at(-1)?.grid.openCell(spanOf(attributes.rowspan), spanOf(attributes.colspan));
    } else if (name === 'caption') this.#caption = true;
  }

  onclosetag(tag: string, implied: boolean): void {
    this.#depth -= 1;
    const name = localName(tag);
    if (BREAKS.has(name)) this.#break();
    if (name === 'html') this.ended = !implied;
    else if (name === 'nonnumeric' || name === 'continuation') this.#closeFact();
    else if (name === 'table') this.#closeTable(implied);
    else if (this.#tooDeep > 0) return;
    else if (name === 'tr') this.#tables.at(-1)?.grid.closeRow();
    else if (name === 'td' || name === 'th') this.#tables.at(-1)?.grid.closeCell();
    else if (name === 'caption') this.#closeCaption();
  }

  ontext(text: string): void {
    if (this.#name !== undefined) this.#name = (this.#name + text).slice(0, MAX_LINE);
    // A cell that holds a table has the text of that table too.
    for (const { grid } of this.#tables) grid.addText(text);
    if (this.#tables.at(-1)?.grid.inCell !== true && this.#line.length < MAX_LINE)
      this.#line += text.slice(0, MAX_LINE);
  }

  #break(): void {
    for (const { grid } of this.#tables) grid.breakLine();
    const line = cleanText(this.#line);
    this.#line = '';
    if (line === '' || this.#caption) return;
    this.#above.push(line);
    if (this.#above.length > LINES_ABOVE) this.#above.shift();
  }

  #openFact(attributes: Attributes): void {
    const fact = localName(attributes.name ?? '');
    const isBlock = BLOCKS.has(fact) || this.#continuedAt.has(attributes.id ?? '');
    this.#facts.push(isBlock);
    if (isBlock) this.#blocks += 1;
    if (isBlock && attributes.continuedat !== undefined) this.#continuedAt.add(attributes.continuedat);
    if (FUND_NAMES.has(fact)) this.#name = '';
  }

  #closeFact(): void {
    if (this.#facts.pop() === true) this.#blocks -= 1;
    const name = cleanText(this.#name ?? '');
    this.#name = undefined;
    if (name !== '') this.#handler.fundName(name);
  }

  #openTable(): void {
    if (this.#tables.length >= MAX_NESTED) {
      this.#tooDeep += 1;
      return;
    }
    this.#break();
    this.#tables.push({ grid: new GridBuilder(), above: this.#above, inBlock: this.#blocks > 0 });
    this.#above = [];
  }

  #closeCaption(): void {
    this.#caption = false;
    this.#tables.at(-1)?.above.push(cleanText(this.#line));
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
    if (!implied) this.#handler.table({ rows: table.grid.rows, above: table.above }, table.inBlock);
  }
}

function spanOf(attribute: string | undefined): number {
  const span = Number(attribute ?? 1);
  return Number.isSafeInteger(span) && span > 1 ? span : 1;
}
