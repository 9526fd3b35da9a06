import type { BridgeRow } from '../registry/exported.ts';
import { formatAssetId } from '../vocabulary/asset-id.ts';
import type { OutputFile } from './output-file.ts';
import { ParquetFile, textColumn } from './parquet-file.ts';

const NAMES = ['id', 'source', 'sourceRecordId', 'disposition'] as const;
const ROWS_PER_GROUP = 100_000;

/** EXP-06: which source record belongs to which building. */
export function writeBridge(file: OutputFile): { add(rows: readonly BridgeRow[]): void; end(): void } {
  const parquet = new ParquetFile(file, NAMES.map(textColumn), NAMES, ROWS_PER_GROUP);
  return {
    add(rows) {
      for (const { building, source, sourceRecordId, disposition } of rows) {
        parquet.add([building === null ? null : formatAssetId(building), source, sourceRecordId, disposition]);
      }
    },
    end: () => parquet.end(),
  };
}
