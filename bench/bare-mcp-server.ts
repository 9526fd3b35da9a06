/** A bare node:http server that replays the headers and bytes of an MCP server's responses, by request body. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { lastingHeaders } from './lasting-headers.ts';
import { openModern, openSession } from './mcp-session.ts';

const [origin] = process.argv.slice(2);
const session = await openSession(String(origin));
const modern = openModern(String(origin));
const answers = new Map<string, { headers: string[]; body: Buffer }>();
let keepAlive = '';
for (const body of new Set((await text(process.stdin)).split('\n'))) {
  const { status, headers, rawHeaders, bytes } = await (body.includes('"_meta"') ? modern : session).post(body);
  if (status !== 200) throw new Error(`a request was answered with ${status}`);
  keepAlive = String(headers['keep-alive'] ?? keepAlive);
  answers.set(body, { headers: lastingHeaders(rawHeaders), body: bytes });
}
await session.end();
await modern.end();

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.once('end', () => {
    const answer = answers.get(Buffer.concat(chunks).toString());
    if (answer === undefined) response.writeHead(404).end();
    else response.writeHead(200, answer.headers).end(answer.body);
  });
});
const seconds = /timeout=(\d+)/.exec(keepAlive)?.[1];
if (seconds !== undefined) server.keepAliveTimeout = Number(seconds) * 1000;
server.listen(0, '127.0.0.1', () =>
  console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
process.once('SIGTERM', () => process.exit(0));
