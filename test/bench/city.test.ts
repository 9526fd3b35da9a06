import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cityKeys } from '../../bench/city-plan.ts';
import { generateCity } from '../../bench/generate-city.ts';
import { QUERIES } from '../../bench/search-queries.ts';
import { parseRecordLine } from '../../src/sources/records/read-line.ts';

const BUILDINGS = 2_000;

test('every line of the generated city is in the record format, the same each time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tatemono-city-'));
  try {
    const [first, second] = await Promise.all(
      ['first', 'second'].map(async (name) => {
        await generateCity(join(folder, name), BUILDINGS);
        return readFileSync(join(folder, name), 'utf8');
      }),
    );
    expect(first === second).toBe(true);
    const lines = (first as string).trimEnd().split('\n').map(parseRecordLine);
    expect(lines.filter((line) => !line.ok)).toEqual([]);
    const named = lines.flatMap((line) => (line.ok && line.value.kind === 'record' ? line.value.building : []));
    expect(new Set(named)).toEqual(new Set(cityKeys(BUILDINGS)));
    expect(new Set(named).size).toBe(BUILDINGS);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the mix has two hundred different queries', () => {
  expect(new Set(QUERIES.map(({ path }) => path)).size).toBe(200);
});
