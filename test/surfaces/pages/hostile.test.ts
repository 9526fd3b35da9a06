import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finished } from '../../../src/registry/registry.ts';
import { openRegistry, type Registry } from '../../../src/registry/registry.ts';
import { ownerPath } from '../../../src/surfaces/pages/owner/owner-path.ts';
import { onSqlite } from '../../support/engines.ts';
import { elementsOf, readHtml, select, textOf } from '../../support/html-tree.ts';
import { markdownLinks, markdownShape } from '../../support/markdown-tree.ts';
import { HUB_PATHS, openPageTown, TOWN, townPath } from '../../support/page-town.ts';
import type { ServedRegistry } from '../../support/served-registry.ts';
import { uncheckedServerOn } from '../../support/serving.ts';

/** Texts that a source could contain. All have a Japanese character, so that pages mark them as Japanese like the harmless one. */
const TEXTS: Readonly<Record<string, string>> = {
  script: '塔</script><script>alert(1)</script><img src=x onerror=alert(1)>',
  attribute: `塔" onmouseover="alert(1)" x='y' autofocus onfocus=alert(1)`,
  'ends of elements': '塔</title></style></textarea></svg></table></main></body><!--',
  'CDATA and entities': '塔<![CDATA[ ]]> &lt;b&gt; &#0; &bogus; &amp;amp; <?php ?> <!doctype x>',
  controls: '塔\0\x01\b\v\f\x1b[31m\x1f\x7f\x85\x9f',
  noncharacters: '塔\ufdd0\ufffe\uffff\u{1fffe}\u{10ffff}\ud800',
  bidi: '塔\u202ebuilding\u2066\u2069\u200f\u061c',
  'Markdown inline':
    '塔 **b** _i_ `c` [x](javascript:alert(1)) ![y](http://evil.example/z.png) <http://evil.example> ~~s~~',
  'Markdown blocks':
    '塔\n\n# Heading\n\n- item\n\n> quote\n\n```\ncode\n```\n\n---\n\n| a | b |\n|---|---|\n| c | d |\n',
  'a cell': '塔 | another | cell |\r\n| --- | --- |\r\n\\|',
  'a list': '- 塔',
  'a plus': '+ 塔',
  'a number': '1. 塔',
  'a bracket': '12) 塔',
  'a rule': '--- 塔',
  'an underline': '=== 塔',
  'a heading': '# 塔 #',
  'a quote': '> 塔',
  indented: '        塔',
  'a fence': '~~~ 塔',
  'a definition': '[塔]: http://evil.example',
  backslashes: '塔\\\\\\',
  'a template': '塔 {{7*7}} <%= 7*7 %> %s',
  separators: '塔\u2028\u2029\r\n\n\n\n\tend',
  addresses: '塔 javascript:alert(1) http://evil.example www.evil.example a@evil.example',
  long: '塔'.repeat(10_000),
  'long and broken': '塔<b>"\'&'.repeat(300),
};

const URLS = [
  ...['javascript:alert(1)', 'JaVaScRiPt:alert(1)', ' javascript:alert(1)', 'java\nscript:alert(1)', 'vbscript:x'],
  ...['data:text/html,<script>alert(1)</script>', 'file:///etc/passwd', 'blob:x', '//evil.example', '/\\evil.example'],
  ...[
    '\\\\evil.example',
    '/japan/../x',
    '/japan/id/x"onclick="',
    '/other',
    'nonsense',
    '',
    '#x',
    'http://[bad',
    'mailto:a@b.c',
  ],
  ...[
    'https://a.example/"><script>alert(1)</script>',
    "https://a.example/' onclick='x",
    'https://a.example/a b|c`d<e>f\\g)h(i',
  ],
  ...['https://例え.jp/塔?a=b&c=d#"<>', 'HTTP://A.EXAMPLE', 'https://a.example/%zz', 'http://user:pass@a.example/'],
];

const HARMLESS = { text: '塔', url: 'https://a.example/塔' };
type Poison = typeof HARMLESS;

const TEXT_KEYS = new Set(['nameJa', 'nameEn', 'label', 'detail', 'sourceRecordId', 'level']);
const TEXT_FIELDS = new Set(['nameJa', 'nameEn', 'addressJa', 'structure', 'ownerPublic', 'architect', 'developer']);

/** The same data with every text and URL of a source replaced. */
function poison(value: unknown, by: Poison, key = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => poison(each, by, key));
  if (typeof value === 'string' && TEXT_KEYS.has(key)) return by.text;
  if (typeof value === 'string' && key === 'sourceUrl') return by.url;
  if (typeof value !== 'object' || value === null) return value;
  const isText = TEXT_FIELDS.has(key) || key === 'aliases' || key === 'assetTypes';
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      if (name === 'value' && typeof each === 'string' && isText) return [name, by.text];
      if (name === 'conflict' && isText && each !== null) return [name, { ...(each as object), value: by.text }];
      if (name === 'category' && key === 'venues') return [name, by.text];
      return [name, poison(each, by, name)];
    }),
  );
}

/** `now` gives the current replacement for every text and URL. */
function poisoned(registry: Registry, now: () => Poison): Registry {
  const poisonNow = (value: unknown) => poison(value, now()) as never;
  const finished = ({ body }: Finished): Finished => {
    const text = JSON.stringify(poisonNow(JSON.parse(Buffer.from(body).toString())));
    return { etag: `"${crc32(text)} ${text.length}"`, body: Buffer.from(text) };
  };
  return {
    ...registry,
    async getPage(id) {
      const found = await registry.getPage(id);
      return found.ok ? { ok: true, value: finished(found.value) } : found;
    },
    async getArea(slugs) {
      const found = await registry.getArea(slugs);
      return found.ok ? { ok: true, value: finished(found.value) } : found;
    },
    list: async (query) => poisonNow(await registry.list({ ...query, q: undefined })),
    readMapPoints: (query) => registry.readMapPoints({ ...query, list: { ...query.list, q: undefined } }),
    findAreas: async () => poisonNow(await registry.findAreas('丸の内')),
    getCountry: async () => poisonNow(await registry.getCountry()),
    suggest: async (q) => poisonNow(await registry.suggest(q)),
  };
}

const BUILDING = townPath(TOWN.everything);
const pagesOf = (text: string) => {
  const q = `q=${encodeURIComponent(text.slice(0, 500).toWellFormed())}`;
  return [
    ...['/japan', '/japan?prefecture=tokyo', '/japan/areas', `/japan/areas?prefecture=tokyo&${q}`, '/japan/about'],
    ...HUB_PATHS,
    `${HUB_PATHS[0]}?${q}&type=office`,
    ...['', '?tab=venues', '?tab=sources', '?tab=history', '?tab=reit'].map((tab) => `${BUILDING}${tab}`),
    townPath(TOWN.inheriting),
    '/japan/nowhere',
  ];
};
const TWINS = [...HUB_PATHS, BUILDING, townPath(TOWN.inheriting)].map((path) => `${path}.md`);

/** A list of such long names would be tens of megabytes. */
const isTooLong = (text: string, url: string) => text.length > 1_000 && !url.startsWith(BUILDING);

/** The elements of a page with the names of their attributes. */
const structureOf = (page: ReturnType<typeof readHtml>) =>
  elementsOf(page).map(({ tagName, attrs }) => `${tagName} ${attrs.map(({ name }) => name).join(' ')}`);

function expectSafeLinks(page: ReturnType<typeof readHtml>): void {
  for (const { attrs } of elementsOf(page)) {
    for (const { name, value } of attrs) {
      if (/^(on|style$)/.test(name)) throw new Error(`an element has the attribute ${name}`);
      const isLink = /^(href|src|action|formaction|data|poster|srcset)$/.test(name);
      if (isLink && !/^(https?:\/\/|\/(?![/\\])|#)/.test(value)) throw new Error(`${name} links to ${value}`);
    }
  }
}

const notIn = (lines: readonly string[], all: readonly string[]) => {
  const known = new Set(all);
  return lines.filter((line) => !known.has(line));
};

/** UI-60: the page of an owner has the name in its path, and a name that is too long for a path is no link. */
const withoutOwners = (links: readonly string[] = []) => links.filter((link) => !link.includes('/japan/owners/'));

onSqlite('pages with hostile data of sources', (fresh) => {
  let town: ServedRegistry;
  let app: FastifyInstance;
  let poisonedBy = HARMLESS;
  /** The structure of every page and twin with the harmless text. */
  const harmless = new Map<string, string[]>();
  const links = new Map<string, string[]>();
  const serve = (by: Poison) => {
    poisonedBy = by;
    return async (url: string) => {
      const { statusCode, body } = await app.inject(url);
      expect([url.slice(0, 80), statusCode]).toEqual([url.slice(0, 80), url === '/japan/nowhere' ? 404 : 200]);
      return body;
    };
  };
  beforeAll(async () => {
    town = await openPageTown(await fresh());
    app = uncheckedServerOn(poisoned(openRegistry(town.context.storage), () => poisonedBy));
    const get = serve(HARMLESS);
    for (const [i, url] of pagesOf(HARMLESS.text).entries())
      harmless.set(`page ${i}`, structureOf(readHtml(await get(url))));
    for (const url of TWINS) {
      const markdown = await get(url);
      harmless.set(url, markdownShape(markdown));
      links.set(url, markdownLinks(markdown));
    }
  });
  afterAll(async () => {
    await app.close();
    await town.close();
  });

  describe.each(Object.entries(TEXTS))('a text with %s', (_, text) => {
    const by = { ...HARMLESS, text };

    it('PAG-09 adds no element or attribute, and the page parses without errors', async () => {
      const get = serve(by);
      for (const [i, url] of pagesOf(text).entries()) {
        if (isTooLong(text, url)) continue;
        const page = readHtml(await get(url));
        // UI-60: a name that is too long for a path is no link.
        const structure = (of: readonly string[] = []) =>
          ownerPath(text) === undefined ? of.map((element) => element.replace('a href lang', 'span lang')) : of;
        expect(structure(structureOf(page)), url.slice(0, 80)).toEqual(
          structure(harmless.get(`page ${i}`) as string[]),
        );
        expectSafeLinks(page);
        for (const script of select(page, 'script[type=application/ld+json]')) {
          const { '@graph': nodes } = JSON.parse(textOf(script)) as { '@graph': Record<string, unknown>[] };
          for (const node of nodes.filter((each) => each['@type'] === 'Place')) {
            expect(node.name).toEqual(expect.stringContaining('塔'));
          }
        }
      }
    });

    it('MD-04 does not change the structure of a Markdown twin', async () => {
      const get = serve(by);
      for (const url of TWINS) {
        if (isTooLong(text, url)) continue;
        const markdown = await get(url);
        if (ownerPath(text) !== undefined) expect(markdownShape(markdown), url).toEqual(harmless.get(url));
        expect(withoutOwners(markdownLinks(markdown))).toEqual(withoutOwners(links.get(url)));
      }
    });

    it('SUG-01 is text in the suggestions', async () => {
      const { rows } = JSON.parse(await serve(by)('/japan/suggest?q=%E5%A1%94'));
      expect(rows.length).toBeGreaterThan(0);
      for (const { label, path } of rows) expect([label, path.startsWith('/japan/')]).toEqual([text, true]);
    });
  });

  it.each(URLS)('PAG-09 MD-04 the URL %j becomes a link to a web site or to this service, or no link', async (url) => {
    const get = serve({ ...HARMLESS, url });
    for (const [i, path] of pagesOf(HARMLESS.text).entries()) {
      if (!path.startsWith(BUILDING)) continue;
      const page = readHtml(await get(path));
      expectSafeLinks(page);
      expect(notIn(structureOf(page), [...(harmless.get(`page ${i}`) ?? []), 'span class title'])).toEqual([]);
    }
    for (const twin of [`${BUILDING}.md`]) {
      const markdown = await get(twin);
      for (const link of markdownLinks(markdown)) expect(link).toMatch(/^https?:\/\//);
      // Apart from links, the structure is the same.
      const withoutLinks = (shape: readonly string[] = []) => shape.filter((line) => !/link|codespan/.test(line));
      expect(withoutLinks(markdownShape(markdown))).toEqual(withoutLinks(harmless.get(twin)));
    }
  });

  it('MD-04 PAG-09 any text', async () => {
    const piece = fc.constantFrom(
      ...[
        '<',
        '>',
        '"',
        "'",
        '&',
        '`',
        '*',
        '_',
        '[',
        ']',
        '(',
        ')',
        '|',
        '\\',
        '#',
        '-',
        '+',
        '=',
        '.',
        '!',
        '~',
        ':',
        '/',
      ],
      ...[
        '\n',
        '\r',
        '\t',
        ' ',
        '\0',
        '\x85',
        '\u202e',
        '\ufffe',
        '1.',
        'http://a.b',
        'www.',
        '<b>',
        '](',
        '![',
        '&lt;',
      ],
    );
    const text = fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(text, async (parts) => {
        const get = serve({ ...HARMLESS, text: `${parts.join('')}塔` });
        for (const url of [BUILDING, HUB_PATHS[2] as string]) {
          expect(structureOf(readHtml(await get(url)))).toEqual(harmless.get(`page ${pagesOf('').indexOf(url)}`));
          expect(markdownShape(await get(`${url}.md`))).toEqual(harmless.get(`${url}.md`));
        }
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });
});
