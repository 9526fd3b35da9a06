import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../src/pipeline/context.ts';
import { mergeBuildings, retireBuilding, unmergeBuilding } from '../../src/pipeline/identity-commands.ts';
import { republish } from '../../src/pipeline/run.ts';
import { listLeftOut } from '../../src/registry/left-out.ts';
import { findSourceRecord } from '../../src/registry/source-record.ts';
import { type AssetKey, formatAssetId, parseAssetId } from '../../src/vocabulary/asset-id.ts';
import type { SourcesEntry } from '../../src/vocabulary/building-page.ts';
import type { SourceRecordAnswer } from '../../src/vocabulary/source-record.ts';
import type { Source } from '../../src/vocabulary/sources.ts';
import { fillOnce, onBothEngines, openContext } from '../support/engines.ts';
import { pageOf } from '../support/registry-state.ts';
import { fillSample } from '../support/served-sample.ts';

type RecordName = Pick<SourcesEntry, 'source' | 'sourceRecordId'>;

onBothEngines('records of merged and retired buildings of the sample', (fresh) => {
  let context: Context;
  beforeAll(async () => {
    const database = await fresh();
    await fillOnce('sample', database, fillSample);
    context = await openContext(database);
  });
  afterAll(() => context.storage.close());

  const lookUp = async ({ source, sourceRecordId }: RecordName) => {
    const found = await context.storage.snapshot((reads) => findSourceRecord(reads, source as Source, sourceRecordId));
    expect(found, `${source} ${sourceRecordId}`).toBeDefined();
    return found as SourceRecordAnswer;
  };
  const lookUpAll = async (records: readonly RecordName[]) => {
    const answers: SourceRecordAnswer[] = [];
    for (const record of records) answers.push(await lookUp(record));
    return answers;
  };
  const sourcesOf = async (id: string) => (await pageOf(context.storage, id))?.sources ?? [];
  const expectSameReasons = async () => {
    const printed = new Map<string, string>();
    for await (const { source, sourceRecordId, reason } of listLeftOut(context.storage.db, undefined)) {
      printed.set(`${source}:${sourceRecordId}`, reason);
    }
    const rows = await context.storage.db.selectFrom('source_record').select('key').distinct().execute();
    for (const { key } of rows) {
      const [source, ...rest] = key.split(':') as [Source, ...string[]];
      const { reason } = await lookUp({ source, sourceRecordId: rest.join(':') });
      expect(reason, key).toBe(printed.get(key) ?? null);
    }
  };

  /** A building of each set of sources, complexes included, and the published building after it. */
  const pickBuildings = async () => {
    const { db } = context.storage;
    const rows = await db.selectFrom('page').select('building').orderBy('building').execute();
    const ids = rows.map(({ building }) => formatAssetId(building));
    const lent = await db.selectFrom('lent').select(['building', 'record']).orderBy('building').execute();
    const only = lent.filter(({ record }) => lent.filter((each) => each.record === record).length === 1);
    const picked = new Map<string, string>();
    for (const { building } of only) picked.set('complex', formatAssetId(building));
    for (const id of ids) picked.set([...new Set((await sourcesOf(id)).map(({ source }) => source))].join(), id);
    const bySize = [...picked].sort(([a], [b]) => b.length - a.length).map(([, id]) => id);
    const some = [...new Set([picked.get('complex') as string, ...bySize])].slice(0, 5);
    return some.map((id) => ({ id, next: ids[(ids.indexOf(id) + 1) % ids.length] as string }));
  };

  it('REF-06 all records of a merged building say so, and unmerging leaves everything as it was', async () => {
    const picked = await pickBuildings();
    const sources = new Set<string>();
    for (const { id, next } of picked) {
      const records = await sourcesOf(id);
      const shared = new Set(
        (await sourcesOf(next)).map(({ source, sourceRecordId }) => `${source}:${sourceRecordId}`),
      );
      const own = records.filter(({ source, sourceRecordId }) => !shared.has(`${source}:${sourceRecordId}`));
      for (const { source } of own) sources.add(source);
      const before = await lookUpAll(records);
      const page = await pageOf(context.storage, id);
      await mergeBuildings(context, id, next, 'a test');
      for (const answer of await lookUpAll(own)) {
        expect(answer).toMatchObject({ disposition: 'merged', assetId: next, reason: null });
      }
      const after = await lookUpAll(records);
      await republish(context, true);
      expect(await lookUpAll(records)).toEqual(after);
      await unmergeBuilding(context, id, 'a test');
      expect(await lookUpAll(records)).toEqual(before);
      expect((await pageOf(context.storage, id))?.fields).toEqual(page?.fields);
    }
    for (const source of ['abr', 'osm', 'plateau', 'wikidata', 'jreit', 'edinet']) expect(sources).toContain(source);
    await expectSameReasons();
  });

  it('REF-06 all records of a retired building say so, those read by the sample included', async () => {
    for (const [source, sourceRecordId] of [
      ['osm', 'way/9000000013028'],
      ['wikidata', 'Q9990013028'],
      ['abr', '131024-0006008-016-010'],
    ] as const) {
      expect(await lookUp({ source, sourceRecordId })).toMatchObject({
        ...{ disposition: 'retired', reason: 'retired', assetId: null, path: null, fieldsWon: [] },
      });
    }
    for (const { id, next } of (await pickBuildings()).slice(0, 3)) {
      const inherited = await context.storage.db
        .selectFrom('lent')
        .select('record')
        .where('building', '<>', parseAssetId(id) as AssetKey)
        .execute();
      const shared = new Set(inherited.map(({ record }) => record));
      const names = await context.storage.db.selectFrom('source_record').select(['id', 'key']).execute();
      const isShared = ({ source, sourceRecordId }: RecordName) =>
        names.some((row) => row.key === `${source}:${sourceRecordId}` && shared.has(row.id));
      const records = (await sourcesOf(id)).filter((record) => !isShared(record));
      await retireBuilding(context, id, next, 'a test');
      for (const answer of await lookUpAll(records)) {
        expect(answer).toMatchObject({ disposition: 'retired', assetId: next, reason: 'retired', fieldsWon: [] });
      }
    }
    await republish(context, true);
    await expectSameReasons();
  });
});
