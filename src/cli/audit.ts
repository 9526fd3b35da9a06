import { randomBytes } from 'node:crypto';
import { accessSync, constants, type Stats, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { audit } from '../audit/audit.ts';
import type { AuditedField } from '../audit/published-values.ts';
import type { Context } from '../pipeline/context.ts';
import { FIELD_NAMES } from '../vocabulary/fields.ts';
import type { Source } from '../vocabulary/sources.ts';
import { printable } from '../vocabulary/text.ts';
import { auditPage } from './audit-html.ts';
import { countFaults, printAudit } from './audit-table.ts';
import { MAX_PATH } from './terminal.ts';

const MOST_VALUES = 10_000;
const KINDS: readonly AuditedField[] = [...FIELD_NAMES, 'footprint', 'venues'];

interface Options {
  seed?: string;
  html?: string;
  source?: Source;
  field?: AuditedField;
  area?: string;
}

interface AuditTerminal {
  print(line: string): void;
  tell(line: string): void;
  withContext(work: (context: Context) => Promise<number | undefined>): Promise<void>;
  readSource(text: string): string;
}

/** `tatemono audit <n>`: published values beside the bytes they come from. */
export function addAuditCommand(program: Command, { print, tell, withContext, readSource }: AuditTerminal): void {
  program
    .command('audit')
    .description(
      'show published values at random, each beside the raw record of its source and the rule that made it win',
    )
    .argument('<n>', `how many values, 1 to ${MOST_VALUES}`, readCount)
    .option('--seed <text>', 'draw the same values again; printed at the end')
    .option('--html <file>', 'write a page with the whole records too', readPagePath)
    .option('--source <source>', 'only values that this source won', readSource)
    .option('--field <field>', 'only values of this field', readKind)
    .option('--area <code>', 'only buildings in areas whose code begins like this, such as 13 or 13105', readArea)
    .action((count: number, { seed = randomBytes(6).toString('hex'), html, ...filters }: Options) =>
      withContext(async (context) => {
        const result = await audit(context, { count, seed, ...filters });
        if (result.audited.length < count) tell(`fewer values match than asked for: ${result.audited.length}`);
        printAudit(result, print);
        const unwritten = html === undefined ? undefined : writePage(html, auditPage(result, context.now()));
        if (unwritten !== undefined) tell(unwritten);
        else if (html !== undefined) print(`written to ${printable(html, MAX_PATH)}`);
        const faults = countFaults(result);
        if (faults > 0) tell(`${faults} of them could not be checked, or disagree with the stored evidence`);
        return faults > 0 || unwritten !== undefined ? 1 : 0;
      }),
    );
}

function readCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > MOST_VALUES) {
    throw new InvalidArgumentError(`It is a whole number from 1 to ${MOST_VALUES}.`);
  }
  return count;
}

function readKind(text: string): string {
  if (!(KINDS as readonly string[]).includes(text)) throw new InvalidArgumentError(`It is one of ${KINDS.join(', ')}.`);
  return text;
}

function readArea(text: string): string {
  if (!/^\d{2,12}$/.test(text)) throw new InvalidArgumentError('It is two to twelve digits.');
  return text;
}

/** An audit takes minutes: whether its page can be written is known before. */
function readPagePath(path: string): string {
  const folder = dirname(path);
  if (lookAt(folder)?.isDirectory() !== true) {
    throw new InvalidArgumentError(`There is no folder ${printable(folder, MAX_PATH)}: create it first.`);
  }
  const known = lookAt(path);
  if (known?.isDirectory() === true) throw new InvalidArgumentError('It is a folder: name a file in it.');
  try {
    accessSync(known === undefined ? folder : path, constants.W_OK);
  } catch {
    throw new InvalidArgumentError('It may not be written: name another file, or change the permissions.');
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

/** Why the page could not be written, such as for want of space. */
function writePage(path: string, page: string): string | undefined {
  try {
    writeFileSync(path, page);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return `${printable(path, MAX_PATH)}: the page could not be written (${code}); run it again with another --html and the same --seed`;
  }
}
