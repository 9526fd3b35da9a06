import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Context } from '../../src/pipeline/context.ts';
import { restoreRegistry } from '../../src/pipeline/restore.ts';
import { ingest } from '../../src/pipeline/run.ts';
import { openRegistry } from '../../src/registry/registry.ts';
import { applyCommand, composeDraft, grantPermission } from '../../src/reit/life/commands.ts';
import { openReit } from '../../src/reit/life/reit.ts';
import { backUp } from '../../src/storage/backup.ts';
import { AT, bundleOf, exampleBundle } from '../reit/support.ts';
import { openDamagedRegistry } from '../support/damaged-registry.ts';
import { dumpTables } from '../support/dump-tables.ts';
import { onBothEngines, onPostgres, onSqlite, openContext, type TestDatabase } from '../support/engines.ts';
import { AREAS, building, writeRecords } from '../support/records.ts';
import { registryState } from '../support/registry-state.ts';
import { openSmallRegistry, SMALL } from '../support/small-registry.ts';
import { expectVerified } from '../support/verified.ts';

/** Accepts a publication for the first building of the small registry, and returns its ID. */
async function acceptExample({ storage }: Context): Promise<string> {
  return storage.transaction(async (tx) => {
    const draft = await composeDraft(tx, bundleOf(exampleBundle()), AT);
    if (!draft.ok) throw new Error('the example is refused');
    const { id } = draft.value;
    await grantPermission(tx, { verdict: 'allow', source: 'edinet', surface: 'all', basis: 'x', by: 'carol', at: AT });
    for (const review of ['data', 'match'] as const) {
      await applyCommand(tx, id, () => ({ type: 'review', review, verdict: 'pass', by: 'alice', note: 'x', at: AT }));
    }
    await applyCommand(tx, id, () => ({ type: 'activate', id, by: 'bob', at: AT, predecessors: [] }));
    return id;
  });
}

const servedIn = async ({ storage }: Context) => {
  const served = await openReit(storage).served(SMALL.full, 'rest-json');
  return served.ok ? served.value.map(({ id, computedAt }) => `${id} ${computedAt}`) : [];
};

async function searchAll(context: Awaited<ReturnType<typeof openContext>>): Promise<string> {
  const { body } = await openRegistry(context.storage).search({ q: 'ビル' });
  return Buffer.from(body).toString();
}

async function restoreInto(file: string, database: TestDatabase) {
  const context = await openContext(database);
  await restoreRegistry(context, file);
  const state = [await registryState(context.storage), await searchAll(context)];
  for (const [verdict, count] of [
    ['allow', 1],
    ['deny', 0],
    ['allow', 1],
  ] as const) {
    await context.storage.transaction((tx) =>
      grantPermission(tx, { verdict, source: 'edinet', surface: 'all', basis: 'x', by: 'carol', at: AT }),
    );
    expect(await servedIn(context)).toHaveLength(count);
  }
  // Generated numbers continue after those of the backup, so later writes succeed.
  const records = writeRecords(database.dir, [...AREAS, building(500)]);
  expect((await ingest(context, 'records', [records])).get(records)).toMatchObject({ rejected: 0 });
  await context.storage.close();
  return state;
}

onBothEngines('backup', (fresh) => {
  it('restores the registry that was backed up, replacing the current one', async () => {
    const database = await fresh();
    const small = await openSmallRegistry(database);
    const publication = await acceptExample(small.context);
    const before = [await registryState(small.context.storage), await searchAll(small.context)];
    const file = join(database.dir, 'backup.db');
    await backUp(small.context.storage, file);
    await small.context.storage.transaction((tx) =>
      applyCommand(tx, publication, () => ({ type: 'withdraw', by: 'dave', reason: 'x', at: AT })),
    );
    expect(await servedIn(small.context)).toEqual([]);
    await small.ingest([building(600, { nameJa: '後のビル' })]);
    expect(await searchAll(small.context)).not.toBe(before[1]);
    await restoreRegistry(small.context, file);
    expect([await registryState(small.context.storage), await searchAll(small.context)]).toEqual(before);
    expect(await servedIn(small.context)).toEqual([`${publication} ${AT}`]);
    await expectVerified(small.context);
    expect(await restoreInto(file, await fresh())).toEqual(before);
    expect(readdirSync(database.dir).filter((name) => /partial|restoring/.test(name))).toEqual([]);
    await small.close();
  });

  it('never overwrites a file, and rejects files that are not backups', async () => {
    const database = await fresh();
    const small = await openSmallRegistry(database);
    const before = await registryState(small.context.storage);
    const file = join(database.dir, 'note.txt');
    writeFileSync(file, 'not a backup');
    await expect(backUp(small.context.storage, file)).rejects.toThrow('there is a file of this name already');
    await expect(restoreRegistry(small.context, file)).rejects.toThrow('not a backup');
    await expect(restoreRegistry(small.context, join(database.dir, 'missing'))).rejects.toThrow('not found');
    await expect(backUp(small.context.storage, join(database.dir, 'no', 'folder'))).rejects.toThrow();
    expect(existsSync(join(database.dir, 'no'))).toBe(false);
    expect(await registryState(small.context.storage)).toBe(before);
    await small.close();
  });
});

onSqlite('backup while another process writes', (fresh) => {
  it('does not restart at every commit, and contains one snapshot', async () => {
    const database = await fresh();
    const [{ storage }, other] = [await openContext(database), await openContext(database)];
    const add = (from: number, count: number) =>
      other.storage.transaction((tx) =>
        tx.insert(
          'todo',
          ['name'],
          Array.from({ length: count }, (_, i) => [String(from + i).padStart(50_000, '0')]),
        ),
      );
    // About ten times what is copied at once.
    await add(0, 320);
    const file = join(database.dir, 'backup.db');
    let isDone = false;
    const backup = backUp(storage, file).then(() => {
      isDone = true;
    });
    for (let commits = 0; !isDone && commits < 200; commits++) {
      await add(1_000 + commits, 1);
      await setImmediate();
    }
    await backup;
    // A copy that restarts at every commit would contain some of these rows and end only after the last commit.
    const copy = new DatabaseSync(file, { readOnly: true });
    expect(copy.prepare('select count(*) as n from todo').get()).toEqual({ n: 320 });
    copy.close();
    await storage.close();
    await other.storage.close();
  });
});

onPostgres('backup from one database into the other', (freshPostgres) => {
  it('each kind of database restores the backup of the other', async () => {
    const database = await freshPostgres();
    const small = await openSmallRegistry(database);
    await acceptExample(small.context);
    const before = [await registryState(small.context.storage), await searchAll(small.context)];
    const file = join(database.dir, 'backup.db');
    await backUp(small.context.storage, file);
    await small.close();
    const sqlite = { engine: 'sqlite' as const, dir: database.dir, url: `file:${join(database.dir, 'other.db')}` };
    expect(await restoreInto(file, sqlite)).toEqual(before);
    const again = await openContext(sqlite);
    const second = join(database.dir, 'second.db');
    await backUp(again.storage, second);
    const state = [await registryState(again.storage), await searchAll(again)];
    await again.storage.close();
    expect(await restoreInto(second, await freshPostgres())).toEqual(state);
  });
});

/** Of this machine, or cut into pieces in another way; `verify` compares them with what they are made of. */
const NOT_KEPT = [
  ...['migration', 'rate_key', 'rate_window', 'damaged_file', 'restore_run', 'job_queue'],
  ...['search_segment', 'search_posting', 'search_filter', 'search_sort', 'search_site'],
];

type Row = Record<string, unknown>;

/** The same text for a row of both databases, which differ in the order of columns and in the type of bytes. */
function normalRow(text: string): string {
  const bytes = (_: string, value: unknown) =>
    (value as { type?: string } | null)?.type === 'Buffer'
      ? Buffer.from((value as { data: number[] }).data).toString('hex')
      : value;
  const row = JSON.parse(text, bytes) as Row;
  return JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function tablesIn({ storage }: Context): Promise<Record<string, readonly string[]>> {
  const { search_entry: entries = [], ...tables } = await dumpTables(storage, NOT_KEPT);
  const inOrder = entries.map((text) => JSON.parse(text) as Row).sort((a, b) => Number(a.pos) - Number(b.pos));
  const unnumbered = inOrder.map(({ pos: _, ...entry }) => normalRow(JSON.stringify(entry)));
  // Partitions of PostgreSQL are part of their tables.
  const whole = Object.entries(tables).filter(([table]) => !/_\d\d$/.test(table));
  const normal = whole.map(([table, rows]) => [table, rows.map(normalRow).sort()]);
  return { ...Object.fromEntries(normal), search_entry: unnumbered };
}

onPostgres('a backup of every kind of row', (freshPostgres) => {
  let files = 0;
  const freshSqlite = async (): Promise<TestDatabase> => {
    const { dir } = await freshPostgres();
    return { engine: 'sqlite', dir, url: `file:${join(dir, `registry-${++files}.db`)}` };
  };

  it.each([
    ['sqlite', 'sqlite'],
    ['sqlite', 'postgres'],
    ['postgres', 'postgres'],
    ['postgres', 'sqlite'],
  ])('VRF-15 of %s is restored into %s: every table is equal, and nothing differs', async (from, to) => {
    const freshOf = (engine: string) => (engine === 'sqlite' ? freshSqlite() : freshPostgres());
    const { context, database, close } = await openDamagedRegistry(await freshOf(from));
    const before = await tablesIn(context);
    expect(before.meeting).not.toEqual([]);
    expect(before.reit_active).not.toEqual([]);
    const file = join(database.dir, 'backup.db');
    await backUp(context.storage, file);
    const restored = await openContext(await freshOf(to));
    await restoreRegistry(restored, file);
    const after = await tablesIn(restored);
    expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort());
    const names = Object.keys(before);
    expect(names.filter((table) => after[table]?.join('\n') !== before[table]?.join('\n'))).toEqual([]);
    await expectVerified({ ...restored, archiveDir: context.archiveDir });
    await restored.storage.close();
    await close();
  });
});
