import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Hash of the code: another release may render the same record differently. */
export const RELEASE = tagOfFolder(join(import.meta.dirname, '..', '..'));

function tagOfFolder(folder: string): string {
  const hash = createHash('sha256');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(ts|js|css)$/.test(name),
  );
  for (const name of names.sort()) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest('base64url').slice(0, 22);
}
