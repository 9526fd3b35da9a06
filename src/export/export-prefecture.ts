import { listExported, readBridge, readRetiredBridge } from '../registry/exported.ts';
import { parseBody, readRecords } from '../registry/records.ts';
import type { Db, Reads } from '../storage/storage.ts';
import { type AssetKey, formatAssetId } from '../vocabulary/asset-id.ts';
import type { BuildingPage } from '../vocabulary/building-page.ts';
import { CLOSED_SOURCES } from '../vocabulary/source-facts.ts';
import type { Source } from '../vocabulary/sources.ts';
import { CurveOrder } from './curve-order.ts';
import type { ExportedRecord, ExportFormat } from './format.ts';
import { FORMATS } from './formats.ts';
import type { OpenRecords } from './open-records.ts';
import { type ManifestFile, Output } from './output.ts';
import { OutputFile } from './output-file.ts';
import { writeBridge } from './write-bridge.ts';

/** The buildings of a prefecture that are exported. */
interface ExportedPart {
  db: Db;
  reads: Reads;
  folder: string;
  prefecture: string;
  /** Its machi-aza. */
  areas: readonly string[];
  /** Whether they are all that it has. */
  isWhole: boolean;
  formats: readonly ExportFormat[];
  /** Set if closed sources are left out. */
  open: OpenRecords | undefined;
  tell: (done: number) => void;
}

/** A complete file that has yet to get its name. */
export interface FinishedFile {
  file: OutputFile;
  entry: ManifestFile;
}

const BUILDINGS_AT_ONCE = 500;

/** One file of each format, all written in one pass, in the order of a curve through the prefecture. */
export async function exportPrefecture(part: ExportedPart): Promise<FinishedFile[]> {
  const { db, folder, prefecture, formats } = part;
  const order = new CurveOrder();
  for await (const some of listExported(db, part.areas)) order.add(some);
  if (order.length === 0) return [];
  const files = formats.map((format) => {
    const { ending, write } = FORMATS[format];
    return new Output(new OutputFile(folder, `buildings-${prefecture}.${ending}`), write);
  });
  const hasBridge = formats.includes('geoparquet');
  const bridge = hasBridge
    ? new Output(new OutputFile(folder, `bridge-${prefecture}.parquet`), writeBridge)
    : undefined;
  const outputs = [...files, ...(bridge === undefined ? [] : [bridge])];
  try {
    for (const ids of order.batches(BUILDINGS_AT_ONCE)) {
      const records = await readExported(part, ids);
      for (const record of records) {
        const sources = sourcesOf(record.building);
        for (const output of files) {
          output.writer.add(record);
          output.count(sources);
        }
      }
      if (bridge !== undefined) await addBridge(part, bridge, ids, records);
      part.tell(ids.length);
    }
    if (bridge !== undefined && part.isWhole) {
      for await (const rows of readRetiredBridge(db, part.reads, prefecture)) addRows(part, bridge, rows);
    }
    return outputs.map((output) => ({ file: output.file, entry: output.end() }));
  } catch (error) {
    for (const { file } of outputs) file.discard();
    throw error;
  }
}

async function readExported({ reads, open }: ExportedPart, ids: readonly AssetKey[]): Promise<ExportedRecord[]> {
  const records = (await readRecords(reads, ids)).map(({ body, release }) => {
    // A body may be in shared memory, which is used again once it is released.
    const copy = Buffer.from(body);
    release?.();
    return { building: parseBody<BuildingPage>(copy), body: copy };
  });
  return open === undefined ? records : open.rewrite(records);
}

/** Every source that a record names, also if another won. */
function sourcesOf({ sources, attribution }: BuildingPage): Set<Source> {
  return new Set([...sources, ...attribution].map(({ source }) => source));
}

type Bridge = Output<ReturnType<typeof writeBridge>>;

async function addBridge(
  part: ExportedPart,
  bridge: Bridge,
  ids: readonly AssetKey[],
  records: readonly ExportedRecord[],
): Promise<void> {
  const sources = new Map(records.map(({ building }) => [building.id, building.sources]));
  const consulted = new Map(ids.map((id) => [id, sources.get(formatAssetId(id)) ?? []]));
  addRows(part, bridge, await readBridge(part.db, part.reads, consulted));
}

function addRows(part: ExportedPart, bridge: Bridge, rows: Awaited<ReturnType<typeof readBridge>>): void {
  const kept = part.open === undefined ? rows : rows.filter(({ source }) => !CLOSED_SOURCES.has(source));
  bridge.writer.add(kept);
  for (const { source } of kept) bridge.count([source]);
}
