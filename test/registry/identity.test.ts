import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Context } from '../../src/pipeline/context.ts';
import { mergeBuildings, retireBuilding, unmergeBuilding } from '../../src/pipeline/identity-commands.ts';
import { ingest } from '../../src/pipeline/run.ts';
import { listLeftOut } from '../../src/registry/left-out.ts';
import { openRegistry } from '../../src/registry/registry.ts';
import { formatAssetId } from '../../src/vocabulary/asset-id.ts';
import { onBothEngines, openContext } from '../support/engines.ts';
import { AREAS, building, id, OTHER_AREA, record, square, writeRecords } from '../support/records.ts';
import { pageOf, registryState } from '../support/registry-state.ts';
import { watchTransactions } from '../support/watch-transactions.ts';

/** The building that an ID resolves to: itself, another, or none. */
async function resolveId({ storage }: Context, from: string): Promise<string | undefined> {
  const found = await openRegistry(storage).getPage(from);
  if (found.ok) return from;
  return found.failure.kind === 'movedBuilding' ? formatAssetId(found.failure.survivor) : undefined;
}

onBothEngines('identity', (fresh) => {
  const withBuildings = async (count: number, work: (context: Context, dir: string) => Promise<void>) => {
    const database = await fresh();
    const context = await openContext(database);
    try {
      const lines = Array.from({ length: count }, (_, i) => building(i + 1, { heightM: 10 + i }));
      await ingest(context, 'records', [writeRecords(database.dir, [...AREAS, ...lines])]);
      await work(context, database.dir);
    } finally {
      await context.storage.close();
    }
  };

  it('ID-04 a merged ID resolves to its survivor, which gains the evidence', () =>
    withBuildings(2, async (context) => {
      expect(await mergeBuildings(context, id(1), id(2), 'seen twice')).toBe('done');
      expect(await resolveId(context, id(1))).toBe(id(2));
      const page = await pageOf(context.storage, id(2));
      expect(page?.sources.map((entry) => entry.sourceRecordId)).toEqual(['way/1', 'way/2']);
      expect(page?.fields.heightM?.conflict).not.toBeNull();
      expect(page?.history[0]).toMatchObject({ version: 2 });
      expect(page?.nearby).toEqual([]);
      const events = await context.storage.db.selectFrom('identity_event').select(['kind', 'reason']).execute();
      expect(events).toEqual([{ kind: 'merge', reason: 'seen twice' }]);
      expect(await mergeBuildings(context, id(1), id(2), null)).toBe('unchanged');
    }));

  it('ID-04 chains are followed to their end, whatever the order of the merges', () =>
    withBuildings(4, async (context) => {
      await mergeBuildings(context, id(1), id(2), null);
      await mergeBuildings(context, id(3), id(4), null);
      await mergeBuildings(context, id(2), id(3), null);
      for (const number of [1, 2, 3]) expect(await resolveId(context, id(number))).toBe(id(4));
      expect((await pageOf(context.storage, id(4)))?.counters.sources).toBe(4);
    }));

  it('an unmerge restores both buildings', () =>
    withBuildings(3, async (context) => {
      const before = await Promise.all([1, 2].map((n) => pageOf(context.storage, id(n))));
      await mergeBuildings(context, id(1), id(2), null);
      await unmergeBuilding(context, id(1), 'two after all');
      const [first, second] = await Promise.all([1, 2].map((n) => pageOf(context.storage, id(n))));
      expect(first).toEqual(before[0]);
      expect(second?.fields).toEqual(before[1]?.fields);
      expect(second?.nearby).toEqual(before[1]?.nearby);
      expect(second?.history).toHaveLength(3);
    }));

  it('FLT-01 an unmerge that is cut short after its first transaction is completed by running it again', () =>
    withBuildings(3, async (context) => {
      await mergeBuildings(context, id(1), id(2), null);
      let transactions = 0;
      const transaction: Context['storage']['transaction'] = (work) => {
        if (transactions++ > 0) throw new Error('cut short');
        return context.storage.transaction(work);
      };
      const cut = { ...context, storage: { ...context.storage, transaction } };
      await expect(unmergeBuilding(cut, id(1), 'two after all')).rejects.toThrow('cut short');
      const countLeft = async () =>
        (await context.storage.db.selectFrom('stale_tile').select('tile').execute()).length +
        (await context.storage.db.selectFrom('stale_building').select('building').execute()).length;
      expect(await countLeft()).toBeGreaterThan(0);
      expect(await unmergeBuilding(context, id(1), 'two after all')).toBe('unchanged');
      expect(await countLeft()).toBe(0);
      await expect(unmergeBuilding(context, id(2), null)).rejects.toThrow('is not merged into another building');
    }));

  it('ID-04 an ID that is being unmerged always responds, first with the redirect, then with the record', () =>
    withBuildings(2, async (context) => {
      await mergeBuildings(context, id(1), id(2), null);
      const seen: (string | undefined)[] = [];
      const watched = watchTransactions(context, async () => seen.push(await resolveId(context, id(1))));
      await unmergeBuilding(watched, id(1), null);
      expect(new Set(seen)).toEqual(new Set([id(1)]));
      const page = await pageOf(context.storage, id(2));
      expect(page?.sources.map((entry) => entry.sourceRecordId)).toEqual(['way/2']);
    }));

  it('ID-04 a merge into a retired ID is refused, and names the building that succeeded it', () =>
    withBuildings(4, async (context, dir) => {
      await mergeBuildings(context, id(1), id(2), null);
      await retireBuilding(context, id(2), id(3), 'rebuilt');
      const before = await registryState(context.storage);
      const refusal = { failure: { kind: 'refused', reason: expect.stringContaining(`its successor ${id(3)}`) } };
      await expect(mergeBuildings(context, id(4), id(2), null)).rejects.toMatchObject(refusal);
      await expect(mergeBuildings(context, id(4), id(1), null)).rejects.toMatchObject(refusal);
      const file = writeRecords(dir, [{ kind: 'merge', from: id(4), into: id(2), reason: null }]);
      expect((await ingest(context, 'records', [file])).get(file)).toMatchObject({ rejected: 1 });
      expect(await registryState(context.storage)).toBe(before);
    }));

  it('CON-09 records of a building merged into one that is retired later are listed as unused', () =>
    withBuildings(3, async (context) => {
      await mergeBuildings(context, id(1), id(2), null);
      await retireBuilding(context, id(2), id(3), 'rebuilt');
      const left: string[] = [];
      for await (const { sourceRecordId, reason } of listLeftOut(context.storage.db, undefined)) {
        left.push(`${sourceRecordId} ${reason}`);
      }
      expect(left).toEqual(['way/1 retired', 'way/2 retired']);
    }));

  it('ID-05 a merge leaves the survivor where its own records place it', () =>
    withBuildings(1, async (context, dir) => {
      const elsewhere = { area: OTHER_AREA, building: id(2), geometry: square([139.77, 35.69]) };
      const drawn = record('plateau', 'b2', { heightM: 50 }, elsewhere);
      const bare = record('wikidata', 'Q3', { nameEn: 'Three' }, { building: id(3) });
      const unplaced = record('osm', 'way/3', { nameJa: '第3ビル' }, { building: id(3) });
      await ingest(context, 'records', [writeRecords(dir, [drawn, unplaced, bare])]);
      const before = await pageOf(context.storage, id(1));
      await mergeBuildings(context, id(2), id(1), null);
      const after = await pageOf(context.storage, id(1));
      expect(after?.location).toEqual(before?.location);
      expect(after?.geometry).toEqual(before?.geometry);
      expect(after?.fields.heightM?.value).toBe(50);
      await mergeBuildings(context, id(1), id(3), null);
      expect((await pageOf(context.storage, id(3)))?.location.machiAza.code).toBeDefined();
    }));

  it('a file that repeats a merge does not redo it after an unmerge', () =>
    withBuildings(2, async (context, dir) => {
      const file = writeRecords(dir, [{ kind: 'merge', from: id(1), into: id(2), reason: 'one' }]);
      expect((await ingest(context, 'records', [file])).get(file)).toMatchObject({ new: 1 });
      await unmergeBuilding(context, id(1), null);
      expect((await ingest(context, 'records', [file])).get(file)).toMatchObject({ unchanged: 1 });
      expect(await resolveId(context, id(1))).toBe(id(1));
    }));

  it('a retired ID resolves to its successor or to nothing, and its evidence is no longer used', () =>
    withBuildings(3, async (context, dir) => {
      await retireBuilding(context, id(1), undefined, 'demolished');
      await retireBuilding(context, id(2), id(3), 'rebuilt');
      expect(await resolveId(context, id(1))).toBeUndefined();
      expect(await resolveId(context, id(2))).toBe(id(3));
      expect((await pageOf(context.storage, id(3)))?.counters.sources).toBe(1);
      expect((await pageOf(context.storage, id(3)))?.nearby).toEqual([]);
      const late = { retrievedAt: '2026-09-01T00:00:00Z', rawPayloadRef: 'sha256:zz' };
      await ingest(context, 'records', [writeRecords(dir, [building(1, {}, late)])]);
      expect(await resolveId(context, id(1))).toBeUndefined();
    }));

  it('later evidence for a merged ID goes to the survivor', () =>
    withBuildings(2, async (context, dir) => {
      await mergeBuildings(context, id(1), id(2), null);
      const wikidata = record('wikidata', 'Q1', { nameEn: 'Late' }, { building: id(1) });
      await ingest(context, 'records', [writeRecords(dir, [wikidata])]);
      expect((await pageOf(context.storage, id(2)))?.fields.nameEn?.value).toBe('Late');
    }));

  it('ID-04 cycles and invalid commands are refused, and change nothing', () =>
    withBuildings(4, async (context) => {
      await mergeBuildings(context, id(1), id(2), null);
      await mergeBuildings(context, id(2), id(3), null);
      await retireBuilding(context, id(4), undefined, null);
      const before = await registryState(context.storage);
      const refused = [
        () => mergeBuildings(context, id(3), id(1), null),
        () => mergeBuildings(context, id(3), id(3), null),
        () => mergeBuildings(context, id(1), id(3), null),
        () => mergeBuildings(context, id(3), id(4), null),
        () => mergeBuildings(context, id(3), id(99), null),
        () => mergeBuildings(context, id(99), id(3), null),
        () => retireBuilding(context, id(3), id(2), null),
        () => retireBuilding(context, id(1), undefined, null),
        () => unmergeBuilding(context, id(3), null),
        () => unmergeBuilding(context, id(4), null),
        () => mergeBuildings(context, 'ASSET-JP-1-1', id(3), null),
      ];
      for (const command of refused) await expect(command()).rejects.toThrow();
      expect(await registryState(context.storage)).toBe(before);
    }));

  it('ID-04 no sequence of commands makes a cycle', () =>
    withBuildings(5, async (context) => {
      const number = fc.integer({ min: 1, max: 5 });
      const command = fc.oneof(
        { weight: 4, arbitrary: fc.record({ kind: fc.constant('merge'), a: number, b: number }) },
        { weight: 2, arbitrary: fc.record({ kind: fc.constant('unmerge'), a: number, b: number }) },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant('retire'), a: number, b: number }) },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(command, { maxLength: 6 }), async (commands) => {
          for (const { kind, a, b } of commands) {
            const run =
              kind === 'merge'
                ? mergeBuildings(context, id(a), id(b), null)
                : kind === 'unmerge'
                  ? unmergeBuilding(context, id(a), null)
                  : retireBuilding(context, id(a), id(b), null);
            await run.catch((error: Error) => expect(error.name).toBe('FailureError'));
          }
          for (const n of [1, 2, 3, 4, 5]) {
            const end = await resolveId(context, id(n));
            if (end !== undefined) expect(await resolveId(context, end)).toBe(end);
          }
        }),
        { numRuns: 6 },
      );
    }));
});
