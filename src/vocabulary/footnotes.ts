/** Digits in circles and brackets (①, ⑴, ❶, ㊿), for a character class. */
export const CIRCLED = '\\u2460-\\u24ff\\u2776-\\u2793\\u3251-\\u325f\\u32b1-\\u32bf\\u{1f100}-\\u{1f10c}';
const RAISED = '\\u00b2\\u00b3\\u00b9\\u2070\\u2074-\\u2079\\u207d\\u207e\\u2080-\\u2089\\u208d\\u208e';

const IN_BRACKETS = /[（(［[]\s*(?:注|※|[*＊])[^（）()［］[\]]{0,20}[）)］\]]/gu;
/** ※1, ＊１), ※1、2. ※1234 may be ※ and 1234, or ※1 and 234: it stays, and makes a figure unreadable. */
const NUMBERED =
  /(?<!\s)\s*[※*＊]\s*[\d０-９]{1,2}(?![\d０-９])(?:\s*[,、，・]\s*[\d０-９]{1,2}(?![\d０-９]))*(?![,，.．][\d０-９])[)）]?/gu;

const IN_TEXT = [IN_BRACKETS, NUMBERED, /注\s*[\d０-９]{1,2}[)）]?\s*$/u, /(?<!\s)\s*(?<![※*＊])[※*＊]+\s*$/u];
const IN_FIGURE = [
  IN_BRACKETS,
  NUMBERED,
  /[※*＊](?!\s*[\d０-９])[)）]?/gu,
  /注\s*[\d０-９]{1,2}(?![\d０-９,，.．])[)）]?/gu,
  new RegExp(`[${CIRCLED}${RAISED}]`, 'gu'),
];

/**
 * A name, header or date without footnote marks: (注1), （※2）, ※1, *1, 注3). Circled digits stay, as they may be part of a
 * name.
 */
export function withoutFootnotes(text: string): string {
  return IN_TEXT.reduce((rest, mark) => rest.replace(mark, ''), text).trim();
}

/**
 * A printed figure in NFKC without footnote marks. They are removed before NFKC, which would turn ① and ² into digits,
 * and each leaves a space, so that the text around it does not become one number.
 */
export function plainFigure(printed: string): string {
  const unmarked = IN_FIGURE.reduce((rest, mark) => rest.replace(mark, ' '), printed.replace(/[mｍ]²/gu, '㎡'));
  return unmarked.normalize('NFKC').replace(/\s+/gu, ' ').trim();
}

/** The footnotes that a cell in NFKC refers to. */
export function footnoteNumbers(cell: string): string[] {
  return [...cell.matchAll(/[注※*](\d{1,2})/gu)].map(([, number]) => number as string);
}

/** The mark at the start of a footnote in NFKC: (注1), 注2:, ※3. */
export function footnoteMark(line: string): { mark: string; number: string; isNote: boolean } | undefined {
  const note = /^[(〔[]?注(\d{0,2})[)〕\]:.]?/u.exec(line);
  const found = note ?? /^[※*](\d{0,2})/u.exec(line);
  return found === null ? undefined : { mark: found[0], number: found[1] ?? '', isNote: note !== null };
}
