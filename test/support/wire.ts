import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Answer } from './serving.ts';

/** Runs `work` with a server on a free port, and always closes it. */
export async function listening<T>(app: FastifyInstance, work: (port: number) => Promise<T>): Promise<T> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  try {
    return await work((app.server.address() as AddressInfo).port);
  } finally {
    await app.close();
  }
}

/** Sends one request by node:http, which unlike fetch allows any method and path. */
export function ask(port: number, options: RequestOptions, body?: string | Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, agent: false, ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const headers: IncomingHttpHeaders = response.headers;
        resolve({ status: response.statusCode ?? 0, headers, body: Buffer.concat(chunks).toString() });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Sends bytes that no HTTP client would send, and returns the response. */
export function exchange(port: number, bytes: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const end = () => {
      socket.destroy();
      resolve(readAnswer(text));
    };
    socket.setTimeout(2_000, end);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      text += chunk;
      const { headers, body } = readAnswer(text);
      const length = headers['content-length'];
      if (body.endsWith('0\r\n\r\n') || (length !== undefined && Buffer.byteLength(body) >= Number(length))) end();
    });
    socket.on('close', end);
    socket.write(bytes, 'latin1');
  });
}

export function readAnswer(text: string): Answer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 2),
  ]);
  return { status: Number(first.split(' ')[1]), headers: Object.fromEntries(headers), body: rest.join('\r\n\r\n') };
}
