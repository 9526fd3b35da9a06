import { describe, expect, it } from 'vitest';
import { readAudit, severeOnes } from '../../scripts/read-audit.ts';

const report = (severity: string) =>
  JSON.stringify({ vulnerabilities: { a: { severity, via: [{ title: 'it crashes' }, 'b'] } } });

describe('the audit', () => {
  it.each([
    ['low', 0],
    ['moderate', 0],
    ['high', 1],
    ['critical', 1],
  ])('SUP-01 of a package with %s severity has %i reasons to fail', (severity, count) => {
    const audit = readAudit(report(severity));
    expect(audit).toEqual({ kind: 'answered', found: [{ name: 'a', severity, title: 'it crashes; by b' }] });
    expect(severeOnes(audit.kind === 'answered' ? audit.found : [])).toHaveLength(count);
  });

  it.each([
    ['', 'npm audit printed no report'],
    ['<html>', 'npm audit printed no report'],
    ['{}', 'npm audit printed no vulnerabilities'],
    ['{"error":{"summary":"the registry has no audit"}}', 'the registry has no audit'],
    ['{"message":"request to https://r.example failed"}', 'request to https://r.example failed'],
  ])('SUP-01 without an answer of the registry is not a failure: %j', (output, reason) => {
    expect(readAudit(output)).toEqual({ kind: 'unanswered', reason });
  });
});
