import { ZipFile } from 'yazl';

type Value = string | number | { style: number; value: number } | undefined;

/** Styles by number: 1 percent, 2 a day, 3 a month. */
const STYLES = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts><numFmt numFmtId="180" formatCode="yyyy&quot;年&quot;m&quot;月&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="10"/><xf numFmtId="14"/><xf numFmtId="180"/></cellXfs></styleSheet>`;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
export const letter = (column: number) => String.fromCharCode(65 + column);

export interface SheetContent {
  name: string;
  rows: Record<number, Value[]>;
  merged?: string[];
}

/** A workbook as saved by a spreadsheet: shared strings with pronunciations, numbers with styles. */
export function workbook(...sheets: SheetContent[]): Promise<Buffer> {
  const strings: string[] = [];
  const cell = (value: Value, reference: string): string => {
    if (value === undefined) return '';
    if (typeof value === 'number') return `<c r="${reference}"><v>${value}</v></c>`;
    if (typeof value === 'object') return `<c r="${reference}" s="${value.style}"><v>${value.value}</v></c>`;
    strings.push(value);
    return `<c r="${reference}" t="s"><v>${strings.length - 1}</v></c>`;
  };
  const parts: Record<string, string> = {
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${sheets.map(({ name }, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${sheets.map((_, at) => `<Relationship Id="rId${at + 1}" Target="worksheets/sheet${at + 1}.xml"/>`).join('')}</Relationships>`,
    'xl/styles.xml': STYLES,
  };
  sheets.forEach(({ rows, merged = [] }, at) => {
    const lines = Object.entries(rows).map(
      ([line, values]) =>
        `<row r="${line}">${values.map((value, column) => cell(value, `${letter(column)}${line}`)).join('')}</row>`,
    );
    parts[`xl/worksheets/sheet${at + 1}.xml`] =
      `<worksheet><sheetData>${lines.join('')}</sheetData><mergeCells>${merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells></worksheet>`;
  });
  const items = strings.map((text) => `<si><t>${escaped(text)}</t><rPh sb="0" eb="1"><t>ヨミ</t></rPh></si>`);
  parts['xl/sharedStrings.xml'] = `<sst>${items.join('')}</sst>`;
  return zipOf(parts);
}

export async function zipOf(parts: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content as Buffer), path);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
