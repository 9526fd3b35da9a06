/**
 * `npm run check:patterns`: checks the regular expressions of src/ for super-linear time with recheck and keeps the
 * verdicts in test/spec/patterns.json. Without arguments only those that have none yet; with `--all` all of them, after an
 * update of recheck (some minutes). Exits with 1 if a reason is missing, which has to be written into the file.
 */
import process from 'node:process';
import { findPatterns } from './find-patterns.ts';
import { checkPattern, keepBuilt, patternsToCheck, readKept, TOOL, type Verdict, writeKept } from './kept-patterns.ts';

const kept = readKept();
const found = await findPatterns();
const built = keepBuilt(found, kept);
const verdicts = new Map<string, Verdict>();
for (const pattern of patternsToCheck(found, built)) {
  const before = kept.verdicts.get(pattern);
  const isKnown = before !== undefined && !process.argv.includes('--all');
  const verdict = isKnown ? before : await checkPattern(pattern);
  const reason = before?.kind === 'accepted' ? before.reason : '';
  verdicts.set(pattern, verdict.kind === 'accepted' ? { ...verdict, reason } : verdict);
  if (!isKnown) console.log(`${verdict.kind === 'accepted' ? verdict.result : verdict.kind}  ${pattern}`);
}
writeKept({ tool: TOOL, verdicts, built });
const missing = [
  ...[...verdicts].flatMap(([pattern, verdict]) => (verdict.kind === 'accepted' && !verdict.reason ? pattern : [])),
  ...built.flatMap(({ file, code, how }) => (how === '' ? `src/${file}: ${code}` : [])),
];
for (const each of missing) console.error(`test/spec/patterns.json has no reason for ${each}`);
process.exitCode = missing.length === 0 ? 0 : 1;
