import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { endpoint } from '../../src/surfaces/http/endpoint.ts';
import { ENCODINGS, negotiateEncoding } from '../../src/surfaces/http/negotiation.ts';
import { sendStream } from '../../src/surfaces/http/send-finished.ts';
import { API_ROOT } from '../../src/surfaces/http/surface.ts';
import {
  answerOf,
  assetUrl,
  emptyRegistry,
  expectProblem,
  lastingHeaders,
  uncheckedServerOn,
} from '../support/serving.ts';
import { ask, listening } from '../support/wire.ts';

const decoders = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync } as const;
const decode = (encoding: unknown, bytes: Buffer): string =>
  (encoding === undefined ? bytes : decoders[encoding as keyof typeof decoders](bytes)).toString();

const opened: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});

describe('content negotiation of the encoding', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['gzip, zstd', 'zstd'],
    ['deflate', undefined],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0.5,gzip;q=0.500', 'br'],
    ['br ; q=0.001', 'br'],
    ['br;q=0', undefined],
    ['zstd;q=0.0, *', 'br'],
    ['*', 'zstd'],
    ['*;q=0', undefined],
    ['*;q=0.1, gzip;q=0.2', 'gzip'],
    ['identity', undefined],
    ['identity, gzip', 'gzip'],
    ['identity;q=1, gzip;q=0.5', undefined],
    ['identity;q=0.1, gzip;q=0.5', 'gzip'],
    ['identity;q=0', undefined],
    ['identity;q=0, *;q=0', undefined],
    ['gzip;q=nonsense', undefined],
    ['gzip;q=-1', undefined],
    [';;,,=q', undefined],
  ])('%j is %s', (header, encoding) => {
    expect(negotiateEncoding(header)).toBe(encoding);
  });

  it('chooses the accepted encoding with the highest quality', () => {
    const names = fc.constantFrom('br', 'zstd', 'gzip', 'deflate', 'identity', '*');
    const weights = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000);
    const entries = fc.uniqueArray(fc.tuple(names, weights), { selector: ([name]) => name, maxLength: 6 });
    fc.assert(
      fc.property(entries, (list) => {
        const given = new Map<string, number>(list);
        const weightOf = (name: string) => given.get(name) ?? given.get('*') ?? 0;
        const chosen = negotiateEncoding(list.map(([name, weight]) => `${name};q=${weight}`).join(', '));
        const best = Math.max(...ENCODINGS.map(weightOf));
        if (chosen === undefined) expect(best === 0 || best < (given.get('identity') ?? 0)).toBe(true);
        else {
          expect(weightOf(chosen)).toBe(best);
          expect(best).toBeGreaterThan(0);
          expect(best).toBeGreaterThanOrEqual(given.get('identity') ?? 0);
        }
      }),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'brgzip*;,=q01. ') })), (header) => {
        expect([undefined, ...ENCODINGS]).toContain(negotiateEncoding(header));
      }),
    );
  });
});

describe('buffered responses', () => {
  const ID = 'ASSET-JP-13-00000001';
  const long = JSON.stringify({ text: '建物 '.repeat(2_000) });
  const short = JSON.stringify({ text: '建物' });
  const open = () => {
    const finished = (body: string) => async () =>
      ({ ok: true, value: { etag: '"abc"', body: Buffer.from(body) } }) as const;
    const app = uncheckedServerOn({ ...emptyRegistry, getPage: finished(long), getSources: finished(short) });
    opened.push(app);
    return app;
  };
  const LONG = assetUrl(ID);
  const SHORT = assetUrl(ID, '/sources');

  it.each(ENCODINGS)('are sent in %s if the client accepts it, with their own ETag', async (encoding) => {
    const answer = await open().inject({ url: LONG, headers: { 'accept-encoding': encoding } });
    expect(answer.headers).toMatchObject({
      'content-encoding': encoding,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(answer.rawPayload.length),
      etag: `"abc-${encoding}"`,
      vary: 'Accept-Encoding',
    });
    expect(answer.rawPayload.length).toBeLessThan(long.length / 10);
    expect(decode(encoding, answer.rawPayload)).toBe(long);
  });

  it.each([undefined, 'identity', 'deflate', '*;q=0', 'identity;q=0'])(
    'are sent uncompressed: %s',
    async (accepted) => {
      const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
      const answer = await open().inject({ url: LONG, headers });
      expect(answer.body).toBe(long);
      expect(answer.headers).toMatchObject({ etag: '"abc"', vary: 'Accept-Encoding' });
      expect(answer.headers).not.toHaveProperty('content-encoding');
    },
  );

  it('are not compressed if short', async () => {
    const answer = await open().inject({ url: SHORT, headers: { 'accept-encoding': 'br' } });
    expect(answer.body).toBe(short);
    expect(answer.headers).toMatchObject({ etag: '"abc"', vary: 'Accept-Encoding' });
  });

  it('API-01 HEAD has the headers of GET, compressed or not', async () => {
    await listening(open(), async (port) => {
      for (const path of [LONG, SHORT]) {
        for (const accepted of [...ENCODINGS, 'identity']) {
          const headers = { 'accept-encoding': accepted };
          const got = await ask(port, { path, headers });
          const head = await ask(port, { path, headers, method: 'HEAD' });
          expect(head).toMatchObject({ status: 200, body: '' });
          expect(lastingHeaders(head.headers)).toEqual(lastingHeaders(got.headers));
          expect(head.headers).toHaveProperty('content-length');
        }
      }
    });
    opened.pop();
  });

  it('the ETag of any encoding gives 304', async () => {
    const app = open();
    for (const has of ['"abc"', ...ENCODINGS.map((encoding) => `"abc-${encoding}"`)]) {
      for (const accepted of ['', ...ENCODINGS]) {
        for (const condition of [has, `W/${has}`, `"other", ${has}`]) {
          const headers = { 'if-none-match': condition, 'accept-encoding': accepted };
          const answer = await app.inject({ url: LONG, headers });
          expect(answer).toMatchObject({ statusCode: 304, body: '' });
          expect(answer.headers).toMatchObject({ etag: has, vary: 'Accept-Encoding' });
          expect(answer.headers).not.toHaveProperty('content-encoding');
        }
      }
    }
    const any = await app.inject({ url: LONG, headers: { 'if-none-match': '*', 'accept-encoding': 'br' } });
    expect(any).toMatchObject({ statusCode: 304, headers: { etag: '"abc-br"' } });
    for (const condition of ['"abc-deflate"', '"ab"', 'abc-br', '"abc-br', '']) {
      const answer = await app.inject({ url: LONG, headers: { 'if-none-match': condition, 'accept-encoding': 'br' } });
      expect(answer.statusCode, condition).toBe(200);
    }
  });

  it('errors are never compressed', async () => {
    const app = uncheckedServerOn(emptyRegistry);
    const answer = answerOf(await app.inject({ url: LONG, headers: { 'accept-encoding': 'br' } }));
    expectProblem(answer, 404);
    expect(answer.headers).not.toHaveProperty('vary');
    await app.close();
  });
});

describe('streamed responses', () => {
  const URL = `${API_ROOT}/streamed`;

  /** A stream of `chunks` chunks, or one that fails at chunk `faultAt`. */
  function open({ chunks = 40, faultAt = -1 } = {}) {
    const seen = { started: 0, sent: 0, ended: 0 };
    const made: Buffer[] = [];
    const lines: string[] = [];
    const app = uncheckedServerOn(emptyRegistry, undefined, {
      logLevel: 'error',
      logTo: { write: (line) => lines.push(line) },
    });
    async function* body() {
      seen.started += 1;
      try {
        for (let i = 0; i < chunks; i++) {
          await new Promise(setImmediate);
          if (i === faultAt) throw new Error('SECRET');
          seen.sent += 1;
          // Random bytes, which hardly compress.
          made.push(Buffer.from(randomBytes(2_000).toString('base64')));
          yield made.at(-1) as Buffer;
        }
      } finally {
        seen.ended += 1;
      }
    }
    endpoint(app, URL, (request, reply) => sendStream(request, reply, { etag: '"abc"', body: body(), release() {} }));
    opened.push(app);
    return { app, seen, made, lines };
  }

  it.each(['', ...ENCODINGS])('arrive complete: %s', async (accepted) => {
    const { app, seen, made } = open();
    const answer = await app.inject({ url: URL, headers: { 'accept-encoding': accepted } });
    const encoding = accepted === '' ? undefined : accepted;
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers).toMatchObject({
      etag: encoding === undefined ? '"abc"' : `"abc-${encoding}"`,
      vary: 'Accept-Encoding',
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=0, must-revalidate',
    });
    expect(decode(encoding, answer.rawPayload)).toBe(Buffer.concat(made).toString());
    expect(seen).toEqual({ started: 1, sent: 40, ended: 1 });
  });

  it('may be empty', async () => {
    for (const accepted of ['', ...ENCODINGS]) {
      const answer = await open({ chunks: 0 }).app.inject({ url: URL, headers: { 'accept-encoding': accepted } });
      expect(answer.statusCode).toBe(200);
      expect(decode(accepted === '' ? undefined : accepted, answer.rawPayload)).toBe('');
    }
  });

  it('are not produced for a 304 or for HEAD', async () => {
    const { app, seen } = open();
    opened.pop();
    await listening(app, async (port) => {
      const known = { 'if-none-match': 'W/"abc-gzip"', 'accept-encoding': 'br' };
      expect(await ask(port, { path: URL, headers: known })).toMatchObject({
        status: 304,
        body: '',
        headers: { etag: '"abc-gzip"', vary: 'Accept-Encoding' },
      });
      const heads = [];
      for (const accepted of ['identity', 'br']) {
        heads.push(await ask(port, { path: URL, method: 'HEAD', headers: { 'accept-encoding': accepted } }));
      }
      expect(seen.started).toBe(0);
      for (const [i, accepted] of ['identity', 'br'].entries()) {
        const got = await ask(port, { path: URL, headers: { 'accept-encoding': accepted } });
        expect(lastingHeaders(heads[i]?.headers ?? {})).toEqual(lastingHeaders(got.headers));
        expect(heads[i]).toMatchObject({ status: 200, body: '' });
      }
    });
  });

  it.each(['', 'br'])('stop when the client disconnects: %s', async (accepted) => {
    const { app, seen, lines } = open({ chunks: 1_000_000 });
    opened.pop();
    await listening(app, async (port) => {
      await new Promise<void>((resolve) => {
        const sent = request({ host: '127.0.0.1', port, path: URL, headers: { 'accept-encoding': accepted } });
        sent.on('response', (response) => {
          response.once('data', () => {
            sent.destroy();
            resolve();
          });
          response.on('error', () => {});
        });
        sent.on('error', () => {});
        sent.end();
      });
      await expect.poll(() => seen.ended, { timeout: 30_000 }).toBe(1);
      expect(seen.sent).toBeLessThan(1_000_000);
      expect(lines).toEqual([]);
    });
  });

  it('are cancelled when the client disconnects before the first byte', async () => {
    let stopped = false;
    const app = uncheckedServerOn(emptyRegistry);
    const body: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => {}),
        return: async () => {
          stopped = true;
          return { done: true, value: undefined };
        },
      }),
    };
    endpoint(app, URL, (request, reply) => sendStream(request, reply, { etag: '"abc"', body, release() {} }));
    await listening(app, async (port) => {
      const sent = request({ host: '127.0.0.1', port, path: URL });
      sent.on('error', () => {});
      sent.end();
      setTimeout(() => sent.destroy(), 50);
      await expect.poll(() => stopped, { timeout: 30_000 }).toBe(true);
    });
  });

  it.each(['', 'br'])('API-06 an error before the first byte gives a 500 without details: %s', async (accepted) => {
    const { app, lines } = open({ faultAt: 0 });
    const answer = answerOf(await app.inject({ url: URL, headers: { 'accept-encoding': accepted } }));
    expectProblem(answer, 500);
    for (const name of ['etag', 'cache-control', 'content-encoding']) expect(answer.headers).not.toHaveProperty(name);
    expect(lines).toHaveLength(1);
  });

  it.each(['', 'br'])('API-06 a later error closes the connection and is logged: %s', async (accepted) => {
    const { app, seen, lines } = open({ chunks: 3_000, faultAt: 2_000 });
    opened.pop();
    await listening(app, async (port) => {
      const broken = ask(port, { path: URL, headers: { 'accept-encoding': accepted } });
      await expect(broken).rejects.toThrow(/aborted|ECONNRESET|hang up/);
      await expect.poll(() => lines.length, { timeout: 30_000 }).toBe(1);
      expect(JSON.parse(lines[0] as string)).toMatchObject({
        level: 50,
        requestId: expect.stringMatching(/^[0-9a-f]{12}-/),
        err: { message: 'SECRET' },
      });
      expect(seen.ended).toBe(1);
      expect((await ask(port, { path: '/healthz' })).status).toBe(200);
    });
  });
});
