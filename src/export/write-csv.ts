import { csvCell } from '../vocabulary/text.ts';
import { boxOf, EXPORT_COLUMNS, shapeOf } from './columns.ts';
import type { BuildingWriter } from './format.ts';
import type { OutputFile } from './output-file.ts';
import { toWkt } from './wkt.ts';

const LINE = '\r\n';

/** The columns of the Parquet file; the geometry as WKT, its box as a list. */
export function writeCsv(file: OutputFile): BuildingWriter {
  file.write(`${[...EXPORT_COLUMNS.map(({ name }) => name), 'geometry', 'bbox'].join(',')}${LINE}`);
  return {
    add({ building }) {
      const [shape, box] = [shapeOf(building), boxOf(building)];
      const cells = EXPORT_COLUMNS.map(({ read }) => read(building));
      cells.push(shape === null ? null : toWkt(shape), box === null ? null : JSON.stringify(box));
      file.write(`${cells.map((cell) => (cell === null ? '' : csvCell(String(cell)))).join(',')}${LINE}`);
    },
    end() {},
  };
}
