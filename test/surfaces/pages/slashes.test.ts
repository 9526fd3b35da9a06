import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { withoutSlashes } from '../../../src/surfaces/http/refuse-early.ts';
import { growthOf } from '../../support/growth.ts';
import { emptyRegistry, expectRefusal, lastingHeaders, serverOn } from '../../support/serving.ts';
import { ask, exchange, listening } from '../../support/wire.ts';

const app = serverOn(emptyRegistry);
afterAll(() => app.close());

const REDIRECTS: [sent: string, location: string][] = [
  ['/japan/', '/japan'],
  ['/japan//', '/japan'],
  ['/japan////////', '/japan'],
  ['/japan/?q=a', '/japan?q=a'],
  ['/japan/?', '/japan?'],
  ['/japan/areas/', '/japan/areas'],
  ['/japan/tokyo/', '/japan/tokyo'],
  ['/japan/tokyo/chiyoda-ku//', '/japan/tokyo/chiyoda-ku'],
  ['/japan/tokyo/chiyoda-ku/marunouchi-1-chome/', '/japan/tokyo/chiyoda-ku/marunouchi-1-chome'],
  [
    '/japan/tokyo/?q=%E5%A1%94&type=office,retail&type=hotel&page=2',
    '/japan/tokyo?q=%E5%A1%94&type=office,retail&type=hotel&page=2',
  ],
  ['/japan/tokyo/?next=/japan/&x=//evil.example/', '/japan/tokyo?next=/japan/&x=//evil.example/'],
  ['/japan/tokyo/??a=?', '/japan/tokyo??a=?'],
  ['/japan/tokyo/?a=%zz&b=%', '/japan/tokyo?a=%zz&b=%'],
  ['/japan/%E6%9D%B1%E4%BA%AC/', '/japan/%E6%9D%B1%E4%BA%AC'],
  ['/japan/%74okyo/', '/japan/%74okyo'],
  ['/%6Aapan/tokyo/', '/%6Aapan/tokyo'],
  ['/japan/a%2Fb%2F/', '/japan/a%2Fb%2F'],
  ['/japan/a%0d%0aSet-Cookie:x/', '/japan/a%0d%0aSet-Cookie:x'],
  ['/japan/tokyo.md/', '/japan/tokyo.md'],
  ['/japan/id/ASSET-JP-13-00000001/', '/japan/id/ASSET-JP-13-00000001'],
  ['/japan/nowhere/at/all/and/more/', '/japan/nowhere/at/all/and/more'],
  ['/japan/api/', '/japan/api'],
  ['/japan/api/v2/', '/japan/api/v2'],
  ['/japan/mcpx/', '/japan/mcpx'],
  ['/japan/sitemap.xml/', '/japan/sitemap.xml'],
  ['/japan//evil.example/', '/japan//evil.example'],
  ['/japan/..//evil.example/', '/japan/..//evil.example'],
  ['/japan/https://evil.example/', '/japan/https://evil.example'],
  ['http://evil.example/japan/tokyo/?a=b', '/japan/tokyo?a=b'],
];

describe('a trailing slash in the path of a page', () => {
  it('PAG-13 redirects by 308 to the path without it, with query and escapes unchanged', async () => {
    await listening(serverOn(emptyRegistry), async (port) => {
      for (const [path, location] of REDIRECTS) {
        const answer = await ask(port, { path });
        expect([path, answer.status, answer.headers.location, answer.body]).toEqual([path, 308, location, '']);
        const head = await ask(port, { path, method: 'HEAD' });
        expect([head.status, head.headers.location]).toEqual([308, location]);
        expect(lastingHeaders(head.headers)).toEqual(lastingHeaders(answer.headers));
      }
    });
  });

  it('PAG-13 PAG-14 the target has no trailing slash and is on this service, for any path', () => {
    const piece = fc.constantFrom(
      '/',
      '/',
      '//',
      'evil.example',
      'a',
      '%2F',
      '%5C',
      '\\',
      '.',
      '..',
      ':',
      '@',
      '?',
      '#',
      'http:',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const target = `/japan${pieces.join('')}`;
        const location = withoutSlashes(target);
        const [path = ''] = target.split(/[?#]/);
        expect(location !== undefined).toBe(path.endsWith('/'));
        if (location === undefined) return;
        expect(location).toMatch(/^\/[^/]/);
        expect(new URL(location, 'https://registry.example').origin).toBe('https://registry.example');
        expect(withoutSlashes(location)).toBeUndefined();
      }),
    );
    for (const target of ['//evil.example/', '///evil.example//', 'http:////evil.example/']) {
      expect(withoutSlashes(target)).toBe('/evil.example');
    }
  });

  it('PAG-13 takes at most linear time in the number of slashes', async () => {
    const removeSlashes = (size: number) => {
      for (const slashes of ['/'.repeat(size), `${'/'.repeat(size)}a/`, 'a/'.repeat(size)]) {
        expect(withoutSlashes(`/japan${slashes}`)).toBeDefined();
      }
    };
    expect(await growthOf(removeSlashes, 1_600, 16_000)).toBeLessThan(40);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'] as const)(
    'PAG-13 %s is not allowed',
    async (method) => {
      await listening(serverOn(emptyRegistry), async (port) => {
        for (const path of ['/japan/', '/japan/tokyo/', '/japan/api/']) {
          const answer = await ask(port, { path, method }, method === 'POST' ? 'a body' : undefined);
          expectRefusal(answer, 405);
          expect(answer.headers).toMatchObject({ allow: 'GET, HEAD' });
          expect(answer.headers).not.toHaveProperty('location');
        }
      });
    },
  );

  it('PAG-13 an unknown method is not allowed, and a request without a Host is refused', async () => {
    await listening(serverOn(emptyRegistry), async (port) => {
      expect((await exchange(port, 'BREW /japan/ HTTP/1.1\r\nHost: a\r\n\r\n')).status).toBe(405);
      expect((await exchange(port, 'GET /japan/ HTTP/1.1\r\nConnection: close\r\n\r\n')).status).toBe(400);
      const old = await exchange(port, 'GET /japan/?a HTTP/1.0\r\n\r\n');
      expect([old.status, old.headers.location]).toEqual([308, '/japan?a']);
    });
  });

  it('PAG-11 a percent-escape that cannot be decoded gives 400 first', async () => {
    for (const url of ['/japan/%zz/', '/japan/%/', '/japan/tokyo/%E3%81/', '/japan/%FF//']) {
      expect((await app.inject({ url })).statusCode, url).toBe(400);
    }
  });

  it('PAG-13 API-03 is not removed on the other surfaces or outside /japan', async () => {
    const urls = [
      '/japan/api/v1/',
      '/japan/api/v1/assets/',
      '/japan/mcp/',
      '/japan/mcp/server-card/',
      '/healthz/',
      '//',
      '/nothing/',
      '/robots.txt/',
    ];
    for (const url of [...urls, '//evil.example/japan/', '/japanese/', '/japan%2F', '/japan/tokyo%2F']) {
      const { statusCode, headers } = await app.inject({ url });
      expect(statusCode, url).toBe(404);
      expect(headers).not.toHaveProperty('location');
    }
  });

  it('PAG-13 RATE-01 the redirect counts as a page request', async () => {
    const limited = serverOn(emptyRegistry, undefined, { rateLimit: { api: 0, page: 2, mcp: 0 } });
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await limited.inject('/japan/')).statusCode);
    expect(statuses).toEqual([308, 308, 429]);
    await limited.close();
  });
});
