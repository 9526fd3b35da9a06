/** A bare node:http server that replays the headers and bytes of another server's responses, by path. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readAnswers } from './replayed-answers.ts';

const { answers, keepAlive } = await readAnswers(String(process.argv[2]));
const server = createServer((request, response) => {
  const answer = answers.get(request.url ?? '');
  if (answer === undefined) return response.writeHead(404).end();
  return response.writeHead(200, answer.headers).end(answer.body);
});
server.keepAliveTimeout = keepAlive;
server.listen(0, '127.0.0.1', () =>
  console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
process.once('SIGTERM', () => process.exit(0));
