import { expect, it } from 'vitest';
import { mergeBuildings, retireBuilding, unmergeBuilding } from '../../../../src/pipeline/identity-commands.ts';
import { enterBuildingsIfMissing } from '../../../../src/pipeline/rebuild-search.ts';
import { Areas } from '../../../../src/registry/areas.ts';
import { decodeCanonical } from '../../../../src/registry/canonical-codec.ts';
import { describeEntry } from '../../../../src/registry/search/format/entry.ts';
import { buildSites } from '../../../../src/registry/search/format/segment-sites.ts';
import { loadSegments, segmentEnd } from '../../../../src/registry/search/format/segments.ts';
import { indexEntries } from '../../../../src/registry/search/write/index-entries.ts';
import { sites } from '../../../../src/storage/migrations/0017-sites.ts';
import { summaries } from '../../../../src/storage/migrations/0020-summaries.ts';
import { onBothEngines } from '../../../support/engines.ts';
import { building, id, MARUNOUCHI, square } from '../../../support/records.ts';
import { openSmallRegistry, type SmallRegistry } from '../../../support/small-registry.ts';

onBothEngines('where the buildings of the search index are', (fresh) => {
  /** Every stored site is that of the current version, in entries and in segments; returns how many have a point. */
  const check = async ({ context: { storage } }: SmallRegistry): Promise<number> => {
    const rows = await storage.db
      .selectFrom('search_entry as e')
      .innerJoin('building as b', 'b.id', 'e.building')
      .innerJoin('building_version as v', (join) =>
        join.onRef('v.building', '=', 'b.id').onRef('v.version', '=', 'b.version'),
      )
      .select(['e.pos', 'e.building', 'e.area', 'e.site', 'e.summary', 'v.canonical'])
      .execute();
    const asBytes = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString('hex');
    const areas = await Areas.load(storage.db);
    for (const { building, area, site, summary, canonical } of rows) {
      const expected = describeEntry(decodeCanonical(canonical), area === null ? undefined : areas.place(area));
      expect([building, asBytes(site)]).toEqual([building, asBytes(expected.site)]);
      // A building that is no longer published keeps its summary.
      if (area !== null) expect([building, summary]).toEqual([building, expected.summary]);
    }
    await storage.snapshot(async (reads) => {
      for (const segment of await loadSegments(reads)) {
        const [row] = await reads.all<{ sites: Uint8Array }>('select sites from search_site where segment = ?', [
          segment.id,
        ]);
        const entries = rows
          .filter(({ pos }) => pos >= segment.first && pos < segmentEnd(segment))
          .map(({ pos, site }) => ({ offset: pos - segment.first, site }));
        const stored = asBytes(row?.sites as Uint8Array) as string;
        // Entries that were replaced stay in the segment.
        if (segment.dead === 0) expect(stored).toBe(asBytes(buildSites(entries)));
      }
    });
    return rows.filter(({ site }) => site !== null).length;
  };
  const index = ({ context: { storage } }: SmallRegistry) => storage.transaction((tx) => indexEntries(tx, 1));

  const point = ([lon, lat]: readonly [number, number]) => ({ type: 'Point', coordinates: [lon, lat] });
  const [lon, lat] = MARUNOUCHI;

  it('FIT-07 follow new versions, moved points, merges, unmerges and retirements, indexed or not', async () => {
    const small = await openSmallRegistry(await fresh());
    await index(small);
    const first = await check(small);
    await small.ingest([
      building(50, {}, { geometry: point([lon, lat]) }),
      building(51, {}, { geometry: square(MARUNOUCHI, 0.0003) }),
    ]);
    expect(await check(small)).toBe(first + 2);
    await index(small);
    const later = { retrievedAt: '2026-09-01T00:00:00Z' };
    await small.ingest([
      building(50, {}, { ...later, geometry: point([lon + 0.001, lat]) }),
      building(51, {}, { ...later, geometry: square(MARUNOUCHI, 0.0002) }),
    ]);
    expect(await check(small)).toBe(first + 2);
    await mergeBuildings(small.context, id(51), id(50), 'one building');
    await check(small);
    await unmergeBuilding(small.context, id(51), 'two buildings');
    await check(small);
    await index(small);
    await retireBuilding(small.context, id(50), undefined, 'demolished');
    await check(small);
    await small.close();
  });

  it('FIT-07 are added to a database of an earlier version before it is served', async () => {
    const small = await openSmallRegistry(await fresh());
    const { storage } = small.context;
    const count = await check(small);
    await storage.transaction(async (tx) => {
      await tx.db.schema.alterTable('search_entry').dropColumn('site').execute();
      await tx.db.schema.alterTable('search_entry').dropColumn('summary').execute();
      await tx.db.schema.dropTable('search_site').execute();
      await sites.up(tx.db, tx.engine);
      await summaries.up(tx.db, tx.engine);
    });
    await enterBuildingsIfMissing(small.context);
    await index(small);
    expect(await check(small)).toBe(count);
    await small.close();
  });
});
