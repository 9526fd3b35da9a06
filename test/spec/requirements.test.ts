import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** The requirements that must have a test. */
const FINISHED: readonly RegExp[] = [
  /^ID-0[1-5]$/,
  /^REC-/,
  /^CON-/,
  /^MAT-/,
  /^SRC-/,
  /^FTC-/,
  /^API-/,
  /^RATE-0[1-6]$/,
  /^VER-/,
  /^SEA-/,
  /^ARE-/,
  /^OWN-/,
  /^MCP-/,
  /^WRK-/,
  /^ERA-/,
  /^AGT-/,
  /^PAG-/,
  /^MD-/,
  /^SUG-/,
  /^REIT-/,
  /^AGR-/,
  /^CSV-/,
  /^LD-/,
  /^PLC-/,
  /^AUD-/,
  /^VRF-/,
  /^UI-/,
  /^ATT-/,
  /^REF-/,
  /^RCN-/,
  /^OGC-/,
  /^FIT-/,
  /^PRC-/,
  /^STB-/,
  /^RDO-/,
  /^FUZ-/,
  /^SEC-/,
  /^PAT-/,
  /^SCL-/,
  /^PRT-/,
  /^OPS-/,
  /^FLT-/,
  /^DOC-/,
  /^LIM-/,
  /^SUP-/,
  /^SHR-/,
  /^PIP-/,
  /^STP-/,
  /^HST-/,
  /^DLY-/,
  /^DWN-/,
  /^LOG-/,
  /^EXP-/,
];

function idsOf(text: string): string[] {
  return [...text.matchAll(/\b([A-Z]{2,4}-\d{2})\b(?= )/g)].map((match) => match[1] as string);
}

const requirements = [...new Set(idsOf(readFileSync(join(root, 'docs/reference/requirements.md'), 'utf8')))];
const titles = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .flatMap((name) => [
    ...readFileSync(join(root, 'test', name), 'utf8').matchAll(/(?:\b(?:it|test)|\))\(\s*(['"`])(.*?)\1/gs),
  ])
  .map((match) => match[2] as string);
const proved = new Set(
  titles.flatMap((title) =>
    [...(/^((?:[A-Z]{2,4}-\d{2},? )+)/.exec(title)?.[1] ?? '').matchAll(/[A-Z]+-\d{2}/g)].map(String),
  ),
);

describe('the requirements', () => {
  it('are all listed', () => {
    expect(requirements.length).toBeGreaterThan(120);
    for (const area of [
      'ID-01',
      'REC-13',
      'CON-17',
      'SRC-04',
      'API-10',
      'SEA-11',
      'MCP-16',
      'REIT-15',
      'AGR-09',
      'LD-01',
    ]) {
      expect(requirements).toContain(area);
    }
  });

  const finished = requirements.filter((id) => FINISHED.some((pattern) => pattern.test(id)));
  it.each(finished)('%s has a test that names it', (id) => {
    expect([...proved]).toContain(id);
  });

  it('named in tests all exist', () => {
    for (const id of proved) expect(requirements).toContain(id);
  });
});
