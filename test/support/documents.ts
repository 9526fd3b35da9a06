import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');
const UNTRACKED = new Set(['node_modules', '.git', 'data', 'out', 'dist']);

/** The files of the repository whose names end like this. */
export function filesBelow(folder: string, extension: RegExp): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return UNTRACKED.has(entry.name) ? [] : filesBelow(path, extension);
    return extension.test(entry.name) ? [path] : [];
  });
}

/** Every Markdown file, as `docs/tutorial.md`. */
export const documents = (): string[] =>
  filesBelow(ROOT, /\.md$/).map((path) => relative(ROOT, path).replaceAll(sep, '/'));

export const textOf = (document: string): string => readFileSync(join(ROOT, document), 'utf8');

/** A fenced block of a document. */
export interface Block {
  /** Such as `docs/tutorial.md:12`. */
  at: string;
  language: string;
  /** Without the indentation of its fence. */
  text: string;
  /** The comments directly above it, `<!-- name: content -->`. Tests read them, and readers do not see them. */
  notes: Readonly<Record<string, string>>;
  /** Whether only a block is above it, without a word between them. */
  follows: boolean;
}

export function blocksIn(document: string, text = textOf(document)): Block[] {
  const blocks: Block[] = [];
  const lines = text.split('\n');
  let notes: Record<string, string> = {};
  let follows = false;
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] as string;
    const [, name = '', content = ''] = /^ *<!-- ([a-z ]+): (.*) -->$/.exec(line) ?? [];
    const [, indent, language = ''] = /^( *)```(\S*)$/.exec(line) ?? [];
    if (name !== '') notes[name] = content;
    else if (indent !== undefined) {
      const end = lines.indexOf(`${indent}\`\`\``, i + 1);
      if (end < 0) throw new Error(`${document}:${i + 1}: the block has no end`);
      const content = lines.slice(i + 1, end).map((each) => each.slice(indent.length));
      blocks.push({ at: `${document}:${i + 1}`, language, text: content.join('\n'), notes, follows });
      [notes, follows, i] = [{}, true, end];
    } else if (line.trim() !== '') [notes, follows] = [{}, false];
  }
  return blocks;
}

/** A document without its blocks and inline code. */
export const proseOf = (text: string): string => text.replace(/^ *```.*?^ *```$/gms, '').replace(/`[^`\n]*`/g, '');
