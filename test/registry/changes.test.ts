import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Context } from '../../src/pipeline/context.ts';
import { mergeBuildings, retireBuilding, unmergeBuilding } from '../../src/pipeline/identity-commands.ts';
import { restoreRegistry } from '../../src/pipeline/restore.ts';
import { ingest, republish } from '../../src/pipeline/run.ts';
import { type Change, readChanges, readCursor } from '../../src/registry/changes/read-changes.ts';
import { logChanges } from '../../src/registry/changes/write-changes.ts';
import { backUp } from '../../src/storage/backup.ts';
import { CHANGE_KINDS, decodeChanges, encodeChanges, type LoggedChange } from '../../src/storage/change-block.ts';
import { MIGRATIONS, migrate } from '../../src/storage/migrate.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { formatAssetId, parseAssetId } from '../../src/vocabulary/asset-id.ts';
import { onBothEngines, onPostgres, onSqlite, openContext, type TestDatabase } from '../support/engines.ts';
import {
  AREA,
  AREAS,
  building,
  id,
  type Json,
  MARUNOUCHI,
  OTHER_AREA,
  square,
  writeRecords,
} from '../support/records.ts';
import { pageOf } from '../support/registry-state.ts';
import { differencesIn, repair } from '../support/verified.ts';

const LATER = '2026-02-01T00:00:00Z';
const LATEST = '2026-03-01T00:00:00Z';
/** A building whose newest revision says nothing. */
const withdrawn = (number: number): Json => ({
  ...building(number, {}, { retrievedAt: LATEST, whole: true, geometry: undefined }),
  observations: [],
});

const changesAfter = (storage: Storage, after: number) =>
  storage.snapshot((reads) => readChanges(reads, after, 10_000));
const cursorOf = (storage: Storage) => storage.snapshot(readCursor);
const told = ({ kind, building, version }: Change) => `${kind} ${building % 100_000_000} v${version}`;

onBothEngines('the log of changes', (fresh) => {
  const withRegistry = async (
    count: number,
    work: (context: Context, add: (...lines: Json[]) => Promise<Change[]>, database: TestDatabase) => Promise<void>,
  ) => {
    const database = await fresh();
    const context = await openContext(database);
    const { storage } = context;
    const add = async (...lines: Json[]) => {
      const before = await cursorOf(storage);
      await ingest(context, 'records', [writeRecords(database.dir, lines)]);
      return changesAfter(storage, before);
    };
    try {
      await add(...AREAS, ...Array.from({ length: count }, (_, i) => building(i + 1, { heightM: 10 + i })));
      await work(context, add, database);
      expect(await differencesIn(context, ['changes'])).toEqual([]);
    } finally {
      await storage.close();
    }
  };

  it('LOG-01 has every building when it is first published, and every change of its record', () =>
    withRegistry(3, async ({ storage }, add) => {
      const first = await changesAfter(storage, 0);
      expect(first.map(told)).toEqual(['created 1 v1', 'created 2 v1', 'created 3 v1']);
      const page = await pageOf(storage, id(1));
      expect(first[0]).toMatchObject({
        ...{ cursor: 1, kind: 'created', version: 1, areaBefore: null, area: AREA, into: null, reason: null },
        recordedAt: page?.history[0]?.recordedAt,
        changedFields: page?.history[0]?.changedFields,
      });
      const again = building(2, { heightM: 99 }, { retrievedAt: LATER });
      const [updated, ...others] = await add(again);
      expect(others).toEqual([]);
      expect(updated).toMatchObject({ kind: 'updated', version: 2, changedFields: ['heightM'], area: AREA });
      expect(await add(again)).toEqual([]);
      expect(await cursorOf(storage)).toBe(4);
    }));

  it('LOG-01 logs a change without a new version as an update with the same version', () =>
    withRegistry(2, async ({ storage }, add) => {
      const renamed = AREAS.map((area) => (area.code === AREA ? { ...area, slug: 'marunouchi-first' } : area));
      const changes = await add(...renamed);
      expect(changes.map(told)).toEqual(['updated 1 v1', 'updated 2 v1']);
      const [version] = (await pageOf(storage, id(1)))?.history ?? [];
      expect(changes[0]).toMatchObject({ changedFields: [], area: AREA, areaBefore: AREA });
      expect(changes[0]?.recordedAt).not.toBe(version?.recordedAt);
    }));

  it('LOG-01 names the areas before and after a move', () =>
    withRegistry(1, async (_, add) => {
      const [moved] = await add(building(1, { heightM: 10 }, { area: OTHER_AREA, retrievedAt: LATER }));
      expect(moved).toMatchObject({ kind: 'updated', areaBefore: AREA, area: OTHER_AREA });
    }));

  it('LOG-01 logs merges, and an unmerge when the record can be read again', () =>
    withRegistry(2, async (context) => {
      const { storage } = context;
      let cursor = await cursorOf(storage);
      const next = async () => {
        const changes = await changesAfter(storage, cursor);
        cursor = await cursorOf(storage);
        return changes;
      };
      await mergeBuildings(context, id(1), id(2), 'seen twice');
      const merged = await next();
      expect(merged.map(told)).toEqual(['merged 1 v1', 'updated 2 v2']);
      expect(merged[0]).toMatchObject({
        ...{ areaBefore: AREA, area: null, into: parseAssetId(id(2)), reason: 'seen twice', changedFields: [] },
      });
      await unmergeBuilding(context, id(1), null);
      expect((await next()).map(told).sort()).toEqual(['unmerged 1 v1', 'updated 2 v3']);
      await retireBuilding(context, id(1), id(2), 'torn down');
      const [retired, ...rest] = await next();
      expect(rest).toEqual([]);
      expect(retired).toMatchObject({ kind: 'retired', into: parseAssetId(id(2)), reason: 'torn down', area: null });
    }));

  it('LOG-01 logs a building whose source was withdrawn, and its return, as updates', () =>
    withRegistry(2, async ({ storage }, add) => {
      const [gone, ...others] = await add(withdrawn(1));
      const page = await pageOf(storage, id(1));
      expect(others).toEqual([]);
      expect(gone).toMatchObject({ kind: 'updated', areaBefore: AREA, area: page === undefined ? null : AREA });
      const back = await add(building(1, { heightM: 12 }, { retrievedAt: '2026-04-01T00:00:00Z' }));
      expect(back.map(({ kind, area }) => [kind, area])).toEqual([['updated', AREA]]);
    }));

  it('LOG-01 logs a building that waited for its area as created, when it is published', async () => {
    const database = await fresh();
    const context = await openContext(database);
    const { storage } = context;
    const unplaced = building(1, {}, { area: undefined });
    await ingest(context, 'records', [writeRecords(database.dir, [...AREAS.slice(0, 2), unplaced])]);
    expect(await pageOf(storage, id(1))).toBeUndefined();
    expect(await changesAfter(storage, 0)).toEqual([]);
    const drawn = { ...AREAS[2], boundary: square(MARUNOUCHI, 0.01) };
    await ingest(context, 'records', [writeRecords(database.dir, [drawn])]);
    expect((await changesAfter(storage, 0)).map(({ kind, building }) => [kind, formatAssetId(building)])).toEqual([
      ['created', id(1)],
    ]);
    await storage.close();
  });

  it('LOG-01 a run that changes nothing logs nothing', () =>
    withRegistry(3, async (context) => {
      const cursor = await cursorOf(context.storage);
      await republish(context, true);
      expect(await cursorOf(context.storage)).toBe(cursor);
    }));

  it('LOG-03 is read in pages of any size, from any cursor', () =>
    withRegistry(7, async ({ storage }, add) => {
      await add(building(3, { heightM: 77 }, { retrievedAt: LATER }));
      const all = await changesAfter(storage, 0);
      expect(all.map(({ cursor }) => cursor)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      for (const limit of [1, 3, 8]) {
        const read: Change[] = [];
        for (let cursor = 0; ; cursor = read.at(-1)?.cursor ?? cursor) {
          const page = await storage.snapshot((reads) => readChanges(reads, cursor, limit));
          if (page.length === 0) break;
          expect(page.length).toBeLessThanOrEqual(limit);
          read.push(...page);
        }
        expect(read).toEqual(all);
      }
    }));

  it('LOG-04 a database of an earlier version gets a log of what it publishes', () =>
    withRegistry(3, async (context) => {
      const { storage } = context;
      await mergeBuildings(context, id(3), id(2), null);
      const before = await changesAfter(storage, 0);
      await storage.transaction(async ({ db }) => {
        await sql`drop table change_block`.execute(db);
        await sql`drop table change_area`.execute(db);
        await sql`alter table building drop column logged`.execute(db);
        await sql`delete from migration where name = '0023-changes'`.execute(db);
      });
      await migrate(storage, MIGRATIONS);
      const after = await changesAfter(storage, 0);
      expect(after.map(told)).toEqual(['created 1 v1', 'created 2 v2']);
      expect(after[0]).toMatchObject({ ...before[0], cursor: 1 });
      const areas = await storage.db.selectFrom('change_area').select('area').orderBy('area').execute();
      expect(areas.map(({ area }) => area)).toEqual(['13', '13101', AREA]);
      await unmergeBuilding(context, id(3), null);
      expect((await changesAfter(storage, 2)).map(told).sort()).toEqual(['unmerged 3 v1', 'updated 2 v3']);
    }));

  it('VRF-17 verify finds what is missing in the log, and repairs what can be logged again', () =>
    withRegistry(3, async (context, add) => {
      const { storage } = context;
      const run = (statement: string) => storage.transaction(({ db }) => sql.raw(statement).execute(db));
      await add(building(2, { heightM: 50 }, { retrievedAt: LATER }));
      const lastArea = `delete from change_area where last = 4 and area = '${AREA}'`;
      await run(lastArea);
      expect(await differencesIn(context, ['changes'])).toEqual([
        'differs change_area areas of changes 1 rows of machi-aza instead of 2',
      ]);
      await run(`insert into change_area (area, last) values ('${AREA}', 4)`);
      await run('update building set logged = 0 where id = 1300000001');
      expect(await repair(context)).toEqual(['differs change_block ASSET-JP-13-00000001 logged']);
      expect((await changesAfter(storage, 4)).map(told)).toEqual(['created 1 v1']);
      await run('delete from change_block where last = 4');
      await run('delete from change_area where last = 4');
      expect(await differencesIn(context, ['changes'])).toEqual([
        'missing change_block block 5 changes after 3',
        'differs change_block ASSET-JP-13-00000002 has version 2, but the log says 1',
      ]);
      await run('update change_block set last = 4 where last = 5');
      await run('update change_area set last = 4 where last = 5');
      await repair(context);
      expect((await changesAfter(storage, 4)).map(told)).toEqual(['updated 2 v2']);
    }));

  it('LOG-05 a backup carries the log, and a restore into an empty registry has the same', () =>
    withRegistry(3, async (context, _, { dir }) => {
      await mergeBuildings(context, id(1), id(2), 'one');
      const file = join(dir, 'backup.db');
      await backUp(context.storage, file);
      const other = await openContext(await fresh());
      await restoreRegistry(other, file);
      expect(await changesAfter(other.storage, 0)).toEqual(await changesAfter(context.storage, 0));
      expect(await differencesIn(other, ['changes'])).toEqual([]);
      await other.storage.close();
    }));

  it('LOG-06 a restore logs what differs from the registry that it replaces, after both logs', () =>
    withRegistry(4, async (context, add, { dir }) => {
      const { storage } = context;
      const file = join(dir, 'backup.db');
      await backUp(storage, file);
      await add(building(1, { heightM: 90 }, { retrievedAt: LATER }), building(9));
      await retireBuilding(context, id(2), undefined, null);
      const cursor = await cursorOf(storage);
      await restoreRegistry(context, file);
      const changes = await changesAfter(storage, cursor);
      expect(changes.map(told).sort()).toEqual(['created 2 v1', 'retired 9 v0', 'updated 1 v1']);
      expect(Math.min(...changes.map((change) => change.cursor))).toBeGreaterThan(cursor);
      // The same backup again differs in nothing.
      const end = await cursorOf(storage);
      await backUp(storage, join(dir, 'second.db'));
      await add(building(8));
      await backUp(storage, join(dir, 'third.db'));
      await restoreRegistry(context, join(dir, 'third.db'));
      expect((await changesAfter(storage, end)).map(told)).toEqual(['created 8 v1']);
    }));
});

onPostgres('the log of changes, written by several processes', (fresh) => {
  it('LOG-02 is never read with a gap that is filled later', async () => {
    const database = await fresh();
    const context = await openContext(database);
    const stores = [1, 2, 3, 4].map(() => openStorage(database.url, () => {}));
    const change = (building: number): LoggedChange => ({
      ...{ building, kind: 'updated', version: 2, area: null, areaBefore: null, event: null },
    });
    let isWriting = true;
    const read: number[] = [];
    const follow = async () => {
      for (let cursor = 0, isLast = false; ; ) {
        const changes = await changesAfter(context.storage, cursor);
        read.push(...changes.map(({ building }) => building));
        cursor = changes.at(-1)?.cursor ?? cursor;
        if (isLast && changes.length === 0) return cursor;
        isLast = !isWriting;
        await sleep(1);
      }
    };
    const following = follow();
    const writers = stores.map(async (store, writer) => {
      for (let i = 0; i < 12; i++) {
        const failing = i % 5 === 4;
        const logged = store.transaction(async (tx) => {
          await logChanges(tx, [change(writer * 1_000 + i * 2), change(writer * 1_000 + i * 2 + 1)], LATER);
          // The first to take numbers commits later than others would.
          await sleep((writer * 7 + i * 3) % 11);
          if (failing) throw new Error('rolled back');
        });
        await (failing ? expect(logged).rejects.toThrow('rolled back') : logged);
      }
    });
    await Promise.all(writers);
    isWriting = false;
    expect(await following).toBe(4 * 10 * 2);
    expect(new Set(read).size).toBe(4 * 10 * 2);
    expect(read).toEqual((await changesAfter(context.storage, 0)).map(({ building }) => building));
    for (const store of [...stores, context.storage]) await store.close();
  });
});

onSqlite('a block of changes', () => {
  const anyArea = fc.option(fc.constantFrom('131010001001', '131010001002', '011010099'));
  const anyChange: fc.Arbitrary<LoggedChange> = fc.record({
    building: fc.integer({ min: 0, max: 9_999_999_999 }),
    kind: fc.constantFrom(...CHANGE_KINDS),
    version: fc.integer({ min: 0, max: 100_000 }),
    area: anyArea,
    areaBefore: anyArea,
    event: fc.option(fc.nat()),
  });

  it('LOG-07 is read as it was written, and damage is noticed', () => {
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 40 }), (changes) => {
        const block = encodeChanges(changes);
        expect(decodeChanges(block)).toEqual(changes);
        if (changes.length > 0) expect(() => decodeChanges(block.subarray(0, -1))).toThrow('cut short');
      }),
      { numRuns: 200 },
    );
  });

  it('LOG-07 takes a few bytes for each building of a first load', () => {
    const changes = Array.from({ length: 200 }, (_, i): LoggedChange => {
      const area = `1310100010${String(10 + Math.floor(i / 40))}`;
      return { building: 1_300_000_000 + i, kind: 'created', version: 1, area, areaBefore: null, event: null };
    });
    expect(encodeChanges(changes).length / changes.length).toBeLessThan(3);
  });
});
