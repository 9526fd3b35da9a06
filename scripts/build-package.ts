/**
 * `npm pack` runs this first. Node does not strip types below node_modules, so the published package has the code without
 * them, in dist/. It also has the versions of the dependencies that were tested, in npm-shrinkwrap.json. `--clean`
 * removes both.
 */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const shrinkwrap = join(root, 'npm-shrinkwrap.json');

// Node warns that its function is experimental; the tests run what it makes.
process.removeAllListeners('warning');
rmSync(dist, { recursive: true, force: true });
rmSync(shrinkwrap, { force: true });
if (!process.argv.includes('--clean')) {
  for (const file of globSync('**/*.*', { cwd: join(root, 'src') })) build(file);
  writeFileSync(
    shrinkwrap,
    `${JSON.stringify(forUsers(readFileSync(join(root, 'package-lock.json'), 'utf8')), null, 2)}\n`,
  );
}

function build(file: string): void {
  if (file.endsWith('tsconfig.json')) return;
  const [from, to] = [join(root, 'src', file), join(dist, file.replace(/\.ts$/, '.js'))];
  mkdirSync(dirname(to), { recursive: true });
  if (file.endsWith('.ts')) writeFileSync(to, strip(readFileSync(from, 'utf8')));
  else cpSync(from, to);
}

/** Types become blanks, so that lines stay where they are. Paths of modules, which all are relative, get their new extension. */
function strip(source: string): string {
  return stripTypeScriptTypes(source).replace(/(['"])(\.{1,2}\/[\w./-]+)\.ts\1/g, '$1$2.js$1');
}

/** The lock file without what only developers need. */
function forUsers(text: string): object {
  const lock = JSON.parse(text) as { packages: Record<string, { dev?: true; devDependencies?: object }> };
  const packages = Object.entries(lock.packages).filter(([, { dev }]) => dev === undefined);
  for (const [, entry] of packages) delete entry.devDependencies;
  return { ...lock, packages: Object.fromEntries(packages) };
}
