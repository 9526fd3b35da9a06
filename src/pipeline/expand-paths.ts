import { createReadStream, statSync } from 'node:fs';
import { faultOf } from '../files/walk-folder.ts';
import type { Report } from './context.ts';
import { sayArchives, sayPassedOver } from './passed-over.ts';
import { refusalOf } from './refuse-file.ts';
import { type FileRules, isZip, listFiles } from './source-files.ts';

const RECORDS: FileRules = {
  expected: '.ndjson in the record format',
  reads: (name) => /\.ndjson$/i.test(name),
  readsNamed: () => true,
};

/** The files of records that are named, and in place of a folder those below it; what is none is reported. */
export async function expandPaths(paths: readonly string[], report: Report): Promise<string[]> {
  const found: string[] = [];
  const taken = new Set<string>();
  for (const path of paths) {
    const { root, kind, files, passedOver, faults } = listFiles(path, RECORDS);
    for (const { file, reason } of faults) report.broken(file, reason);
    const read = kind === 'folder' ? files.filter(({ name }) => !isZip(name)) : files;
    const unread = files.filter((file) => !read.includes(file)).map(({ name }) => name);
    let refused = 0;
    for (const { path: file, real } of read) {
      const refusal = await refusalAt(file);
      if (refusal !== undefined) {
        refused += 1;
        report.broken(file, refusal);
      } else if (!taken.has(real)) found.push(file);
      taken.add(real);
    }
    if (kind !== 'folder') continue;
    if (read.length === 0 && faults.length === 0) {
      sayArchives(report, root, passedOver);
      report.broken(root, `the folder has no file of this source; expected ${RECORDS.expected}`);
    } else if (read.length > refused) sayPassedOver(report, root, [...passedOver, ...unread]);
  }
  return found;
}

async function refusalAt(path: string): Promise<string | undefined> {
  try {
    const { size } = statSync(path);
    const bytes = () => createReadStream(path);
    const refusal = await refusalOf('records', { name: path, size, bytes });
    return refusal?.reason;
  } catch (error) {
    return faultOf(error);
  }
}
