import { parseWebUrl } from '../../vocabulary/source-url.ts';

/** Most text needs none of the changes below. */
const NEEDS_ESCAPING = /[\0-\x1f\x7f-\xa0\u061c\u1680\u2000-\u206f\u3000\ufeff\\`*_[\]<>#|~&!@:.]/;

/** Direction marks, which could show the following text in another order. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * MD-04: escapes text from outside so that it cannot become emphasis, a link, an image, code, a table, HTML or an entity,
 * and keeps it on one line.
 */
export function markdownText(text: string): string {
  if (!NEEDS_ESCAPING.test(text)) return text.trim();
  return text
    .replace(BIDI, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\\`*_[\]<>#|~&!@]|:(?=\/\/)|(?<=www)\./giu, '\\$&')
    .trim();
}

/** The same at the beginning of a line, where a dash or a number would start a list. */
export const markdownLine = (text: string): string => markdownText(text).replace(/^(\d*)([-+=.)])/, '$1\\$2');

/** Most addresses need no parsing. */
const PLAIN_URL = /^https?:\/\/[\w./?#&=%:,+~-]+$/;
export const isPlainUrl = (text: string): boolean => PLAIN_URL.test(text);

/** An address from outside as a link to itself; plain text if it is not a web address. */
export function markdownUrl(text: string): string {
  const address = linkable(text);
  return address === undefined ? markdownText(text) : `<${address}>`;
}

/** Text from outside with a link to an address from outside; plain text if that is not a web address. */
export function markdownLink(text: string, to: string): string {
  const address = linkable(to);
  return address === undefined ? markdownText(text) : `[${markdownText(text)}](<${address}>)`;
}

function linkable(text: string): string | undefined {
  if (isPlainUrl(text)) return text;
  return parseWebUrl(text)?.href.replace(/[<>\\`|]/g, encodeURIComponent);
}

/** A table of cells that are Markdown already. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
