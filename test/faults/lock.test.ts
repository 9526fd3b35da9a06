import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { onSqlite, type TestDatabase } from '../support/engines.ts';
import { begin, complete } from './commands.ts';
import { isLong, shortOrLong, timeout } from './length.ts';
import { serveHere, startLoad, startService, unexpected } from './service.ts';
import { differences, stateOf } from './state.ts';
import { writeTown } from './story.ts';
import { expectClean } from './verified.ts';

const HELD_MS = shortOrLong(3_000, 30_000);

const HOLD = `
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(process.argv[1]);
  database.exec('begin exclusive');
  console.log('held');
  process.stdin.on('data', () => {}).on('end', () => process.exit());`;

/** Another program that has locked the database file for itself; ends with the function that is returned. */
async function holdFile({ url }: TestDatabase): Promise<() => Promise<void>> {
  const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLD, url.slice('file:'.length)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(holder, 'exit');
  await once(holder.stdout, 'data');
  return async () => {
    holder.stdin.end();
    await ended;
  };
}

onSqlite('a database file that another program has locked', (fresh) => {
  it('FLT-04 is served meanwhile; an ingest waits, or says that it is locked and is completed by running it again', {
    timeout,
  }, async () => {
    const [quiet, database] = [await fresh(), await fresh()];
    const files = [0, 1].map((revision) => writeTown(database.dir, 60, revision));
    for (const file of files) await complete(quiet, ['ingest', 'records', file]);
    await complete(database, ['ingest', 'records', files[0] as string]);
    const service = await (isLong ? startService : serveHere)(database);
    try {
      const load = await startLoad(service);
      const release = await holdFile(database);
      const waiting = begin(database, ['ingest', 'records', files[1] as string]);
      await sleep(HELD_MS);
      expect(await service.isReady()).toBe(true);
      await release();
      const { code, stderr } = await waiting.ended;
      // Longer than an ingest waits for a lock that no tatemono process holds.
      if (isLong)
        expect([code, stderr]).toEqual([
          1,
          expect.stringMatching(/^tatemono: the database is locked by another process[^\n]*\n$/),
        ]);
      else expect([code, stderr]).toEqual([0, '']);
      await complete(database, ['ingest', 'records', files[1] as string]);
      await load.stop();
      expect(unexpected(load.seen, 200)).toEqual([]);
      expect(await service.stop()).toEqual({ code: 0, stderr: '' });
    } finally {
      service.end();
    }
    expect(differences(await stateOf(database), await stateOf(quiet))).toEqual([]);
    await expectClean(database);
  });
});
