import type { Command } from 'commander';
import { listDamagedFiles } from '../observations/archive.ts';
import { lastIngests } from '../observations/ingests.ts';
import { listUnjoined } from '../registry/area-pieces.ts';
import { countRegistry, type RegistryCounts } from '../registry/counts.ts';
import { listLeftOut } from '../registry/left-out.ts';
import { hasTodo } from '../registry/markers.ts';
import { countPublications } from '../reit/life/store.ts';
import { countWorkers } from '../storage/job-queue.ts';
import { migrationState } from '../storage/migrate.ts';
import { findRestoreRun } from '../storage/restore-run.ts';
import type { Storage } from '../storage/storage.ts';
import type { PlacedBy } from '../storage/tables.ts';
import { printable } from '../vocabulary/text.ts';
import { EXIT, MAX_PATH, type Terminal } from './terminal.ts';

export function addStatusCommand(program: Command, { print, withContext }: Terminal): void {
  program
    .command('status')
    .description('show counts, sizes, migrations and the last ingest of each source')
    .action(() =>
      withContext(async ({ storage, archiveDir }) => {
        await printStatus(storage, archiveDir, print);
        return EXIT.done;
      }),
    );
}

export async function printStatus(storage: Storage, archiveDir: string, print: (line: string) => void): Promise<void> {
  const { buildings, stale, ...counts } = await countRegistry(storage.db);
  const { applied, pending } = await migrationState(storage);
  print(`database         ${storage.engine}, ${toMegabytes(await storage.size())} MB`);
  print(`migrations       ${applied.length} applied, ${pending.length} pending`);
  const workers = await countWorkers(storage);
  if (workers > 0) print(`workers          ${workers} ready to share ingests`);
  print(`areas            ${counts.areas}`);
  print(`buildings        ${buildings.live} live, ${buildings.merged} merged, ${buildings.retired} retired`);
  print(`published        ${counts.published}`);
  print(`placed by        ${describePlacings(counts.placedBy)}`);
  print(`source records   ${counts.sourceRecords}, in ${counts.statements} statements`);
  print(`versions         ${counts.versions}`);
  const { kept, active } = await storage.snapshot(countPublications);
  print(`reit             ${kept} publications, ${active} activated and not withdrawn`);
  const leftOut = new Map<string, number>();
  const leave = (reason: string) => leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
  for await (const { reason } of listLeftOut(storage.db, undefined)) leave(reason);
  for await (const _ of listUnjoined(storage.db)) leave('unmatched');
  const reasons = [...leftOut].sort().map(([reason, count]) => `${count} ${reason}`);
  print(`left out         ${reasons.join(', ') || 'none'}`);
  if (stale > 0)
    print(`to consolidate   ${stale} (an ingest was interrupted or the program was updated; run tatemono republish)`);
  if (await hasTodo(storage.db, 'enter buildings')) print('search index     must be rebuilt; run tatemono republish');
  const restore = await findRestoreRun(storage.db);
  if (restore !== undefined && !restore.isFinished) {
    const { file, startedAt } = restore;
    print(`restore          of ${printable(file, MAX_PATH)}, started ${startedAt}, has not finished; ${NOT_RESTORED}`);
  }
  for (const { path, reason, foundAt } of await listDamagedFiles(storage.db, archiveDir)) {
    print(`damaged file     ${printable(path, MAX_PATH)}: ${reason} (found ${foundAt}; ingest the original again)`);
  }
  for (const { source, file, started_at, finished_at } of await lastIngests(storage.db)) {
    const end = finished_at === null ? 'not finished; run it again' : `finished ${finished_at}`;
    print(`last ingest      ${source}: ${printable(file)}, started ${started_at}, ${end}`);
  }
}

const PLACED_BY: Record<PlacedBy, string> = {
  named: 'area code in a record',
  boundary: 'boundary',
  municipalityBoundary: 'municipality boundary',
  municipality: 'municipality in a record',
  address: 'address',
  nearest: 'nearest point',
};

function describePlacings(placedBy: RegistryCounts['placedBy']): string {
  const counted = (Object.entries(PLACED_BY) as [PlacedBy, string][]).flatMap(([by, words]) => {
    const count = placedBy.get(by);
    return count === undefined ? [] : `${count} ${words}`;
  });
  const unknown = placedBy.get(null);
  if (unknown !== undefined) counted.push(`${unknown} unknown (from before an update; run tatemono republish)`);
  return counted.join(', ') || 'none';
}

const NOT_RESTORED = 'the old data is in place; if the restore is no longer running, run it again';

function toMegabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
