/** A cell of a table. One that spans rows or columns stands in all of them as the same object. */
export interface Cell {
  readonly text: string;
}

export interface TableRow {
  /** As an operator can find it: a line of a file, a row of a sheet, the ordinal of a row of HTML. */
  line: number;
  cells: readonly (Cell | undefined)[];
}

export interface Table {
  rows: readonly TableRow[];
  /** Its caption and the lines just above it. */
  above: readonly string[];
}

export const MAX_COLUMNS = 200;

export function textAt(row: TableRow | undefined, index: number): string {
  return row?.cells[index]?.text ?? '';
}
