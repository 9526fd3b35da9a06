import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Block, blocksIn, documents, ROOT, textOf } from '../support/documents.ts';

/** Blocks in these languages are not commands. */
const SHOWN = [
  'text',
  'json',
  'csv',
  'ts',
  'sql',
  'toml',
  'ini',
  'yaml',
  'nginx',
  'caddy',
  'diff',
  'promql',
  'mermaid',
  'dockerfile',
];
const NOTES = ['not run', 'run by', 'file', 'given', 'members of'];

describe('the blocks of the documents', () => {
  it.each(documents())('DOC-02 of %s have a language, and commands that no test runs a reason', (document) => {
    for (const { at, language, notes } of blocksIn(document)) {
      expect([...SHOWN, 'sh'], `${at}: the language of the block; commands are sh`).toContain(language);
      expect(NOTES, at).toEqual(expect.arrayContaining(Object.keys(notes)));
      if (notes['not run'] !== undefined) expect(notes['not run'], at).toMatch(/\w{3,} \w{2,}/);
      const test = notes['run by'];
      if (test === undefined) continue;
      expect(existsSync(join(ROOT, test)), `${at}: ${test}`).toBe(true);
      expect(textOf(test), at).toContain(document.slice(document.lastIndexOf('/') + 1));
    }
  });
});

/** A document in English and the same in Japanese. */
const PAIRS = [
  ['README.md', 'README.ja.md'],
  ['docs/tutorial.md', 'docs/tutorial.ja.md'],
] as const;

const levelsIn = (text: string) =>
  [...text.replace(/^ *```.*?^ *```$/gms, '').matchAll(/^(#+) /gm)].map(([, marks = '']) => marks.length);
/** Comments in commands may be translated. */
const withoutComments = ({ language, text }: Block) =>
  language === 'sh' ? text.replace(/(^|\s+)#.*$/gm, '').replace(/\n{2,}/g, '\n') : text;
const linksIn = (text: string) =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link.replace('.ja.md', '.md')).sort();

describe.each(PAIRS)('%s and %s', (english, japanese) => {
  const [one, other] = [textOf(english), textOf(japanese)];

  it('DOC-04 have the same headings', () => {
    expect(levelsIn(other)).toEqual(levelsIn(one));
    expect(levelsIn(one).length).toBeGreaterThan(4);
  });

  it('DOC-04 have the same commands, files and outputs', () => {
    const shapeOf = (document: string) =>
      blocksIn(document).map((block) => [block.language, withoutComments(block), Object.keys(block.notes)]);
    expect(shapeOf(japanese)).toEqual(shapeOf(english));
  });

  it('DOC-04 link to the same places and to each other', () => {
    const own = (document: string) => document.slice(document.lastIndexOf('/') + 1).replace('.ja.md', '.md');
    expect(linksIn(other)).toEqual(linksIn(one));
    expect(linksIn(one)).toContain(own(english));
    expect(one).toContain(`(${japanese.slice(japanese.lastIndexOf('/') + 1)})`);
    expect(other).toContain(`(${english.slice(english.lastIndexOf('/') + 1)})`);
  });

  it('DOC-04 are in their languages', () => {
    const kana = (text: string) => text.match(/[ぁ-んァ-ヶ]/g)?.length ?? 0;
    expect(kana(one)).toBeLessThan(one.length / 20);
    expect(kana(other)).toBeGreaterThan(other.length / 10);
  });
});
