import { printable } from '../../vocabulary/text.ts';
import type { Tags } from './element.ts';
import { parseLength } from './parse-length.ts';
import { HEIGHT, LEVELS, LEVELS_BELOW, LOWEST_LEVEL } from './tag-tables.ts';

export interface Size {
  heightM: number | undefined;
  floorsAbove: number | undefined;
  floorsBelow: number | undefined;
}

/** Height and floors as the tags state them; what is stated in a form that is not understood is told to `note`. */
export function sizeOf(tags: Tags, note: (reason: string) => void): Size {
  return { heightM: heightOf(tags, note), floorsAbove: levelsOf(tags, LEVELS, note), floorsBelow: below(tags, note) };
}

function heightOf(tags: Tags, note: (reason: string) => void): number | undefined {
  for (const key of HEIGHT) {
    const text = tags.get(key);
    if (text === undefined) continue;
    const metres = parseLength(text);
    if (metres !== undefined && metres > 0) return metres;
    note(`${key} is no height in metres or feet: ${printable(text, 60)}`);
  }
  return undefined;
}

function levelsOf(tags: Tags, key: string, note: (reason: string) => void): number | undefined {
  const text = tags.get(key);
  if (text === undefined) return undefined;
  const plain = text.normalize('NFKC').trim();
  if (/^\d{1,9}(?:\.0+)?$/.test(plain)) return Number(plain);
  note(`${key} is no whole number of floors: ${printable(text, 60)}`);
  return undefined;
}

function below(tags: Tags, note: (reason: string) => void): number | undefined {
  const stated = levelsOf(tags, LEVELS_BELOW, note);
  if (stated !== undefined) return stated;
  const lowest = /^-(\d{1,3})$/.exec(tags.get(LOWEST_LEVEL)?.trim() ?? '');
  return lowest === null ? undefined : Number(lowest[1]);
}
