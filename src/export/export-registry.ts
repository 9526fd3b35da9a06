import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../pipeline/context.ts';
import { Areas } from '../registry/areas.ts';
import { countBuildingsByArea } from '../registry/buildings.ts';
import { readCursor } from '../registry/changes/read-changes.ts';
import { findAreaCode } from '../registry/exported.ts';
import { FailureError } from '../vocabulary/failure.ts';
import { exportPrefecture, type FinishedFile } from './export-prefecture.ts';
import type { ExportFormat } from './format.ts';
import { OpenRecords } from './open-records.ts';
import type { ManifestFile } from './output.ts';
import { OutputFile } from './output-file.ts';

export interface ExportOptions {
  /** Slugs from the prefecture down, such as tokyo/minato-ku; everything if it is not given. */
  area?: string | undefined;
  formats: readonly ExportFormat[];
  /** Only what sources with an open licence say. */
  onlyOpen: boolean;
}

/** EXP-02: what is in a folder. */
export interface Manifest {
  /** The place in the log of changes at which the files are current. */
  cursor: string;
  files: ManifestFile[];
}

const MANIFEST = 'manifest.json';
const PREFECTURE_LENGTH = 2;

/**
 * `export`: the registry as files, for a caller that holds the write lock, so that nothing changes meanwhile. Files are first written
 * under other names. The manifest is removed before the first of them gets its own name and comes last, so that it
 * never describes other files than those beside it (EXP-03).
 */
export async function exportRegistry(context: Context, folder: string, options: ExportOptions): Promise<Manifest> {
  const { storage, report } = context;
  const prefix = await codeOf(context, options.area);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (isUnfinished(name)) rmSync(join(folder, name));
  report.stage('preparing');
  const open = options.onlyOpen ? await OpenRecords.load(storage.db, await Areas.load(storage.db)) : undefined;
  const counts = await countBuildingsByArea(storage.db, prefix);
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const finished: FinishedFile[] = [];
  const snapshot = await storage.openSnapshot();
  try {
    const cursor = await readCursor(snapshot.reads);
    report.stage('exporting');
    let done = 0;
    const tell = (more: number) => {
      done += more;
      report.progress(Math.min(done, total), total);
    };
    for (const [prefecture, inside] of Map.groupBy(counts, ({ area }) => area.slice(0, PREFECTURE_LENGTH))) {
      const areas = inside.map(({ area }) => area);
      const isWhole = prefix.length <= PREFECTURE_LENGTH;
      const { db } = storage;
      const part = { db, reads: snapshot.reads, folder, prefecture, areas, isWhole, open, tell };
      finished.push(...(await exportPrefecture({ ...part, formats: options.formats })));
    }
    const files = finished.map(({ entry }) => entry).sort((a, b) => (a.name < b.name ? -1 : 1));
    const manifest: Manifest = { cursor: String(cursor), files };
    publishFiles(folder, finished, manifest);
    return manifest;
  } catch (error) {
    for (const { file } of finished) file.discard();
    throw error;
  } finally {
    await snapshot.close();
  }
}

function publishFiles(folder: string, finished: readonly FinishedFile[], manifest: Manifest): void {
  const file = new OutputFile(folder, MANIFEST);
  file.write(`${JSON.stringify(manifest, null, 2)}\n`);
  file.end();
  rmSync(join(folder, MANIFEST), { force: true });
  for (const each of finished) each.file.publish();
  file.publish();
}

/** What a killed export left. */
const isUnfinished = (name: string) => /^(?:(?:buildings|bridge)-\d{2}\.[a-z]+|manifest\.json)\.part$/.test(name);

async function codeOf({ storage }: Context, area: string | undefined): Promise<string> {
  if (area === undefined) return '';
  const code = await findAreaCode(storage.db, area.split('/'));
  if (code === undefined) throw new FailureError({ kind: 'unknownArea' });
  return code;
}
