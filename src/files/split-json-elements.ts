import { BrokenFile, ForeignFile } from './broken-file.ts';

const MAX_ELEMENT = 16 << 20;

/**
 * Gives the text of each object in one list of a JSON document, by its key, as it comes, and the text of every
 * other member that is a string. The document is never held as a whole.
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
  /** What is being gathered: a string of the outermost object, or an element. */
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

const NO_JSON = 'it is no JSON object';
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const COMMA = 0x2c;
const BOM = 0xfeff;
const MAX_DEPTH = 100;
