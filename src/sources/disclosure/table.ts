/** A cell of a table. One that spans rows or columns stands in all of them as the same object. */
export interface DisclosedCell {
  readonly text: string;
}

export interface DisclosedRow {
  /** As an operator can find it: a line of a file, a row of a sheet, the ordinal of a row of HTML. */
  line: number;
  cells: readonly (DisclosedCell | undefined)[];
}

export interface DisclosedTable {
  rows: readonly DisclosedRow[];
  /** Its caption and the lines just above it. */
  above: readonly string[];
}

export const MAX_COLUMNS = 200;

export function textAt(row: DisclosedRow | undefined, index: number): string {
  return row?.cells[index]?.text ?? '';
}
