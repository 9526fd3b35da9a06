import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

const src = join(import.meta.dirname, '..', '..', 'src');

/** Who may import whom (docs/architecture.md). A file that stands in src itself may import everything. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  vocabulary: [],
  storage: [],
  threads: [],
  sources: ['vocabulary'],
  consolidation: ['vocabulary'],
  matching: ['vocabulary'],
  observations: ['vocabulary', 'storage'],
  registry: ['vocabulary', 'storage', 'threads'],
  pipeline: [
    ...['vocabulary', 'storage', 'threads', 'sources', 'consolidation', 'matching'],
    ...['observations', 'registry', 'reit'],
  ],
  audit: ['vocabulary', 'storage', 'sources', 'consolidation', 'observations', 'registry', 'pipeline'],
  reit: ['vocabulary', 'storage', 'registry'],
  surfaces: ['vocabulary', 'registry', 'reit'],
};
const MAY_HAVE_SQL = ['observations', 'registry', 'reit', 'storage'];

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const roomOf = (file: string) => (file.includes(sep) ? (file.split(sep)[0] as string) : '');

function importsOf(file: string): string[] {
  const text = readFileSync(join(src, file), 'utf8');
  return [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((match) =>
    normalize(join(dirname(file), match[1] as string)),
  );
}

describe('the rooms of the source', () => {
  it('are all known', () => {
    expect([...new Set(files.map(roomOf))].filter((room) => room !== '').sort()).toEqual(
      Object.keys(MAY_IMPORT).sort(),
    );
  });

  it.each(files.filter((file) => roomOf(file) !== ''))('%s imports only what its room may', (file) => {
    const room = roomOf(file);
    for (const imported of importsOf(file)) {
      const target = roomOf(imported);
      expect(files).toContain(imported);
      if (target !== room) expect(MAY_IMPORT[room]).toContain(target);
    }
  });

  it.each(files.filter((file) => !MAY_HAVE_SQL.includes(roomOf(file))))('%s has no SQL', (file) => {
    expect(readFileSync(join(src, file), 'utf8')).not.toMatch(/selectFrom|insertInto|updateTable|deleteFrom|\bsql`/);
  });

  it('api, mcp and pages never import each other', () => {
    for (const file of files.filter((name) => roomOf(name) === 'surfaces')) {
      const [, surface] = file.split(sep);
      for (const imported of importsOf(file)) {
        const [room, other] = imported.split(sep);
        const isSurface = (name: string | undefined) => ['api', 'mcp', 'pages'].includes(name ?? '');
        if (room === 'surfaces' && isSurface(surface) && isSurface(other)) expect(other).toBe(surface);
      }
    }
  });
});
