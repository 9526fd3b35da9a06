/**
 * `npm run lock:engines`, after npm has changed the lock file: removes which Node each package asks for. All of them run
 * on the pinned Node 24, whichever Node installs them, so npm's warnings about that one would be wrong. A test compares
 * what the packages ask for with the pinned Node.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, { engines?: object }> };
for (const [path, entry] of Object.entries(lock.packages)) if (path !== '') delete entry.engines;
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
