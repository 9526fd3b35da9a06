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
  '/japan/areas?view=table',
  '/japan/compare',
  '/japan/compare?id=ASSET-JP-13-00000054&id=ASSET-JP-13-00000006&id=x',
  '/japan/owners/%E6%97%A5%E6%9C%AC%E3%83%93%E3%83%AB%E3%83%95%E3%82%A1%E3%83%B3%E3%83%89%E6%8A%95%E8%B3%87%E6%B3%95%E4%BA%BA',
  '/japan/id/ASSET-JP-13-00000018',
];
const TWINS = [
  '/japan/tokyo',
  '/japan/tokyo/chiyoda-ku',
  BUILDING,
  '/japan/nowhere',
  '/japan/id/ASSET-JP-13-00000018',
  '/japan/owners/%E6%97%A5%E6%9C%AC%E3%83%93%E3%83%AB%E3%83%95%E3%82%A1%E3%83%B3%E3%83%89%E6%8A%95%E8%B3%87%E6%B3%95%E4%BA%BA',
].map((path) => `${path}.md`);

/** Attributes that people read or hear. */
const READ_ALOUD = ['title', 'aria-label', 'placeholder', 'alt', 'data-label', 'data-text'];
/** Names that are the same in every language. */
const NAMES = new Set(['Tatemono', '建物', 'English', '日本語', 'llms', 'txt', 'ID', 'http', 'localhost']);
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
      const isCode = CODE.has(child.tagName) || attributeOf(child, 'translate') === 'no';
      if (!isCode) yield* partsOf(child, read);
    }
  }
}

/** What the sample says about its retired building, which the API does not list. */
const RETIRED = '中銀カプセルタワービル Nakagin Capsule Tower 東京都中央区銀座八丁目 demolished in 2022';

const wordsOf = (text: string) => text.match(/[\p{L}\p{M}]{2,}/gu) ?? [];

onSqlite('the words of the pages', (fresh) => {
  let sample: ServedSample;
  /** Every word that the sample's records, areas and publications contain. */
  const data = new Set<string>(wordsOf(RETIRED));

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

  /** Words that are neither in the catalogue nor in the data nor in the request. */
  const unknown = (url: string, parts: Iterable<ReturnType<typeof splitMarked>>) => {
    const found = new Set<string>();
    for (const { other } of parts)
      for (const part of other)
        for (const word of wordsOf(part))
          if (!NAMES.has(word) && !data.has(word) && !url.includes(word))
            found.add(`${word} (${part.trim().slice(0, 60)})`);
    return [...found];
  };

  for (const lang of LANGUAGES) {
    it.each(PAGES)(`UI-01 every word of %s in ${lang} is in the catalogue or in the data`, async (url) => {
      const { body } = await sample.app.inject({ url, headers: { 'accept-language': lang } });
      expect(unknown(url, partsOf(readHtml(body)))).toEqual([]);
    });

    it.each(TWINS)(`UI-01 every word of %s in ${lang} is in the catalogue or in the data`, async (url) => {
      const { body } = await sample.app.inject({ url, headers: { 'accept-language': lang } });
      const text = body.replace(/`[^`\n]*`|\]\([^)\s]*\)|<https?:[^>\s]*>/g, ' ');
      expect(unknown(url, [splitMarked(text)])).toEqual([]);
    });
  }

  it.each(PAGES)('UI-01 the words of %s in Japanese are Japanese', async (url) => {
    const { body } = await sample.app.inject({ url, headers: { 'accept-language': 'ja' } });
    const page = readHtml(body);
    const english = [...partsOf(page)]
      .flatMap(({ own }) => own)
      .filter(
        (text) =>
          wordsOf(text).filter((word) => !url.includes(word)).length > 2 &&
          !/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u.test(text),
      );
    expect(english).toEqual([]);
    expect(attributeOf(select(page, 'html')[0] as Element, 'lang')).toBe('ja');
  });
});

function* stringsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (value !== null && typeof value === 'object') for (const each of Object.values(value)) yield* stringsOf(each);
}
