import type { Random } from '../support/random.ts';

/** Part of many inputs. No error, log line or header may contain it. */
export const MARK = 'zzINPUTzz';

/** Pieces that parsers and databases often mishandle, for every format. */
const COMMON = [
  ...[
    MARK,
    '',
    ' ',
    '\0',
    '\n',
    '\r\n',
    '\t',
    '\ufeff',
    '\u202e',
    '\u2028',
    '%00',
    '%FF',
    '%',
    "'",
    '"',
    '`',
    '\\',
    '\x1b[31m',
  ],
  ...['0', '-0', '-1', '1e309', '-1e309', '1e-400', 'NaN', 'Infinity', '0x10', '9007199254740993', '9'.repeat(400)],
  ...[
    'null',
    'undefined',
    'true',
    '[]',
    '{}',
    '__proto__',
    'constructor',
    'toString',
    '../../etc/passwd',
    '<b>',
    '{{x}}',
  ],
  ...[
    '𠮷野家',
    '﨑',
    '①',
    'ｶﾞ',
    '゛',
    '丁目',
    '一二三',
    '〇',
    '１－２－３',
    '\ud83c\udfe2',
    'é',
    'e\u0301',
    'ß',
    'İ',
    'ﬁ',
  ],
  ...['a'.repeat(300), 'あ'.repeat(300), '-'.repeat(300), ' '.repeat(300), '('.repeat(300), '1'.repeat(300)],
];

/** Where the parts of a format begin and end. */
const BOUNDARY = /[<>{}[\](),:;"'=&?/|\n\r\t \0]+/g;

/**
 * One to six changes of a text or of bytes: flipped, cut, repeated, moved, spliced with another input, replaced by a token of
 * the format. Most cuts are at its boundaries, so that the result gets past the first check.
 */
export function mutate(content: Buffer, random: Random, tokens: readonly string[], other: Buffer = content): Buffer {
  let bytes: Buffer = content;
  for (let i = 1 + random.below(random.chance(0.2) ? 6 : 2); i > 0; i--) bytes = change(bytes, random, tokens, other);
  return bytes.length > MOST_BYTES ? bytes.subarray(0, MOST_BYTES) : bytes;
}

const MOST_BYTES = 400_000;

function change(bytes: Buffer, random: Random, tokens: readonly string[], other: Buffer): Buffer {
  const [from, to] = rangeIn(bytes, random);
  const piece = bytes.subarray(from, to);
  const token = () => Buffer.from(random.pick(random.chance(0.5) && tokens.length > 0 ? tokens : COMMON));
  const put = (...pieces: Buffer[]) => Buffer.concat([bytes.subarray(0, from), ...pieces, bytes.subarray(to)]);
  switch (random.below(11)) {
    case 0: {
      const flipped = Buffer.from(bytes);
      if (bytes.length > 0) flipped[from] = (bytes[from] as number) ^ (1 << random.below(8));
      return flipped;
    }
    case 1:
      return put();
    case 2:
      return put(piece, piece);
    case 3:
      return put(...Array<Buffer>(1 + random.below(60)).fill(piece));
    case 4:
    case 5:
      return put(token());
    case 6:
      return put(piece, token());
    case 7: {
      const [otherFrom, otherTo] = rangeIn(other, random);
      return put(other.subarray(otherFrom, otherTo));
    }
    case 8: {
      const [otherFrom] = rangeIn(other, random);
      return Buffer.concat([bytes.subarray(0, from), other.subarray(otherFrom)]);
    }
    case 9:
      return random.chance(0.3) ? bytes.subarray(0, from) : put(Buffer.from([random.below(256)]));
    default:
      return changeNumber(bytes, random) ?? put(token());
  }
}

/** A part of the bytes, usually between two boundaries of the format. */
function rangeIn(bytes: Buffer, random: Random): [from: number, to: number] {
  if (bytes.length === 0) return [0, 0];
  const at = random.below(bytes.length);
  if (random.chance(0.3)) return [at, Math.min(bytes.length, at + 1 + random.below(40))];
  // Only the surroundings, because inputs may be large.
  const start = Math.max(0, at - 200);
  const text = bytes.subarray(start, at + 400).toString('latin1');
  const cuts = [...text.matchAll(BOUNDARY)].flatMap(({ index, 0: { length } }) => [
    start + index,
    start + index + length,
  ]);
  if (cuts.length < 2) return [at, Math.min(bytes.length, at + 10)];
  const first = random.below(cuts.length - 1);
  const last = first + 1 + random.below(Math.min(12, cuts.length - first - 1));
  return [cuts[first] as number, cuts[last] as number];
}

const NUMBERS = ['0', '-1', '1', '2147483648', '4294967296', '9007199254740993', '1e400', '-1e400', '0.1', '1e-7', ''];

function changeNumber(bytes: Buffer, random: Random): Buffer | undefined {
  const start = random.below(Math.max(1, bytes.length));
  const found = /\d+/.exec(bytes.subarray(start, start + 2_000).toString('latin1'));
  if (found === null) return undefined;
  const at = start + found.index;
  const number = Buffer.from(random.pick(NUMBERS));
  return Buffer.concat([bytes.subarray(0, at), number, bytes.subarray(at + found[0].length)]);
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** One to four changes of a JSON value: another type, a missing, repeated or foreign part, deep nesting, odd keys. */
export function mutateJson(value: unknown, random: Random, tokens: readonly string[]): string {
  let changed = structuredClone(value) as Json;
  for (let i = 1 + random.below(4); i > 0; i--) changed = changePart(changed, random, tokens, 0);
  const text = JSON.stringify(changed) ?? 'null';
  return random.chance(0.1) ? mutate(Buffer.from(text), random, tokens).toString('latin1') : text;
}

function changePart(value: Json, random: Random, tokens: readonly string[], depth: number): Json {
  const isInner = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  if (!isInner || random.chance(depth === 0 ? 0.02 : 0.15)) return oddValue(random, tokens, value);
  if (Array.isArray(value)) {
    const at = random.below(value.length);
    const item = value[at] as Json;
    if (random.chance(0.1)) return value.toSpliced(at, 1);
    if (random.chance(0.1)) return value.toSpliced(at, 0, ...Array<Json>(1 + random.below(80)).fill(item));
    return value.with(at, changePart(item, random, tokens, depth + 1));
  }
  const entries = Object.entries(value);
  const at = random.below(entries.length);
  const [key, part] = entries[at] as [string, Json];
  if (random.chance(0.1)) return Object.fromEntries(entries.toSpliced(at, 1));
  if (random.chance(0.1)) return { ...value, [random.pick([...tokens, ...COMMON])]: part };
  return Object.fromEntries(entries.with(at, [key, changePart(part, random, tokens, depth + 1)]));
}

function oddValue(random: Random, tokens: readonly string[], value: Json): Json {
  switch (random.below(9)) {
    case 0:
      return null;
    case 1:
      return random.pick([0, -1, 1.5, 1e21, -0, Number.MAX_SAFE_INTEGER + 2, 1e308, 2 ** 31, 360, 181]);
    case 2:
      return random.chance(0.5);
    case 3:
      return [value, value];
    case 4:
      return { [random.pick([...tokens, ...COMMON])]: value };
    case 5: {
      let nested: Json = value;
      for (let i = random.below(200); i > 0; i--) nested = random.chance(0.5) ? [nested] : { a: nested };
      return nested;
    }
    case 6:
      return `${typeof value === 'string' ? value : ''}${random.pick(COMMON)}`;
    case 7:
      return typeof value === 'string' ? value.slice(random.below(value.length + 1)) : String(value);
    default:
      return random.pick([...tokens, ...COMMON]);
  }
}
