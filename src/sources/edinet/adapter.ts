import { untilBroken } from '../../files/broken-file.ts';
import type { SourceFile } from '../../files/source-file.ts';
import type { Adapter, Item, Reading } from '../adapter.ts';
import { groupPackages, isFilingName } from './packages.ts';
import { Lists, readListCsv, readListJson } from './read-lists.ts';
import { readPackage } from './read-package.ts';

/** A filing as CSV (type 5). */
const CSV_FORM = /(?:^|[\\/])jp[a-z]{3}\d{6}-[a-z]+-\d{3}_[^\\/]*\.csv$/iu;
const CUT = 'a filing as CSV (type 5) is cut at 30,000 characters and is not read: give the package of type 1';

/** EDINET: the properties that REITs list in their annual reports. */
export const edinet: Adapter = {
  source: 'edinet',
  expected:
    'a filing package (type 1, zip or folder), a document list (.csv or .json), or the list of fund codes (.csv)',
  reads: (name) => isFilingName(name) || /\.(?:csv|json)$/iu.test(name),
  ignores: (name) => /(?:^|\/)XBRL\//u.test(name),
  read,
};

async function* read(files: readonly SourceFile[], _: Reading): AsyncGenerator<Item[]> {
  const lists = new Lists();
  for (const file of files) {
    if (CSV_FORM.test(file.name)) yield [{ kind: 'foreign', file: file.name, reason: CUT }];
    else if (/\.csv$/iu.test(file.name)) yield* untilBroken<Item>(file.name, readListCsv(file, lists));
    if (/\.json$/iu.test(file.name)) yield* untilBroken<Item>(file.name, readListJson(file, lists));
  }
  const given = new Set<string>();
  for (const filing of groupPackages(files)) yield* readPackage(filing, lists, given);
}
