import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { greenarchive } from '../../../src/sources/greenarchive/adapter.ts';
import { mankan } from '../../../src/sources/mankan/adapter.ts';
import { fileOf, readAll } from '../../support/source-files.ts';

it.each([greenarchive, mankan])('the documented example of $source is read completely', async (adapter) => {
  const path = join(import.meta.dirname, '..', '..', '..', 'docs', 'sources', `${adapter.source}.md`);
  const [, example] = /```csv\n([^`]+)```/.exec(readFileSync(path, 'utf8')) ?? [];
  const items = await readAll(adapter, [fileOf('example.csv', example ?? '')]);
  expect(items.map(({ kind }) => kind)).toEqual(['record', 'record']);
});
