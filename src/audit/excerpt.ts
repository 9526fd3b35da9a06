import { printable } from '../vocabulary/text.ts';
import { decodeBytes, type RawPiece } from './cut/piece.ts';
import type { AuditedField, PublishedValue } from './published-values.ts';

/** Words near the value of a field in a raw record: elements, tags, members and properties. */
const WORDS: Readonly<Partial<Record<AuditedField, RegExp>>> = {
  nameJa: /name|label|"ja"/i,
  nameEn: /name:en|"en"/i,
  aliases: /name|alias/i,
  addressJa: /addr|Locality|Thoroughfare|display_name|city|quarter|neighbourhood/i,
  postcode: /post/i,
  assetTypes: /usage|k="(?:building|amenity|shop|office|tourism|leisure)"|"building"|P31/i,
  footprintM2: /posList|<nd |<node|lat/i,
  footprint: /posList|<nd |<node|lat/i,
  gfaM2: /totalFloorArea|floor_?area/i,
  floorsAbove: /storeysAboveGround|levels|P1101/i,
  floorsBelow: /storeysBelowGround|underground|P1139/i,
  heightM: /measuredHeight|k=.(?:building:)?height|"height"|<con:|P2048/i,
  yearBuilt: /yearOfConstruction|start_date|P1619|P571|P729/i,
  architect: /P84|"ja"/,
  ownerPublic: /P127|"ja"/,
};

const SHORT = 700;
const CONTEXT = 60;

/** The text of a piece with control characters escaped and line breaks kept (AUD-05). */
export function readable({ bytes }: Pick<RawPiece, 'bytes'>, most = Number.POSITIVE_INFINITY): string {
  const text = decodeBytes(most === Number.POSITIVE_INFINITY ? bytes : bytes.subarray(0, most));
  return text
    .split('\n')
    .map((line) => printable(line.replace(/\r$/, '').replaceAll('\t', '  '), Number.POSITIVE_INFINITY))
    .join('\n');
}

/**
 * A piece in one line for a terminal: a short one whole, a long one by its beginning and the text around the value, with the
 * number of bytes left out.
 */
export function excerptOf(piece: RawPiece, { kind, needles }: PublishedValue): string {
  const text = readable(piece).replace(/\s+/g, (space) => (space.includes('\n') ? ' ' : space));
  if (text.length <= SHORT) return piece.isCut ? `${text} […]` : text;
  const marks: [number, number][] = [[0, 2 * CONTEXT]];
  const pattern = WORDS[kind];
  const patterns = [
    ...(pattern === undefined ? [] : [new RegExp(pattern.source, `${pattern.flags}g`)]),
    ...needles.map((needle) => new RegExp(`(?<![\\w.])${escaped(needle)}(?![\\w.])`, 'g')),
  ];
  let length = 2 * CONTEXT;
  for (const each of patterns) {
    for (const { index, 0: found } of text.matchAll(each)) {
      if (length > SHORT) break;
      marks.push([Math.max(0, index - CONTEXT), Math.min(text.length, index + found.length + 2 * CONTEXT)]);
      length += 3 * CONTEXT;
    }
  }
  const shown = joined(marks).map(([from, to]) => text.slice(from, to));
  const left = piece.bytes.length - Buffer.byteLength(shown.join(''));
  return `${shown.join(' […] ')} […] (${Math.max(0, left)} bytes left out)`;
}

function joined(marks: [number, number][]): [number, number][] {
  const merged: [number, number][] = [];
  for (const [from, to] of marks.sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
