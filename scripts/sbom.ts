/** `npm run sbom [-- FILE]`: writes the software bill of materials of what is deployed, in CycloneDX, to sbom.json or FILE. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { selectDeployed } from './select-deployed.ts';

const cwd = fileURLToPath(new URL('../', import.meta.url));
const shell = process.platform === 'win32';
// From the lock file, so that the packages of every platform are listed wherever this runs.
const ARGS = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
const { status, stdout, stderr } = spawnSync('npm', ARGS, { cwd, encoding: 'utf8', shell, maxBuffer: 64 << 20 });
if (status !== 0) {
  console.error(`npm sbom failed:\n${stderr}`);
  process.exit(1);
}
const bom = selectDeployed(JSON.parse(stdout), JSON.parse(readFileSync(`${cwd}package-lock.json`, 'utf8')));
const [file = 'sbom.json'] = process.argv.slice(2);
writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`);
console.log(`${file}: ${bom.components.length} packages`);
