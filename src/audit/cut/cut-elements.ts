import { BrokenFile } from '../../files/broken-file.ts';
import { MAX_PIECE } from './piece.ts';

/** The raw bytes of an element of XML or HTML. */
interface CutElement {
  /** Without the namespace prefix. */
  name: string;
  tag: string;
  /** The line of the end of its start tag, counted from 1. */
  line: number;
  offset: number;
  bytes: Buffer;
  isCut: boolean;
}

const MAX_TAG = 1 << 20;
/** How often a byte may be read as part of nested elements; more than any real file needs. */
const MOST_TIMES = 50;
/** How much of an incomplete tag is kept at the end of the window. */
const TAG_START = 200;

/**
 * Cuts out the elements of some names by their tags alone, so that the result does not depend on the code that reads the
 * file (AUD-02). Streams: only one element is held.
 */
export async function* cutElements(
  chunks: AsyncIterable<Buffer>,
  names: readonly string[],
  wants: (tag: string, name: string, line: number) => boolean = () => true,
): AsyncGenerator<CutElement> {
  const start = new RegExp(`<((?:[\\w.-]+:)?(${names.join('|')}))(?=[\\s/>])`, 'g');
  const window = new Window(chunks);
  let looked = 0;
  for (;;) {
    start.lastIndex = window.at;
    const found = start.exec(window.text);
    if (found === null) {
      const tail = window.text.lastIndexOf('<');
      const isTail = tail >= window.at && window.text.length - tail < TAG_START;
      window.advance(isTail ? tail : window.text.length);
      if (!(await window.more())) return;
      continue;
    }
    window.advance(found.index);
    const tagEnd = await endOfTag(window);
    if (tagEnd === undefined) return;
    const tag = window.text.slice(window.at, tagEnd);
    const name = found[2] as string;
    const line = window.line + linesIn(tag);
    if (wants(tag, name, line)) {
      const offset = window.offset;
      const end = tag.endsWith('/>') ? tag.length : await endOfElement(window, found[1] as string, tag.length);
      const isCut = end === undefined;
      const bytes = window.take(end ?? MAX_PIECE);
      looked += bytes.length;
      if (looked > MOST_TIMES * (window.offset + MAX_TAG)) throw new BrokenFile('elements are nested too deeply');
      yield { name, tag, line, offset, bytes, isCut };
    }
    window.advance(window.at + tag.length);
  }
}

/** The current part of a stream, as bytes and as text with one character per byte. */
class Window {
  text = '';
  at = 0;
  line = 1;
  readonly #chunks: AsyncIterator<Buffer>;
  #bytes: Buffer = Buffer.alloc(0);
  #base = 0;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  get offset(): number {
    return this.#base + this.at;
  }

  advance(to: number): void {
    this.line += linesIn(this.text.slice(this.at, to));
    this.at = to;
  }

  take(length: number): Buffer {
    return Buffer.from(this.#bytes.subarray(this.at, this.at + length));
  }

  /** Drops everything before `at` and adds a chunk. */
  async more(): Promise<boolean> {
    const next = await this.#chunks.next();
    if (next.done === true) return false;
    this.#base += this.at;
    this.#bytes = Buffer.concat([this.#bytes.subarray(this.at), next.value]);
    this.text = this.#bytes.toString('latin1');
    this.at = 0;
    return true;
  }
}

/** The end of a tag; a `>` inside quotes does not count. Undefined if the tag is too long or never ends. */
async function endOfTag(window: Window): Promise<number | undefined> {
  let quote = '';
  for (let length = 1; length <= MAX_TAG; length++) {
    while (window.at + length >= window.text.length) if (!(await window.more())) return undefined;
    const character = window.text[window.at + length] as string;
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '>') return window.at + length + 1;
    else if (character === '"' || character === "'") quote = character;
  }
  return undefined;
}

/** The length of the element that begins here; undefined if it is too long or never ends. */
async function endOfElement(window: Window, name: string, tagLength: number): Promise<number | undefined> {
  const tags = new RegExp(
    `<${name.replaceAll('.', '\\.')}(?=[\\s/>])[^<>]*?(/?)>|</${name.replaceAll('.', '\\.')}\\s*>`,
    'g',
  );
  let depth = 1;
  let from = tagLength;
  for (;;) {
    tags.lastIndex = window.at + from;
    const found = tags.exec(window.text);
    if (found === null) {
      if (window.text.length - window.at > MAX_PIECE || !(await window.more())) return undefined;
      continue;
    }
    from = tags.lastIndex - window.at;
    if (found[0].startsWith('</')) depth -= 1;
    else if (found[1] !== '/') depth += 1;
    if (depth === 0) return from;
  }
}

/** Counts line ends of any kind. */
function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  for (let at = text.indexOf('\r'); at >= 0; at = text.indexOf('\r', at + 1)) if (text[at + 1] !== '\n') count += 1;
  return count;
}
