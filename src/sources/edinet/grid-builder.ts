import { type DisclosedCell, type DisclosedRow, MAX_COLUMNS } from '../disclosure/disclosed-table.ts';

const MAX_CELL = 2_000;
const MAX_ROWS = 20_000;

interface Spanning {
  cell: DisclosedCell;
  rows: number;
}

/** Builds the grid of an HTML table, in which a cell appears in every row and column it spans. */
export class GridBuilder {
  readonly rows: DisclosedRow[] = [];
  /** Whether rows or columns were dropped because the table is too large. */
  isCut = false;
  #line = 0;
  #row: (DisclosedCell | undefined)[] | undefined;
  /** `own` is the text without that of nested tables. */
  #cell: { text: string; own: string; rowSpan: number; columnSpan: number } | undefined;
  #ownTexts: string[] = [];
  #textsAbove: string[] = [];
  /** Cells of the rows above that span into this one, by column. */
  readonly #spanning: (Spanning | undefined)[] = [];

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

  /** The lines before a nested table: of its own row, else of the row above if that is a single cell. */
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
    while (this.#takeSpanning(this.#row));
    const cell: DisclosedCell = { text: text.trim() };
    if (this.#row.length + 1 > MAX_COLUMNS) this.isCut = true;
    for (let column = 0; column < columnSpan && this.#row.length < MAX_COLUMNS; column++) {
      this.#spanning[this.#row.length] = { cell, rows: rowSpan - 1 };
      this.#row.push(cell);
    }
  }

  closeRow(): void {
    if (this.#row === undefined) return;
    this.closeCell();
    const row = this.#row;
    while (row.length < this.#spanning.length) if (!this.#takeSpanning(row)) row.push(undefined);
    if (this.rows.length < MAX_ROWS) this.rows.push({ line: this.#line, cells: row });
    else this.isCut = true;
    this.#row = undefined;
  }

  #takeSpanning(row: (DisclosedCell | undefined)[]): boolean {
    const spanning = this.#spanning[row.length];
    if (spanning === undefined || spanning.rows === 0) return false;
    spanning.rows -= 1;
    row.push(spanning.cell);
    return true;
  }
}
