import { untilBroken } from '../../files/broken-file.ts';
import type { SourceFile } from '../../files/source-file.ts';
import type { Adapter, FileLine, Item, Reading } from '../adapter.ts';
import { type DisclosedTable, findLayout } from '../disclosure/disclosed-table.ts';
import { isAbroad } from '../disclosure/names.ts';
import { Portfolio, type Property, propertyDraft, propertyId } from '../disclosure/portfolio.ts';
import { type PropertyRow, readLabelledProperty, readPropertyRows } from '../disclosure/property-row.ts';
import { FilingLists, readListCsv, readListJson } from './filing-lists.ts';
import { type FilingPackage, groupPackages, isFilingName, isReitReport, viewerUrl } from './packages.ts';
import { readFiling } from './read-filing.ts';

/** A file of the CSV form (type 5) of a filing. */
const CSV_FORM = /(?:^|[\\/])jp[a-z]{3}\d{6}-[a-z]+-\d{3}_[^\\/]*\.csv$/iu;
const CUT = 'a filing as CSV (type 5) is cut at 30,000 characters and not read; use the package of type 1';

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
  const lists = new FilingLists();
  for (const file of files) {
    if (CSV_FORM.test(file.name)) yield [{ kind: 'foreign', file: file.name, reason: CUT }];
    else if (/\.csv$/iu.test(file.name)) yield* untilBroken<Item>(file.name, readListCsv(file, lists));
    if (/\.json$/iu.test(file.name)) yield* untilBroken<Item>(file.name, readListJson(file, lists));
  }
  const given = new Set<string>();
  for (const filing of groupPackages(files)) yield* readPackage(filing, lists, given);
}

const PORTION = 200;
const HEADER_WITHIN = 4;
const MAX_PROPERTIES = 20_000;
const NOT_HELD = /(?:取得|譲渡|売却|処分)予定(?:資産|物件|の)/u;
/** A longer line above a table is not its title. */
const TITLE = 60;

/** The properties of one filing, except those that a newer filing of the same ingest has given. */
async function* readPackage(filing: FilingPackage, lists: FilingLists, given: Set<string>): AsyncGenerator<Item[]> {
  const at: FileLine = { file: filing.path || (filing.files[0] as SourceFile).name, line: 1 };
  const note = (reason: string): Item => ({ kind: 'note', at, record: null, reason });
  if (!isReitReport(filing)) {
    yield [note(`not an annual report of a REIT (${filing.form}); no properties read`)];
    return;
  }
  const docID = filing.docID ?? lists.findDocument(filing.code, filing.periodEnd, filing.filedOn);
  if (docID === undefined) {
    const reason =
      'unknown document ID; name the folder or zip after it (S100….zip), or read it together with the document list of its filing day';
    yield [{ kind: 'broken', file: at.file, reason }];
    return;
  }
  if (lists.isWithdrawn(docID)) {
    yield [note(`${docID} was withdrawn by its filer; no properties read`)];
    return;
  }
  // The tables of the property blocks are used if they have any property; else those of the whole filing.
  const inBlocks = new Portfolio();
  const elsewhere = new Portfolio();
  let stated: string | undefined;
  for (const file of filing.files) {
    const reading = readFiling(file, {
      table: (table, inBlock) => addTable(inBlock ? inBlocks : elsewhere, file.name, table),
      fundName: (name) => {
        if (name.includes('投資法人')) stated ??= name;
      },
    });
    yield* untilBroken<Item>(file.name, withoutItems(reading));
  }
  const properties = (inBlocks.size > 0 ? inBlocks : elsewhere).properties();
  if (properties.length === 0) yield [note(`no property table in ${docID}`)];
  yield* toItems(properties, filing, docID, lists.fundName(filing.code) ?? stated, given, note);
}

async function* withoutItems(reading: AsyncIterable<void>): AsyncGenerator<never[]> {
  for await (const _ of reading) yield [];
}

function addTable(portfolio: Portfolio, file: string, table: DisclosedTable): void {
  if (table.above.some((line) => line.length <= TITLE && NOT_HELD.test(line))) return;
  portfolio.beginTable();
  for (const row of rowsOf(table)) if (portfolio.size < MAX_PROPERTIES) portfolio.add(file, row);
}

function* rowsOf(table: DisclosedTable): Generator<PropertyRow> {
  const labelled = readLabelledProperty(table);
  if (labelled !== undefined) {
    yield labelled;
    return;
  }
  const layout = findLayout(table, HEADER_WITHIN);
  if (layout === undefined || layout.columns.has('planned') || layout.columns.has('sold')) return;
  yield* readPropertyRows(table.rows.slice(layout.body), layout);
}

function* toItems(
  properties: readonly Property[],
  filing: FilingPackage,
  docID: string,
  owner: string | undefined,
  given: Set<string>,
  note: (reason: string) => Item,
): Generator<Item[]> {
  const url = viewerUrl(docID);
  let items: Item[] = [];
  let passed = 0;
  for (const property of properties) {
    const record = propertyId(filing.code, property);
    const at = { file: property.file, line: property.line };
    if (given.has(record)) {
      passed += 1;
      continue;
    }
    given.add(record);
    const address = property.values.get('addressJa')?.[0];
    if (typeof address === 'string' && isAbroad(address)) {
      items.push({ kind: 'note', at, record, reason: 'not in Japan; left out' });
      continue;
    }
    const draft = propertyDraft(record, url, property, owner);
    for (const reason of draft.notes) items.push({ kind: 'note', at, record, reason });
    items.push({ kind: 'record', at, record: draft });
    if (items.length >= PORTION) {
      yield items;
      items = [];
    }
  }
  if (passed > 0) items.push(note(`${passed} properties of ${docID} are in a newer filing of this ingest`));
  if (items.length > 0) yield items;
}
