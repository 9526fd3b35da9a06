/**
 * What a spreadsheet may take for a formula. OWASP lists = + - @, tab, carriage return, line feed and the full-width forms
 * of the first four. Programs differ in what they drop before they look (spaces, quotes, marks without width), so the
 * character is found behind those too, and in every form that a program may fold into it.
 */
const FORMULA = /^(?:[\t\r\n]|[\s"\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212])/u;
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** Besides what RFC 4180 requires, separators of other locales, and the white space at either end that readers may trim. */
const QUOTED = /[",;\t\r\n]|^\s|\s$|^\[/;

/** CSV-04: a cell of RFC 4180 that no spreadsheet takes for a formula; plain numbers are left as they are. */
export function csvCell(text: string): string {
  const inert = FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
  return QUOTED.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
