import type { Attribution, SourcesEntry } from '../../../vocabulary/building-page.ts';
import { markdownText, markdownUrl } from '../../http/markdown.ts';

/** How many entries a text names; the structured content has them all. */
export const MAX_NAMED = 10;
export const MAX_SOURCES = 20;
export const MAX_LISTED = 100;
/** Longer values are truncated. */
export const MAX_LENGTH = 300;

export function measure(value: string | number, unit: string | null): string {
  const amount = typeof value === 'number' ? value : short(value);
  return unit === null ? `${amount}` : `${amount} ${unit}`;
}

type Source = Pick<SourcesEntry, 'source' | 'sourceRecordId' | 'sourceUrl'>;

export function sourceName({ source, sourceRecordId, sourceUrl }: Source): string {
  const url = sourceUrl.length > MAX_LENGTH ? short(sourceUrl) : markdownUrl(sourceUrl);
  return `${source} ${short(sourceRecordId)} ${url}`;
}

export const creditLine = ({ source, licence, licenceUrl, credit }: Attribution): string =>
  `- ${source}: ${credit} (${licence}, ${licenceUrl})`;

export function named<T>(items: readonly T[], nameOne: (item: T) => string): string {
  const left = items.length - MAX_NAMED;
  return `${items.slice(0, MAX_NAMED).map(nameOne).join('; ')}${left > 0 ? ` and ${left} more` : ''}`;
}

/** The Japanese and the English name, as far as they are known. */
export function joinNames(id: string, ...given: readonly (string | null | undefined)[]): string {
  const [first, second] = given.filter((name) => typeof name === 'string').map(short);
  if (first === undefined) return `Unnamed building ${id}`;
  return second === undefined ? first : `${first} (${second})`;
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

export function short(text: string): string {
  return markdownText(
    text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, '')}…` : text,
  );
}

/** Says how many entries a list leaves out. */
export const moreLines = (left: number): string[] =>
  left > 0 ? [`\nand ${left} more, in the structured content.`] : [];
