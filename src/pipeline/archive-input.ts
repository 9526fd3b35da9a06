import { type Archived, archiveFile, inspectCopy } from '../observations/archive.ts';
import { forgetDamagedFile, noteDamagedFile } from '../observations/damaged-files.ts';
import type { Context } from './context.ts';

/** Archives an input; a damaged copy of it in the archive is reported and replaced. */
export function archiveInput({ storage, archiveDir, report, now }: Context, file: string): Promise<Archived> {
  return archiveFile(archiveDir, file, {
    found: ({ sha256, reason }) => noteDamagedFile(storage, { sha256, reason, foundAt: now() }),
    repaired: ({ path, reason }) => report.repaired(path, reason, file),
    whole: (sha256) => forgetDamagedFile(storage, sha256),
  });
}

/** For a copy whose reading broke: status names it where the archive is to blame and not the input. */
export async function noteIfDamaged({ storage, archiveDir, now }: Context, { sha256 }: Archived): Promise<void> {
  const reason = await inspectCopy(archiveDir, sha256);
  if (reason === null) return;
  await noteDamagedFile(storage, { sha256, reason: reason ?? 'it is missing', foundAt: now() });
}
