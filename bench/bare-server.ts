/** A bare node:http server that replays the headers and bytes of another server's responses, by path. */
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { lastingHeaders } from './lasting-headers.ts';

const [origin] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const answers = new Map<string, { headers: string[]; body: Buffer }>();
let keepAlive = '';
for (const path of new Set((await text(process.stdin)).split('\n'))) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${origin}${path}`, { agent }, resolve).once('error', reject);
  });
  if (response.statusCode !== 200) throw new Error(`${path} was answered with ${response.statusCode}`);
  keepAlive = String(response.headers['keep-alive'] ?? keepAlive);
  answers.set(path, { headers: lastingHeaders(response.rawHeaders), body: await buffer(response) });
}
agent.destroy();

const server = createServer((request, response) => {
  const answer = answers.get(request.url ?? '');
  if (answer === undefined) return response.writeHead(404).end();
  return response.writeHead(200, answer.headers).end(answer.body);
});
const seconds = /timeout=(\d+)/.exec(keepAlive)?.[1];
if (seconds !== undefined) server.keepAliveTimeout = Number(seconds) * 1000;
server.listen(0, '127.0.0.1', () =>
  console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
process.once('SIGTERM', () => process.exit(0));
