import { faultInGeometry, type Position, round7 } from '../../vocabulary/geometry.ts';
import { printable } from '../../vocabulary/text.ts';

/** JGD2011 and JGD2000, of one file mixed: to a building's size they are one. */
const DEGREES_OF_JAPAN = new Set(['EPSG:6668', 'EPSG:4612']);

export interface PointCells {
  readonly rep_lon: string;
  readonly rep_lat: string;
  readonly rep_srid: string;
}

/** The representative point of a row, null where it has none, or why it is none. */
export function parsePoint({ rep_lon, rep_lat, rep_srid }: PointCells): Position | null | string {
  if (rep_lon === '' || rep_lat === '') return null;
  if (!DEGREES_OF_JAPAN.has(rep_srid)) {
    return `its position is in ${printable(rep_srid, 20) || 'no named reference system'}; EPSG:6668 and EPSG:4612 are read`;
  }
  const position: Position = [Number(rep_lon), Number(rep_lat)];
  const fault = faultInGeometry({ type: 'Point', coordinates: position });
  return fault === undefined ? [round7(position[0]), round7(position[1])] : `its position ${fault}`;
}
