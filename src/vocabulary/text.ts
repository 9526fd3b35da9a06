/** SEA-02: NFKC, then lower case by JavaScript's Unicode rules. Stored values and queries alike. */
export function normaliseSearchText(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim();
}

/** CON-07: aliases are one when their search text, whitespace collapsed, is one. */
export function normaliseAlias(text: string): string {
  return normaliseSearchText(text).replace(/\s+/gu, ' ');
}

/** A REIT's code of a property is one in either width and case: Ａ-01, A-01, a-01. */
export function propertyCodeKey(code: string): string {
  return normaliseAlias(code);
}

/** The same for a text of several lines, which stay. */
export function printableLines(text: string): string {
  return text
    .split('\n')
    .map((line) => printable(line, 4_096))
    .join('\n');
}

/** Text from outside, made safe for a terminal or a log: control and bidi characters become escapes. */
export function printable(text: string, maxLength = 200): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return cut
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`);
}

/** A name or an address from a source, on one line: controls, bidi marks and runs of white space are no part of it. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffd]/g, '')
    .trim();
}
