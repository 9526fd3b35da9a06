import { expect, it } from 'vitest';
import { findSourceRecord } from '../../src/registry/source-record.ts';
import type { Reads } from '../../src/storage/storage.ts';
import type { Source } from '../../src/vocabulary/sources.ts';
import { onSqlite } from '../support/engines.ts';
import { openSmallRegistry } from '../support/small-registry.ts';

onSqlite('the look-up of a source record', (fresh) => {
  it('REF-05 reads by index only, and at most eight times', async () => {
    const small = await openSmallRegistry(await fresh());
    const asked = [
      ...[
        ['osm', 'way/1'],
        ['osm', 'way/6'],
        ['wikidata', 'Q1'],
        ['osm', 'never read'],
        ['estat', 'never read'],
        ['abr', '131016-0001001'],
      ],
      ['plateau', '0100001234567-0000'],
    ] as [Source, string][];
    await small.context.storage.snapshot(async (reads) => {
      for (const [source, id] of asked) {
        const queries: [string, readonly unknown[]][] = [];
        const watched: Reads = {
          engine: reads.engine,
          all: (sql, parameters) => {
            queries.push([sql, parameters]);
            return reads.all(sql, parameters);
          },
        };
        await findSourceRecord(watched, source, id);
        expect(queries.length).toBeLessThanOrEqual(8);
        for (const [sql, parameters] of queries) {
          const plan = await reads.all<{ detail: string }>(`explain query plan ${sql}`, parameters);
          // The list of a parameter has no index.
          const scans = plan.map(({ detail }) => detail).filter((detail) => /^SCAN (?!json_each)/.test(detail));
          expect(scans, sql).toEqual([]);
        }
      }
    });
    await small.close();
  });
});
