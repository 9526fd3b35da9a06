/**
 * npm run eval:addresses <list.csv> <tables of the address registry …>: how many addresses of a list are read right.
 *
 * The list has a header row with `address`, `machiAza` (the expected one, with prefecture and ward before its name) and
 * `numbers` (the expected keys, with commas between them; empty where they are not judged). Prints every miss, then the figures.
 */

import { readCsv } from '../src/files/read-csv.ts';
import type { SourceFile } from '../src/files/source-file.ts';
import { AddressResolver } from '../src/registry/address-resolver.ts';
import type { Area } from '../src/registry/areas.ts';
import { abr } from '../src/sources/abr/adapter.ts';
import { parseHouseNumbers } from '../src/vocabulary/address.ts';
import { normaliseAreaName } from '../src/vocabulary/area-names.ts';
import { filesOnDisk } from '../test/support/source-files.ts';

const COLUMNS = ['address', 'machiAza', 'numbers'] as const;
const [list, ...tables] = process.argv.slice(2);
if (list === undefined || tables.length === 0) {
  console.error('usage: npm run eval:addresses <list.csv> <tables of the address registry …>');
  process.exit(2);
}

const areas = new Map<string, Area>();
for await (const items of abr.read(filesOnDisk(...tables), { retrievedAt: new Date().toISOString(), url: undefined })) {
  for (const item of items) {
    if (item.kind === 'area') areas.set(item.area.code, item.area);
    else if (item.kind === 'broken' || item.kind === 'foreign') console.error(`${item.file}: ${item.reason}`);
  }
}
const names = new AddressResolver(areas.values());

function fullName(code: string | null): string {
  const area = code === null ? undefined : areas.get(code);
  return area === undefined ? '' : fullName(area.parent) + area.nameJa;
}
const known = new Set([...areas.keys()].map((code) => normaliseAreaName(fullName(code))));

const count = { right: 0, wrong: 0, unresolved: 0, unknown: 0 };
const numbers = { right: 0, wrong: 0, unresolved: 0 };
const tell = (what: string, ...values: string[]) => console.log([what, ...values].join('\t'));

let header: string[] | undefined;
for await (const rows of readCsv(fileAt(list))) {
  for (const { cells } of rows) {
    if (header === undefined) {
      header = cells;
      continue;
    }
    const row = new Map(header.map((column, i) => [column, cells[i] ?? '']));
    const [address = '', machiAza = '', expected = ''] = COLUMNS.map((column) => row.get(column));
    if (address !== '') judge(address, machiAza, expected);
  }
}

function fileAt(path: string): SourceFile {
  return filesOnDisk(path)[0] as SourceFile;
}

function judge(address: string, machiAza: string, expected: string): void {
  const resolved = names.resolve(address);
  const found = fullName(resolved?.machiAza ?? null);
  const wanted = normaliseAreaName(machiAza);
  const outcome = !known.has(wanted)
    ? 'unknown'
    : found === ''
      ? 'unresolved'
      : normaliseAreaName(found) === wanted
        ? 'right'
        : 'wrong';
  count[outcome]++;
  if (outcome !== 'right') tell(`machi-aza ${outcome}`, address, machiAza, found);
  if (expected === '' || outcome === 'unknown') return;
  const read = found === '' ? '' : parseHouseNumbers(resolved?.rest ?? '').join();
  const reading = read === expected ? 'right' : read === '' ? 'unresolved' : 'wrong';
  numbers[reading]++;
  if (reading !== 'right') tell(`number ${reading}`, address, expected, read);
}

const share = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(2)} %`;
const judged = count.right + count.wrong + count.unresolved;
const numbered = numbers.right + numbers.wrong + numbers.unresolved;
console.log(
  `machi-aza: ${share(count.right, judged)} of ${judged} right, ${share(count.wrong, judged)} wrong (${count.wrong})`,
);
console.log(
  `numbers:   ${share(numbers.right, numbered)} of ${numbered} right, ${share(numbers.wrong, numbered)} wrong (${numbers.wrong})`,
);
if (count.unknown > 0) console.log(`not judged: ${count.unknown}, whose machi-aza the tables do not have`);
