import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { keepCopy, onBothEngines, onPostgres, type TestDatabase } from '../support/engines.ts';
import { Random } from '../support/random.ts';
import { begin, complete } from './commands.ts';
import { isLong, seed, shortOrLong, tell, timeout } from './length.ts';
import { differences, type State, stateOf } from './state.ts';
import { play, type Scene, SHORT_STORY, WHOLE_STORY, writeTown } from './story.ts';
import { expectClean } from './verified.ts';

const BUILDINGS = shortOrLong(150, 1_200);
const KILLS = shortOrLong(SHORT_STORY.length, Number(process.env.FAULTS_KILLS ?? 200));
/** A moment may come after the end of a command. */
const MOST_ATTEMPTS = 20;

/** Kills a command at a random moment; returns when, or undefined if it had already ended. */
async function killOnce(database: TestDatabase, { args, took }: Scene, random: Random): Promise<number | undefined> {
  const after = Math.round(random.next() * took * 1.05);
  const running = begin(database, args(database));
  await sleep(after);
  running.child.kill('SIGKILL');
  await running.ended;
  return running.child.signalCode === 'SIGKILL' ? after : undefined;
}

const leftovers = ({ dir }: TestDatabase) => readdirSync(dir).filter((name) => /restoring|partial/.test(name));

const isEqual = (found: State, expected: State) => differences(found, expected).length === 0;

onBothEngines('a command that is killed', (fresh, engine) => {
  it('FLT-01 leaves a registry that can be served, and is completed by running it again', { timeout }, async () => {
    const told = await fresh();
    const scenes = await play(isLong ? WHOLE_STORY : SHORT_STORY, told, BUILDINGS);
    const random = new Random(seed);
    const database = await fresh();
    const counts = new Map<string, number>();
    let [finishedBefore, tooLate] = [0, 0];
    for (let kill = 0; kill < KILLS; kill++) {
      const scene = scenes[kill % scenes.length] as Scene;
      const { step, args, before, after } = scene;
      let moment: number | undefined;
      for (let attempt = 0; moment === undefined; attempt++) {
        if (attempt === MOST_ATTEMPTS) throw new Error(`${step.name} always ends before it is killed`);
        await before.copyTo(database);
        for (const name of readdirSync(database.dir))
          if (/\.db(\.partial)?$/.test(name) && name !== 'registry.db') rmSync(join(database.dir, name));
        moment = await killOnce(database, scene, random);
        if (moment === undefined) tooLate += 1;
      }
      const where = `kill ${kill} of ${step.name} after ${moment} ms (seed ${seed}, ${engine})`;
      const left = await stateOf(database);
      const isDone = step.name === 'backup' ? existsSync(join(database.dir, 'backup.db')) : isEqual(left, after);
      if (isDone) finishedBefore += 1;
      if (!isDone || step.once !== true) await complete(database, args(database));
      expect([where, differences(await stateOf(database), after)]).toEqual([where, []]);
      if (step.name === 'backup') await expectRestores(join(database.dir, 'backup.db'), database, after);
      expect([where, leftovers(database)]).toEqual([where, []]);
      await expectClean(database, where);
      counts.set(step.kind, (counts.get(step.kind) ?? 0) + 1);
    }
    const figures = [...counts].map(([kind, count]) => `${kind} ${count}`).join(', ');
    tell(
      `${engine}, seed ${seed}: ${KILLS} kills (${figures}); ${finishedBefore} after the last commit; ${tooLate} moments came too late`,
    );
  });
});

const WORKER_KILLS = 20;
/** Enough that an ingest shares its work. */
const SHARED = 2_400;

onPostgres('a worker or an ingest that shares its work, when it is killed', (fresh, engine) => {
  it.runIf(isLong)('FLT-01 leaves jobs that others do, and is completed by running it again', { timeout }, async () => {
    const [quiet, database] = [await fresh(), await fresh()];
    const start = await keepCopy(database);
    const ingest = ['ingest', 'records', writeTown(quiet.dir, SHARED)];
    const startedAt = performance.now();
    expect(await begin(quiet, ingest).ended).toMatchObject({ code: 0 });
    const took = performance.now() - startedAt;
    const expected = await stateOf(quiet);
    const random = new Random(seed);
    const counts = { worker: 0, ingest: 0 };
    for (let kill = 0; kill < WORKER_KILLS; kill++) {
      await start.copyTo(database);
      const worker = begin(database, ['work']);
      await worker.says(/tatemono works for ingests/);
      const running = begin(database, ingest);
      const what = random.pick(['worker', 'ingest'] as const);
      const after = Math.round(random.next() * took);
      const where = `kill ${kill} of the ${what} after ${after} ms (seed ${seed})`;
      await sleep(after);
      (what === 'worker' ? worker : running).child.kill('SIGKILL');
      const { code, stderr } = await running.ended;
      if (what === 'worker') expect([where, code, stderr]).toEqual([where, 0, '']);
      else await complete(database, ingest);
      worker.child.kill('SIGTERM');
      await worker.ended;
      expect([where, differences(await stateOf(database), expected)]).toEqual([where, []]);
      await expectClean(database, where);
      counts[what] += 1;
    }
    tell(
      `${engine}, seed ${seed}: ${counts.worker} kills of a worker, ${counts.ingest} of an ingest that shares its work`,
    );
  });
});

/** Restores a backup over the registry that it was made of. */
async function expectRestores(file: string, database: TestDatabase, expected: State): Promise<void> {
  await complete(database, ['restore', file]);
  expect(differences(await stateOf(database), expected)).toEqual([]);
}
