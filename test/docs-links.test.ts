import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documents, filesBelow, proseOf, ROOT, textOf } from './support/documents.ts';

const DOCUMENTED = /\bdocs\/[\w/.-]+\.md\b/g;

/** The anchors that GitHub gives to the headings of a document. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of text.replace(/^ *```.*?^ *```$/gms, '').matchAll(/^#+ (.+)$/gm)) {
    const anchor = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-');
    let unique = anchor;
    for (let n = 1; anchors.has(unique); n += 1) unique = `${anchor}-${n}`;
    anchors.add(unique);
  }
  return anchors;
}

/** Links to other sites are not opened: a test must not depend on them. */
function isWellFormed(link: string): boolean {
  if (!URL.canParse(link)) return false;
  const { protocol, hostname, username, password } = new URL(link);
  return ['https:', 'http:'].includes(protocol) && hostname.includes('.') && username === '' && password === '';
}

/** The broken links of a document. */
function brokenLinks(file: string, text: string): string[] {
  return [...proseOf(text).matchAll(/\]\(([^)]*)\)|<([a-z]+:[^>]*)>/g)]
    .map(([, link, address = '']) => link ?? address)
    .filter((link) => {
      if (/^[a-z]+:/.test(link)) return !isWellFormed(link);
      const [path = '', anchor] = decodeURI(link).split('#');
      const target = path === '' ? file : join(dirname(file), path);
      if (!existsSync(target)) return true;
      if (anchor === undefined) return false;
      return statSync(target).isDirectory() || !anchorsOf(readFileSync(target, 'utf8')).has(anchor);
    });
}

describe('the documents', () => {
  it('are found', () => {
    expect(documents()).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'docs/tutorial.md']));
  });

  it.each(documents())('DOC-03 %s has no broken link', (document) => {
    expect(brokenLinks(join(ROOT, document), textOf(document))).toEqual([]);
  });

  it('DOC-03 are all reached from the README', () => {
    const reached = new Set(['README.md']);
    for (const document of reached) {
      for (const [, link = ''] of proseOf(textOf(document)).matchAll(/\]\(([^)#]+\.md)(?:#[^)]*)?\)/g)) {
        if (!/^[a-z]+:/.test(link)) reached.add(join(dirname(document), link).replaceAll('\\', '/'));
      }
    }
    // These are reached by their folder.
    const linked = (document: string) => reached.has(document) || document.startsWith('docs/sources/');
    expect(documents().filter((document) => document.startsWith('docs/') && !linked(document))).toEqual([]);
  });

  it('DOC-03 are referred to by existing paths, also in comments and templates', () => {
    const missing = filesBelow(ROOT, /\.(ts|js|md|yml)$/).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(DOCUMENTED)]
        .filter(([path]) => !existsSync(join(ROOT, path)))
        .map(([path]) => `${relative(ROOT, file)}: ${path}`),
    );
    expect(missing).toEqual([]);
  });
});

describe('brokenLinks', () => {
  const readme = join(ROOT, 'README.md');

  it.each([
    ['[a](nowhere.md)', ['nowhere.md']],
    ['[a](CONTRIBUTING.md#nowhere)', ['CONTRIBUTING.md#nowhere']],
    ['[a](#nowhere)', ['#nowhere']],
    ['[a](docs#nowhere)', ['docs#nowhere']],
    ['[a](ftp://example.org/x)', ['ftp://example.org/x']],
    ['[a](https://user:x@example.org/)', ['https://user:x@example.org/']],
    ['<https://example>', ['https://example']],
    ['[a](two words.md)', ['two words.md']],
    ['<http://127.0.0.1:3000/japan> <https://example.org> [a](http://example.org/x)', []],
    ['# Here\n[a](docs) [b](LICENSE) [c](https://example.org/x#y) `[d](nowhere)`', []],
    ['```\n[a](nowhere.md)\n```', []],
  ])('DOC-03 of %j are %j', (text, broken) => {
    expect(brokenLinks(readme, text)).toEqual(broken);
  });

  it('DOC-03 knows the anchors that GitHub generates', () => {
    const text = '# One, two\n## The company part of 建築主\n## A `b` c\n## One, two\n```\n# no heading\n```\n';
    expect([...anchorsOf(text)]).toEqual(['one-two', 'the-company-part-of-建築主', 'a-b-c', 'one-two-1']);
  });
});
