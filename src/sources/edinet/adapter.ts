import type { Adapter, Item, Reading, SourceFile } from '../adapter.ts';
import { untilBroken } from '../broken-file.ts';
import { groupPackages, isFilingName } from './packages.ts';
import { Lists, readListCsv, readListJson } from './read-lists.ts';
import { readPackage } from './read-package.ts';

/** EDINET: the properties that REITs list in their annual reports. */
export const edinet: Adapter = {
  source: 'edinet',
  reads: (name) => isFilingName(name) || /\.(?:csv|json)$/iu.test(name),
  read,
};

async function* read(files: readonly SourceFile[], _: Reading): AsyncGenerator<Item[]> {
  const lists = new Lists();
  for (const file of files) {
    if (/\.csv$/iu.test(file.name)) yield* untilBroken<Item>(file.name, readListCsv(file, lists));
    if (/\.json$/iu.test(file.name)) yield* untilBroken<Item>(file.name, readListJson(file, lists));
  }
  const given = new Set<string>();
  for (const filing of groupPackages(files)) yield* readPackage(filing, lists, given);
}
