/**
 * `npm run lock:engines`, after npm has changed the lock file. Removes
 * - which Node each package asks for: all of them run on the pinned Node 24, whichever Node installs them, so npm's
 *   warnings about that one would be wrong. A test compares what the packages ask for with the pinned Node;
 * - the programs that recheck brings for some platforms and for Java (50 MB): only its JavaScript is used.
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface Entry {
  engines?: object;
  optionalDependencies?: object;
}

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Entry> };
for (const [path, entry] of Object.entries(lock.packages)) {
  if (path !== '') delete entry.engines;
  if (path === 'node_modules/recheck') delete entry.optionalDependencies;
  if (path.startsWith('node_modules/recheck-')) delete lock.packages[path];
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
