import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';
import { ingest } from '../../src/pipeline/run.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { onBothEngines, openContext, type TestDatabase } from '../support/engines.ts';
import { AREAS, building, id, type Json, record, writeRecords } from '../support/records.ts';
import { registryState } from '../support/registry-state.ts';
import { expectVerified } from '../support/verified.ts';

const BUILDINGS = 4_200;

/** Buildings with and without an ID, evidence before and after its building, merges. */
function lines(): Json[] {
  const all: Json[] = [record('wikidata', 'Q0', { nameEn: 'Comes first' }, { building: id(7) })];
  for (let i = 1; i <= BUILDINGS; i++) {
    const { building: named, ...unnamed } = building(i % 900, { floorsAbove: i % 30 }, { sourceRecordId: `way/k${i}` });
    all.push(i % 3 === 0 ? unnamed : { ...unnamed, building: id(10_000 + i) });
    if (i % 10 === 0) all.push(record('wikidata', `Q${i}`, { nameEn: `Tower ${i}` }, { building: id(10_000 + i + 1) }));
  }
  all.push(building(7), ...AREAS);
  for (let i = 1; i < 40; i += 3)
    all.push({ kind: 'merge', from: id(10_000 + i), into: id(10_000 + i + 1), reason: 'one' });
  return all;
}

function start(database: TestDatabase, file: string): ChildProcess {
  return spawn(process.execPath, ['bin/tatemono.js', 'ingest', 'records', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: childEnvironment({
      ...{ DATABASE_URL: database.url, ARCHIVE_DIR: `${database.dir}/archive` },
      ...{ NODE_COMPILE_CACHE: inject('compileCache') },
    }),
  });
}

const exitOf = (child: ChildProcess) =>
  new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal)),
  );

async function countOf(storage: Storage, table: 'statement' | 'building_version' | 'nearby'): Promise<number> {
  const row = await storage.db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll().as('n'))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

let whole: string | undefined;

/** The result of an uninterrupted ingest, on either database. */
async function stateOfWhole(database: TestDatabase, file: string): Promise<string> {
  const context = await openContext(database);
  expect((await ingest(context, 'records', [file])).get(file)?.rejected).toBe(0);
  const state = await registryState(context.storage);
  await context.storage.close();
  return state;
}

onBothEngines('an ingest that is killed', (fresh) => {
  it('gives, when repeated, the same registry as an uninterrupted one', { timeout: 240_000 }, async () => {
    const cut = await fresh();
    const file = writeRecords(cut.dir, lines());
    whole ??= await stateOfWhole(await fresh(), file);
    const context = await openContext(cut);
    const { storage } = context;
    const killWhen = async (moment: string, reached: () => Promise<boolean>) => {
      const child = start(cut, file);
      const ended = exitOf(child);
      while (child.exitCode === null && !(await reached())) await sleep(20);
      child.kill('SIGKILL');
      expect([moment, await ended]).toEqual([moment, 'SIGKILL']);
    };
    await killWhen('at the start', async () => true);
    await killWhen('while archiving', async () => sleep(350, true));
    await killWhen('while reading', async () => (await countOf(storage, 'statement')) > BUILDINGS / 3);
    await killWhen('while consolidating', async () => (await countOf(storage, 'building_version')) > 0);
    await killWhen('further on', async () => (await countOf(storage, 'building_version')) > BUILDINGS / 2);
    await killWhen('while publishing', async () => (await countOf(storage, 'nearby')) > 0);
    expect(await registryState(storage)).not.toBe(whole);

    expect(await exitOf(start(cut, file))).toBe(0);
    expect(await registryState(storage)).toBe(whole);
    await expectVerified(context);
    await storage.close();
  });
});
