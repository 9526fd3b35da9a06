import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const UNTRACKED = new Set(['node_modules', '.git', 'data', 'out']);
const DOCUMENTED = /\bdocs\/[\w/-]+\.md\b/g;

function filesBelow(folder: string, extension: RegExp): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return UNTRACKED.has(entry.name) ? [] : filesBelow(path, extension);
    return extension.test(entry.name) ? [path] : [];
  });
}

const proseOf = (text: string) => text.replace(/^ *```.*?^ *```$/gms, '').replace(/`[^`\n]*`/g, '');

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

/** The broken links of a document. */
function brokenLinks(file: string, text: string): string[] {
  return [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => {
      if (/^[a-z]+:/.test(link)) return false;
      const [path = '', anchor] = decodeURI(link).split('#');
      const target = path === '' ? file : join(dirname(file), path);
      if (!existsSync(target)) return true;
      if (anchor === undefined) return false;
      return statSync(target).isDirectory() || !anchorsOf(readFileSync(target, 'utf8')).has(anchor);
    });
}

describe('the documents', () => {
  const documents = filesBelow(ROOT, /\.md$/);

  it('are found', () => {
    expect(documents.map((file) => relative(ROOT, file))).toEqual(
      expect.arrayContaining(['README.md', 'CHANGELOG.md', join('docs', 'tutorial.md')]),
    );
  });

  it.each(documents.map((file) => [relative(ROOT, file), file]))('%s has no broken link', (_, file) => {
    expect(brokenLinks(file, readFileSync(file, 'utf8'))).toEqual([]);
  });

  it('are referred to by existing paths, also in comments and templates', () => {
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
    ['# Here\n[a](docs) [b](LICENSE) [c](https://example.org/x#y) `[d](nowhere)`', []],
    ['```\n[a](nowhere.md)\n```', []],
  ])('of %j are %j', (text, broken) => {
    expect(brokenLinks(readme, text)).toEqual(broken);
  });

  it('knows the anchors that GitHub generates', () => {
    const text = '# One, two\n## The company part of 建築主\n## A `b` c\n## One, two\n```\n# no heading\n```\n';
    expect([...anchorsOf(text)]).toEqual(['one-two', 'the-company-part-of-建築主', 'a-b-c', 'one-two-1']);
  });
});
