import { listDamagedFiles } from './observations/damaged-files.ts';
import { lastIngests } from './observations/ingests.ts';
import { listLeftOut } from './observations/source-records.ts';
import { listUnjoined } from './registry/area-pieces.ts';
import { countRegistry } from './registry/counts.ts';
import { countPublications } from './reit/store.ts';
import { migrationState } from './storage/migrate.ts';
import type { Storage } from './storage/storage.ts';
import { MAX_PATH } from './terminal.ts';
import { printable } from './vocabulary/text.ts';

export async function printStatus(storage: Storage, archiveDir: string, print: (line: string) => void): Promise<void> {
  const { buildings, stale, ...counts } = await countRegistry(storage.db);
  const { applied, pending } = await migrationState(storage);
  print(`database         ${storage.engine}, ${toMegabytes(await storage.size())} MB`);
  print(`migrations       ${applied.length} applied, ${pending.length} pending`);
  print(`areas            ${counts.areas}`);
  print(`buildings        ${buildings.live} live, ${buildings.merged} merged, ${buildings.retired} retired`);
  print(`published        ${counts.published}`);
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
  if (stale > 0) print(`to consolidate   ${stale} (an ingest was cut short: run it again, or tatemono republish)`);
  for (const { path, reason, foundAt } of await listDamagedFiles(storage.db, archiveDir)) {
    print(`damaged file     ${printable(path, MAX_PATH)}: ${reason} (found ${foundAt}; ingest the original again)`);
  }
  for (const { source, file, started_at, finished_at } of await lastIngests(storage.db)) {
    const end = finished_at === null ? 'not finished: run it again' : `finished ${finished_at}`;
    print(`last ingest      ${source}: ${printable(file)}, started ${started_at}, ${end}`);
  }
}

function toMegabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
