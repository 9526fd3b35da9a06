/** A bare node:http server that sends, for each path, the bytes another server sent for it once. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const [origin] = process.argv.slice(2);
const bodies = new Map<string, Buffer>();
for (const path of (await text(process.stdin)).split('\n')) {
  const response = await fetch(`${origin}${path}`);
  bodies.set(path, Buffer.from(await response.arrayBuffer()));
}
const server = createServer((request, response) => {
  const body = bodies.get(request.url ?? '');
  if (body === undefined) return response.writeHead(404).end();
  return response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
});
server.listen(0, '127.0.0.1', () =>
  console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
process.once('SIGTERM', () => process.exit(0));
