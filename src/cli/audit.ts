import { randomBytes } from 'node:crypto';
import { accessSync, constants, type Stats, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import stringWidth from 'string-width';
import { type Audit, type Audited, audit } from '../audit/audit.ts';
import { excerptOf } from '../audit/excerpt.ts';
import type { AuditedField } from '../audit/published-values.ts';
import { formatAssetId } from '../vocabulary/asset-id.ts';
import { FIELD_NAMES } from '../vocabulary/fields.ts';
import type { Source } from '../vocabulary/sources.ts';
import { printable } from '../vocabulary/text.ts';
import { oneOf, readSource } from './arguments.ts';
import { auditPage } from './audit-html.ts';
import { EXIT, MAX_PATH, type Terminal } from './terminal.ts';

const MAX_VALUES = 10_000;
const KINDS: readonly AuditedField[] = [...FIELD_NAMES, 'footprint', 'venues'];

interface Options {
  seed?: string;
  html?: string;
  source?: Source;
  field?: AuditedField;
  area?: string;
}

/** `audit <n>`: published values beside the bytes they come from (AUD-01). */
export function addAuditCommand(program: Command, { print, warn, withContext }: Terminal): void {
  program
    .command('audit')
    .description('show random published values, each beside its raw source record and the rule that chose it')
    .argument('<n>', `how many values, 1 to ${MAX_VALUES}`, readCount)
    .option('--seed <text>', 'draw the same values again; each audit prints its seed at the end')
    .option('--html <file>', 'also write a page with the complete records', readPagePath)
    .option('--source <source>', 'only values from this source', readSource)
    .option('--field <field>', 'only values of this field', oneOf(KINDS))
    .option('--area <code>', 'only buildings in areas whose code starts with this, such as 13 or 13105', readArea)
    .action((count: number, { seed = randomBytes(6).toString('hex'), html, ...filters }: Options) =>
      withContext(async (context) => {
        const result = await audit(context, { count, seed, ...filters });
        if (result.audited.length < count)
          warn(`only ${result.audited.length} of the ${count} values asked for were found`);
        printAudit(result, print);
        const unwritten = html === undefined ? undefined : writePage(html, auditPage(result, context.now()));
        if (unwritten !== undefined) warn(unwritten);
        else if (html !== undefined) print(`written to ${printable(html, MAX_PATH)}`);
        const faults = countFaults(result);
        if (faults > 0) warn(`${faults} of them could not be checked, or contradict the stored evidence`);
        return faults > 0 || unwritten !== undefined ? EXIT.failed : EXIT.done;
      }),
    );
}

function readCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > MAX_VALUES) {
    throw new InvalidArgumentError(`Expected a whole number from 1 to ${MAX_VALUES}.`);
  }
  return count;
}

function readArea(text: string): string {
  if (!/^\d{2,12}$/.test(text)) throw new InvalidArgumentError('Expected two to twelve digits.');
  return text;
}

/** An audit takes minutes, so whether its page can be written is checked first. */
function readPagePath(path: string): string {
  const folder = dirname(path);
  if (lookAt(folder)?.isDirectory() !== true) {
    throw new InvalidArgumentError(`The folder ${printable(folder, MAX_PATH)} does not exist; create it first.`);
  }
  const known = lookAt(path);
  if (known?.isDirectory() === true) throw new InvalidArgumentError('This is a folder; name a file in it.');
  try {
    accessSync(known === undefined ? folder : path, constants.W_OK);
  } catch {
    throw new InvalidArgumentError('The file is not writable; name another, or change its permissions.');
  }
  return path;
}

function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Returns why the page could not be written, such as a full disk. */
function writePage(path: string, page: string): string | undefined {
  try {
    writeFileSync(path, page);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return `${printable(path, MAX_PATH)}: the page could not be written (${code}); run again with another --html and the same --seed`;
  }
}

const MAX_VALUE = 60;
const MAX_PIECES = 12;
const INDENT = '      ';

/** AUD-05: prints an aligned row for each value, and below it the rule and the raw bytes. */
function printAudit({ audited, seed, looked, published }: Audit, print: (line: string) => void): void {
  const rows = audited.map(rowOf);
  const header = ['#', 'building', 'field', 'value', 'source', 'record'];
  const widths = header.map((name, i) =>
    Math.max(stringWidth(name), ...rows.map((row) => stringWidth(row[i] as string))),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell + ' '.repeat((widths[i] as number) - stringWidth(cell)))
      .join('  ')
      .trimEnd();
  print(line(header));
  for (const [i, each] of audited.entries()) {
    print(line(rows[i] as string[]));
    for (const detail of detailsOf(each)) print(`${INDENT}${detail}`);
  }
  print(
    `${audited.length} value${audited.length === 1 ? '' : 's'}, drawn from ${looked} of ${published} published buildings; seed ${printable(seed)}`,
  );
}

function rowOf({ value }: Audited, i: number): string[] {
  const { building, kind, text, provenance } = value;
  const { source, sourceRecordId } = provenance;
  return [
    ...[String(i + 1), formatAssetId(building), kind, printable(text, MAX_VALUE)],
    ...[source, printable(sourceRecordId, MAX_VALUE)],
  ];
}

function detailsOf({ value, reason, origin, pieces, fault, inputs }: Audited): string[] {
  const details = [`rule   ${printable(reason.text, 1_000)}`];
  for (const { text, provenance } of value.alternatives) {
    details.push(`other  ${printable(text)} (${provenance.source} ${printable(provenance.sourceRecordId)})`);
  }
  if (origin !== undefined) details.push(`file   ${printable(origin.file, MAX_PATH)}, archived as ${origin.sha256}`);
  if (fault !== undefined) details.push(`fault  ${printable(fault, MAX_PATH)}`);
  for (const piece of pieces.slice(0, MAX_PIECES)) {
    const isCut = piece.isCut === true ? ', longer than shown' : '';
    details.push(
      `raw    ${printable(piece.what)} at ${piece.at} (${piece.bytes.length} bytes${isCut}): ${excerptOf(piece, value)}`,
    );
  }
  if (pieces.length > MAX_PIECES) details.push(`raw    ${pieces.length - MAX_PIECES} more; --html shows them`);
  for (const input of inputs) {
    details.push(`from   ${input.value.kind} ${printable(input.value.text)} (${input.value.provenance.source})`);
    details.push(...detailsOf(input).map((detail) => `  ${detail}`));
  }
  return details;
}

/** AUD-04: counts the values that could not be checked or that the evidence contradicts. */
function countFaults({ audited }: Audit): number {
  const isFaulty = ({ fault, reason, inputs }: Audited): boolean =>
    fault !== undefined || !reason.ok || inputs.some(isFaulty);
  return audited.filter(isFaulty).length;
}
