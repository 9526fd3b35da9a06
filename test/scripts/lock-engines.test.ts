import { readFileSync } from 'node:fs';
import { satisfies } from 'semver';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const readJson = (path: string) => JSON.parse(readFileSync(new URL(path, root), 'utf8'));

interface Entry {
  engines?: { node?: string };
  optional?: boolean;
}

describe('the lock file', () => {
  it('OPS-06 has none of the programs for some platforms that recheck brings', () => {
    // If this fails, run `npm run lock:engines`.
    const { packages } = readJson('package-lock.json') as { packages: Record<string, object> };
    expect(packages['node_modules/recheck']).not.toHaveProperty('optionalDependencies');
    expect(Object.keys(packages).filter((path) => path.includes('recheck-'))).toEqual([]);
  });
});

describe('the Node that packages ask for', () => {
  const { packages } = readJson('package-lock.json') as { packages: Record<string, Entry> };
  const installed = Object.entries(packages).filter(([path]) => path !== '');

  it('OPS-06 is not in the lock file, so that npm does not warn on a Node that only starts the pinned one', () => {
    // If this fails, run `npm run lock:engines`.
    expect(installed.filter(([, { engines }]) => engines !== undefined).map(([path]) => path)).toEqual([]);
    expect(packages['']?.engines).toEqual({ node: '>=20' });
  });

  it('OPS-06 is the pinned one', () => {
    const { optionalDependencies } = readJson('package.json') as { optionalDependencies: Record<string, string> };
    const pinned = Object.entries(optionalDependencies).flatMap(([name, version]) =>
      name.startsWith('node-linux') ? [version] : [],
    );
    expect(pinned).toHaveLength(2);
    const asked = installed.flatMap(([path]) => {
      try {
        return [[path, (readJson(`${path}/package.json`) as Entry).engines?.node ?? '*'] as const];
      } catch (error) {
        // Packages of other platforms are not installed.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        return [];
      }
    });
    expect(asked.length).toBeGreaterThan(100);
    expect(asked.filter(([, range]) => !pinned.every((version) => satisfies(version, range)))).toEqual([]);
  });
});
