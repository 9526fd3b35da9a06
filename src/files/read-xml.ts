import { SaxesParser } from 'saxes';
import { printable } from '../vocabulary/text.ts';
import { BrokenFile } from './broken-file.ts';
import { decodeText, type Encoding } from './decode-text.ts';
import type { SourceFile } from './source-file.ts';

/** Receives the elements of an XML file. Names are local, without prefix. */
export interface XmlHandler {
  open(name: string, attributes: Readonly<Record<string, string>>, line: number): void;
  close(name: string): void;
  /** All text of an element that has only text, before it closes; not called for white space only. */
  text(text: string): void;
  /** Elements that it does not need. */
  readonly skips?: SkipRule;
}

const MAX_DEPTH = 200;
const MAX_ATTRIBUTES = 200;
const MAX_TEXT = 32 << 20;

/**
 * Reads XML as a stream, and yields between chunks so that the handler's results can be taken. A document type is refused,
 * because it can declare entities that expand without bound or read other files.
 */
export async function* readXml(file: SourceFile, handler: XmlHandler): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: false, position: true });
  let depth = 0;
  let attributes = 0;
  let pieces: string[] = [];
  let length = 0;
  /** Characters that the parser holds: those since its last event. */
  let pending = 0;
  const refuse = (reason: string) => {
    throw new BrokenFile(`line ${parser.line}: ${reason}`);
  };
  const flush = () => {
    if (pieces.length === 0) return;
    const text = pieces.length === 1 ? (pieces[0] as string) : pieces.join('');
    pieces = [];
    length = 0;
    if (/\S/.test(text)) handler.text(text);
  };
  const addText = (text: string) => {
    length += text.length;
    if (length > MAX_TEXT) refuse('a text is too long');
    pieces.push(text);
  };
  parser.on('error', () => refuse('not well-formed XML'));
  parser.on('doctype', () => refuse('it has a document type, which is not supported'));
  parser.on('attribute', () => {
    pending = 0;
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES) refuse(`an element has more than ${MAX_ATTRIBUTES} attributes`);
  });
  parser.on('opentag', (tag) => {
    pending = 0;
    flush();
    attributes = 0;
    depth += 1;
    if (depth > MAX_DEPTH) refuse('elements are nested too deeply');
    handler.open(localName(tag.name), tag.attributes as Record<string, string>, parser.line);
  });
  parser.on('closetag', (tag) => {
    pending = 0;
    flush();
    depth -= 1;
    handler.close(localName(tag.name));
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  const bounded: TextSink = {
    write(text) {
      pending += text.length;
      parser.write(text);
      if (pending > MAX_TEXT + text.length) refuse('a text or a tag is too long');
    },
    get line() {
      return parser.line;
    },
    set line(line) {
      parser.line = line;
    },
  };
  const skipper = handler.skips === undefined ? undefined : new ElementSkipper(bounded, handler.skips);
  const sink = skipper ?? bounded;
  for await (const text of decodeText(file.bytes(), declaredEncoding)) {
    sink.write(text);
    yield;
  }
  skipper?.end();
  if (depth > 0) throw new BrokenFile(`it ends at line ${parser.line} inside an element: the file may be cut off`);
  parser.close();
}

/** The encoding that the document declares, for bytes that are not UTF-8. Without a declaration it should have been UTF-8. */
function declaredEncoding(head: Buffer): Encoding {
  const [, name = 'utf-8'] =
    /^<\?xml[^>]{1,200}?encoding\s*=\s*["']([\w.-]{1,40})["']/.exec(head.toString('latin1', 0, 300)) ?? [];
  if (/^(?:utf-?8)$/i.test(name)) return 'utf-8';
  if (/^(?:shift[-_]?jis|windows-31j|cp932|ms932|x-sjis)$/i.test(name)) return 'shift_jis';
  if (/^euc-?jp$/i.test(name)) return 'euc-jp';
  throw new BrokenFile(`its encoding is ${printable(name)}, which is not supported: convert it to UTF-8`);
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Elements that a reader of XML may skip. */
export interface SkipRule {
  /** Local names of the elements that may be skipped. */
  readonly names: readonly string[];
  /** Whether the element of this name that begins now is skipped. */
  isSkipped(name: string): boolean;
}

/** The parser that receives the remaining text. Its line number is advanced for skipped lines. */
interface TextSink {
  write(text: string): void;
  line: number;
}

const MAX_TAG = 1 << 16;
const MAX_PATTERNS = 500;
/** Constructs in which `<` does not begin an element, and what ends them. */
const ENDS: Readonly<Record<string, string>> = { '<!--': '-->', '<![CDATA[': ']]>', '<?': '?>' };
const REST_OF_TAG = `(?:[^<>"']|"[^"<]*"|'[^'<]*')*>`;
const WHOLE_TAG = new RegExp(`<${REST_OF_TAG}`, 'y');
const OPAQUE = '<!--|<!\\[CDATA\\[|<\\?';

/**
 * Removes whole elements from the text before it reaches the parser, by searching only for their end, which is about ten
 * times as fast as parsing. Skipped text is not checked for being well-formed.
 */
class ElementSkipper {
  private readonly sink: TextSink;
  private readonly rule: SkipRule;
  private readonly candidate: RegExp;
  private readonly patterns = new Map<string, RegExp>();
  private rest = '';
  /** The end of the current comment, CDATA section or instruction. */
  private until: string | undefined;
  /** The skipped element: what its text is searched for, and how deeply it is nested in itself. */
  private skipped: { pattern: RegExp; depth: number } | undefined;

  constructor(sink: TextSink, rule: SkipRule) {
    this.sink = sink;
    this.rule = rule;
    this.candidate = new RegExp(
      `${OPAQUE}|<(?:[\\w.-]+:)?(${rule.names.map(escapePattern).join('|')})(?=[\\s/>])`,
      'g',
    );
  }

  write(chunk: string): void {
    const text = this.rest + chunk;
    let at = 0;
    for (let next: number | undefined = 0; next !== undefined; ) {
      at = next;
      next = this.step(text, at);
    }
    this.rest = text.slice(at);
  }

  /** Passes what was held back to the parser, which reports it if it is incomplete. */
  end(): void {
    if (this.skipped === undefined) this.sink.write(this.rest);
    this.rest = '';
  }

  /** Takes one piece from `at`; returns where the next begins, or undefined if it needs more text. */
  private step(text: string, at: number): number | undefined {
    if (this.until !== undefined) return this.passOpaque(text, at, this.until);
    const pattern = this.skipped?.pattern ?? this.candidate;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) return this.takeUntilTag(text, at);
    const [token] = match;
    if (token in ENDS) {
      this.take(text, at, match.index + token.length);
      this.until = ENDS[token] as string;
      return match.index + token.length;
    }
    if (this.skipped !== undefined) return this.stepInside(text, at, match, this.skipped);
    this.take(text, at, match.index);
    if (!this.rule.isSkipped(match[1] as string)) {
      this.take(text, match.index, match.index + token.length);
      return match.index + token.length;
    }
    this.skipped = { pattern: this.patternInside(token.slice(1)), depth: 0 };
    return match.index;
  }

  private patternInside(name: string): RegExp {
    const known = this.patterns.get(name);
    if (known !== undefined) return known;
    const plain = escapePattern(name);
    const pattern = new RegExp(`${OPAQUE}|</${plain}\\s*>|<${plain}(?=[\\s/>])${REST_OF_TAG}`, 'g');
    if (this.patterns.size < MAX_PATTERNS) this.patterns.set(name, pattern);
    return pattern;
  }

  private stepInside(
    text: string,
    at: number,
    { 0: token, index }: RegExpExecArray,
    skipped: { depth: number },
  ): number {
    const end = index + token.length;
    this.take(text, at, end);
    if (token.startsWith('</')) skipped.depth -= 1;
    else if (!token.endsWith('/>')) skipped.depth += 1;
    if (skipped.depth <= 0) this.skipped = undefined;
    return end;
  }

  private passOpaque(text: string, at: number, end: string): number | undefined {
    const found = text.indexOf(end, at);
    const to = found < 0 ? Math.max(at, text.length - end.length + 1) : found + end.length;
    this.take(text, at, to);
    if (found >= 0) this.until = undefined;
    return found >= 0 || to > at ? to : undefined;
  }

  /** Without a candidate everything is taken, except a tag that may be cut off at the end. */
  private takeUntilTag(text: string, at: number): number | undefined {
    const tag = text.lastIndexOf('<');
    WHOLE_TAG.lastIndex = tag;
    const to = tag >= at && !WHOLE_TAG.test(text) ? tag : text.length;
    if (text.length - to > MAX_TAG) throw new BrokenFile(`line ${this.sink.line}: a tag is too long`);
    this.take(text, at, to);
    return to > at ? to : undefined;
  }

  private take(text: string, from: number, to: number): void {
    if (to <= from) return;
    if (this.skipped === undefined) {
      this.sink.write(text.slice(from, to));
      return;
    }
    for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) this.sink.line += 1;
  }
}

function escapePattern(name: string): string {
  return name.replace(/[.\\+*?^$()[\]{}|]/g, '\\$&');
}
