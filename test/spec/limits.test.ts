import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, textOf } from '../support/documents.ts';

const LIMITS = 'docs/reference/limits.md';
/** The rows of the tables that have a column of tests. */
const rows = textOf(LIMITS)
  .split('\n\n')
  .filter((part) => / \| Test \|$/m.test(part))
  .flatMap((table) => table.split('\n').slice(2))
  .filter((row) => row.startsWith('|'));

describe(LIMITS, () => {
  it('LIM-01 has limits of requests, input files and output', () => {
    expect(rows.length).toBeGreaterThan(40);
  });

  it.each(rows)('LIM-01 names a test that exists: %s', (row) => {
    const [, title, path] = /\| \[([^\]]+)\]\(([^)]+\.test\.ts)\) \|$/.exec(row) ?? [];
    expect(path, 'the last cell links a test by its title').toBeDefined();
    const file = join(dirname(LIMITS), path as string);
    expect(textOf(file).replaceAll("\\'", "'"), `${join(ROOT, file)} has no test with this in its title`).toContain(
      title,
    );
  });
});
