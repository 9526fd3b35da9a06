import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import type { FoundPatterns } from '../../scripts/find-patterns.ts';
import { checkPattern, keepBuilt, patternsToCheck, readKept, TOOL } from '../../scripts/kept-patterns.ts';

// In a process of its own, because it loads modules with another RegExp.
const { stdout, stderr } = spawnSync(
  process.execPath,
  [
    '--input-type=module',
    '--eval',
    `const { findPatterns } = await import(${JSON.stringify(new URL('../../scripts/find-patterns.ts', import.meta.url))});
    process.stdout.write(JSON.stringify(await findPatterns()));`,
  ],
  { encoding: 'utf8', maxBuffer: 64 << 20 },
);
if (stdout === '') throw new Error(stderr);
const found = JSON.parse(stdout) as FoundPatterns;
const kept = readKept();
const built = keepBuilt(found, kept);

/** Each in much less than a second, by an automaton. */
const SHORT = [...kept.verdicts].flatMap(([pattern, { kind }]) =>
  kind === 'proved' && pattern.length < 30 ? pattern : [],
);
const CHECKED_AGAIN = 20;

// If one of these fails, run `npm run check:patterns`.
describe('the regular expressions of src/', () => {
  it('PAT-01 all have a verdict of recheck, and no verdict is left over', () => {
    expect(found.patterns.length).toBeGreaterThan(500);
    expect([...kept.verdicts.keys()].sort()).toEqual(patternsToCheck(found, built));
    expect(kept.tool, 'after an update: npm run check:patterns -- --all').toBe(TOOL);
  });

  it('PAT-02 take linear time, or the input is bounded by what the verdict says', () => {
    for (const [pattern, verdict] of kept.verdicts) {
      if (verdict.kind === 'accepted') expect(verdict.reason, pattern).toMatch(/\S{3}/);
      expect(JSON.stringify(verdict), pattern).not.toContain('exponential');
    }
  });

  it('PAT-03 that functions make are listed with the origin of their parts and with examples', () => {
    const made = new Map(found.built.map((site) => [`${site.file} ${site.code}`, site.made]));
    for (const { file, code, how, examples } of built) {
      expect(how, code).toMatch(/\S{3}/);
      expect([...examples, ...(made.get(`${file} ${code}`) ?? [])], code).not.toEqual([]);
      for (const example of examples) expect(kept.verdicts.has(example), example).toBe(true);
    }
    expect(kept.built).toEqual(built);
  });

  it('PAT-04 have the kept verdict when some of them are checked again', async () => {
    const step = Math.floor(SHORT.length / CHECKED_AGAIN);
    const some = SHORT.filter((_, i) => i % step === 0);
    expect(some.length).toBeGreaterThanOrEqual(CHECKED_AGAIN);
    for (const pattern of some) expect(await checkPattern(pattern), pattern).toEqual({ kind: 'proved' });
  });

  it('PAT-04 are told from slow ones', async () => {
    expect(await checkPattern('/^(?:a+)+$/')).toMatchObject({ kind: 'accepted', result: 'exponential' });
    expect(await checkPattern('/\\s*\\n/g')).toMatchObject({ kind: 'accepted', result: '2nd degree polynomial' });
    expect(await checkPattern('/(?<!a)a*$/')).toEqual({ kind: 'searched' });
  });
});
