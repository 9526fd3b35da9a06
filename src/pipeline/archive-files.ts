import { createReadStream, statSync } from 'node:fs';
import { faultOf } from '../files/walk-folder.ts';
import { type Archived, archiveFile, clearDamagedFile, inspectCopy, markDamagedFile } from '../observations/archive.ts';
import { FailureError } from '../vocabulary/failure.ts';
import type { IngestSource } from './adapters.ts';
import type { Context } from './context.ts';
import type { NamedPath } from './list-files.ts';
import { refusalOf } from './recognise-file.ts';
import type { FileGroup } from './source-ingest.ts';

/** Copies the bytes of each file into the archive. */
export async function archiveFiles({ context, ingest, label, listed, archived }: FileGroup): Promise<void> {
  const { source, adapter, named } = ingest;
  context.report.stage(`archiving ${label}`);
  for (const { root, path, name } of listed) {
    const refuse = (reason: string) => {
      context.report.broken(path, reason);
      (named.get(root) as NamedPath).isSettled = true;
    };
    try {
      const refusal = adapter.plainFiles === true ? await refusalAt(source, path) : undefined;
      if (refusal !== undefined) refuse(refusal);
      else archived.push({ root, name, ...(await archiveInput(context, path)) });
    } catch (error) {
      refuse(reasonOf(error, path));
    }
  }
}

/** A plain file shows by its first bytes that it belongs to another source, before it is archived. */
async function refusalAt(source: IngestSource, path: string): Promise<string | undefined> {
  const { size } = statSync(path);
  return (await refusalOf(source, { name: path, size, bytes: () => createReadStream(path) }))?.reason;
}

/** Why a file could not be archived; throws any error that is not the file's fault. */
function reasonOf(error: unknown, file: string): string {
  if (error instanceof FailureError && error.failure.kind === 'brokenFile') return error.failure.reason;
  // It may be removed, or become unreadable, between the listing and the copy.
  if ((error as NodeJS.ErrnoException).path === file) return faultOf(error);
  throw error;
}

/** Archives an input; a damaged copy of it in the archive is reported and replaced. */
function archiveInput({ storage, archiveDir, report, now }: Context, file: string): Promise<Archived> {
  return archiveFile(archiveDir, file, {
    found: ({ sha256, reason }) => markDamagedFile(storage, { sha256, reason, foundAt: now() }),
    repaired: ({ path, reason }) => report.repaired(path, reason, file),
    intact: (sha256) => clearDamagedFile(storage, sha256),
  });
}

/** Records an archived copy that could not be read, for `status`, unless the input itself was broken. */
export async function markIfDamaged({ storage, archiveDir, now }: Context, { sha256 }: Archived): Promise<void> {
  const reason = await inspectCopy(archiveDir, sha256);
  if (reason === null) return;
  await markDamagedFile(storage, { sha256, reason: reason ?? 'it is missing', foundAt: now() });
}
