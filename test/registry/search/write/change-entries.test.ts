import { expect, it } from 'vitest';
import { printStatus } from '../../../../src/cli/status.ts';
import { mergeBuildings, unmergeBuilding } from '../../../../src/pipeline/identity-commands.ts';
import { enterBuildingsIfMissing } from '../../../../src/pipeline/rebuild-search.ts';
import { republish } from '../../../../src/pipeline/run.ts';
import { markTodo } from '../../../../src/registry/markers.ts';
import { hasIndex } from '../../../../src/registry/search/write/change-entries.ts';
import { expandText } from '../../../../src/storage/compact/compact.ts';
import { recompose } from '../../../../src/storage/migrations/0011-recompose.ts';
import { type Polygon, roundGeometry } from '../../../../src/vocabulary/geometry.ts';
import { onBothEngines } from '../../../support/engines.ts';
import { building, id, MARUNOUCHI, square } from '../../../support/records.ts';
import { openSmallRegistry, type SmallRegistry } from '../../../support/small-registry.ts';

onBothEngines('entering every building again', (fresh) => {
  const answersOf = async ({ app }: SmallRegistry) => {
    const urls = [
      'assets',
      'assets?q=%E3%83%93%E3%83%AB',
      'assets?q=asset-jp-13-0000000',
      'assets?type=mystery',
      'areas/tokyo',
      'owners/X/assets',
    ];
    return Promise.all(urls.map(async (url) => (await app.inject({ url: `/japan/api/v1/${url}` })).body));
  };
  const forget = ({ context }: SmallRegistry) =>
    context.storage.transaction(async (tx) => {
      for (const table of [
        'search_entry',
        'search_segment',
        'search_posting',
        'search_filter',
        'area_summary',
      ] as const) {
        await tx.db.deleteFrom(table).execute();
      }
      await markTodo(tx, 'enter buildings');
    });

  it('SEA-09 a database from before recorded words were indexed finds them once they are indexed', async () => {
    const small = await openSmallRegistry(await fresh());
    const { storage } = small.context;
    await small.ingest([building(40, { assetTypes: 'mystery' })]);
    await storage.transaction(async (tx) => {
      await tx.db.schema.alterTable('search_entry').dropColumn('words').execute();
      await tx.db.deleteFrom('search_filter').where('filter', 'like', 'word %').execute();
      await recompose.up(tx.db, tx.engine);
    });
    const find = async () => {
      const { body } = await small.app.inject({ url: '/japan/api/v1/assets?type=mystery' });
      return (JSON.parse(body) as { items: { id: string }[] }).items.map((item) => item.id);
    };
    expect(await find()).toEqual([]);
    await enterBuildingsIfMissing(small.context);
    expect(await find()).toEqual([id(40)]);
    await small.close();
  });

  it('REC-01 a database from before rings were wound publishes them wound after the next write, in the same version', async () => {
    const small = await openSmallRegistry(await fresh());
    const { storage } = small.context;
    const wound = square(MARUNOUCHI, 0.00004) as { type: string; coordinates: number[][][] };
    const drawn = { ...wound, coordinates: wound.coordinates.map((ring) => ring.toReversed()) };
    await small.ingest([building(41, {}, { geometry: drawn })]);
    const read = async () => JSON.parse((await small.app.inject({ url: `/japan/api/v1/assets/${id(41)}` })).body);
    const now = await read();
    expect(now.geometry).toEqual(roundGeometry(wound as Polygon));
    await storage.transaction(async (tx) => {
      const { body } = await tx.db
        .selectFrom('page')
        .select('body')
        .where('building', '=', 1_300_000_041)
        .executeTakeFirstOrThrow();
      const older = expandText(body).replace(JSON.stringify(now.geometry), JSON.stringify(drawn));
      const changed = { etag: 'older', body: Buffer.from(older) };
      await tx.db.updateTable('page').set(changed).where('building', '=', 1_300_000_041).execute();
      await tx.db.schema.alterTable('search_entry').dropColumn('words').execute();
      await recompose.up(tx.db, tx.engine);
    });
    expect((await read()).geometry).toEqual(drawn);
    await republish(small.context, false);
    expect(await read()).toEqual(now);
    expect(now.history).toHaveLength(1);
    await small.close();
  });

  it('SEA-08 a database of an earlier version gives the same results as one that was always indexed', async () => {
    const small = await openSmallRegistry(await fresh());
    // Versions of several times, not in the order of the IDs.
    for (const number of [30, 20, 25]) await small.ingest([building(number, { ownerPublic: 'X' })]);
    await small.ingest([
      building(20, { nameJa: '改名ビル' }, { retrievedAt: '2026-02-01T00:00:00Z', rawPayloadRef: 'b' }),
    ]);
    await mergeBuildings(small.context, id(30), id(25), null);
    const before = await answersOf(small);
    const { storage } = small.context;
    await storage.transaction((tx) => markTodo(tx, 'enter buildings'));
    expect(await hasIndex(storage.db)).toBe(true);
    await forget(small);
    expect(await hasIndex(storage.db)).toBe(false);
    const lines: string[] = [];
    await printStatus(storage, small.context.archiveDir, (line) => lines.push(line));
    expect(lines.join('\n')).toMatch(/^search index +must be rebuilt/m);
    await enterBuildingsIfMissing(small.context);
    expect(await hasIndex(storage.db)).toBe(true);
    expect(await answersOf(small)).toEqual(before);
    await forget(small);
    await republish(small.context, false);
    expect(await answersOf(small)).toEqual(before);
    await republish(small.context, true);
    expect(await answersOf(small)).toEqual(before);
    // A building that was merged when it was indexed can still be unmerged.
    await unmergeBuilding(small.context, id(30), null);
    const found = await small.app.inject({ url: `/japan/api/v1/assets?q=${id(30)}` });
    expect(JSON.parse(found.body)).toMatchObject({ total: 1, items: [{ id: id(30) }] });
    await small.close();
  });
});
