import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countByLicence, readLicences, refusedLicences } from '../../scripts/read-licences.ts';

const ROOT = new URL('../../', import.meta.url);

const of = (packages: Record<string, { license?: string; dev?: boolean }>) => readLicences({ packages }, ROOT);

describe('licences', () => {
  it('SUP-02 are all permissive in production code', () => {
    const licences = readLicences(JSON.parse(readFileSync(new URL('package-lock.json', ROOT), 'utf8')), ROOT);
    expect(licences.length).toBeGreaterThan(100);
    expect(refusedLicences(licences)).toEqual([]);
  });

  it('SUP-02 are refused if unknown or not permissive, in production only', () => {
    const licences = of({
      '': { license: 'Apache-2.0' },
      'node_modules/a': { license: 'GPL-3.0' },
      'node_modules/b': {},
      'node_modules/c/node_modules/@d/e': { license: '(MIT AND GPL-2.0)' },
      'node_modules/f': { license: '(MIT OR GPL-2.0)' },
      'node_modules/g': { license: 'GPL-3.0', dev: true },
      'node_modules/h': { license: '(MIT AND Zlib)' },
    });
    expect(refusedLicences(licences).map(({ name, licence }) => [name, licence])).toEqual([
      ['a', 'GPL-3.0'],
      ['b', 'unknown'],
      ['@d/e', '(MIT AND GPL-2.0)'],
    ]);
  });

  it('are grouped by use, the most frequent first', () => {
    const licences = of({
      'node_modules/a': { license: 'ISC' },
      'node_modules/b': { license: 'MIT' },
      'node_modules/c': { license: 'MIT' },
      'node_modules/d': { license: 'MIT', dev: true },
    });
    expect(countByLicence(licences)).toEqual([
      { use: 'production', licence: 'MIT', names: ['b', 'c'] },
      { use: 'production', licence: 'ISC', names: ['a'] },
      { use: 'development', licence: 'MIT', names: ['d'] },
    ]);
  });
});
