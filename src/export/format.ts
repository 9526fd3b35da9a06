import type { BuildingPage } from '../vocabulary/building-page.ts';

export const EXPORT_FORMATS = ['geoparquet', 'csv', 'ndjson', 'geojson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** A building as it is exported: its record, and the bytes that the API sends. */
export interface ExportedRecord {
  building: BuildingPage;
  body: Uint8Array;
}

/** Writes one file of buildings. */
export interface BuildingWriter {
  add(record: ExportedRecord): void;
  /** Writes what is left. */
  end(): void;
}
