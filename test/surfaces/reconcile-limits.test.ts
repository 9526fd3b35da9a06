import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { emptyRegistry, serverOn } from '../support/serving.ts';
import { ask, listening, readAnswer } from '../support/wire.ts';

const ROOT = '/japan/reconcile';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const HEAD = `POST ${ROOT} HTTP/1.1\r\nHost: a\r\nContent-Type: ${FORM['content-type']}\r\nContent-Length: 10\r\n\r\n`;

afterEach(() => void vi.useRealTimers());

/** Begins a request whose body does not come. */
async function begin(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(HEAD);
  return socket;
}

const post = (port: number) => ask(port, { method: 'POST', path: ROOT, headers: FORM }, 'queries={}');

/** Asks again until the status is the expected one; requests that others have just sent may not have arrived. */
async function until(port: number, status: number) {
  for (;;) {
    const answer = await post(port);
    if (answer.status === status) return answer;
    await nextTurn();
  }
}

it('RCN-10 the ninth batch at once is refused, and served when another has ended', async () => {
  await listening(serverOn(emptyRegistry), async (port) => {
    const sockets = await Promise.all(Array.from({ length: 8 }, () => begin(port)));
    const refused = await until(port, 503);
    expect(refused.headers['retry-after']).toBe('1');
    expect(JSON.parse(refused.body)).toMatchObject({ status: 503, detail: expect.stringContaining('8 batches') });
    sockets.pop()?.destroy();
    expect((await until(port, 200)).body).toBe('{}');
    for (const socket of sockets) socket.destroy();
  });
});

it('RCN-10 a body that stays incomplete is refused after thirty seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await listening(serverOn(emptyRegistry, undefined, { timeouts: { request: 0, headers: 0 } }), async (port) => {
    const socket = await begin(port);
    const answered = once(socket, 'data') as Promise<[Buffer]>;
    await post(port);
    vi.advanceTimersByTime(29_999);
    await post(port);
    expect(socket.bytesRead).toBe(0);
    vi.advanceTimersByTime(1);
    const [bytes] = await answered;
    expect(readAnswer(bytes.toString())).toMatchObject({ status: 408, body: expect.stringContaining('30 seconds') });
    socket.destroy();
  });
});
