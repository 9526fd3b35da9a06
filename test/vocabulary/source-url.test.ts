import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSourceUrl } from '../../src/vocabulary/source-url.ts';

describe('the URL of a source', () => {
  it.each([
    'https://example.jp',
    'https://example.jp/a/b?id=1&lang=ja#top',
    'http://example.jp:8080/%E6%9D%B1?q=東京',
    'https://www.reinet.or.jp/?p=1',
    'https://example.jp/@user?email=a@b.jp',
    'https://example.jp/?tokenizer=1&keyword=x&monkey=2',
    'https://example.jp/?a&b=&&c',
    'https://example.jp/detail?key=123',
    'https://example.jp/a;v=1/b',
  ])('%s is unchanged', (url) => {
    expect(readSourceUrl(url)).toEqual({ ok: true, value: { url, removed: [] } });
  });

  it.each([
    ['https://user:pass@example.jp/a', 'https://example.jp/a', ['credentials']],
    ['https://user@example.jp', 'https://example.jp', ['credentials']],
    ['https://a@b:c@example.jp/x@y', 'https://example.jp/x@y', ['credentials']],
    ['https://:@example.jp/', 'https://example.jp/', ['credentials']],
    [
      'https://api.edinet-fsa.go.jp/api/v2/documents/S1?type=1&Subscription-Key=abc',
      'https://api.edinet-fsa.go.jp/api/v2/documents/S1?type=1',
      ['an access key'],
    ],
    ['https://example.jp/?api_key=abc', 'https://example.jp/', ['an access key']],
    ['https://api.e-stat.go.jp/rest?appId=abc&x=1', 'https://api.e-stat.go.jp/rest?x=1', ['an access key']],
    ['https://example.jp/?key=AIzaSyA1234567890abcdef&q=1', 'https://example.jp/?q=1', ['an access key']],
    ['https://example.jp/a;jsessionid=1F2/b;v=1?a=1;token=x', 'https://example.jp/a/b;v=1?a=1', ['an access key']],
    ['https://example.jp/?api%5Fkey=abc&b=1#x', 'https://example.jp/?b=1#x', ['an access key']],
    ['https://example.jp/?a=1&apiKey=x&token=y&b=2', 'https://example.jp/?a=1&b=2', ['an access key']],
    ['https://example.jp/#access_token=x&state=1', 'https://example.jp/#state=1', ['an access key']],
    ['https://example.jp/?X-Amz-Signature=x&X-Amz-Credential=y', 'https://example.jp/', ['an access key']],
    ['https://u:p@example.jp/?password=x', 'https://example.jp/', ['credentials', 'an access key']],
  ])('%s is cited as %s', (given, url, removed) => {
    expect(readSourceUrl(given)).toEqual({ ok: true, value: { url, removed } });
  });

  it.each([
    ...['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'ftp://example.jp/', 'example.jp', ''],
    ...[
      'https://',
      'https://a b',
      'https://exa\u202emple.jp',
      'https://example.jp/\u200b',
      'https://[bad',
      ' https://a.jp',
    ],
    ...['https:///user:pass@example.jp/', 'https://\\user:pass@example.jp/'],
  ])('%j is refused', (given) => {
    expect(readSourceUrl(given).ok).toBe(false);
  });

  it('never contains a user, password or key, in any combination of parts', () => {
    const piece = fc.constantFrom(
      'user',
      ':',
      '@',
      '/',
      '\\',
      '?',
      '#',
      '&',
      '=',
      'token',
      'api_key',
      'example.jp',
      '%40',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const read = readSourceUrl(`https://${pieces.join('')}`);
        if (!read.ok) return;
        const { username, password, searchParams } = new URL(read.value.url);
        // A name without a value reveals nothing.
        const keys = [searchParams.get('token'), searchParams.get('api_key')].filter(Boolean);
        expect([username, password, keys]).toEqual(['', '', []]);
        expect(readSourceUrl(read.value.url)).toEqual({ ok: true, value: { url: read.value.url, removed: [] } });
      }),
      { numRuns: 1_000 },
    );
  });

  it('is valid for browsers and has no user, even on the fast path for plain URLs', () => {
    const label = fc.stringMatching(/^[A-Za-z\d-]{1,8}$/);
    const path = fc.stringMatching(/^[\w\-./~%+,:;=!()@?#\\]{0,12}$/);
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), path, (labels, rest) => {
        const read = readSourceUrl(`https://${labels.join('.')}/${rest}`);
        if (!read.ok) return;
        const { username, password } = new URL(read.value.url);
        expect([username, password]).toEqual(['', '']);
      }),
      { numRuns: 500 },
    );
  });
});
