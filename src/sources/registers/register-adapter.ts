import { BrokenFile, untilBroken } from '../../files/broken-file.ts';
import type { SourceFile } from '../../files/source-file.ts';
import { isWebAddress } from '../../vocabulary/source-url.ts';
import type { Source } from '../../vocabulary/sources.ts';
import { cleanText, printable } from '../../vocabulary/text.ts';
import type { Adapter, Item, Reading } from '../adapter.ts';
import { type Draft, newDraft, noteHidden } from '../draft.ts';
import { isBlankCell } from './cells.ts';
import { type RegisterLayout, type RegisterRow, readTable, requiredHeaders, type TableItem } from './read-table.ts';

/** A register published as a table with one or more rows per building. */
interface RegisterDefinition<K extends string> {
  source: Source;
  layout: RegisterLayout<K>;
  /** The column of the register's ID. */
  id: K;
  /** The column with the page of the building, if any. */
  url?: K;
  /** The page of the register. */
  page: string;
  /** How the preamble states the number of buildings. */
  stated?: RegExp;
  /** Adds the values of a row, or returns why the row is rejected. */
  describe(draft: Draft, row: RegisterRow<K>, reading: Reading): string | undefined;
}

/**
 * The rows of a building need not be adjacent, so records are held until the end of the file. A register of Tokyo has about
 * ten thousand buildings; in a longer file the records are released in groups of this size.
 */
const GATHERED = 20_000;
const PORTION = 500;
const MAX_ID_LENGTH = 200;
const MAX_URL_LENGTH = 2_000;
const NO_ADDRESS = 'no readable 所在地, so no building can be found for it';

export function registerAdapter<K extends string>(register: RegisterDefinition<K>): Adapter {
  return {
    source: register.source,
    expected: `.csv tables with the columns ${requiredHeaders(register.layout).join(', ')}`,
    reads: (name) => /(?:^|\/)[^./][^/]*\.csv$/iu.test(name),
    async *read(files, reading) {
      for (const file of files) yield* untilBroken(file.name, readRegister(register, file, reading));
    },
  };
}

async function* readRegister<K extends string>(
  register: RegisterDefinition<K>,
  file: SourceFile,
  reading: Reading,
): AsyncGenerator<Item[]> {
  const gathered = new Map<string, { line: number; draft: Draft }>();
  let stated = 0;
  let seen = 0;
  let fault: BrokenFile | undefined;

  const take = (item: TableItem<K>): Item[] => {
    switch (item.kind) {
      case 'preamble':
        stated = countIn(item.cells, register.stated) ?? stated;
        return [];
      case 'missing': {
        const reason = `no column ${item.header}: its values are left out`;
        return [{ kind: 'note', at: { file: file.name, line: item.line }, record: null, reason }];
      }
      case 'unusable':
        return [reject(item.line, null, item.reason)];
      case 'row':
        return takeRow(item.row);
    }
  };
  const takeRow = (row: RegisterRow<K>): Item[] => {
    const id = isBlankCell(row.cell(register.id)) ? '' : cleanText(row.cell(register.id).normalize('NFKC'));
    const idHeader = register.layout.columns[register.id].headers[0];
    if (id === '') return [reject(row.line, null, `no ${idHeader}: add it, since it identifies the record`)];
    if (id.length > MAX_ID_LENGTH) return [reject(row.line, null, `${idHeader} is too long`)];
    const draft = newDraft(id, register.page, 'disclosure-table');
    setUrl(draft, register, row, reading);
    for (const column of Object.keys(register.layout.columns) as K[]) {
      noteHidden(draft, register.layout.columns[column].headers[0] ?? column, row.cell(column));
    }
    const fault = register.describe(draft, row, reading);
    if (fault !== undefined) return [reject(row.line, id, fault)];
    if (!draft.observations.some(({ field }) => field === 'addressJa')) return [reject(row.line, id, NO_ADDRESS)];
    const known = gathered.get(id);
    if (known === undefined) gathered.set(id, { line: row.line, draft });
    else joinDrafts(known.draft, draft, row.line);
    return [];
  };
  const reject = (line: number, record: string | null, reason: string): Item => ({
    kind: 'rejected',
    at: { file: file.name, line },
    record: record === null ? null : printable(record, 60),
    reason,
  });
  const release = function* (): Generator<Item[]> {
    let portion: Item[] = [];
    for (const { line, draft } of gathered.values()) {
      const at = { file: file.name, line };
      const notes = draft.notes.map((reason): Item => ({ kind: 'note', at, record: draft.sourceRecordId, reason }));
      portion.push(...notes, { kind: 'record', at, record: draft });
      if (portion.length >= PORTION) {
        yield portion;
        portion = [];
      }
    }
    if (portion.length > 0) yield portion;
    seen += gathered.size;
    gathered.clear();
  };

  try {
    for await (const items of readTable(file, register.layout)) {
      const found = items.flatMap(take);
      seen += found.filter(({ kind }) => kind === 'rejected').length;
      if (found.length > 0) yield found;
      if (gathered.size >= GATHERED) yield* release();
    }
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
    fault = error;
  }
  yield* release();
  if (fault !== undefined) throw fault;
  if (seen < stated) {
    const reason = `${stated} buildings stated, ${seen} found: the file may be cut off or an excerpt`;
    yield [{ kind: 'note', at: { file: file.name, line: 1 }, record: null, reason }];
  }
}

function countIn(cells: readonly string[], pattern: RegExp | undefined): number | undefined {
  const match = pattern?.exec(cells.join(' ').slice(0, 1_000).normalize('NFKC'));
  return match?.[1] === undefined ? undefined : Number(match[1].replaceAll(',', ''));
}

/** The page of the row, else the URL that the operator gave, else the page of the register. */
function setUrl<K extends string>(
  draft: Draft,
  { url, page }: RegisterDefinition<K>,
  row: RegisterRow<K>,
  reading: Reading,
): void {
  draft.sourceUrl = reading.url !== undefined && isUrl(reading.url) ? reading.url : page;
  const own = url === undefined || isBlankCell(row.cell(url)) ? undefined : row.cell(url);
  if (own === undefined) return;
  if (isUrl(own)) draft.sourceUrl = own;
  else draft.notes.push('URL must be an http or https address');
}

function isUrl(text: string): boolean {
  return text.length <= MAX_URL_LENGTH && text.isWellFormed() && isWebAddress(text);
}

/**
 * Adds a further row of a building. The rows differ in the use and repeat the rest, so the first value of a field is kept;
 * flats for sale in one row and to let in another are mixed.
 */
function joinDrafts(first: Draft, next: Draft, line: number): void {
  const differing: string[] = [];
  for (const observation of next.observations) {
    const known = first.observations.find(({ field }) => field === observation.field);
    if (known === undefined) first.observations.push(observation);
    else if (known.value === observation.value) continue;
    else if (known.field === 'tenure') known.value = 'mixed';
    else differing.push(known.field);
  }
  if (differing.length > 0) {
    first.notes.push(`line ${line} has another ${differing.join(', ')}; the first row is kept`);
  }
  for (const note of next.notes) if (!first.notes.includes(note)) first.notes.push(note);
}
