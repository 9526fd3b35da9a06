import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Storage } from '../../src/storage/storage.ts';
import { MCP_ROOT } from '../../src/surfaces/http/surface.ts';
import { start } from '../support/command.ts';
import { onBothEngines, openContext, type TestDatabase } from '../support/engines.ts';
import { initialize } from '../support/mcp.ts';
import { id } from '../support/records.ts';
import { registryState } from '../support/registry-state.ts';
import { assetUrl } from '../support/serving.ts';
import { ask } from '../support/wire.ts';
import { placeOf } from './commands.ts';
import { isLong, shortOrLong, timeout } from './length.ts';
import { callTool, isToolAnswer, startService } from './service.ts';
import { writeBundle, writeTown } from './story.ts';
import { expectClean } from './verified.ts';

const DAY_MS = 24 * 3_600_000;

/** The clock of the commands that run on a database. */
class Clock {
  readonly settings: Record<string, string>;
  readonly #file: string;

  constructor({ dir }: TestDatabase) {
    this.#file = join(dir, 'clock');
    this.set(0);
    // Without a fixed time.
    this.settings = { FAULTS_CLOCK_FILE: this.#file };
  }

  set(days: number): void {
    writeFileSync(this.#file, String(days * DAY_MS));
  }
}

async function run(database: TestDatabase, clock: Clock, ...args: string[]) {
  return start(jumping(database, clock), ...args).ended;
}

function jumping(database: TestDatabase, { settings }: Clock) {
  const { cwd, env } = placeOf(database, settings);
  const { FAULTS_FIXED_NOW: _, ...rest } = env;
  return { cwd, env: rest };
}

async function read<T>(database: TestDatabase, work: (storage: Storage) => Promise<T>): Promise<T> {
  const { storage } = await openContext(database);
  return work(storage).finally(() => storage.close());
}

onBothEngines('a clock that jumps by a day', (fresh) => {
  it.runIf(isLong)(
    'FLT-06 loses nothing of an ingest, and orders versions as they were made',
    { timeout },
    async () => {
      const [quiet, database] = [await fresh(), await fresh()];
      const [steady, clock] = [new Clock(quiet), new Clock(database)];
      const files = [0, 1].map((revision) => writeTown(database.dir, shortOrLong(100, 600), revision));
      for (const file of files) expect((await run(quiet, steady, 'ingest', 'records', file)).code).toBe(0);

      clock.set(1);
      const running = start(jumping(database, clock), 'ingest', 'records', files[0] as string);
      for (const days of [0, -1, 1, -1, 1]) {
        await sleep(200);
        clock.set(days);
      }
      expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
      clock.set(-1);
      expect((await run(database, clock, 'ingest', 'records', files[1] as string)).code).toBe(0);
      expect(await read(database, registryState)).toBe(await read(quiet, registryState));
      const versions = await read(database, ({ db }) =>
        db
          .selectFrom('building_version')
          .select(['building', 'version', 'recorded_at'])
          .orderBy('building')
          .orderBy('version')
          .execute(),
      );
      const earlier = versions.filter(
        ({ building, recorded_at }, i) =>
          versions[i - 1]?.building === building && recorded_at <= (versions[i - 1]?.recorded_at ?? ''),
      );
      expect(versions.some(({ version }) => version > 1)).toBe(true);
      expect(earlier).toEqual([]);
      await expectClean(database);
    },
  );

  it('FLT-06 neither ends nor prolongs sessions and rate windows, nor a wait for the write lock', {
    timeout,
  }, async () => {
    const database = await fresh();
    const clock = new Clock(database);
    const file = writeTown(database.dir, 40);
    expect((await run(database, clock, 'ingest', 'records', file)).code).toBe(0);
    const settings = { ...clock.settings, RATE_LIMIT_API: '5' };
    const service = await startService(database, settings);
    try {
      const session = await initialize(service.port);
      const exhaust = async () => {
        const statuses: number[] = [];
        for (let i = 0; i < 12; i++) {
          const { status, headers } = await service.get(assetUrl(id(2)));
          statuses.push(status);
          if (status !== 429) continue;
          const wait = Number(headers['retry-after']);
          expect(wait >= 1 && wait <= 60).toBe(true);
        }
        return statuses;
      };
      // Even if another minute begins meanwhile.
      const expectFresh = (statuses: number[]) => expect([statuses[0], statuses.at(-1)]).toEqual([200, 429]);
      expectFresh(await exhaust());
      for (const days of [1, -1, 0]) {
        clock.set(days);
        await sleep(30);
        // Time that has come again is counted again; it is a minute of requests at most.
        if (days !== 0) expectFresh(await exhaust());
        expect(isToolAnswer(await callTool(service.port, session))).toBe(true);
        expect(await service.isReady()).toBe(true);
        const { body } = await service.get('/metrics');
        expect(body).not.toMatch(/^tatemono_\S+ -/m);
      }
      const ended = await ask(service.port, { method: 'DELETE', path: MCP_ROOT, headers: session.headers });
      expect(ended.status).toBeLessThan(300);
      expect(await service.stop()).toMatchObject({ code: 0 });
    } finally {
      service.end();
    }

    const { storage } = await openContext(database);
    const release = await storage.lockWriter(() => {}, 0);
    const waiting = start(jumping(database, clock), 'ingest', 'records', writeTown(database.dir, 41, 1));
    await sleep(shortOrLong(1_500, 3_000));
    clock.set(1);
    await sleep(500);
    expect(waiting.child.exitCode).toBe(null);
    clock.set(-1);
    await release();
    await storage.close();
    expect((await waiting.ended).code).toBe(0);
    await expectClean(database);
  });

  it.runIf(isLong)('FLT-06 changes nothing about what is published of a REIT', { timeout }, async () => {
    const database = await fresh();
    const clock = new Clock(database);
    const done = async (...args: string[]) => {
      const finished = await run(database, clock, ...args);
      expect([args, finished.code, finished.stderr]).toEqual([args, 0, '']);
      return finished.stdout;
    };
    await done('ingest', 'records', writeTown(database.dir, 40));
    const publication = (await done('reit', 'compose', writeBundle(database.dir))).split('\n')[0] as string;
    clock.set(1);
    await done(
      'reit',
      'permit',
      'allow',
      '--source',
      'edinet',
      '--surface',
      'all',
      '--basis',
      '公開情報',
      '--by',
      'carol',
    );
    clock.set(-1);
    for (const review of ['data', 'match']) {
      await done('reit', 'review', review, publication, '--pass', '--by', 'alice', '--note', '原本と照合');
    }
    clock.set(1);
    await done('reit', 'activate', publication, '--by', 'bob');
    clock.set(-1);
    expect(await done('reit', 'status', publication)).toMatch(/^state +accepted$/m);
    await done(
      'reit',
      'permit',
      'deny',
      '--source',
      'edinet',
      '--surface',
      'csv',
      '--basis',
      '公開情報',
      '--by',
      'carol',
    );
    expect(await done('reit', 'status', publication)).toMatch(/^state +accepted$/m);
    const service = await startService(database, clock.settings);
    try {
      const publications = async (form: string) =>
        (await service.get(assetUrl(id(20), `/${form}`))).body.includes(publication);
      expect([await publications('reit'), await publications('reit.csv')]).toEqual([true, false]);
      await done('reit', 'withdraw', publication, '--by', 'bob', '--reason', 'an error');
      expect(await publications('reit')).toBe(false);
      await service.stop();
    } finally {
      service.end();
    }
    await expectClean(database);
  });
});
