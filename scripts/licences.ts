/** `npm run licences`: lists the licence of every dependency, and fails if production code may not use it. */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { countByLicence, readLicences, refusedLicences } from './read-licences.ts';

const root = new URL('../', import.meta.url);
const licences = readLicences(JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')), root);

for (const { use, licence, names } of countByLicence(licences)) {
  console.log(`${use.padEnd(12)}${licence.padEnd(24)}${String(names.length).padStart(4)}  ${names.join(', ')}`);
}
const refused = refusedLicences(licences);
for (const { name, licence } of refused) {
  console.error(`${name}: licence ${licence} is not allowed in production code (scripts/read-licences.ts)`);
}
process.exitCode = refused.length === 0 ? 0 : 1;
