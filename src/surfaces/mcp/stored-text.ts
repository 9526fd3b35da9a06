import { isPlainUrl, markdownUrl } from '../http/markdown.ts';
import { MAX_LENGTH, short } from './digest/words.ts';
import type { JsonScanner } from './json-scanner.ts';

/** Whitespace, control characters and direction marks, as bytes of UTF-8, and escapes of JSON: `short` changes some of them. */
const UNUSUAL =
  /[\0-\x1f\x7f\\]|\xc2[\x80-\xa0]|\xd8\x9c|\xe1\x9a\x80|\xe2[\x80\x81]|\xe3\x80\x80|\xef\xbb\xbf|^ | $| {2}/;
const MARKS = /[`*_[\]<>#|~&!@]|:(?=\/\/)|(?<=www)\./gi;

const LAST_OF_WIDE_SPACE = 0x80;
/** One byte at least of everything that these find. */
export const NOTED = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return /[\0- \x7f\\`*_[\]<>#|~&!@:.\xc2\xd8\xe1\xe2\xef]/.test(character) || byte === LAST_OF_WIDE_SPACE ? 1 : 0;
});

/** What `short` makes of a text, both as JSON. */
export function shown(json: JsonScanner): string {
  const text = json.string();
  // Characters are never more than bytes.
  if (text.length <= MAX_LENGTH && !json.isNoted) return text;
  if (text.length > MAX_LENGTH || UNUSUAL.test(text)) return toJson(short(fromJson(text)));
  return text.replace(MARKS, '\\\\$&');
}

export const shownOrNull = (json: JsonScanner) => (json.isNull() ? undefined : shown(json));

export function shownUrl(json: string): string {
  if (json.length <= MAX_LENGTH && isPlainUrl(json)) return `<${json}>`;
  const url = fromJson(json);
  return toJson(url.length > MAX_LENGTH ? short(url) : markdownUrl(url));
}

const fromJson = (json: string): string => JSON.parse(`"${Buffer.from(json, 'latin1').toString()}"`);

/** A text as JSON without the quotation marks, one character for each byte. */
export const toJson = (text: string): string => Buffer.from(JSON.stringify(text).slice(1, -1)).toString('latin1');
