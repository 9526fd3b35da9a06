import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { negotiateLanguage } from '../../../src/surfaces/http/negotiation.ts';
import { CATALOGUE } from '../../../src/surfaces/pages/catalogue/catalogue.ts';
import { LANGUAGES } from '../../../src/surfaces/pages/catalogue/language.ts';
import {
  formatDay,
  formatDayPlainly,
  formatField,
  formatYen,
  languageOfWords,
  run,
} from '../../../src/surfaces/pages/format.ts';
import { keepLanguage, withLanguage, withoutLanguage } from '../../../src/surfaces/pages/language.ts';
import { onBothEngines, onSqlite } from '../../support/engines.ts';
import { attributeOf, readHtml, select, selectOne, textOf } from '../../support/html-tree.ts';
import { HUBS, openPageTown, TOWN, townPath } from '../../support/page-town.ts';
import type { ServedRegistry } from '../../support/served-registry.ts';
import { openServedSample, type ServedSample } from '../../support/served-sample.ts';

const { en, ja } = CATALOGUE;

describe('the language of a request', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['ja', 'ja'],
    ['ja-JP,ja;q=0.9,en-US;q=0.8,en;q=0.7', 'ja'],
    ['en-GB,en;q=0.9,ja;q=0.8', 'en'],
    ['JA', 'ja'],
    ['fr,de;q=0.9', 'en'],
    ['fr, ja;q=0.1', 'ja'],
    ['ja;q=0, *', 'en'],
    ['en;q=0, *;q=0.5', 'ja'],
    ['*', 'en'],
    ['ja;q=0.5, en;q=0.5', 'ja'],
    ['en, ja', 'en'],
    ['ja;q=oops', 'en'],
    ['jam', 'en'],
  ])('UI-02 Accept-Language %j gives %s', (header, expected) => {
    expect(negotiateLanguage(header, LANGUAGES)).toBe(expected);
  });

  it('UI-04 adds and removes the language of an address and keeps the rest', () => {
    expect(withLanguage('/japan', 'ja')).toBe('/japan?lang=ja');
    expect(withLanguage('/japan/areas?q=a&lang=en#results', 'ja')).toBe('/japan/areas?q=a&lang=ja#results');
    expect(withoutLanguage('/japan/areas?lang=ja&q=%E5%8C%97&q=slang=1')).toBe('/japan/areas?q=%E5%8C%97&q=slang=1');
    expect(withoutLanguage('/japan?lang=ja')).toBe('/japan');
  });

  it('UI-04 keeps the language in links and forms, not in files, the API or the language switch', () => {
    const markup = (link: string) => `<a class="x" href="${link}">`;
    for (const other of [
      '/japan/assets/a.css',
      '/japan/api/v1/assets',
      '/japan/mcp',
      'https://x.example/japan',
      '#main',
    ])
      expect(keepLanguage(markup(other), 'ja')).toBe(markup(other));
    expect(keepLanguage(markup('/japan/language?lang=en&amp;to=%2F'), 'ja')).toContain('lang=en');
    expect(keepLanguage(markup('/japan/areas?q=a&amp;type=b#c'), 'ja')).toBe(
      markup('/japan/areas?q=a&amp;type=b&amp;lang=ja#c'),
    );
    expect(keepLanguage(markup('/japan/api'), 'ja')).toBe(markup('/japan/api?lang=ja'));
    expect(keepLanguage('<form action="/japan/areas" method="get">', 'ja')).toBe(
      '<form action="/japan/areas" method="get"><input type="hidden" name="lang" value="ja">',
    );
  });
});

describe('values in each language', () => {
  it('UI-06 yen', () => {
    expect([formatYen(ja, 9_890_000_000), formatYen(en, 9_890_000_000)]).toEqual(['98億9,000万円', '¥9,890,000,000']);
    expect([formatYen(ja, 9_999), formatYen(en, -1_234)]).toEqual(['9,999円', '-¥1,234']);
    expect(formatYen(ja, 123_456_789_012)).toBe('1,234億5,678万9,012円');
    expect(formatField(ja, 'acquisitionPriceJpy', 16_276_000_000, 'JPY')).toBe('162億7,600万円');
  });

  it('UI-06 numbers keep all their digits, grouped', () => {
    const intl = new Intl.NumberFormat('en', { maximumFractionDigits: 20 });
    fc.assert(
      fc.property(
        fc.oneof(fc.double({ noNaN: true }), fc.integer(), fc.double({ min: -1e9, max: 1e9, noNaN: true })),
        (value) => {
          // Intl cuts after 20 digits; a number with more of them, but no exponent, is less than 1.
          const isLonger = /^-?0\.\d{21,}$/.test(String(value));
          const expected = isLonger ? String(value) : intl.format(Object.is(value, -0) ? 0 : value);
          expect(formatField(en, 'footprintM2', value, null)).toBe(expected);
        },
      ),
      { examples: [[0.0000016341068899422901]] },
    );
    expect(formatField(ja, 'footprintM2', 1234567.25, 'm2')).toBe('1,234,567.25 m²');
  });

  it('UI-06 days, months and years', () => {
    expect([formatDay(en, '2020-04-01'), formatDay(ja, '2020-04-01T09:00:00Z')]).toEqual([
      '1 April 2020',
      '2020年4月1日',
    ]);
    expect([formatDay(en, '2023-11'), formatDay(ja, '2023-11')]).toEqual(['November 2023', '2023年11月']);
    expect([formatDay(en, '1968'), formatDay(ja, '1968')]).toEqual(['1968', '1968年']);
    expect([formatDay(en, 'unknown'), formatDay(ja, '2023-13')]).toEqual(['unknown', '2023-13']);
    expect([formatDayPlainly(en, '2020-04-01T09:00:00Z'), formatDayPlainly(ja, '2020-04-01')]).toEqual([
      '2020-04-01',
      '2020年4月1日',
    ]);
  });

  it('UI-07 marks a run in the other language, and nothing else', () => {
    expect([run(en, '丸ビル').text, run(ja, '丸ビル').text]).toEqual(['<span lang="ja">丸ビル</span>', '丸ビル']);
    expect([run(en, 'Maru-Biru', 'en').text, run(ja, 'Maru-Biru', 'en').text]).toEqual([
      'Maru-Biru',
      '<span lang="en">Maru-Biru</span>',
    ]);
    for (const text of ['OpenStreetMap contributors', 'shop=mall']) expect(run(ja, text).text).toBe(text);
    for (const text of ['Mori Tower', 'Kohn Pedersen Fox', 'observation tower', 'demolished in 2022', 'Café Kō']) {
      expect([text, languageOfWords(text)]).toEqual([text, 'en']);
    }
    for (const text of ['shop=mall', 'Башня', '타워', '1', 'building_use:401', '森タワー']) {
      expect([text, languageOfWords(text) ?? '']).toEqual([text, '']);
    }
    expect(run(en, '<b>北</b>').text).toBe('<span lang="ja">&lt;b&gt;北&lt;/b&gt;</span>');
  });
});

onBothEngines('pages in two languages', (fresh) => {
  let town: ServedRegistry;
  beforeAll(async () => {
    town = await openPageTown(await fresh());
  });
  afterAll(() => town.close());
  const building = townPath(TOWN.everything);
  const PAGES = [
    '/japan',
    '/japan/areas?q=a',
    HUBS.ward,
    building,
    `${building}?tab=sources`,
    '/japan/about',
    '/japan/api',
  ];
  const langOf = (body: string) => attributeOf(selectOne(readHtml(body), 'html'), 'lang');

  it('UI-07 English names and recorded uses are marked in Japanese pages', async () => {
    const marked = async (url: string, selector: string) =>
      select(readHtml((await town.get(url)).body), selector)
        .filter((element) => attributeOf(element, 'lang') === 'en')
        .map(textOf);
    const ids = `id=${TOWN.everything}&id=${TOWN.onlyEnglish}`;
    expect(await marked(`${building}?lang=ja`, 'q')).toEqual(expect.arrayContaining(['office', 'retail']));
    expect(await marked(`/japan/compare?${ids}&lang=ja`, '.figure span')).toEqual(
      expect.arrayContaining(['Ko Building', 'English House']),
    );
    expect(await marked(`${building}?tab=sources&lang=ja`, '.statements td span')).toContain('office');
    for (const url of [`${building}?lang=en`, `/japan/compare?${ids}&lang=en`, `${building}?tab=sources&lang=en`]) {
      expect([...(await marked(url, 'q')), ...(await marked(url, 'td span'))]).toEqual([]);
    }
  });

  it('UI-01 common kinds of venues are in Japanese, and others as the source has them', async () => {
    const kinds = async (lang: string) =>
      select(readHtml((await town.get(`${building}?tab=venues&lang=${lang}`)).body), '.venues .aside').map(textOf);
    expect((await kinds('ja')).join()).toMatch(/バー.*コーヒー店.*店/);
    expect((await kinds('en')).join()).toMatch(/bar.*coffee shop/);
    expect((await town.get(`${building}.md?lang=ja`)).body).toMatch(/Only English \| バー/);
  });

  it.each(PAGES)(
    'UI-02 UI-05 %s is in the language of the address, else of the cookie, else of Accept-Language',
    async (url) => {
      const inUrl = (lang: string) => `${url}${url.includes('?') ? '&' : '?'}lang=${lang}`;
      const cases: [string, Record<string, string>, string][] = [
        [url, {}, 'en'],
        [url, { 'accept-language': 'ja,en;q=0.5' }, 'ja'],
        [url, { 'accept-language': 'ja', cookie: 'a=b; lang=en' }, 'en'],
        [url, { cookie: 'lang=ja' }, 'ja'],
        [url, { cookie: 'lang=xx', 'accept-language': 'ja' }, 'ja'],
        [inUrl('ja'), { cookie: 'lang=en', 'accept-language': 'en' }, 'ja'],
        [inUrl('en'), { 'accept-language': 'ja' }, 'en'],
        [inUrl('fr'), { 'accept-language': 'ja' }, 'ja'],
      ];
      const tags = new Set<unknown>();
      for (const [target, headers, expected] of cases) {
        const got = await town.get(target, headers);
        expect([target, got.status, langOf(got.body)]).toEqual([target, 200, expected]);
        expect(got.headers['content-language']).toBe(expected);
        const vary = String(got.headers.vary).split(', ');
        const dependsOnHeaders = !/lang=(ja|en)/.test(target);
        expect([vary.includes('Accept-Language'), vary.includes('Cookie')]).toEqual([
          dependsOnHeaders,
          dependsOnHeaders,
        ]);
        if (target === url) tags.add(`${expected} ${got.headers.etag}`);
      }
      // One representation per language, each with an ETag of its own.
      expect(tags.size).toBe(2);
    },
  );

  it('UI-02 the Markdown twin follows the same choice', async () => {
    for (const path of [building, HUBS.ward]) {
      const english = await town.get(`${path}.md`);
      const japanese = await town.get(`${path}.md`, { 'accept-language': 'ja' });
      expect(japanese.body).not.toBe(english.body);
      expect((await town.get(`${path}.md?lang=ja`)).body).toBe(japanese.body);
      expect((await town.get(path, { accept: 'text/markdown', cookie: 'lang=ja' })).body).toBe(japanese.body);
      expect(japanese.headers.etag).not.toBe(english.headers.etag);
    }
  });

  it.each(PAGES)('UI-05 %s has a canonical URL without a language, and alternates with one', async (url) => {
    for (const lang of LANGUAGES) {
      const page = readHtml((await town.get(`${url}${url.includes('?') ? '&' : '?'}lang=${lang}`)).body);
      const canonical = attributeOf(selectOne(page, 'link[rel=canonical]'), 'href');
      expect(canonical).not.toContain('lang=');
      const alternates = select(page, 'link[hreflang]').map((link) => [
        attributeOf(link, 'hreflang'),
        attributeOf(link, 'href'),
      ]);
      expect(alternates).toEqual([
        ['en', `${canonical}?lang=en`],
        ['ja', `${canonical}?lang=ja`],
        ['x-default', canonical],
      ]);
    }
  });

  it.each(PAGES)('UI-03 the switch on %s sets a cookie and returns to the same page', async (url) => {
    const page = readHtml((await town.get(url)).body);
    const link = selectOne(page, '.languages a');
    expect([textOf(link), attributeOf(link, 'lang')]).toEqual(['日本語', 'ja']);
    const answer = await town.get(attributeOf(link, 'href') as string);
    expect([answer.status, answer.headers.location, answer.headers['cache-control']]).toEqual([303, url, 'no-store']);
    const cookie = String(answer.headers['set-cookie']);
    expect(cookie).toMatch(/^lang=ja; Path=\/; Max-Age=\d+; SameSite=Lax$/);
    const again = await town.get(url, { cookie: cookie.split(';', 1)[0] as string });
    expect(langOf(again.body)).toBe('ja');
    expect(textOf(selectOne(readHtml(again.body), '.languages a'))).toBe('English');
  });

  it.each([
    '',
    '//evil.example',
    'https://evil.example/japan',
    '/japan/../../evil',
    '/japanese',
    '/japan\\..\\..\\evil',
    '/japan/language?lang=en',
    '\\\\evil.example',
    '/japan@evil.example',
    'javascript:alert(1)',
  ])('UI-03 the switch never leads to another site: %j', async (to) => {
    const { status, headers } = await town.get(`/japan/language?lang=ja&to=${encodeURIComponent(to)}`);
    expect(status).toBe(303);
    expect(String(headers.location)).toMatch(/^\/japan(\/|$)/);
  });

  it('UI-03 an unknown language sets no cookie', async () => {
    const { status, headers } = await town.get('/japan/language?lang=%0d%0aSet-Cookie:x=y&to=/japan/about');
    expect([status, headers['set-cookie'], headers.location]).toEqual([303, undefined, '/japan/about']);
  });

  it('UI-04 links of a page whose address names the language keep it', async () => {
    for (const url of PAGES) {
      const page = readHtml((await town.get(`${url}${url.includes('?') ? '&' : '?'}lang=ja`)).body);
      const links = select(page, 'body a').map((link) => attributeOf(link, 'href') ?? '');
      const own = links.filter((link) => /^\/japan(?!\/(api\/|mcp|language|assets))/.test(link));
      expect(own.length).toBeGreaterThan(5);
      expect(own.filter((link) => !/[?&]lang=ja(&|#|$)/.test(link))).toEqual([]);
      for (const form of select(page, 'form')) {
        expect(select(form, 'input[name=lang]').map((input) => attributeOf(input, 'value'))).toEqual(['ja']);
      }
    }
  });

  it('RATE-04 UI-01 over the limit, both languages give the limit and the seconds', async () => {
    const detail = 'the page surface allows 600 requests per minute; retry in 17 seconds';
    expect([en.refusal.title(429), ja.refusal.title(429)]).toEqual(['Too Many Requests', 'Too Many Requests']);
    expect(ja.refusal.detail(429, detail)).toBe(
      'ページへのリクエストは1分あたり600回までです。17秒後にもう一度お試しください。',
    );
  });

  it('UI-01 error pages and their Markdown are in both languages', async () => {
    const page = await town.get('/japan/nowhere', { 'accept-language': 'ja' });
    expect([page.status, langOf(page.body)]).toEqual([404, 'ja']);
    expect(String(page.headers.vary)).toContain('Accept-Language');
    expect(page.body).toContain('このURLに該当する記録はありません。');
    const twin = await town.get('/japan/nowhere.md?lang=ja');
    expect([twin.status, twin.body.startsWith('# 404 ページが見つかりません')]).toEqual([404, true]);
  });

  it('UI-51 area names are in the language of the page, in English with the Japanese beside them', async () => {
    const crumbs = async (lang: string) => {
      const page = readHtml((await town.get(`${HUBS.machiAza}?lang=${lang}`)).body);
      return select(page, '.crumbs li a').map(textOf);
    };
    expect(await crumbs('ja')).toEqual(['日本', '東京都', '千代田区', '丸の内1丁目']);
    expect((await crumbs('en')).slice(0, 3)).toEqual(['Japan', 'Tokyo 東京都', 'Chiyoda-ku 千代田区']);
  });

  it('UI-10 a registry without the bundled sample has no sample banner', async () => {
    for (const url of PAGES) expect(select(readHtml((await town.get(url)).body), '.sample-banner')).toEqual([]);
  });
});

onSqlite('the bundled sample', (fresh) => {
  let sample: ServedSample;
  beforeAll(async () => {
    sample = await openServedSample(await fresh());
  });
  afterAll(() => sample.close());

  it('UI-10 is named by a banner on every page, in its language', async () => {
    for (const url of ['/japan', '/japan/areas', '/japan/tokyo', '/japan/about', '/japan/api', '/japan/nowhere']) {
      const read = async (lang: string) => {
        const { body } = await sample.app.inject(`${url}?lang=${lang}`);
        return textOf(selectOne(readHtml(body), '.sample-banner'));
      };
      expect(await read('en')).toBe('Sample data: illustrative values, not for use');
      expect(await read('ja')).toMatch(/^サンプルデータ：/);
    }
  });

  it('UI-10 is named in Markdown twins below the heading', async () => {
    for (const url of ['/japan/tokyo.md', '/japan/compare.md', '/japan/id/ASSET-JP-13-00000018.md']) {
      const [heading, note] = (await sample.app.inject(url)).body.split('\n\n');
      expect(heading).toMatch(/^# /);
      expect(note).toBe('> **Sample data**: illustrative values, not for use');
    }
  });
});
