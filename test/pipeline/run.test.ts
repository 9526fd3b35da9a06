import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

it('the architecture lists every stage of an ingest, in order and by name', () => {
  const code = readFileSync(join(root, 'src/pipeline/run.ts'), 'utf8');
  const docs = readFileSync(join(root, 'docs/explanation/architecture.md'), 'utf8');
  const stages = [...code.matchAll(/^ {2}'([^']+)': /gm)].map(([, name]) => name);
  const listed = [...docs.matchAll(/^\d+\. \*([^*]+)\*/gm)].map(([, name]) => name);
  expect(stages.length).toBeGreaterThan(10);
  expect(listed).toEqual(stages);
});
