import type { SourceFile } from '../../files/source-file.ts';

/** The files of one filing. */
export interface FilingPackage {
  /** The common path of its files. */
  path: string;
  docID: string | undefined;
  form: string;
  /** G… of a fund, E… of a company. */
  code: string;
  periodEnd: string;
  filedOn: string;
  /** The number of the filing of this period: 01, then 02 for an amendment. */
  filing: string;
  files: SourceFile[];
}

const FILE_NAME =
  /(?:^|\/)\d{7}_(header|honbun)_([a-z]+\d+-[a-z]+)-\d{3}_([EG]\d{5})-\d{3}_(\d{4}-\d{2}-\d{2})_(\d{2})_(\d{4}-\d{2}-\d{2})(?:_ixbrl)?\.html?$/u;
const DOC_ID = /(?:^|[/_.-])(S100[0-9A-Z]{4})(?=[/_.-]|$)/gu;

/** 第七号の三様式, the annual report of a REIT or of an infrastructure fund. */
const REIT_FORM = /^jpsps070300-asr$/u;

export function isFilingName(name: string): boolean {
  return FILE_NAME.test(name.replaceAll('\\', '/'));
}

/** Groups files into filings by their folders and names. */
export function groupPackages(files: readonly SourceFile[]): FilingPackage[] {
  const packages = new Map<string, FilingPackage>();
  for (const file of files) {
    const name = file.name.replaceAll('\\', '/');
    const match = FILE_NAME.exec(name);
    if (match === null) continue;
    const [, , form = '', code = '', periodEnd = '', filing = '', filedOn = ''] = match;
    const folder = name.slice(0, name.lastIndexOf('/') + 1);
    const path = folder.replace(/XBRL\/PublicDoc\/$/u, '').replace(/\/$/u, '');
    const key = [path, form, code, periodEnd, filing, filedOn].join('|');
    const docID = [...folder.matchAll(DOC_ID)].at(-1)?.[1];
    const known = packages.get(key) ?? { path, docID, form, code, periodEnd, filedOn, filing, files: [] };
    known.files.push(file);
    packages.set(key, known);
  }
  const list = [...packages.values()];
  for (const { files: own } of list) own.sort((a, b) => (baseName(a) < baseName(b) ? -1 : 1));
  return list.sort(newestFirst);
}

export function isReitReport({ form, code }: FilingPackage): boolean {
  return REIT_FORM.test(form) && code.startsWith('G');
}

function newestFirst(a: FilingPackage, b: FilingPackage): number {
  const [keyA, keyB] = [a, b].map(({ periodEnd, filedOn, filing, path }) =>
    [periodEnd, filedOn, filing, path].join('|'),
  );
  return (keyA as string) < (keyB as string) ? 1 : -1;
}

function baseName({ name }: SourceFile): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
}

/** REC-10: the public page of the document. */
export function viewerUrl(docID: string): string {
  return `https://disclosure2.edinet-fsa.go.jp/WZEK0040.aspx?${docID}`;
}
