import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Context } from '../../src/pipeline/context.ts';
import { silent } from '../../src/pipeline/context.ts';
import { ingest as ingestFiles, republish } from '../../src/pipeline/run.ts';
import { onBothEngines, openContext } from '../support/engines.ts';
import {
  AREA,
  AREAS,
  building,
  id,
  type Json,
  MARUNOUCHI,
  OTHER_AREA,
  record,
  square,
  writeRecords,
} from '../support/records.ts';
import { pageOf, registryState } from '../support/registry-state.ts';

onBothEngines('ingest records', (fresh) => {
  /** Works on its own empty registry, and collects the rejections. */
  const inRegistry = async (
    work: (
      ingest: (...lines: (Json | string)[]) => Promise<{ counts: Json; rejected: string[] }>,
      context: Context,
    ) => Promise<void>,
  ) => {
    const database = await fresh();
    const rejected: string[] = [];
    const report = {
      ...silent,
      rejected: (_file: string, line: number, reason: string) => rejected.push(`${line}: ${reason}`),
    };
    const context = await openContext(database, { report });
    try {
      await work(async (...lines) => {
        rejected.length = 0;
        const file = writeRecords(database.dir, lines);
        const counts = (await ingestFiles(context, 'records', [file])).get(file) as unknown as Json;
        return { counts, rejected: [...rejected] };
      }, context);
    } finally {
      await context.storage.close();
    }
  };

  it('publishes a building with every source consulted', () =>
    inRegistry(async (ingest, { storage }) => {
      const wikidata = record('wikidata', 'Q1', { nameEn: 'Building One', heightM: 50 }, { building: id(1) });
      const { counts } = await ingest(...AREAS, building(1, { heightM: 48 }), wikidata);
      expect(counts).toMatchObject({ read: 6, new: 6, unchanged: 0, unmatched: 0, rejected: 0 });
      const page = await pageOf(storage, id(1));
      expect(page?.path).toBe(`/japan/tokyo/chiyoda-ku/marunouchi-1-chome/${id(1)}`);
      expect(page?.fields.heightM).toMatchObject({ value: 50, conflict: { value: 48, unit: 'm', source: 'osm' } });
      expect(page?.counters).toMatchObject({ observations: 4, sources: 2, versions: 1, conflictsFlagged: 1 });
    }));

  it('publishes the documented example', () =>
    inRegistry(async (ingest, { storage }) => {
      const document = readFileSync(new URL('../../docs/reference/record-format.md', import.meta.url), 'utf8');
      const { rejected } = await ingest(...document.split('\n').filter((line) => line.startsWith('{')));
      expect(rejected).toEqual([]);
      expect(await pageOf(storage, id(1))).toMatchObject({
        fields: { nameJa: { value: '見本ビル' }, heightM: { value: 45.5 }, floorsAbove: { value: 12 } },
        venues: [{ nameJa: '見本喫茶' }],
      });
      expect(await pageOf(storage, id(2))).toBeUndefined();
    }));

  it('CON-04 the same file again changes nothing', () =>
    inRegistry(async (ingest, { storage }) => {
      const lines = [
        ...AREAS,
        building(1),
        building(2),
        record('wikidata', 'Q1', { nameEn: 'One' }, { building: id(1) }),
      ];
      await ingest(...lines);
      const before = await registryState(storage);
      const { counts } = await ingest(...lines);
      expect(counts).toMatchObject({ read: 7, new: 0, changed: 0, unchanged: 7 });
      expect(await registryState(storage)).toBe(before);
    }));

  it('CON-04 the same content in another notation adds no observation', () =>
    inRegistry(async (ingest, { storage }) => {
      const line = building(1);
      await ingest(...AREAS, line);
      const before = await registryState(storage);
      const { counts } = await ingest(
        JSON.stringify(line, Object.keys(line).reverse().concat('field', 'value', 'type', 'coordinates'), 1).replaceAll(
          '\n',
          ' ',
        ),
      );
      expect(counts).toMatchObject({ read: 1, unchanged: 1 });
      expect(await registryState(storage)).toBe(before);
    }));

  it('CON-17 the order of the lines does not matter', async () => {
    const lines = [
      ...AREAS,
      building(1, { aliases: ['甲', '乙'], heightM: 40 }),
      building(2, { assetTypes: ['office', 'retail'] }),
      building(3),
      record(
        'plateau',
        'b1',
        { heightM: 41, footprintM2: 400, floorsAbove: 9 },
        { building: id(1), geometry: square(MARUNOUCHI) },
      ),
      record('wikidata', 'Q1', { nameEn: 'One', yearBuilt: 2001 }, { building: id(1) }),
      record(
        'wikidata',
        'Q1',
        { nameEn: 'One Tower' },
        { building: id(1), retrievedAt: '2026-02-01T00:00:00Z', rawPayloadRef: 'sha256:bb' },
      ),
      record('wikidata', 'Q1', { nameEn: 'One' }, { building: id(1), retrievedAt: '2026-03-01T00:00:00Z' }),
      record('mankan', 'm1', { unitCount: 30 }, { building: id(9) }),
      { kind: 'merge', from: id(3), into: id(2), reason: 'one building' },
    ];
    const states: string[] = [];
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(lines, { minLength: lines.length }), (shuffled) =>
        inRegistry(async (ingest, { storage }) => {
          const { rejected } = await ingest(...shuffled);
          expect(rejected).toEqual([]);
          states.push(await registryState(storage));
          expect(states.at(-1)).toBe(states[0]);
        }),
      ),
      { numRuns: 8 },
    );
  });

  it('CON-09 a register contributes only to an existing building, and is stored until there is one', () =>
    inRegistry(async (ingest, { storage }) => {
      const mankan = record('mankan', 'm1', { unitCount: 30 }, { building: id(1) });
      expect((await ingest(...AREAS, mankan)).counts).toMatchObject({ new: 5, unmatched: 1 });
      expect(await pageOf(storage, id(1))).toBeUndefined();
      expect((await ingest(mankan)).counts).toMatchObject({ unchanged: 1, unmatched: 1 });
      expect((await ingest(building(1))).counts).toMatchObject({ new: 1, unmatched: 0 });
      expect((await pageOf(storage, id(1)))?.fields.unitCount?.value).toBe(30);
    }));

  it('ID-05 a building without an ID gets one and keeps it, and no number is assigned twice', () =>
    inRegistry(async (ingest, { storage }) => {
      const unnamed = (n: number, more: Json = {}) => {
        const { building: _, ...line } = building(n, {}, more);
        return line;
      };
      await ingest(...AREAS, building(2), unnamed(10), unnamed(11), unnamed(12));
      const nameOf = async (number: number) => (await pageOf(storage, id(number)))?.fields.nameJa?.value;
      expect(await Promise.all([1, 2, 3, 4].map(nameOf))).toEqual(['第10ビル', '第2ビル', '第11ビル', '第12ビル']);
      const later = { retrievedAt: '2026-05-01T00:00:00Z', rawPayloadRef: 'sha256:cc' };
      await ingest(unnamed(11, later), unnamed(13));
      expect(await Promise.all([3, 5].map(nameOf))).toEqual(['第11ビル', '第13ビル']);
    }));

  it('CON-12 a record that names several buildings describes each, in any order', () =>
    inRegistry(async (ingest, { storage }) => {
      const complex = (number: number) =>
        record(
          'wikidata',
          'Q1',
          { yearBuilt: 2003 },
          { building: id(number), complex: { nameJa: '複合', nameEn: null } },
        );
      expect((await ingest(...AREAS, complex(2), building(1), complex(1), building(2))).counts).toMatchObject({
        new: 8,
      });
      for (const number of [1, 2]) {
        const page = await pageOf(storage, id(number));
        expect(page?.fields.yearBuilt).toMatchObject({ value: 2003, inheritedFrom: { nameJa: '複合', nameEn: null } });
        expect(page?.sources.map((entry) => entry.sourceRecordId)).toEqual([`way/${number}`, 'Q1']);
      }
      await ingest({ kind: 'merge', from: id(1), into: id(2), reason: null });
      expect((await pageOf(storage, id(2)))?.sources.map((entry) => entry.sourceRecordId)).toEqual([
        'way/1',
        'way/2',
        'Q1',
      ]);
    }));

  it('ID-05 a new building never takes an ID that the same file names, whatever the order', () =>
    inRegistry(async (ingest, { storage }) => {
      const { building: _, ...unnamed } = building(5);
      await ingest(...AREAS, unnamed, building(1));
      expect((await pageOf(storage, id(1)))?.sources.map((entry) => entry.sourceRecordId)).toEqual(['way/1']);
      expect((await pageOf(storage, id(2)))?.sources.map((entry) => entry.sourceRecordId)).toEqual(['way/5']);
      const { building: __, ...again } = building(
        1,
        {},
        { retrievedAt: '2026-03-01T00:00:00Z', rawPayloadRef: 'sha256:c' },
      );
      await ingest(again);
      expect((await pageOf(storage, id(1)))?.counters.versions).toBe(2);
      expect(await pageOf(storage, id(3))).toBeUndefined();
    }));

  it('withdrawn evidence leaves a building without location and without neighbours', () =>
    inRegistry(async (ingest, { storage }) => {
      const later = { retrievedAt: '2026-04-01T00:00:00Z', rawPayloadRef: 'sha256:cc', whole: true };
      await ingest(...AREAS, building(1, { heightM: 40 }), building(2));
      expect((await pageOf(storage, id(1)))?.nearby).toHaveLength(1);
      await ingest(record('osm', 'way/1', { nameJa: '第1ビル' }, { building: id(1), ...later }));
      const page = await pageOf(storage, id(1));
      expect(page?.fields.heightM).toBeUndefined();
      expect(page?.location).toMatchObject({ lat: null, machiAza: { code: AREA } });
      expect(page).toMatchObject({ geometry: null, footprint: null, nearby: [] });
      expect((await pageOf(storage, id(2)))?.nearby).toEqual([]);
    }));

  it('rejects an ID of another prefecture even if the area is found by location', () =>
    inRegistry(async (ingest) => {
      const { area: _, ...unplaced } = building(4, {}, { building: id(4, '27') });
      const { rejected } = await ingest(
        ...AREAS.slice(0, 2),
        { ...AREAS[2], boundary: square(MARUNOUCHI, 0.01) },
        unplaced,
      );
      expect(rejected).toEqual([
        '4: building ASSET-JP-27-00000004 is an ID of prefecture 27, but its geometry is in area 131010001001',
      ]);
    }));

  it('a building outside of all areas is published when its area is stored', () =>
    inRegistry(async (ingest, { storage }) => {
      const boundary = square(MARUNOUCHI, 0.01);
      const { area: _, ...named } = building(1);
      const { area: __, building: ___, ...unnamed } = building(2);
      expect((await ingest(named, unnamed)).counts).toMatchObject({ new: 2, rejected: 0 });
      expect(await pageOf(storage, id(1))).toBeUndefined();
      await ingest(...AREAS.slice(0, 2), { ...AREAS[2], boundary });
      expect((await pageOf(storage, id(1)))?.location.machiAza.code).toBe(AREA);
      expect((await pageOf(storage, id(2)))?.location.machiAza.code).toBe(AREA);
    }));

  it('a renamed area is renamed in every record that shows it', () =>
    inRegistry(async (ingest, { storage }) => {
      await ingest(...AREAS, building(1), building(2, {}, { area: OTHER_AREA }));
      await ingest({ ...AREAS[3], slug: 'marunouchi-nichome', nameJa: '丸の内二丁目' });
      expect((await pageOf(storage, id(2)))?.location.machiAza.nameJa).toBe('丸の内二丁目');
      expect((await pageOf(storage, id(1)))?.nearby[0]?.path).toContain('/marunouchi-nichome/');
      expect((await pageOf(storage, id(2)))?.history).toHaveLength(1);
    }));

  it('CON-13 CON-15 a later fetch makes a version that lists the changes, even if only evidence changed', () =>
    inRegistry(async (ingest, { storage }) => {
      await ingest(...AREAS, building(1, { aliases: ['甲'], heightM: 40 }));
      const later = { retrievedAt: '2026-04-01T00:00:00Z', rawPayloadRef: 'sha256:cc' };
      await ingest(building(1, { aliases: ['甲'], heightM: 40 }, later));
      const page = await pageOf(storage, id(1));
      expect(page?.history.map(({ version, changedFields }) => [version, changedFields])).toEqual([
        [2, ['nameJa', 'aliases', 'heightM', 'geometry']],
        [1, ['nameJa', 'aliases', 'assetTypes', 'heightM', 'geometry']],
      ]);
      expect(page?.counters).toMatchObject({ observations: 6, versions: 2 });
    }));

  it('CON-13 fetching the current payload again changes nothing', () =>
    inRegistry(async (ingest, { storage }) => {
      await ingest(...AREAS, building(1));
      const before = await pageOf(storage, id(1));
      expect((await ingest(building(1, {}, { retrievedAt: '2026-06-01T00:00:00Z' }))).counts).toMatchObject({
        unchanged: 1,
      });
      expect(await pageOf(storage, id(1))).toEqual(before);
    }));

  it('CON-14 republishing everything makes no version and writes no record', () =>
    inRegistry(async (ingest, context) => {
      await ingest(...AREAS, building(1, { footprintM2: 300, floorsAbove: 7 }), building(2));
      const before = await registryState(context.storage);
      expect(await republish(context, true)).toEqual({ consolidated: 2, pages: 0, nearby: 0 });
      expect(await registryState(context.storage)).toBe(before);
    }));

  it('a record without any published value is still listed', () =>
    inRegistry(async (ingest, { storage }) => {
      await ingest(...AREAS, building(1));
      await ingest(record('estat', 'e1', { nameEn: 'No source of names' }, { building: id(1) }));
      const page = await pageOf(storage, id(1));
      expect(page?.sources).toContainEqual(expect.objectContaining({ source: 'estat', fields: [] }));
      expect(page?.history).toHaveLength(1);
    }));

  it('rejects invalid lines one by one, and stores the rest', () =>
    inRegistry(async (ingest, { storage }) => {
      const { counts, rejected } = await ingest(
        ...AREAS,
        '{"kind":"record",',
        building(1),
        { ...building(2), kind: 'recrod' },
        building(3, {}, { area: '139999999999' }),
        building(4, {}, { building: id(4, '27') }),
        building(5, {}, { retrievedAt: '2026-02-30T00:00:00Z' }),
        building(6, { heightM: 'tall' }),
        '{"kind":"merge","kind":"merge","from":"x","into":"y"}',
        JSON.stringify(building(7)).replace('"第7ビル"', 'NaN'),
        building(8, {}, { area: '13101' }),
        { kind: 'merge', from: id(1), into: id(77), reason: 'no such building' },
        { ...AREAS[3], code: '131010001009', slug: 'marunouchi-1-chome' },
        { ...AREAS[3], code: '142010001009', parent: '14201', slug: 'nowhere' },
        building(9),
      );
      expect(rejected.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))).toEqual([
        '5: not JSON',
        '7: kind must be area, record or merge',
        '8: area 139999999999 is not known: load its area line, in this file or before it',
        '9: building ASSET-JP-27-00000004 is an ID of prefecture 27, but area 131010001001 is in another',
        '10: retrievedAt must be a date and time such as 2026-01-31T00:00:00Z',
        '11: observations[1].value: heightM must be a number',
        '12: duplicate key "kind" in one object',
        '13: not JSON',
        '14: area 13101 is a ward: a building is in a machiAza',
        `15: merge of ${id(1)} into ${id(77)}: building ${id(77)} not found`,
        '16: slug marunouchi-1-chome belongs to area 131010001001',
        '17: parent 14201 is not known: load its area line, in this file or before it',
      ]);
      expect(counts).toMatchObject({ read: 18, new: 6, rejected: 12 });
      expect(await pageOf(storage, id(1))).toBeDefined();
      expect(await pageOf(storage, id(9))).toBeDefined();
      for (const number of [2, 3, 4, 5, 6, 7, 8]) expect(await pageOf(storage, id(number))).toBeUndefined();
    }));

  it('rejects a line of 50 MB and invalid UTF-8, and reads the rest', () =>
    inRegistry(async (_ingest, context) => {
      const { writeFileSync } = await import('node:fs');
      const file = `${context.archiveDir}-huge.ndjson`;
      const text = (line: Json) => Buffer.from(`${JSON.stringify(line)}\n`);
      const notUtf8 = Buffer.concat([text(building(2)).subarray(0, 40), Buffer.from([0xff, 0xfe]), Buffer.from('\n')]);
      const huge = Buffer.alloc(50_000_001, 0x61);
      huge[50_000_000] = 0x0a;
      const half = text(building(4)).subarray(0, 100);
      writeFileSync(file, Buffer.concat([...AREAS.map(text), huge, notUtf8, text(building(3)), half]));
      const rejected: string[] = [];
      const report = {
        ...silent,
        rejected: (_: string, line: number, reason: string) => rejected.push(`${line}: ${reason}`),
      };
      const counts = (await ingestFiles({ ...context, report }, 'records', [file])).get(file);
      expect(rejected).toEqual([
        '5: the line is 50000000 bytes long, more than a record can be',
        '6: the line is not UTF-8',
        '8: not JSON: the file ends inside this line',
      ]);
      expect(counts).toMatchObject({ read: 8, new: 5, rejected: 3 });
      expect(await pageOf(context.storage, id(3))).toBeDefined();
    }));
});
