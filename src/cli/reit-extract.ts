import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { extractFilings } from '../pipeline/extract-filings.ts';
import { propertyCodeIn } from '../reit/extract/property-list.ts';
import { UNUSED_REASONS } from '../reit/extract/table-report.ts';
import { type BundleDraft, type HashedHistory, toBundle } from '../reit/extract/to-bundle.ts';
import { describeFault } from '../reit/publication/bundle.ts';
import { readBundle } from '../reit/publication/read-bundle.ts';
import { normaliseAlias, printable, printableLines, propertyCodeKey } from '../vocabulary/text.ts';
import { readMoment } from './arguments.ts';
import { EXIT, MAX_PATH, type Terminal } from './terminal.ts';

const MAX_LINE = 1_000;
/** A report has some hundreds of tables; the counts cover all of them. */
const MAX_TABLES = 10_000;

interface Options {
  property?: string;
  list?: true;
  out?: string;
  outDir?: string;
  retrievedAt?: string;
}

/** `reit extract`: makes a bundle of each property of an EDINET filing. Needs no database. */
export function addExtractCommand(reit: Command, terminal: Terminal): void {
  reit
    .command('extract')
    .description('make a bundle from what an EDINET filing states about a property')
    .argument('<path>', 'the package of a filing as a zip (type 1), or a folder with one or more of the same fund')
    .option('--property <code>', 'the number or name of the property in the filing')
    .option('--list', 'only list the properties of the filing')
    .option('--out <file>', 'write the bundle to a new file instead of standard output')
    .option('--out-dir <folder>', 'write a bundle for every property into this folder')
    .option('--retrieved-at <moment>', 'when the filing was fetched, such as 2026-01-31T00:00:00Z', readMoment)
    .action(async (path: string, options: Options) => {
      const reason = await extract(path, options, terminal);
      if (reason === undefined) return;
      terminal.warn(printableLines(reason));
      terminal.exitWith(EXIT.failed);
    });
}

/** Returns why nothing was written; undefined when done. */
async function extract(path: string, options: Options, terminal: Terminal): Promise<string | undefined> {
  const extraction = await extractFilings(path);
  if (!extraction.ok) return extraction.failure;
  const { filings, notes } = extraction.value;
  const properties = propertiesOf(filings);
  for (const note of [...notes, ...filings.flatMap((filing) => notesOf(filing, filings))])
    terminal.warn(printable(note, MAX_LINE));
  for (const filing of filings) for (const line of tableLines(filing)) terminal.warn(printable(line, MAX_LINE));
  if (options.list) {
    for (const line of listing(properties)) terminal.print(line);
    return undefined;
  }
  if (properties.size === 0) return 'no property table found in the filing';
  const chosen = choose(properties, options);
  if (typeof chosen === 'string') return chosen;
  const bundles = chosen.map((code) => toBundle(filings, code, options.retrievedAt ?? null));
  const refusal = write(bundles, options, terminal);
  if (refusal !== undefined) return refusal;
  for (const line of new Set(bundles.flatMap(toFillIn))) terminal.warn(`to fill in: ${line}`);
  return undefined;
}

/** The codes and names of the newest filing. */
function propertiesOf(filings: readonly HashedHistory[]): Map<string, string> {
  const properties = new Map<string, [code: string, nameJa: string]>();
  for (const filing of filings) {
    for (const { code, nameJa } of filing.properties) properties.set(propertyCodeKey(code), [code, nameJa]);
  }
  return new Map(properties.values());
}

function notesOf(filing: HashedHistory, filings: readonly HashedHistory[]): string[] {
  const { docID, amends, notes } = filing;
  const alone = amends !== null && filings.every((other) => other.docID !== amends);
  const parent = alone
    ? [`${docID} corrects ${amends}: give a folder with both, because it repeats only what it corrects`]
    : [];
  return [...notes.map((note) => `${docID}: ${note}`), ...parent];
}

/** Each unused table and why, then the counts. */
function* tableLines({ docID, tables }: HashedHistory): Generator<string> {
  const { seen, used, asText, unused } = tables;
  for (const { file, number, heading, reason } of unused.slice(0, MAX_TABLES)) {
    const under = heading === '' ? '' : ` 「${heading}」`;
    yield `${docID}: ${file} 表${number}${under}: not used: ${UNUSED_REASONS[reason]}`;
  }
  if (unused.length > MAX_TABLES) yield `${docID}: ${unused.length - MAX_TABLES} more tables are not used`;
  const counts = Object.entries(UNUSED_REASONS).flatMap(([reason, words]) => {
    const count = unused.filter((table) => table.reason === reason).length;
    return count === 0 ? [] : [`${count}: ${words}`];
  });
  const summary = `${docID}: ${seen} tables: ${used} used, ${asText} read as text, ${unused.length} not used`;
  yield counts.length === 0 ? summary : `${summary} (${counts.join('; ')})`;
}

const listing = (properties: ReadonlyMap<string, string>) =>
  [...properties].map(([code, name]) => `${printable(code)}  ${printable(name)}`);

/** A bundle, like a publication, is about one property. */
function choose(properties: ReadonlyMap<string, string>, { property, outDir }: Options): string[] | string {
  const codes = [...properties.keys()];
  if (property !== undefined) {
    const found = codes.filter(
      (code) =>
        code === propertyCodeIn(property) ||
        [code, properties.get(code) ?? ''].some((name) => normaliseAlias(name) === normaliseAlias(property)),
    );
    if (found.length === 1) return found;
    return [`no single property matches ${printable(property)}; the filing has:`, ...listing(properties)].join('\n');
  }
  if (outDir !== undefined || codes.length === 1) return codes;
  const problem = `a bundle is about one property, and the filing has ${codes.length}:`;
  return [problem, ...listing(properties), 'choose one with --property, or write all with --out-dir'].join('\n');
}

/** Never overwrites a file: its bundle may have been filled in. */
function write(bundles: readonly BundleDraft[], { out, outDir }: Options, terminal: Terminal): string | undefined {
  if (outDir === undefined && out === undefined) {
    for (const bundle of bundles) terminal.print(textOf(bundle));
    return undefined;
  }
  const names = new Set<string>();
  const files = bundles.map((bundle) => ({
    path: outDir === undefined ? (out as string) : join(outDir, nameOf(bundle, names)),
    bundle,
  }));
  const existing = files.find(({ path }) => existsSync(path));
  if (existing !== undefined)
    return `${printable(existing.path, MAX_PATH)}: the file already exists; nothing was written`;
  if (outDir !== undefined) mkdirSync(outDir, { recursive: true });
  for (const { path, bundle } of files) writeFileSync(path, `${textOf(bundle)}\n`, { flag: 'wx' });
  return undefined;
}

const textOf = (bundle: BundleDraft) => JSON.stringify(bundle, null, 2);

function nameOf({ issuer, holdings: [holding] }: BundleDraft, taken: Set<string>): string {
  let name = `${issuer.id}_${holding?.propertyCode}`.replace(/[^\p{Letter}\d_-]/gu, '_').slice(0, 80);
  while (taken.has(name)) name += '_';
  taken.add(name);
  return `${name}.json`;
}

const MAY_BE_NULL = new Set(['share', 'heldTo', 'supersedes']);

/** What compose would refuse: values that the filing does not state, and the match to a building. */
function toFillIn(bundle: BundleDraft): string[] {
  const unstated = nullsIn(bundle, '').map(
    (path) => `${path}: ${path.endsWith('/retrievedAt') ? 'give it with --retrieved-at' : 'not stated in the filing'}`,
  );
  if (unstated.length > 0) return [...unstated, '/matches: match the holding to its building'];
  const read = readBundle(bundle);
  return read.ok ? [] : read.failure.map(describeFault);
}

function nullsIn(value: unknown, at: string): string[] {
  if (value === null) return [at];
  if (typeof value !== 'object') return [];
  return Object.entries(value)
    .filter(([key, member]) => !(member === null && MAY_BE_NULL.has(key)))
    .flatMap(([key, member]) => nullsIn(member, `${at}/${key}`));
}
