import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../support/random.ts';
import { type Answer, assetUrl, emptyRegistry, expectNothingInside, MARK, serverOn } from '../support/serving.ts';
import { ask, readAnswer } from '../support/wire.ts';

const HOST = 'Host: localhost\r\n';
const get = (target: string) => `GET ${target} HTTP/1.1\r\n${HOST}\r\n`;

interface Asked {
  good: string;
  status: number;
  /** The content type of an error if the path is known. */
  shape: RegExp;
}
const PROBLEM = /^application\/problem\+json/;
const SURFACES: Record<string, Asked> = {
  api: { good: assetUrl('ASSET-JP-13-00000001'), status: 404, shape: PROBLEM },
  mcp: { good: '/japan/mcp/server-card', status: 200, shape: /^application\/json/ },
  page: { good: '/japan/about', status: 200, shape: /^text\/html/ },
  operating: { good: '/healthz', status: 200, shape: PROBLEM },
};

/** Requests that the parser refuses, with the status, and whether the path is known by then. */
const BROKEN: Record<string, { bytes: (target: string) => string; status: number; isKnown: boolean }> = {
  garbage: { bytes: () => `${MARK}\r\n\r\n`, status: 400, isKnown: false },
  'a raw UTF-8 query': {
    bytes: (target) => `GET ${target}?q=${MARK}\xe6\x9d\xb1\xe4\xba\xac HTTP/1.1\r\n${HOST}\r\n`,
    status: 400,
    isKnown: true,
  },
  '17 KB of cookies': {
    bytes: (target) => `GET ${target} HTTP/1.1\r\n${HOST}Cookie: ${MARK.repeat(1_900)}\r\n\r\n`,
    status: 431,
    isKnown: true,
  },
  'headers of several packets': {
    bytes: (target) => `GET ${target} HTTP/1.1\r\n${HOST}Cookie: ${'a'.repeat(300_000)}\r\n\r\n`,
    status: 431,
    isKnown: true,
  },
  'both Transfer-Encoding and Content-Length': {
    bytes: (target) =>
      `POST ${target} HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n`,
    status: 400,
    isKnown: true,
  },
  'a TLS handshake': { bytes: () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', status: 400, isKnown: false },
  'a header without a name': {
    bytes: (target) => `GET ${target} HTTP/1.1\r\n${HOST}: ${MARK}\r\n\r\n`,
    status: 400,
    isKnown: true,
  },
  'HTTP/2': { bytes: () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', status: 400, isKnown: false },
  'half a request line, then silence': { bytes: (target) => `GET ${target}`, status: 408, isKnown: false },
  'half of the headers, then silence': {
    bytes: (target) => `GET ${target} HTTP/1.1\r\nHost: `,
    status: 408,
    isKnown: false,
  },
};

/** Sends each packet after the response to the previous one; returns all responses when the server closes. */
function converse(port: number, packets: readonly string[]): Promise<Answer[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    let sent = 0;
    const answers = () => text.split(/(?=HTTP\/1\.1 \d{3} )/).filter((part) => part !== '');
    const send = () => {
      if (answers().length < sent || sent === packets.length) return;
      socket.write(packets[sent] as string, 'latin1');
      sent += 1;
    };
    socket.on('connect', send);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      send();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answers().map(readAnswer)));
  });
}

describe('a request that cannot be read', () => {
  let apps: FastifyInstance[];
  let port: number;
  /** The port of a server with short timeouts. */
  let impatient: number;
  beforeAll(async () => {
    const timeouts = { headers: 500, request: 1_000, check: 50 };
    apps = [serverOn(emptyRegistry), serverOn(emptyRegistry, undefined, { timeouts })];
    [port, impatient] = (await Promise.all(
      apps.map(async (app) => Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)),
    )) as [number, number];
  });
  afterAll(() => Promise.all(apps.map((app) => app.close())));

  const expectRefused = ({ status, headers, body }: Answer, expected: number, shape: RegExp) => {
    expect(status).toBe(expected);
    expect(headers['content-type']).toMatch(shape);
    expect(headers.connection).toBe('close');
    expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body, 'latin1'));
    expect(headers['x-request-id']).toMatch(/\S/);
    expectNothingInside({ status, headers, body });
  };

  const SEQUENCES: Record<string, (good: string, bad: string) => string[]> = {
    alone: (_good, bad) => [bad],
    'after an answer': (good, bad) => [good, bad],
    pipelined: (good, bad) => [good + bad],
    'after two answers': (good, bad) => [good + good, bad],
  };

  it('API-04 is refused whatever came before it, and later requests are served', async () => {
    const cases = Object.values(SURFACES).flatMap((surface) =>
      Object.entries(BROKEN).flatMap(([what, broken]) =>
        Object.entries(SEQUENCES).map(([when, packets]) => ({ surface, broken, name: `${what} ${when}`, packets })),
      ),
    );
    await Promise.all(
      cases.map(async ({ surface, broken, name, packets }) => {
        const [good, bad] = [get(surface.good), broken.bytes(surface.good)];
        const sent = packets(good, bad);
        const answers = await converse(broken.status === 408 ? impatient : port, sent);
        const refusal = answers.pop();
        const goods = sent.join('').split(good).length - 1;
        expect(
          answers.map(({ status }) => status),
          name,
        ).toEqual(Array(goods).fill(surface.status));
        expect(refusal, name).toBeDefined();
        expectRefused(refusal as Answer, broken.status, broken.isKnown ? surface.shape : PROBLEM);
        expect((await ask(port, { path: surface.good })).status, name).toBe(surface.status);
      }),
    );
  });

  it('API-04 is answered in order, after the slower response to an earlier request', async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const slow = serverOn({
      ...emptyRegistry,
      getPage: async (id) => {
        await finished;
        return emptyRegistry.getPage(id);
      },
    });
    const slowPort = Number(new URL(await slow.listen({ host: '127.0.0.1', port: 0 })).port);
    const answers = [
      `${MARK}\r\n\r\n`,
      `CONNECT ${MARK}:443 HTTP/1.1\r\n${HOST}\r\n`,
      `BREW /japan/areas HTTP/1.1\r\n${HOST}\r\n`,
    ].map((bytes) => converse(slowPort, [get(assetUrl('ASSET-JP-13-00000001')) + get('/healthz') + bytes]));
    await sleep(50);
    finish();
    const statuses = (await Promise.all(answers)).map((of) => of.map(({ status }) => status));
    expect(statuses).toEqual([
      [404, 200, 400],
      [404, 200, 404],
      [404, 200, 405],
    ]);
    await slow.close();
  });

  it('API-04 a malformed body gives 400 where bodies are read, and the usual refusal elsewhere', async () => {
    const mcp = `POST /japan/mcp HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const card = get('/japan/mcp/server-card');
    for (const packets of [[`${mcp}zz\r\n`], [card, `${mcp}zz\r\n`], [`${card}${mcp}zz\r\n`]]) {
      const refusal = (await converse(port, packets)).pop() as Answer;
      expectRefused(refusal, 400, /^application\/json/);
      expect(JSON.parse(refusal.body)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_600 } });
    }
    const post = `POST ${assetUrl(MARK)} HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`;
    for (const packets of [[post], [get('/healthz'), post], [get('/healthz') + post]]) {
      const answers = await converse(port, packets);
      expect(answers.at(-1)?.status).toBe(405);
      expect(answers.slice(0, -1).every(({ status }) => status === 200)).toBe(true);
    }
  });

  it('a client may reset its connection at any moment without affecting others', async () => {
    const packets = Object.values(SURFACES).flatMap(({ good }) => [
      get(good),
      `CONNECT ${good} HTTP/1.1\r\n${HOST}\r\n`,
      `POST ${good} HTTP/1.1\r\n${HOST}Content-Length: 1000\r\n\r\nabc`,
      `POST ${good} HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nContent-Length: 1000\r\n\r\n`,
      `GET ${good} HTTP/1.1\r\n${HOST}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
      ...Object.values(BROKEN).map(({ bytes }) => get(good) + bytes(good)),
    ]);
    await Promise.all(
      packets.flatMap((packet) =>
        [0, 5, 30].map(async (ms) => {
          const socket = connect(port, '127.0.0.1');
          socket.on('error', () => {});
          await new Promise((resolve) => socket.once('connect', resolve));
          socket.write(packet, 'latin1');
          await sleep(ms);
          socket.resetAndDestroy();
        }),
      ),
    );
    expect((await ask(port, { path: '/healthz' })).status).toBe(200);
  });

  it('the service survives any bytes', async () => {
    const random = new Random(20_261_115);
    const wellFormed = Object.values(SURFACES).flatMap(({ good }) => [
      get(good),
      ...Object.values(BROKEN)
        .filter(({ status }) => status !== 408)
        .map(({ bytes }) => bytes(good).slice(0, 400)),
    ]);
    const mutate = (bytes: string): string => {
      const at = random.below(bytes.length + 1);
      const byte = () => String.fromCharCode(random.below(256));
      return [
        () => bytes.slice(0, at) + byte() + bytes.slice(at),
        () => bytes.slice(0, at) + bytes.slice(at + 1 + random.below(8)),
        () => bytes.slice(0, at) + random.pick(['\r\n', '\r\n\r\n', '\0', ' ', ':', '%', 'HTTP/1.1']) + bytes.slice(at),
        () => bytes.slice(0, at),
      ][random.below(4)]?.() as string;
    };
    const messages = Array.from({ length: 400 }, () => {
      let bytes = random.pick(wellFormed);
      for (let i = random.below(4); i >= 0; i--) bytes = mutate(bytes);
      return random.pick([bytes, get('/healthz') + bytes, bytes + get('/healthz')]);
    });
    await Promise.all(
      messages.map(async (bytes) => {
        const socket = connect(port, '127.0.0.1');
        socket.on('error', () => {});
        socket.resume();
        const closed = new Promise((resolve) => socket.once('close', resolve));
        socket.end(bytes, 'latin1');
        await closed;
      }),
    );
    expect((await ask(port, { path: '/healthz' })).status).toBe(200);
  });
});
