import { type Cell, MAX_COLUMNS, type TableRow } from '../disclosure/table.ts';

const MAX_CELL = 2_000;
const MAX_ROWS = 20_000;

interface Reaching {
  cell: Cell;
  rows: number;
}

/** Makes the grid of an HTML table, in which a cell stands in every row and column it spans. */
export class GridBuilder {
  readonly rows: TableRow[] = [];
  #line = 0;
  #row: (Cell | undefined)[] | undefined;
  #cell: { text: string; rowSpan: number; columnSpan: number } | undefined;
  /** Cells of the rows above that reach further down, by column; so a span is never longer than its table. */
  readonly #reaching: (Reaching | undefined)[] = [];

  get inCell(): boolean {
    return this.#cell !== undefined;
  }

  openRow(line: number): void {
    this.closeRow();
    this.#row = [];
    this.#line = line;
  }

  openCell(rowSpan: number, columnSpan: number): void {
    this.closeCell();
    if (this.#row !== undefined) this.#cell = { text: '', rowSpan, columnSpan };
  }

  addText(text: string): void {
    if (this.#cell !== undefined && this.#cell.text.length < MAX_CELL) this.#cell.text += text.slice(0, MAX_CELL);
  }

  breakLine(): void {
    if (this.#cell !== undefined && this.#cell.text !== '') this.addText('\n');
  }

  closeCell(): void {
    if (this.#cell === undefined || this.#row === undefined) return;
    const { text, rowSpan, columnSpan } = this.#cell;
    this.#cell = undefined;
    while (this.#takeReaching(this.#row));
    const cell: Cell = { text: text.trim() };
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
    this.#row = undefined;
  }

  #takeReaching(row: (Cell | undefined)[]): boolean {
    const reaching = this.#reaching[row.length];
    if (reaching === undefined || reaching.rows === 0) return false;
    reaching.rows -= 1;
    row.push(reaching.cell);
    return true;
  }
}
