import { toFeature } from '../vocabulary/flat-record.ts';
import type { BuildingWriter } from './format.ts';
import type { OutputFile } from './output-file.ts';

/** A FeatureCollection of RFC 7946, one feature a line. */
export function writeGeoJson(file: OutputFile): BuildingWriter {
  file.write('{"type":"FeatureCollection","features":[');
  let separator = '\n';
  return {
    add({ building }) {
      file.write(`${separator}${JSON.stringify(toFeature(building))}`);
      separator = ',\n';
    },
    end() {
      file.write('\n]}\n');
    },
  };
}
