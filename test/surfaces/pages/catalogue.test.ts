import { afterAll, beforeAll, expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/surfaces/pages/catalogue/language.ts';
import { onSqlite } from '../../support/engines.ts';
import { attributeOf, type Element, isElement, readHtml, select } from '../../support/html-tree.ts';
import { markCatalogue, markReader, splitMarked } from '../../support/marked-catalogue.ts';
import { openServedSample, type ServedSample } from '../../support/served-sample.ts';

markCatalogue();

const BUILDING = '/japan/tokyo/chiyoda-ku/marunouchi-1-chome/ASSET-JP-13-00000054';
const PAGES = [
  '/japan',
  '/japan?prefecture=nowhere',
  '/japan?prefecture=tokyo',
  '/japan/areas',
  '/japan/areas?q=no-such-building&type=office&heightMin=5&has=owner&sort=height',
  '/japan/areas?page=9999&heightMin=9&heightMax=1&type=nonsense',
  '/japan/tokyo',
  '/japan/tokyo/chiyoda-ku',
  '/japan/tokyo/chiyoda-ku/marunouchi-1-chome',
  BUILDING,
  ...['venues', 'sources', 'history', 'reit'].map((tab) => `${BUILDING}?tab=${tab}`),
  '/japan/about',
  '/japan/api',
  '/japan/api/searchAssets',
  '/japan/api/getWard',
  '/japan/api/schemas/Fields',
  '/japan/api/schemas/ReitMeasure',
  '/japan/nowhere',
];
const TWINS = ['/japan/tokyo', '/japan/tokyo/chiyoda-ku', BUILDING, '/japan/nowhere'].map((path) => `${path}.md`);

/** Attributes that people read or hear. */
const READ_ALOUD = ['title', 'aria-label', 'placeholder', 'alt', 'data-label', 'data-text'];
/** Names that are the same in every language. */
const NAMES = new Set(['Tatemono', '建物', 'English', '日本語', 'llms', 'txt']);
/** Parts of formatted dates and amounts (UI-06). */
for (let month = 0; month < 12; month++) NAMES.add(new Date(2000, month).toLocaleString('en', { month: 'long' }));
NAMES.add('万円').add('億円');
const CODE = new Set(['code', 'pre', 'script', 'style']);

/** The texts of a page that people read, without code. */
function* partsOf(
  node: Element | ReturnType<typeof readHtml>,
  read = markReader(),
): Generator<ReturnType<typeof splitMarked>> {
  for (const child of node.childNodes) {
    if ('value' in child) yield read(child.value);
    else if (isElement(child)) {
      for (const name of READ_ALOUD) {
        const text = attributeOf(child, name);
        if (text !== undefined) yield splitMarked(text);
      }
      if (
        child.tagName === 'meta' &&
        /description|title/.test(attributeOf(child, 'name') ?? attributeOf(child, 'property') ?? '')
      )
        yield splitMarked(attributeOf(child, 'content') ?? '');
      if (!CODE.has(child.tagName)) yield* partsOf(child, read);
    }
  }
}

const wordsOf = (text: string) => text.match(/[\p{L}\p{M}]{2,}/gu) ?? [];

onSqlite('the words of the pages', (fresh) => {
  let sample: ServedSample;
  /** Every word that the sample's records, areas and publications contain. */
  const data = new Set<string>();

  beforeAll(async () => {
    sample = await openServedSample(await fresh());
    const urls = [
      '/japan/api/v1/areas/tokyo',
      '/japan/api/v1/areas/tokyo/chiyoda-ku',
      '/japan/api/v1/areas/tokyo/chiyoda-ku/marunouchi-1-chome',
    ];
    for (let page = 1; page <= 7; page++) urls.push(`/japan/api/v1/assets?page=${page}`);
    urls.push('/japan/api/v1/assets/ASSET-JP-13-00000054/reit', '/japan/api/v1/assets/ASSET-JP-13-00000054/sources');
    for (const url of urls)
      for (const text of stringsOf(JSON.parse((await sample.app.inject(url)).body)))
        for (const word of wordsOf(text)) data.add(word);
  });
  afterAll(() => sample.close());

  const unknown = (parts: Iterable<ReturnType<typeof splitMarked>>) => {
    const found = new Set<string>();
    for (const { other } of parts)
      for (const part of other)
        for (const word of wordsOf(part))
          if (!NAMES.has(word) && !data.has(word)) found.add(`${word} (${part.trim().slice(0, 60)})`);
    return [...found];
  };

  for (const lang of LANGUAGES) {
    it.each(PAGES)(`UI-01 every word of %s in ${lang} is in the catalogue or in the data`, async (url) => {
      const { body } = await sample.app.inject({ url, headers: { 'accept-language': lang } });
      expect(unknown(partsOf(readHtml(body)))).toEqual([]);
    });

    it.each(TWINS)(`UI-01 every word of %s in ${lang} is in the catalogue or in the data`, async (url) => {
      const { body } = await sample.app.inject({ url, headers: { 'accept-language': lang } });
      const text = body.replace(/`[^`\n]*`|\]\([^)\s]*\)|<https?:[^>\s]*>/g, ' ');
      expect(unknown([splitMarked(text)])).toEqual([]);
    });
  }

  it.each(PAGES)('UI-01 the words of %s in Japanese are Japanese', async (url) => {
    const { body } = await sample.app.inject({ url, headers: { 'accept-language': 'ja' } });
    const page = readHtml(body);
    const english = [...partsOf(page)]
      .flatMap(({ own }) => own)
      .filter((text) => wordsOf(text).length > 2 && !/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u.test(text));
    expect(english).toEqual([]);
    expect(attributeOf(select(page, 'html')[0] as Element, 'lang')).toBe('ja');
  });
});

function* stringsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (value !== null && typeof value === 'object') for (const each of Object.values(value)) yield* stringsOf(each);
}
