import { SaxesParser } from 'saxes';
import type { SourceFile } from './adapter.ts';
import { BrokenFile } from './broken-file.ts';
import { decodeText } from './decode-text.ts';
import { PassingOver, type PassOver } from './pass-over.ts';

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
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES) refuse(`an element has more than ${MAX_ATTRIBUTES} attributes`);
  });
  parser.on('opentag', (tag) => {
    flush();
    attributes = 0;
    depth += 1;
    if (depth > MAX_DEPTH) refuse('elements are nested too deeply');
    handler.open(localName(tag.name), tag.attributes as Record<string, string>, parser.line);
  });
  parser.on('closetag', (tag) => {
    flush();
    depth -= 1;
    handler.close(localName(tag.name));
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  const passing = handler.passOver === undefined ? undefined : new PassingOver(parser, handler.passOver);
  const sink = passing ?? parser;
  for await (const text of decodeText(file.bytes())) {
    sink.write(text);
    yield;
  }
  passing?.end();
  if (depth > 0) throw new BrokenFile(`it ends at line ${parser.line} inside an element: the file may be cut off`);
  parser.close();
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
