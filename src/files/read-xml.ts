import { SaxesParser } from 'saxes';
import { printable } from '../vocabulary/text.ts';
import { BrokenFile } from './broken-file.ts';
import { decodeText, type Encoding } from './decode-text.ts';
import { PassingOver, type PassOver, type TextSink } from './pass-over.ts';
import type { SourceFile } from './source-file.ts';

/** What happens while XML is read. Names are local: what stands before a colon is left out. */
export interface XmlHandler {
  open(name: string, attributes: Readonly<Record<string, string>>, line: number): void;
  close(name: string): void;
  /** All text of an element that has only text, before it closes; not called for white space alone. */
  text(text: string): void;
  /** Elements that it does not want to hear of, where there are any. */
  readonly passOver?: PassOver;
}

const MAX_DEPTH = 200;
const MAX_ATTRIBUTES = 200;
const MAX_TEXT = 32 << 20;

/**
 * Reads XML as it comes, and yields between chunks so that its handler's findings can be taken away.
 * A document type is refused: it is where entities that explode or reach outside are declared.
 */
export async function* readXml(file: SourceFile, handler: XmlHandler): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: false, position: true });
  let depth = 0;
  let attributes = 0;
  let pieces: string[] = [];
  let length = 0;
  /** What the parser has been given since it last told of anything: it holds all of that. */
  let untold = 0;
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
  parser.on('error', () => refuse('it is no well-formed XML'));
  parser.on('doctype', () => refuse('it has a document type, which is not read'));
  parser.on('attribute', () => {
    untold = 0;
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES) refuse(`an element has more than ${MAX_ATTRIBUTES} attributes`);
  });
  parser.on('opentag', (tag) => {
    untold = 0;
    flush();
    attributes = 0;
    depth += 1;
    if (depth > MAX_DEPTH) refuse('elements are nested too deeply');
    handler.open(localName(tag.name), tag.attributes as Record<string, string>, parser.line);
  });
  parser.on('closetag', (tag) => {
    untold = 0;
    flush();
    depth -= 1;
    handler.close(localName(tag.name));
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  const bounded: TextSink = {
    write(text) {
      untold += text.length;
      parser.write(text);
      if (untold > MAX_TEXT + text.length) refuse('a text or a tag is too long');
    },
    get line() {
      return parser.line;
    },
    set line(line) {
      parser.line = line;
    },
  };
  const passing = handler.passOver === undefined ? undefined : new PassingOver(bounded, handler.passOver);
  const sink = passing ?? bounded;
  for await (const text of decodeText(file.bytes(), declaredEncoding)) {
    sink.write(text);
    yield;
  }
  passing?.end();
  if (depth > 0) throw new BrokenFile(`it ends at line ${parser.line} inside an element: the file may be cut off`);
  parser.close();
}

/** Bytes that are no UTF-8 are what the document says they are; one that says nothing says that it is UTF-8. */
function declaredEncoding(head: Buffer): Encoding {
  const [, name = 'utf-8'] =
    /^<\?xml[^>]{1,200}?encoding\s*=\s*["']([\w.-]{1,40})["']/.exec(head.toString('latin1', 0, 300)) ?? [];
  if (/^(?:utf-?8)$/i.test(name)) return 'utf-8';
  if (/^(?:shift[-_]?jis|windows-31j|cp932|ms932|x-sjis)$/i.test(name)) return 'shift_jis';
  if (/^euc-?jp$/i.test(name)) return 'euc-jp';
  throw new BrokenFile(`its encoding is ${printable(name)}, which is not read: convert it to UTF-8`);
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
