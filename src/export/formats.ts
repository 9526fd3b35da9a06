import type { BuildingWriter, ExportFormat } from './format.ts';
import type { OutputFile } from './output-file.ts';
import { writeCsv } from './write-csv.ts';
import { writeGeoJson } from './write-geojson.ts';
import { writeGeoParquet } from './write-geoparquet.ts';
import { writeNdjson } from './write-ndjson.ts';

/** EXP-01: how the files of each format end, and how they are written. */
export const FORMATS: Readonly<Record<ExportFormat, { ending: string; write: (file: OutputFile) => BuildingWriter }>> =
  {
    geoparquet: { ending: 'parquet', write: writeGeoParquet },
    csv: { ending: 'csv', write: writeCsv },
    ndjson: { ending: 'ndjson', write: writeNdjson },
    geojson: { ending: 'geojson', write: writeGeoJson },
  };
