import { BrokenFile, ForeignFile } from '../../files/broken-file.ts';
import { decodeText } from '../../files/decode-text.ts';
import { readCsv } from '../../files/read-csv.ts';
import type { SourceFile } from '../../files/source-file.ts';
import { cleanText } from '../../vocabulary/text.ts';
import type { Item } from '../adapter.ts';

interface ListedDocument {
  docID: string;
  edinetCode: string;
  fundCode: string;
  periodEnd: string;
  filedOn: string;
  /** Japanese time to the minute: 2026-05-28 09:00. */
  submitted: string;
  /** The document that it amends. */
  parent: string;
  /** Its title with the period: 有価証券報告書（内国投資証券）－第41期(2025/12/01－2026/05/31). */
  description: string;
  withdrawn: boolean;
}

/** The filings of document lists, and the funds of the list of fund codes. */
export class FilingLists {
  readonly #documents = new Map<string, ListedDocument>();
  readonly #byFiling = new Map<string, Set<string>>();
  readonly #funds = new Map<string, string>();
  readonly #filers = new Map<string, string>();

  addDocument(row: Readonly<Record<string, unknown>>): void {
    const text = (key: string) => (typeof row[key] === 'string' ? row[key].trim() : '');
    const document = {
      docID: text('docID'),
      edinetCode: text('edinetCode'),
      fundCode: text('fundCode'),
      periodEnd: text('periodEnd'),
      filedOn: text('submitDateTime').slice(0, 10),
      submitted: text('submitDateTime'),
      parent: text('parentDocID'),
      description: text('docDescription').slice(0, 200),
      withdrawn: !['', '0'].includes(text('withdrawalStatus')),
    };
    // The filer is the REIT only for REITs; a securities fund is filed by its manager.
    if (!/^S[0-9A-Z]{7}$/u.test(document.docID) || document.fundCode === '') return;
    this.#documents.set(document.docID, document);
    const key = [document.fundCode, document.periodEnd, document.filedOn].join('|');
    this.#byFiling.set(key, (this.#byFiling.get(key) ?? new Set()).add(document.docID));
    const filer = cleanText(text('filerName'));
    if (filer.includes('投資法人')) this.#filers.set(document.fundCode, filer);
  }

  addFund(code: string, name: string): void {
    if (/^G\d{5}$/u.test(code) && name.includes('投資法人')) this.#funds.set(code, cleanText(name));
  }

  /** The only document of a fund, period and day; undefined if there is none or more than one. */
  findDocument(fundCode: string, periodEnd: string, filedOn: string): string | undefined {
    const found = this.#byFiling.get([fundCode, periodEnd, filedOn].join('|'));
    return found?.size === 1 ? [...found][0] : undefined;
  }

  document(docID: string): ListedDocument | undefined {
    return this.#documents.get(docID);
  }

  isWithdrawn(docID: string): boolean {
    return this.#documents.get(docID)?.withdrawn === true;
  }

  fundName(code: string): string | undefined {
    return this.#funds.get(code) ?? this.#filers.get(code);
  }
}

const FUND_CODE = 'ファンドコード';
const HEADER_WITHIN = 5;

/** Reads a CSV: a document list or the list of fund codes. */
export async function* readListCsv(file: SourceFile, lists: FilingLists): AsyncGenerator<Item[]> {
  let header: string[] | undefined;
  let seen = 0;
  for await (const rows of readCsv(file)) {
    for (const { cells } of rows) {
      seen += 1;
      if (header === undefined) {
        const isHeader = cells.includes('docID') || cells.includes(FUND_CODE);
        if (isHeader) header = cells;
        else if (seen >= HEADER_WITHIN) break;
      } else if (header.includes('docID')) {
        lists.addDocument(Object.fromEntries(header.map((key, index) => [key, cells[index] ?? ''])));
      } else lists.addFund(cells[header.indexOf(FUND_CODE)] ?? '', cells[header.indexOf('ファンド名')] ?? '');
    }
    if (header === undefined && seen >= HEADER_WITHIN) break;
  }
  if (header !== undefined) return;
  throw new ForeignFile(
    'neither a document list nor the list of fund codes; properties are read only from packages of type 1',
  );
}

const MAX_JSON = 64 << 20;
const NO_LIST = 'not a document list of the EDINET API: no "results"';

/** Reads the document list of the API: `{"metadata": …, "results": […]}`. */
export async function* readListJson(file: SourceFile, lists: FilingLists): AsyncGenerator<Item[]> {
  if (file.size > MAX_JSON) throw new BrokenFile('too large for a document list');
  const pieces: string[] = [];
  let length = 0;
  for await (const text of decodeText(file.bytes(), 'utf-8')) {
    length += text.length;
    if (length > MAX_JSON) throw new BrokenFile('too large for a document list');
    pieces.push(text);
  }
  const list = parseJson(pieces.join(''));
  const results = typeof list === 'object' && list !== null && 'results' in list ? list.results : undefined;
  if (!Array.isArray(results)) {
    const isReply = typeof list === 'object' && list !== null && ('statusCode' in list || 'metadata' in list);
    throw isReply ? new BrokenFile(`${NO_LIST}; possibly an error reply`) : new ForeignFile(NO_LIST);
  }
  for (const row of results) if (typeof row === 'object' && row !== null) lists.addDocument(row);
  yield [];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BrokenFile('not valid JSON: the file may be cut off');
  }
}
