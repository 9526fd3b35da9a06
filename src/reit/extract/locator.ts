import { stripMarks } from '../../sources/disclosure/figures.ts';
import { cleanText } from '../../vocabulary/text.ts';

const MAX_PART = 80;

/** REIT-03: a place that a person finds in the public document: headings, the table, its row and its column. */
export function locatorOf(section: readonly string[], table: number, row: string, column: string): string {
  const titles = section.map((title) => short(title)).filter((title) => title !== '');
  return [...titles, `表${table}`, `行「${short(row)}」`, `列「${short(column)}」`].join(' > ');
}

function short(text: string): string {
  const plain = cleanText(stripMarks(text)).replaceAll('「', '').replaceAll('」', '');
  return plain.length > MAX_PART ? `${plain.slice(0, MAX_PART).toWellFormed()}…` : plain;
}
