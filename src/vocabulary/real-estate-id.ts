import { withHyphens } from './text.ts';

/**
 * A real-estate ID (不動産ID): the 13 digits of the land register and, if given, 4 more that distinguish parts of a
 * property, after a hyphen. Undefined for any other text.
 */
export function parseRealEstateId(text: string): string | undefined {
  const plain = withHyphens(text.slice(0, 100).normalize('NFKC').replace(/\s+/gu, ''));
  const [, number, code] = /^(\d{13})(?:-?(\d{4}))?$/.exec(plain) ?? [];
  if (number === undefined) return undefined;
  return code === undefined ? number : `${number}-${code}`;
}
