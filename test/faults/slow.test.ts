import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { onPostgres, type TestDatabase } from '../support/engines.ts';
import { Random } from '../support/random.ts';
import { id } from '../support/records.ts';
import { complete } from './commands.ts';
import { isLong, seed, shortOrLong, tell, timeout } from './length.ts';
import { callTool, isToolAnswer, serveHere, startLoad, startService, unexpected } from './service.ts';
import { differences, stateOf } from './state.ts';
import { writeTown } from './story.ts';
import { expectClean } from './verified.ts';

const [LEAST_MS, MOST_MS] = [shortOrLong(2, 50), shortOrLong(10, 200)];
const LOAD_MS = shortOrLong(1_500, 30_000);

/** Passes bytes on in both directions, each piece after a random delay and in its order. */
async function startSlowProxy(port: number): Promise<{ port: number; close(): void }> {
  const random = new Random(seed);
  const sockets = new Set<Socket>();
  const pass = (from: Socket, to: Socket) => {
    let last: Promise<unknown> = Promise.resolve();
    const later = (work: () => void) => {
      const pause = sleep(LEAST_MS + random.next() * (MOST_MS - LEAST_MS));
      last = last.then(() => pause).then(work);
    };
    from.on('data', (bytes) => later(() => void (to.destroyed || to.write(bytes))));
    from.on('close', () => later(() => void to.destroy()));
    from.on('error', () => {});
    sockets.add(from);
    from.once('close', () => sockets.delete(from));
  };
  const server = createServer((client) => {
    const database = connect(port, '127.0.0.1');
    pass(client, database);
    pass(database, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

onPostgres('a slow database', (fresh) => {
  it('FLT-05 gives the same registry and the same answers, only later', { timeout }, async () => {
    const [quick, slow] = [await fresh(), await fresh()];
    const files = [0, 1].map((revision) => writeTown(quick.dir, shortOrLong(20, 60), revision));
    const commands = [
      ['ingest', 'records', files[0] as string],
      ['merge', id(13), id(14)],
      ['ingest', 'records', files[1] as string],
    ];
    const proxy = await startSlowProxy(Number(new URL(slow.url).port));
    try {
      const far: TestDatabase = { ...slow, url: slow.url.replace(/:\d+\//, `:${proxy.port}/`) };
      const startedAt = performance.now();
      for (const args of commands) {
        await complete(quick, args);
        await complete(far, args);
      }
      expect(differences(await stateOf(slow), await stateOf(quick))).toEqual([]);
      const service = await (isLong ? startService : serveHere)(far);
      try {
        const load = await startLoad(service);
        await sleep(LOAD_MS);
        await load.stop();
        expect(unexpected(load.seen, 200)).toEqual([]);
        expect(isToolAnswer(await callTool(service.port, load.session))).toBe(true);
        const slowest = Math.round(Math.max(...load.seen.map(({ took }) => took)));
        tell(
          `${load.seen.length} requests, slowest ${slowest} ms; ${Math.round((performance.now() - startedAt) / 1000)} s`,
        );
        expect(await service.stop()).toMatchObject({ code: 0 });
      } finally {
        service.end();
      }
    } finally {
      proxy.close();
    }
    await expectClean(slow);
  });
});
