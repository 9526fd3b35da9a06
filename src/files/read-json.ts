import { TextDecoder } from 'node:util';
import { BrokenFile, ForeignFile } from './broken-file.ts';
import { readWhole, type SourceFile } from './source-file.ts';
import { linesOf, MAX_LINE_BYTES, splitPortions } from './split-lines.ts';

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own property of an untrusted value; inherited ones such as `constructor` do not count. */
export function own(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** One document, held in memory as a whole, so its size is bounded. */
export async function readJson(file: SourceFile, maxBytes: number): Promise<unknown> {
  const bytes = await readWhole(file, maxBytes, `longer than ${maxBytes >> 20} MB: split it`);
  const value = decodeJson(bytes);
  if (value === undefined) throw new BrokenFile('not a complete JSON document: the file may be cut off');
  return value;
}

export type JsonLine = { line: number; value: unknown } | { line: number; fault: string };

/** After so many lines without any JSON it is another kind of file. */
const FAULTS_AT_FIRST = 10;

/**
 * The values of a file with one value per line: either alone, or as an array with its brackets on lines of their own and a
 * comma after each value. A line that is not JSON is a fault; the next line is read.
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
      const value = decodeJson(withoutComma(bytes));
      if (value !== undefined) {
        values += 1;
        found.push({ line, value });
      } else if (ended) {
        faults += 1;
        found.push({ line, fault: 'the line is not JSON' });
      } else {
        cutAt = line;
      }
      if (values === 0 && faults >= FAULTS_AT_FIRST) {
        throw new BrokenFile('its lines are not JSON: expected one complete value per line');
      }
    }
    if (found.length > 0) yield found;
    if (cutAt !== undefined) throw new BrokenFile(`it ends inside line ${cutAt}: the file may be cut off`);
  }
  if (opened && !closed) throw new BrokenFile('it ends before its array does: the file may be cut off');
}

/** Undefined if the bytes are not JSON in UTF-8; JSON itself has no undefined. */
function decodeJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

const SPACE = new Set([0x20, 0x09, 0x0d]);

function trimmedEnd(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && SPACE.has(bytes[end - 1] as number)) end -= 1;
  return end;
}

function withoutComma(bytes: Buffer): Buffer {
  const end = trimmedEnd(bytes);
  return bytes[end - 1] === COMMA ? bytes.subarray(0, end - 1) : bytes;
}

/** The bracket of a line that has nothing else, '' for an empty line, undefined for any other. */
function bracketIn(bytes: Buffer): string | undefined {
  if (bytes.length > 64) return trimmedEnd(bytes) === 0 ? '' : undefined;
  const text = bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trim();
  return text === '' || text === '[' || text === ']' ? text : undefined;
}

const MAX_ELEMENT = 16 << 20;

/**
 * Finds the text of each object in one list of a JSON document, given by the key of the list, and every member of the
 * document that is a string, while the text streams in. The document is never held as a whole.
 */
export class JsonElementSplitter {
  readonly #list: string;
  readonly #onElement: (json: string) => void;
  readonly #onText: (key: string, value: string) => void;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #inElements = false;
  #found = false;
  #key: string | undefined;
  /** The pieces of a string of the outermost object, or of an element. */
  #pieces: string[] = [];
  #length = 0;
  #ended = false;

  constructor(
    list: string,
    onElement: (json: string) => void,
    onText: (key: string, value: string) => void = () => {},
  ) {
    this.#list = list;
    this.#onElement = onElement;
    this.#onText = onText;
  }

  write(text: string): void {
    let start = 0;
    for (let i = 0; i < text.length; i++) {
      const c = text.charCodeAt(i);
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (c === BACKSLASH) this.#escaped = true;
        else if (c === QUOTE) {
          this.#inString = false;
          if (this.#depth === 1) this.#endText(this.#take(text.slice(start, i + 1)));
        }
        continue;
      }
      switch (c) {
        case QUOTE:
          this.#inString = true;
          if (this.#depth === 1) start = i;
          break;
        case OPEN_OBJECT:
        case OPEN_LIST:
          if (this.#depth === 0 && (this.#ended || c !== OPEN_OBJECT)) throw new BrokenFile(NO_JSON);
          this.#depth += 1;
          if (this.#depth > MAX_DEPTH) throw new BrokenFile('its JSON is nested too deeply');
          if (this.#depth === 2) this.#inElements = c === OPEN_LIST && this.#key === this.#list;
          if (this.#depth === 2 && this.#inElements) this.#found = true;
          if (this.#depth === 3 && this.#inElements) start = i;
          break;
        case CLOSE_OBJECT:
        case CLOSE_LIST:
          this.#depth -= 1;
          if (this.#depth === 2 && this.#inElements) this.#onElement(this.#take(text.slice(start, i + 1)));
          if (this.#depth === 1) this.#key = undefined;
          if (this.#depth < 0) throw new BrokenFile(NO_JSON);
          if (this.#depth === 0) this.#ended = true;
          break;
        case COMMA:
          if (this.#depth === 1) this.#key = undefined;
          break;
        default:
          if (this.#depth === 0 && c > 0x20 && c !== BOM) throw new BrokenFile(NO_JSON);
      }
    }
    if (this.#isGathering()) this.#gather(text.slice(start));
  }

  end(): void {
    if (!this.#ended) throw new BrokenFile('its JSON ends too early: the file may be cut off');
    if (!this.#found) throw new ForeignFile(`it has no list of ${this.#list}`);
  }

  #isGathering(): boolean {
    return (this.#depth === 1 && this.#inString) || (this.#depth >= 3 && this.#inElements);
  }

  #gather(piece: string): void {
    this.#length += piece.length;
    if (this.#length > MAX_ELEMENT) throw new BrokenFile(`an element is longer than ${MAX_ELEMENT} characters`);
    this.#pieces.push(piece);
  }

  #take(last: string): string {
    this.#gather(last);
    const text = this.#pieces.join('');
    this.#pieces = [];
    this.#length = 0;
    return text;
  }

  #endText(json: string): void {
    const text = parseJson(json);
    if (typeof text !== 'string') return;
    if (this.#key === undefined) this.#key = text;
    else this.#onText(this.#key, text);
  }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BrokenFile(NO_JSON);
  }
}

const NO_JSON = 'not a JSON object';
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const COMMA = 0x2c;
const BOM = 0xfeff;
const MAX_DEPTH = 100;
