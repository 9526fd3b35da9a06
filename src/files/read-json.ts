import { TextDecoder } from 'node:util';
import { BrokenFile } from './broken-file.ts';
import type { SourceFile } from './source-file.ts';
import { linesOf, MAX_LINE_BYTES, splitPortions } from './split-lines.ts';

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a value from outside has under a key of its own; nothing is inherited, whatever the key is called. */
export function own(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** One document. It is held whole, so its size is bounded. */
export async function readJson(file: SourceFile, maxBytes: number): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of file.bytes()) {
    length += chunk.length;
    if (length > maxBytes) throw new BrokenFile(`it is longer than ${maxBytes >> 20} MB: split it`);
    chunks.push(chunk);
  }
  const value = parseJson(Buffer.concat(chunks, length));
  if (value === undefined) throw new BrokenFile('it is no whole JSON document: the file may be cut off');
  return value;
}

export type JsonLine = { line: number; value: unknown } | { line: number; fault: string };

/** So many lines without any JSON, and it is a file of another kind. */
const FAULTS_AT_FIRST = 10;

/**
 * The values of a file that has one to a line: by themselves, or as an array with its brackets in lines of
 * their own and a comma after each value. A line that is no JSON is a fault, and the next is read.
 */
export async function* readJsonLines(file: SourceFile): AsyncGenerator<JsonLine[]> {
  let opened = false;
  let closed = false;
  let values = 0;
  let faults = 0;
  for await (const portion of splitPortions(file.bytes())) {
    const found: JsonLine[] = [];
    let cutAt: number | undefined;
    for (const { number: line, bytes, ended } of linesOf(portion)) {
      if (bytes === undefined) {
        found.push({ line, fault: `the line is longer than ${MAX_LINE_BYTES >> 20} MB` });
        continue;
      }
      const mark = bracketIn(bytes);
      if (mark !== undefined) {
        opened ||= mark === '[';
        closed ||= mark === ']';
        continue;
      }
      const value = parseJson(withoutComma(bytes));
      if (value !== undefined) {
        values += 1;
        found.push({ line, value });
      } else if (ended) {
        faults += 1;
        found.push({ line, fault: 'the line is no JSON' });
      } else {
        cutAt = line;
      }
      if (values === 0 && faults >= FAULTS_AT_FIRST) {
        throw new BrokenFile('its lines are no JSON: it must have one whole value to a line');
      }
    }
    if (found.length > 0) yield found;
    if (cutAt !== undefined) throw new BrokenFile(`it ends inside line ${cutAt}: the file may be cut off`);
  }
  if (opened && !closed) throw new BrokenFile('it ends before its array does: the file may be cut off');
}

/** Undefined where it is no JSON in UTF-8; JSON itself has no undefined. */
function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

const SPACE = new Set([0x20, 0x09, 0x0d]);
const COMMA = 0x2c;

function trimmedEnd(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && SPACE.has(bytes[end - 1] as number)) end -= 1;
  return end;
}

function withoutComma(bytes: Buffer): Buffer {
  const end = trimmedEnd(bytes);
  return bytes[end - 1] === COMMA ? bytes.subarray(0, end - 1) : bytes;
}

/** A bracket that stands alone, '' for an empty line, undefined for any other. */
function bracketIn(bytes: Buffer): string | undefined {
  if (bytes.length > 64) return trimmedEnd(bytes) === 0 ? '' : undefined;
  const text = bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trim();
  return text === '' || text === '[' || text === ']' ? text : undefined;
}
