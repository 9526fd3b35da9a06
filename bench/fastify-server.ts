/** Fastify with one route, which replays the headers and bytes of another server's responses, by path. */
import { fastify } from 'fastify';
import { readAnswers } from './replayed-answers.ts';

const { answers, keepAlive } = await readAnswers(String(process.argv[2]));
const replayed = new Map(
  [...answers].map(([path, { headers, body }]) => {
    const pairs = headers.flatMap((name, i) => (i % 2 === 0 ? [[name, headers[i + 1] as string] as const] : []));
    return [path, { headers: Object.fromEntries(pairs), body }];
  }),
);
const app = fastify({ keepAliveTimeout: keepAlive });
app.get('/japan/api/v1/assets/:id', (request, reply) => {
  const answer = replayed.get(request.url);
  return answer === undefined ? reply.code(404).send() : reply.headers(answer.headers).send(answer.body);
});
console.log(`listens on ${await app.listen({ port: 0, host: '127.0.0.1' })}`);
process.once('SIGTERM', () => process.exit(0));
