import { type DisclosedCell, type DisclosedRow, MAX_COLUMNS } from '../disclosure/disclosed-table.ts';

const MAX_CELL = 2_000;
const MAX_ROWS = 20_000;

interface Reaching {
  cell: DisclosedCell;
  rows: number;
}

/** Makes the grid of an HTML table, in which a cell stands in every row and column it spans. */
export class GridBuilder {
  readonly rows: DisclosedRow[] = [];
  /** Whether it has more rows or columns than are kept. */
  isCut = false;
  #line = 0;
  #row: (DisclosedCell | undefined)[] | undefined;
  /** `own` is the text without that of tables inside the cell. */
  #cell: { text: string; own: string; rowSpan: number; columnSpan: number } | undefined;
  #ownTexts: string[] = [];
  #textsAbove: string[] = [];
  /** Cells of the rows above that reach further down, by column; so a span is never longer than its table. */
  readonly #reaching: (Reaching | undefined)[] = [];

  get inCell(): boolean {
    return this.#cell !== undefined;
  }

  openRow(line: number): void {
    this.closeRow();
    this.#row = [];
    if (this.#ownTexts.some((text) => text.trim() !== '')) this.#textsAbove = this.#ownTexts;
    this.#ownTexts = [];
    this.#line = line;
  }

  openCell(rowSpan: number, columnSpan: number): void {
    this.closeCell();
    if (this.#row !== undefined) this.#cell = { text: '', own: '', rowSpan, columnSpan };
  }

  /** The lines just before a table that stands in this one: of its own row, else of a row above that is one cell. */
  linesBefore(): string[] {
    const here = [...this.#ownTexts, this.#cell?.own ?? ''].flatMap((text) => text.split('\n'));
    const filled = here.map((line) => line.trim()).filter((line) => line !== '');
    return filled.length > 0 || this.#textsAbove.length !== 1 ? filled : (this.#textsAbove[0] as string).split('\n');
  }

  addText(text: string, isOwn = true): void {
    if (this.#cell === undefined) return;
    if (this.#cell.text.length < MAX_CELL) this.#cell.text += text.slice(0, MAX_CELL);
    if (isOwn && this.#cell.own.length < MAX_CELL) this.#cell.own += text.slice(0, MAX_CELL);
  }

  breakLine(): void {
    if (this.#cell !== undefined && this.#cell.text !== '') this.addText('\n');
  }

  closeCell(): void {
    if (this.#cell === undefined || this.#row === undefined) return;
    const { text, own, rowSpan, columnSpan } = this.#cell;
    this.#cell = undefined;
    if (this.#ownTexts.length < MAX_COLUMNS) this.#ownTexts.push(own);
    while (this.#takeReaching(this.#row));
    const cell: DisclosedCell = { text: text.trim() };
    if (this.#row.length + 1 > MAX_COLUMNS) this.isCut = true;
    for (let column = 0; column < columnSpan && this.#row.length < MAX_COLUMNS; column++) {
      this.#reaching[this.#row.length] = { cell, rows: rowSpan - 1 };
      this.#row.push(cell);
    }
  }

  closeRow(): void {
    if (this.#row === undefined) return;
    this.closeCell();
    const row = this.#row;
    while (row.length < this.#reaching.length) if (!this.#takeReaching(row)) row.push(undefined);
    if (this.rows.length < MAX_ROWS) this.rows.push({ line: this.#line, cells: row });
    else this.isCut = true;
    this.#row = undefined;
  }

  #takeReaching(row: (DisclosedCell | undefined)[]): boolean {
    const reaching = this.#reaching[row.length];
    if (reaching === undefined || reaching.rows === 0) return false;
    reaching.rows -= 1;
    row.push(reaching.cell);
    return true;
  }
}
