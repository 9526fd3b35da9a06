/** `npm run audit`: fails if a deployed package has a known vulnerability of high or critical severity. Without a registry it only says so. */
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { readAudit, severeOnes } from './read-audit.ts';

const ARGS = ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=20000'];
const shell = process.platform === 'win32';
const { stdout } = spawnSync('npm', ARGS, { encoding: 'utf8', timeout: 60_000, shell, maxBuffer: 64 << 20 });

const audit = readAudit(stdout ?? '');
if (audit.kind === 'unanswered') {
  console.error(`warning: known vulnerabilities were not checked: ${audit.reason}`);
} else {
  const severe = severeOnes(audit.found);
  for (const { name, severity, title } of audit.found) console.log(`${severity.padEnd(10)}${name}: ${title}`);
  console.log(
    `${audit.found.length} deployed packages have known vulnerabilities, ${severe.length} of high or critical severity`,
  );
  process.exitCode = severe.length === 0 ? 0 : 1;
}
