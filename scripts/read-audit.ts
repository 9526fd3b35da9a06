/** What the registry knows about the vulnerabilities of the installed packages. */
export type Audit =
  | { kind: 'answered'; found: readonly Vulnerability[] }
  /** The registry did not answer, or does not know the question. */
  | { kind: 'unanswered'; reason: string };

export interface Vulnerability {
  name: string;
  severity: string;
  title: string;
}

interface Report {
  vulnerabilities?: Record<string, { severity: string; via: readonly (string | { title?: string })[] }>;
  message?: string;
  error?: { summary?: string };
}

const SEVERE = new Set(['high', 'critical']);

/** Reads the output of `npm audit --json`. */
export function readAudit(output: string): Audit {
  let report: Report;
  try {
    report = JSON.parse(output) as Report;
  } catch {
    return { kind: 'unanswered', reason: 'npm audit printed no report' };
  }
  const { vulnerabilities, message, error } = report;
  if (vulnerabilities === undefined) {
    return { kind: 'unanswered', reason: error?.summary || message || 'npm audit printed no vulnerabilities' };
  }
  const found = Object.entries(vulnerabilities).map(([name, { severity, via }]) => ({
    name,
    severity,
    title: via.map((each) => (typeof each === 'string' ? `by ${each}` : (each.title ?? 'no title'))).join('; '),
  }));
  return { kind: 'answered', found };
}

export const severeOnes = (found: readonly Vulnerability[]): Vulnerability[] =>
  found.filter(({ severity }) => SEVERE.has(severity));
