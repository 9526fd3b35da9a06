import { InvalidArgumentError } from 'commander';
import { parseAssetId } from '../vocabulary/asset-id.ts';
import { readSourceUrl } from '../vocabulary/source-url.ts';
import { SOURCES } from '../vocabulary/sources.ts';
import { parseInstant } from '../vocabulary/time.ts';

/** Makes a parser of an argument that is one of these words. */
export function oneOf<T extends string>(words: readonly T[]): (text: string) => T {
  return (text) => {
    const found = words.find((word) => word === text);
    if (found === undefined) throw new InvalidArgumentError(`Expected one of ${words.join(', ')}.`);
    return found;
  };
}

export const readSource = oneOf(SOURCES);

export function readIdArgument(text: string): string {
  if (parseAssetId(text) === undefined) throw new InvalidArgumentError('Expected the form ASSET-JP-NN-NNNNNNNN.');
  return text;
}

export function readMoment(text: string): string {
  const moment = parseInstant(text);
  if (moment === undefined) throw new InvalidArgumentError('Expected a moment such as 2026-01-31T00:00:00Z.');
  return moment;
}

export function readUrl(text: string): string {
  const read = readSourceUrl(text);
  if (!read.ok) throw new InvalidArgumentError('Expected an http or https address.');
  if (read.value.removed.length > 0) {
    throw new InvalidArgumentError(
      `The address is published, and contains ${read.value.removed.join(' and ')}: give it without.`,
    );
  }
  return text;
}
