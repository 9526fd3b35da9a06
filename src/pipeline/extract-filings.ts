import { hash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { BrokenFile, untilBroken } from '../files/broken-file.ts';
import type { SourceFile } from '../files/source-file.ts';
import { digestOf } from '../files/verified-file.ts';
import { readHistory } from '../reit/extract/read-history.ts';
import type { HashedHistory } from '../reit/extract/to-bundle.ts';
import type { Item } from '../sources/adapter.ts';
import { edinet } from '../sources/edinet/adapter.ts';
import { FilingLists, readListCsv, readListJson } from '../sources/edinet/filing-lists.ts';
import { type FilingPackage, groupPackages, isFilingName, isReitReport } from '../sources/edinet/packages.ts';
import { fail, ok, type Result } from '../vocabulary/result.ts';
import { printable } from '../vocabulary/text.ts';
import { isZip, listFiles } from './list-files.ts';
import { type ArchivedFile, openFiles } from './open-files.ts';

interface Extraction {
  filings: HashedHistory[];
  notes: string[];
}

const MAX_PATH = 4_096;
const NO_ID =
  'its document ID is not known: name its folder or zip by it (S100….zip), or give a folder with the document list of the day it was filed';

/** Reads all filings in a zip or a folder, or none: a part of a filing would look complete. */
export async function extractFilings(root: string): Promise<Result<Extraction, string>> {
  const shown = printable(root, MAX_PATH);
  if (statSync(root, { throwIfNoEntry: false }) === undefined) return fail(`${shown}: no such file or folder`);
  // The folder may be given as `.`, but its name may be the document ID.
  const found = listFiles(resolve(root), edinet);
  const [fault] = found.faults;
  if (fault !== undefined) return fail(`${printable(fault.file, MAX_PATH)}: ${fault.reason}`);
  const files = await Promise.all(found.files.map((file) => hashed(file)));
  const opened = await openFiles(files, edinet);
  try {
    const [broken] = opened.broken;
    if (broken !== undefined) return fail(`${printable(broken.file, MAX_PATH)}: ${broken.reason}`);
    return await readAll(opened.files, files, shown);
  } finally {
    opened.close();
  }
}

async function readAll(
  opened: readonly (SourceFile & { sha256: string })[],
  files: readonly ArchivedFile[],
  shown: string,
): Promise<Result<Extraction, string>> {
  const lists = new FilingLists();
  const notes: string[] = [];
  const filings: HashedHistory[] = [];
  try {
    for (const file of opened) notes.push(...(await readList(file, lists)));
    // Oldest first, so that the periods of a filing are known to its corrections.
    for (const filing of groupPackages(opened).reverse()) {
      const name = printable(filing.path || shown, MAX_PATH);
      if (!isReitReport(filing)) {
        notes.push(`${name}: not an annual report of a REIT (${printable(filing.form)})`);
        continue;
      }
      const docID = filing.docID ?? lists.findDocument(filing.code, filing.periodEnd, filing.filedOn);
      if (docID === undefined) return fail(`${name}: ${NO_ID}`);
      if (lists.isWithdrawn(docID)) {
        notes.push(`${docID} was withdrawn by its filer and is left out`);
        continue;
      }
      if (filings.some((other) => other.docID === docID)) return fail(`${name}: ${docID} occurs more than once`);
      const known = filings.filter(({ fundCode }) => fundCode === filing.code).flatMap(({ periods }) => periods);
      const history = await readHistory(filing, docID, lists, known);
      filings.push({ ...history, contentHash: contentHashOf(filing, files, opened) });
    }
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
    return fail(`${shown}: ${error.message}`);
  }
  const funds = new Set(filings.map(({ fundCode }) => fundCode));
  if (filings.length === 0) return fail([`${shown}: contains no annual report of a REIT`, ...notes].join('; '));
  if (funds.size > 1) return fail(`${shown}: it has filings of several funds (${[...funds].join(', ')}): give one`);
  return ok({ filings, notes });
}

/** Another file may be a document list; if it is not, a note says so. */
async function readList(file: SourceFile, lists: FilingLists): Promise<string[]> {
  if (isFilingName(file.name)) return [];
  const reading = /\.json$/iu.test(file.name) ? readListJson(file, lists) : readListCsv(file, lists);
  const notes: string[] = [];
  for await (const items of untilBroken<Item>(file.name, reading)) {
    for (const item of items) if ('reason' in item) notes.push(`${file.name}: ${item.reason}`);
  }
  return notes;
}

async function hashed({ path, name }: { path: string; name: string }): Promise<ArchivedFile> {
  return { root: path, name, path, ...(await digestOf(createReadStream(path))) };
}

/** The hash of the zip as given; for a folder, of the hashes and names of the filing's files. */
function contentHashOf(
  filing: FilingPackage,
  files: readonly ArchivedFile[],
  opened: readonly (SourceFile & { sha256: string })[],
): string {
  const inZip = ({ name }: ArchivedFile) => filing.files.every((file) => file.name.startsWith(`${name}/`));
  const zip = files.find((file) => isZip(file.name) && inZip(file));
  if (zip !== undefined) return `sha256:${zip.sha256}`;
  const sums = new Map(opened.map(({ name, sha256 }) => [name, sha256]));
  const lines = filing.files.map(({ name }) => `${sums.get(name)}  ${name.slice(name.lastIndexOf('/') + 1)}\n`);
  return `sha256:${hash('sha256', lines.join(''))}`;
}
