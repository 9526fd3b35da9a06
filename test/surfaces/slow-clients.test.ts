import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { endpoint } from '../../src/surfaces/http/endpoint.ts';
import { sendStream } from '../../src/surfaces/http/send-finished.ts';
import { API_ROOT } from '../../src/surfaces/http/surface.ts';
import { assetUrl, emptyRegistry, expectProblem, serverOn, uncheckedServerOn } from '../support/serving.ts';
import { ask, exchange, listening, readAnswer } from '../support/wire.ts';

const PATH = assetUrl('ASSET-JP-13-00000001');
const HEAD = `GET ${PATH} HTTP/1.1\r\nHost: registry.example\r\n`;

/** A client that sends `bytes`, then `trickle` repeatedly; `cutOff` resolves to all received text. */
class SlowClient {
  readonly #socket: Socket;
  #text = '';
  readonly cutOff: Promise<string>;

  constructor(port: number, bytes: string, trickle: string) {
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.on('data', (chunk) => {
      this.#text += chunk;
    });
    this.#socket.on('error', () => {});
    if (bytes !== '') this.#socket.write(bytes);
    const drip = trickle === '' ? undefined : setInterval(() => this.#socket.write(trickle), 40);
    this.cutOff = new Promise((resolve) => {
      this.#socket.on('close', () => {
        clearInterval(drip);
        resolve(this.#text);
      });
    });
  }
}

describe('slow clients', () => {
  it('that never finish their headers get 408, and do not affect others', async () => {
    const app = serverOn(emptyRegistry, undefined, { timeouts: { headers: 2_000, check: 50 } });
    await listening(app, async (port) => {
      const slow = Array.from({ length: 200 }, () => new SlowClient(port, HEAD, 'X-A: 1\r\n'));
      await sleep(100);
      for (let i = 0; i < 10; i++) {
        expectProblem(await ask(port, { path: PATH }), 404);
      }
      for (const { cutOff } of slow) {
        expectProblem(readAnswer(await cutOff), 408);
      }
    });
  });

  it('that send nothing are disconnected', async () => {
    const app = serverOn(emptyRegistry, undefined, { timeouts: { headers: 200, check: 50 } });
    await listening(app, async (port) => {
      await new SlowClient(port, '', '').cutOff;
    });
  });

  it('that never end their body are answered and disconnected', async () => {
    const app = serverOn(emptyRegistry, undefined, { timeouts: { headers: 200, request: 400, check: 50 } });
    await listening(app, async (port) => {
      const bytes = `POST ${PATH} HTTP/1.1\r\nHost: registry.example\r\nContent-Length: 100000\r\n\r\n`;
      expect(await new SlowClient(port, bytes, 'x').cutOff).toMatch(/^HTTP\/1\.1 405 /);
    });
  });

  it('that keep an idle connection are disconnected', async () => {
    const app = serverOn(emptyRegistry, undefined, { timeouts: { keepAlive: 100, check: 50 } });
    await listening(app, async (port) => {
      expect(await new SlowClient(port, `${HEAD}\r\n`, '').cutOff).toMatch(/^HTTP\/1\.1 404 /);
    });
  });

  it('that do not read a streamed response are disconnected, and the stream ends', async () => {
    let ended = false;
    async function* body() {
      try {
        for (;;) yield Buffer.alloc(65_536);
      } finally {
        ended = true;
      }
    }
    const app = serverOn(emptyRegistry);
    endpoint(app, `${API_ROOT}/stream`, (request, reply) =>
      sendStream(request, reply, { etag: '"abc"', body: body(), release() {} }, undefined, 200),
    );
    await listening(app, async (port) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      socket.pause();
      socket.write(`GET ${API_ROOT}/stream HTTP/1.1\r\nHost: registry.example\r\n\r\n`);
      await expect.poll(() => ended, { timeout: 10_000 }).toBe(true);
      socket.destroy();
    });
  });

  it('that do not read a buffered response are disconnected too', async () => {
    let released = false;
    const release = () => {
      released = true;
    };
    const search = async () => ({ etag: '"abc"', body: Buffer.alloc(64 << 20, ' '), release });
    const app = uncheckedServerOn({ ...emptyRegistry, search }, undefined, { timeouts: { idle: 200 } });
    await listening(app, async (port) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      socket.pause();
      socket.write(`GET ${API_ROOT}/assets HTTP/1.1\r\nHost: registry.example\r\n\r\n`);
      await expect.poll(() => released, { timeout: 10_000 }).toBe(true);
      socket.destroy();
    });
  });

  it('that keep their end open after a disconnect are dropped', async () => {
    const app = serverOn(emptyRegistry, undefined, { timeouts: { headers: 100, check: 20 } });
    await listening(app, async (port) => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => {});
      socket.resume();
      socket.write(HEAD);
      const count = () => new Promise<number>((resolve) => app.server.getConnections((_, number) => resolve(number)));
      await expect.poll(count, { timeout: 20_000, interval: 5 }).toBe(1);
      await expect.poll(count, { timeout: 20_000 }).toBe(0);
      socket.destroy();
    });
  });
});

describe('requests over a limit', () => {
  const close = 'Connection: close\r\n\r\n';
  it.each([
    ['a path', `GET ${PATH}${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n${close}`, [414, 431]],
    ['a header', `${HEAD}X-A: ${'a'.repeat(20_000)}\r\n${close}`, [431]],
    ['many headers', `${HEAD}${'X-A: 1\r\n'.repeat(101)}${close}`, [431]],
    ['very many headers', `${HEAD}${'a:\r\n'.repeat(3_000)}${close}`, [431]],
  ])('API-04 are refused: %s', async (_, bytes, statuses) => {
    await listening(serverOn(emptyRegistry), async (port) => {
      expectProblem(await exchange(port, bytes), statuses);
      expectProblem(await ask(port, { path: PATH }), 404);
    });
  });

  it('a hundred headers are allowed', async () => {
    await listening(serverOn(emptyRegistry), async (port) => {
      expectProblem(await exchange(port, `${HEAD}${'X-A: 1\r\n'.repeat(98)}${close}`), 404);
    });
  });
});
