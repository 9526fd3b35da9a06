import fc from 'fast-check';
import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { markdownText, markdownUrl } from '../../src/surfaces/http/markdown.ts';

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };
const shown = (html: string) => html.replace(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => ENTITIES[name] as string);

/** The text that a Markdown parser shows for an inline text. */
function expectShown(text: string): void {
  const html = marked.parseInline(`x${markdownText(text)}x`, { async: false });
  expect(html).not.toMatch(/[<>]/);
  const plain = text
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  expect(shown(html).replace(/ +/g, ' ')).toBe(`x${plain}x`);
}

describe('markdownText', () => {
  it.each([
    ...[
      '<script>alert(1)</script>',
      '**bold** _em_ `code` ~~gone~~',
      '[a](javascript:x)',
      '![a](http://x/)',
      '&lt;b&gt;',
    ],
    ...['https://evil.example/x', 'HTTP://EVIL.example', 'www.evil.example', 'WWW.evil.example', 'a@evil.example'],
    ...[
      '<https://evil.example>',
      '# no heading',
      '| a | b |',
      '\\*',
      'a\\',
      '[x]: y',
      '```\nx\n```',
      'a\r\n\r\nb',
      '1. x',
    ],
    ...[
      'ftp://evil.example',
      'mailto:a@b.example',
      '東京＊駅「丸の内」',
      '&#60;',
      '*',
      '_',
      '<',
      'a  \nb',
      '\u202ex\u2028y',
    ],
  ])('shows %j as plain text', expectShown);

  it('shows any text', () => {
    const mark = fc.constantFrom(...'\\`*_{}[]()<>#+-.!|~&@:/ \n"\'=w1a駅');
    const bits = fc.constantFrom(
      'http://',
      'https://a.b',
      'www.',
      '<b>',
      '&amp;',
      '](',
      '![',
      '**',
      '~~',
      'a@b.co',
      '\\',
    );
    const text = fc.array(fc.oneof(mark, bits, fc.string({ unit: 'grapheme', maxLength: 4 })), { maxLength: 12 });
    fc.assert(
      fc.property(text, (parts) => expectShown(parts.join(''))),
      { numRuns: 5_000 },
    );
  });
});

describe('markdownUrl', () => {
  it.each([
    ['https://www.openstreetmap.org/way/1', 'https://www.openstreetmap.org/way/1'],
    ['http://a.example/x y<z>"\\`', 'http://a.example/x%20y%3Cz%3E%22/%60'],
    ['https://a.example/駅', 'https://a.example/%E9%A7%85'],
    ['https://a.example/?q=a|b*c_d', 'https://a.example/?q=a%7Cb*c_d'],
  ])('links to %s', (url, href) => {
    const html = marked.parseInline(`x ${markdownUrl(url)} x`, { async: false });
    expect(/^x <a href="([^"]*)">[^<]*<\/a> x$/.exec(html)?.[1]).toBe(href);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,<b>',
    '/japan/id/ASSET-JP-13-00000001',
    'nonsense',
    '',
    'mailto:a@b.co',
  ])('shows %s as text', (url) => {
    expect(marked.parseInline(`x ${markdownUrl(url)} x`, { async: false })).not.toMatch(/[<>]/);
  });
});
