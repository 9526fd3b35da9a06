import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { type FileMetaData, parquetMetadata, parquetReadObjects } from 'hyparquet';
import { expect, it } from 'vitest';
import { type ExportOptions, exportRegistry, type Manifest } from '../../src/export/export-registry.ts';
import { EXPORT_FORMATS } from '../../src/export/format.ts';
import { type Context, silent } from '../../src/pipeline/context.ts';
import { mergeBuildings, retireBuilding } from '../../src/pipeline/identity-commands.ts';
import { restoreRegistry } from '../../src/pipeline/restore.ts';
import { ingest } from '../../src/pipeline/run.ts';
import { readCursor } from '../../src/registry/changes/read-changes.ts';
import { openRegistry } from '../../src/registry/registry.ts';
import { findSourceRecord } from '../../src/registry/source-record.ts';
import { backUp } from '../../src/storage/backup.ts';
import type { BuildingPage } from '../../src/vocabulary/building-page.ts';
import { SCALAR_FIELDS } from '../../src/vocabulary/fields.ts';
import { CLOSED_SOURCES, SOURCE_FACTS } from '../../src/vocabulary/source-facts.ts';
import type { Source } from '../../src/vocabulary/sources.ts';
import { runHere } from '../support/command.ts';
import { fillOnce, onBothEngines, onSqlite, openContext, type TestDatabase } from '../support/engines.ts';
import { AREAS, building, id, type Json, record, writeRecords } from '../support/records.ts';
import { fillSample } from '../support/served-sample.ts';

const ALL: ExportOptions = { formats: EXPORT_FORMATS, onlyOpen: false };

type Row = Record<string, unknown>;

async function readParquet(file: string): Promise<{ rows: Row[]; metadata: FileMetaData }> {
  const bytes = readFileSync(file);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  const compressors = { ZSTD: (input: Uint8Array) => zstdDecompressSync(input) };
  return { rows: await parquetReadObjects({ file: buffer, compressors }), metadata: parquetMetadata(buffer) };
}

const readLines = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n');
const readCsv = (file: string) => parse(readFileSync(file), { columns: true, bom: true }) as Record<string, string>[];

/** The cells of a building's fields, as the API tells them. */
function cellsOf({ fields }: BuildingPage): Row {
  const cells: Row = {};
  for (const field of SCALAR_FIELDS) {
    const value = fields[field];
    cells[field] = value?.value ?? null;
    cells[`${field}_source`] = value?.provenance.source ?? null;
    cells[`${field}_confidence`] = value?.provenance.confidence ?? null;
    cells[`${field}_retrieved_at`] = value?.provenance.retrievedAt ?? null;
    cells[`${field}_conflict_value`] = value?.conflict?.value ?? null;
    cells[`${field}_conflict_source`] = value?.conflict?.source ?? null;
  }
  return cells;
}

async function pagesOf({ storage }: Context): Promise<Map<string, Buffer>> {
  const registry = openRegistry(storage);
  const rows = await storage.db.selectFrom('page').select('building').execute();
  const pages = new Map<string, Buffer>();
  for (const { building } of rows) {
    const key = `ASSET-JP-${String(building).slice(0, 2)}-${String(building).slice(2)}`;
    const found = await registry.getPage(key);
    if (found.ok) pages.set(key, Buffer.from(found.value.body));
  }
  return pages;
}

const filesIn = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('latin1')]));

onBothEngines('export', (fresh, engine) => {
  const withSample = async (work: (context: Context, database: TestDatabase) => Promise<void>) => {
    const database = await fresh('none');
    await fillOnce('sample', database, fillSample);
    const context = await openContext(database);
    try {
      await work(context, database);
    } finally {
      await context.storage.close();
    }
  };

  it('EXP-01 EXP-02 EXP-04 EXP-05 EXP-06 EXP-07 every file says what the API says of every building', () =>
    withSample(async (context, { dir }) => {
      const out = join(dir, 'out');
      const manifest = await exportRegistry(context, out, ALL);
      const pages = await pagesOf(context);
      expect(manifest.cursor).toBe(String(await context.storage.snapshot(readCursor)));
      expect(manifest).toEqual(JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')) as Manifest);
      for (const { name, bytes, sha256 } of manifest.files) {
        const content = readFileSync(join(out, name));
        expect([name, content.length, createHash('sha256').update(content).digest('hex')]).toEqual([
          name,
          bytes,
          sha256,
        ]);
      }
      expect(readdirSync(out).sort()).toEqual([...manifest.files.map(({ name }) => name), 'manifest.json'].sort());

      const prefectures = new Set([...pages.keys()].map((key) => key.slice('ASSET-JP-'.length, 'ASSET-JP-NN'.length)));
      expect(prefectures.size).toBeGreaterThan(3);
      const seen = new Set<string>();
      for (const prefecture of prefectures) {
        const file = (ending: string) => join(out, `buildings-${prefecture}.${ending}`);
        const lines = readLines(file('ndjson'));
        const { rows, metadata } = await readParquet(file('parquet'));
        const csv = readCsv(file('csv'));
        const { type, features } = JSON.parse(readFileSync(file('geojson'), 'utf8'));
        expect([type, features.length, csv.length, rows.length]).toEqual([
          'FeatureCollection',
          ...Array(3).fill(lines.length),
        ]);
        expect(Object.keys(csv[0] ?? {})).toEqual(Object.keys(rows[0] ?? {}));
        expect(Object.keys(rows[0] ?? {})[0]).toBe('id');
        for (const [i, line] of lines.entries()) {
          const page = JSON.parse(line) as BuildingPage;
          seen.add(page.id);
          expect(line).toBe(pages.get(page.id)?.toString());
          const [row, cells, feature] = [rows[i] as Row, csv[i] as Record<string, string>, features[i]];
          expect([row.id, cells.id, feature.id]).toEqual([page.id, page.id, page.id]);
          const expected = Object.entries(cellsOf(page));
          const shown = (read: (name: string) => unknown) => expected.map(([name]) => [name, read(name)]);
          const fromParquet = (name: string) =>
            typeof row[name] === 'bigint' ? Number(row[name]) : (row[name] ?? null);
          expect(shown(fromParquet)).toEqual(expected);
          expect(shown((name) => feature.properties[name] ?? null)).toEqual(expected);
          expect(shown((name) => cells[name]?.replace(/^'/, ''))).toEqual(
            expected.map(([name, value]) => [name, value === null ? '' : String(value)]),
          );
          expect(JSON.parse(row.assetTypes as string)).toEqual(page.assetTypes.map(({ value }) => value));
          expect(JSON.parse((row.aliases_source ?? '[]') as string)).toEqual(
            page.aliases.map(({ provenance }) => provenance.source),
          );
          expect(row.geometry).toEqual(
            page.geometry ?? { type: 'Point', coordinates: [page.location.lon, page.location.lat] },
          );
          expect(feature.geometry).toEqual(row.geometry);
          expect(Object.values(row.bbox as object)).toEqual(JSON.parse(cells.bbox as string));
          expect(cells.geometry).toMatch(/^(MULTI)?POLYGON \(\(|^POINT \(/);
        }
        const geo = JSON.parse(metadata.key_value_metadata?.find(({ key }) => key === 'geo')?.value ?? '{}');
        expect(geo).toMatchObject({
          version: '1.1.0',
          primary_column: 'geometry',
          columns: { geometry: { encoding: 'WKB' } },
        });
        for (const group of metadata.row_groups) {
          const box = group.columns.filter(({ meta_data }) => meta_data?.path_in_schema[0] === 'bbox');
          expect(box.map(({ meta_data }) => meta_data?.codec)).toEqual(['ZSTD', 'ZSTD', 'ZSTD', 'ZSTD']);
          for (const { meta_data } of box) expect(typeof meta_data?.statistics?.min_value).toBe('number');
        }
      }
      expect([...seen].sort()).toEqual([...pages.keys()].sort());
      const tokyo = manifest.files.find(({ name }) => name === 'buildings-13.csv');
      expect(tokyo?.licences).toEqual(expect.arrayContaining([SOURCE_FACTS.osm.licence, SOURCE_FACTS.jreit.licence]));
    }));

  // What follows does not depend on the database.
  it.runIf(engine === 'sqlite')('EXP-06 the bridge says what the look-up of source records says', () =>
    withSample(async (context, { dir }) => {
      const { storage } = context;
      await exportRegistry(context, join(dir, 'out'), { ...ALL, formats: ['geoparquet'] });
      const { rows } = await readParquet(join(dir, 'out', 'bridge-13.parquet'));
      expect(Object.keys(rows[0] ?? {})).toEqual(['id', 'source', 'sourceRecordId', 'disposition']);
      const dispositions = new Set<unknown>();
      for (const { id: key, source, sourceRecordId, disposition } of rows) {
        const answer = await storage.snapshot((reads) =>
          findSourceRecord(reads, source as Source, sourceRecordId as string),
        );
        // A complex belongs to several buildings; the look-up names one.
        const isShared =
          rows.filter((row) => row.source === source && row.sourceRecordId === sourceRecordId).length > 1;
        expect([answer?.disposition, isShared || answer?.assetId]).toEqual([disposition, isShared || (key ?? null)]);
        dispositions.add(disposition);
      }
      expect([...dispositions].sort()).toEqual(['contributes', 'merged', 'retired']);
    }),
  );

  it('EXP-03 the same registry gives the same bytes, also from the other database', () =>
    withSample(async (context, { dir }) => {
      const [one, two] = [join(dir, 'one'), join(dir, 'two')];
      await exportRegistry(context, one, ALL);
      writeFileSync(join(one, 'notes.txt'), 'not ours');
      writeFileSync(join(one, 'buildings-13.csv.part'), 'left by a killed export');
      await exportRegistry(context, one, ALL);
      expect(readdirSync(one).filter((name) => name.endsWith('.part'))).toEqual([]);
      expect(readFileSync(join(one, 'notes.txt'), 'utf8')).toBe('not ours');
      if (engine === 'sqlite') return;
      const backup = join(dir, 'backup.db');
      await backUp(context.storage, backup);
      const file = { engine: 'sqlite' as const, dir, url: `file:${join(dir, 'other.db')}` };
      const other = await openContext(file);
      await restoreRegistry(other, backup);
      await exportRegistry(other, two, ALL);
      await other.storage.close();
      const { 'notes.txt': _, ...files } = filesIn(one);
      expect(filesIn(two)).toEqual(files);
    }));

  it.runIf(engine === 'sqlite')('EXP-03 an export that fails leaves the files of the one before', () =>
    withSample(async (context, { dir }) => {
      const out = join(dir, 'out');
      await exportRegistry(context, out, { ...ALL, formats: ['ndjson', 'csv'] });
      const before = filesIn(out);
      let calls = 0;
      const progress = () => {
        if (++calls > 3) throw new Error('cut short');
      };
      const cut = { ...context, report: { ...silent, progress } };
      await expect(exportRegistry(cut, out, ALL)).rejects.toThrow('cut short');
      expect(filesIn(out)).toEqual(before);
    }),
  );

  it('EXP-08 without closed sources every value falls back, as if they had never been read', async () => {
    const closed: Json[] = [
      record('jreit', 'p1', { nameJa: '秘密タワー', floorsAbove: 40, ownerPublic: '秘密法人' }, { building: id(1) }),
      record('greenarchive', 'g2', { nameJa: '秘密館', gfaM2: 9_999 }, { building: id(2) }),
      record('mankan', 'm3', { unitCount: 77 }, { building: id(3) }),
    ];
    const open: Json[] = [
      ...AREAS,
      ...[1, 2, 3, 4].map((number) => building(number, { floorsAbove: number, footprintM2: 100 })),
      record('wikidata', 'Q1', { nameEn: 'Open Tower' }, { building: id(1) }),
    ];
    const exported = async (lines: Json[], onlyOpen: boolean) => {
      const database = await fresh();
      const context = await openContext(database);
      const file = writeRecords(database.dir, lines);
      expect((await ingest(context, 'records', [file])).get(file)?.rejected).toBe(0);
      const manifest = await exportRegistry(context, join(database.dir, 'out'), { ...ALL, onlyOpen });
      await context.storage.close();
      return { manifest, out: join(database.dir, 'out') };
    };
    const [all, filtered, never] = [
      await exported([...open, ...closed], false),
      await exported([...open, ...closed], true),
      await exported(open, false),
    ];
    const timeless = ({ out }: { out: string }) =>
      readLines(join(out, 'buildings-13.ndjson'))
        .map((line) => JSON.parse(line) as BuildingPage)
        .map((page) => ({ ...page, history: [] }));
    expect(JSON.stringify(timeless(all))).toContain('秘密');
    expect(timeless(filtered)).toEqual(timeless(never));
    for (const name of readdirSync(filtered.out)) {
      const bytes = readFileSync(join(filtered.out, name));
      const text = name.endsWith('.parquet')
        ? JSON.stringify((await readParquet(join(filtered.out, name))).rows, (_, value) =>
            typeof value === 'bigint' ? String(value) : value,
          )
        : bytes.toString();
      for (const secret of ['秘密', '9999', ...CLOSED_SOURCES])
        expect([name, text.includes(secret)]).toEqual([name, false]);
    }
    expect(filtered.manifest.files.flatMap(({ licences }) => licences)).not.toContain(SOURCE_FACTS.jreit.licence);
  });
});

onSqlite('the command export', (fresh) => {
  const town = async () => {
    const database = await fresh();
    const context = await openContext(database);
    const lines = [1, 2, 3].map((number) => building(number, {}, { area: `13101000100${(number % 2) + 1}` }));
    await ingest(context, 'records', [writeRecords(database.dir, [...AREAS, ...lines])]);
    await mergeBuildings(context, id(3), id(2), null);
    await context.storage.close();
    return { ...database, env: { DATABASE_URL: database.url, ARCHIVE_DIR: join(database.dir, 'archive') } };
  };

  it('EXP-01 EXP-09 writes the formats and the area that are asked for', async () => {
    const { dir, env } = await town();
    const out = join(dir, 'new', 'out');
    const area = 'tokyo/chiyoda-ku/marunouchi-1-chome';
    const ran = await runHere(env, 'export', out, '--area', area, '--formats', 'ndjson,geojson');
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/exported 2 files into .*, cursor 5\n$/) });
    expect(readdirSync(out).sort()).toEqual(['buildings-13.geojson', 'buildings-13.ndjson', 'manifest.json']);
    expect(readLines(join(out, 'buildings-13.ndjson')).map((line) => JSON.parse(line).id)).toEqual([id(2)]);
  });

  it('EXP-09 refuses an unknown area, format or licence, and writes nothing', async () => {
    const { dir, env } = await town();
    const out = join(dir, 'out');
    expect(await runHere(env, 'export', out, '--area', 'osaka')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no published building/),
    });
    for (const wrong of [
      ['--formats', 'xlsx'],
      ['--area', '../tokyo'],
      ['--only-licence', 'closed'],
    ]) {
      expect((await runHere(env, 'export', out, ...wrong)).code).toBe(2);
    }
    expect(existsSync(out)).toBe(false);
  });

  it('EXP-06 records of retired buildings lead to the successor, or to none', async () => {
    const database = await town();
    const context = await openContext(database);
    await retireBuilding(context, id(1), id(2), null);
    const out = join(database.dir, 'out');
    const read = async () => {
      await exportRegistry(context, out, { ...ALL, formats: ['geoparquet'] });
      const { rows } = await readParquet(join(out, 'bridge-13.parquet'));
      return rows.map(({ id: key, sourceRecordId, disposition }) => [key ?? null, sourceRecordId, disposition]);
    };
    expect(await read()).toEqual([
      [id(2), 'way/2', 'contributes'],
      [id(2), 'way/3', 'merged'],
      [id(2), 'way/1', 'retired'],
    ]);
    await context.storage.close();
  });
});
