import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { migrate } from '../../src/storage/migrate.ts';
import type { BuildingPage } from '../../src/vocabulary/building-page.ts';
import { tableOf } from '../sources/abr/tables.ts';
import { zipOf } from '../sources/jreit/workbook.ts';
import type { Running } from '../support/command.ts';
import { dumpTables } from '../support/dump-tables.ts';
import { onBothEngines } from '../support/engines.ts';
import { countsIn, IngestPlace } from '../support/ingest-place.ts';
import { osmXml, squareXml } from '../support/osm-xml.ts';
import { Random } from '../support/random.ts';
import { pageOf } from '../support/registry-state.ts';
import { assetUrl } from '../support/serving.ts';
import {
  ABR,
  CITY,
  ESTAT,
  estatOf,
  JREIT,
  LAT,
  LON,
  NAMES,
  osmFile,
  osmPbf,
  overpassJson,
  type SmallSourceName,
  smallSources,
  wikidataFile,
  xlsx,
} from '../support/small-sources.ts';
import { cityGml } from '../support/write-citygml.ts';

const places: IngestPlace[] = [];
const freshPlace = (url?: string) => {
  const place = new IngestPlace(url);
  places.push(place);
  return place;
};
const running: Running[] = [];
const launch = (place: IngestPlace, ...args: string[]) => {
  const started = place.start(...args);
  running.push(started);
  return started;
};
afterAll(async () => {
  for (const { child, ended } of running) {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  }
  for (const place of places) place.remove();
});

const at = (moment: string) => ['--retrieved-at', moment] as const;
const [FIRST, SECOND, THIRD] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'] as const;

/** Every published record, by the name of its building. */
async function publishedIn(place: IngestPlace): Promise<Map<string, BuildingPage>> {
  return place.read(async (storage) => {
    const rows = await storage.db.selectFrom('page').select('building').orderBy('building').execute();
    const pages = new Map<string, BuildingPage>();
    for (const { building } of rows) {
      const page = await pageOf(storage, idOf(building));
      if (page !== undefined) pages.set(String(page.fields.nameJa?.value ?? ''), page);
    }
    return pages;
  });
}
const idOf = (key: number) => `ASSET-JP-${String(key).padStart(10, '0').slice(0, 2)}-${String(key).slice(-8)}`;

/** Areas and boundaries, for records that need a location. */
async function withAreas(url?: string): Promise<IngestPlace> {
  const place = freshPlace(url);
  expect((await place.ingest('abr', place.write('abr', ABR), ...at(FIRST))).code).toBe(0);
  expect((await place.ingest('estat', place.write('estat', ESTAT), ...at(FIRST))).code).toBe(0);
  return place;
}

onBothEngines('a file of every source', (freshDatabase, engine) => {
  let place: IngestPlace;
  let folders: [SmallSourceName, string][];
  beforeAll(async () => {
    place = freshPlace(engine === 'postgres' ? (await freshDatabase()).url : undefined);
    const sources = await smallSources();
    folders = Object.entries(sources).map(([source, { files }]) => [
      source as SmallSourceName,
      place.write(source, files),
    ]);
  });

  it('is read, counted, matched, and ends with 0', async () => {
    const sources = await smallSources();
    for (const [source, folder] of folders) {
      const { code, stdout, stderr } = await place.ingest(source, folder, ...at(FIRST));
      const { read, matched, unmatched } = sources[source];
      expect([source, code, stderr]).toEqual([source, 0, '']);
      expect([source, countsIn(stdout, folder)]).toEqual([
        source,
        { read, new: read, changed: 0, unchanged: 0, matched, ambiguous: 0, unmatched, rejected: 0 },
      ]);
      expect(stdout).toMatch(/^[^\n]+\ndone in \d+\.\d s\n$/);
    }
  });

  it('is consolidated by precedence, with the conflicting values', async () => {
    const pages = await publishedIn(place);
    expect([...pages.keys()].sort()).toEqual(['', '双葉館', '若葉タワー', '青葉ビル'].sort());
    const winners = (name: string) =>
      Object.fromEntries(
        Object.entries(pages.get(name)?.fields ?? {}).map(([field, of]) => [
          field,
          [of?.value, of?.provenance.source, of?.conflict?.value ?? null],
        ]),
      );
    expect(winners('青葉ビル')).toMatchObject({
      nameJa: ['青葉ビル', 'edinet', '青葉ビルディング'],
      nameEn: ['Aoba Building', 'wikidata', null],
      addressJa: ['東京都文京区白山一丁目1番2号', 'edinet', null],
      acquisitionPriceJpy: [1_234_000_000, 'edinet', null],
      heightM: [48.5, 'plateau', 49.5],
      yearBuilt: [1998, 'wikidata', 1999],
      completionMonth: ['1999-03', 'greenarchive', null],
      gfaM2: [12345.67, 'greenarchive', null],
      developer: ['架空不動産株式会社', 'greenarchive', null],
      floorsAbove: [5, 'plateau', null],
    });
    expect(winners('若葉タワー')).toMatchObject({
      nameJa: ['若葉タワー', 'jreit', null],
      postcode: ['112-0001', 'nominatim', null],
      unitCount: [120, 'mankan', null],
      tenure: ['rental', 'greenbuilding', null],
      developer: ['甲乙株式会社', 'greenbuilding', null],
      ownerPublic: ['ＡＢＣ投資法人', 'jreit', null],
    });
    const page = pages.get('青葉ビル');
    expect(page?.location.machiAza.nameJa).toBe('白山一丁目');
    expect(page?.venues.map(({ nameJa }) => nameJa)).toEqual(['喫茶あおば']);
    expect(page?.sources.map(({ source }) => source).sort()).toEqual(
      ['abr', 'edinet', 'greenarchive', 'osm', 'plateau', 'wikidata'].sort(),
    );
  });

  it('is listed with file and line if it contributes nothing, including boundaries (CON-09)', async () => {
    const listed = await place.run('unmatched');
    const lines = listed.stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split('\t').slice(0, 3).join(' '))).toEqual([
      'unmatched edinet G03338/O-2',
      'unmatched jreit ABC投資法人/O-2',
      'unmatched greenarchive A-2',
      'unmatched greenbuilding 990002',
      'unmatched mankan 99-2',
      'unmatched estat 13105099001',
    ]);
    const [boundaries, areas] = ['2 of estat', '4 of abr'].map(
      (some) => `not listed: ${some} (each describes an area, not a building)\n`,
    );
    expect(listed).toMatchObject({ code: 0, stderr: `6 records contribute nothing\n${boundaries}${areas}` });
    const shp = join(place.dir, 'estat', 'r2ka13105.shp');
    const estat = `unmatched\testat\t13105099001\t${shp}:3\tnames 架空一丁目 in 13105\n`;
    expect(await place.run('unmatched', '--source', 'estat')).toEqual({
      ...{ code: 0, stdout: estat, stderr: `1 record contributes nothing\n${boundaries}` },
    });
    expect((await place.run('unmatched', '--source', 'jreit')).stdout).toBe(`${lines[1]}\n`);
    expect((await place.run('status')).stdout).toMatch(/^left out +6 unmatched$/m);
  });

  it('read again changes nothing', async () => {
    const [before, tables] = [await place.state(), await place.read((storage) => dumpTables(storage, ['ingest']))];
    for (const [source, folder] of folders) {
      const { code, stdout } = await place.ingest(source, folder);
      const { read, ...counts } = countsIn(stdout, folder);
      expect([source, code, counts]).toMatchObject([source, 0, { new: 0, changed: 0, unchanged: read, rejected: 0 }]);
    }
    expect(await place.state()).toBe(before);
    expect(await place.read((storage) => dumpTables(storage, ['ingest']))).toEqual(tables);
  });

  it('fetched again unchanged, changes neither published values nor their retrievedAt (CON-01)', async () => {
    const before = await place.state();
    for (const [source, folder] of folders) {
      const { stdout } = await place.ingest(source, folder, ...at(SECOND));
      const { read, unchanged } = countsIn(stdout, folder);
      expect([source, unchanged]).toEqual([source, read]);
    }
    expect(await place.state()).toBe(before);
  });

  it('joins a boundary to a machi-aza that comes later', async () => {
    const kaku = { lg_code: '131059', pref: '東京都', pref_roma: 'Tokyo', city: '文京区', city_roma: 'Bunkyo-ku' };
    const town = {
      machiaza_id: '0099001',
      oaza_cho: '架空',
      oaza_cho_roma: 'Kaku',
      chome: '１丁目',
      chome_number: '1',
    };
    const file = place.file('kaku.csv', tableOf('town', [{ ...kaku, ...town }]));
    expect((await place.ingest('abr', file)).code).toBe(0);
    expect((await place.run('unmatched', '--source', 'estat')).stdout).toBe('');
    const { stdout } = await place.ingest('estat', join(place.dir, 'estat'));
    expect(countsIn(stdout, join(place.dir, 'estat'))).toMatchObject({ read: 3, matched: 3, unmatched: 0 });
  });
});

describe('in any order', () => {
  /** A record without the parts that depend on the number of versions. */
  const essence = (pages: Map<string, BuildingPage>) =>
    [...pages.values()]
      .map(({ id, path: _, counters, history: __, nearby, ...page }) => {
        const comparable = {
          ...page,
          counters: { ...counters, versions: 0 },
          near: nearby.map(({ distanceM }) => distanceM),
        };
        return JSON.stringify(comparable, null, 1).replaceAll(id, 'ID');
      })
      .sort();

  it('the sources give the same records', { timeout: 30_000 }, async () => {
    const sources = Object.entries(await smallSources());
    const ends: unknown[] = [];
    for (const order of [sources, sources.toReversed(), new Random(7).shuffle(sources)]) {
      const place = freshPlace();
      for (const [source, { files }] of order) {
        const folder = place.write(source, files);
        expect([source, (await place.ingest(source, folder, ...at(FIRST))).code]).toEqual([source, 0]);
      }
      ends.push(essence(await publishedIn(place)));
    }
    expect(ends[0]).toHaveLength(4);
    expect(ends[1]).toEqual(ends[0]);
    expect(ends[2]).toEqual(ends[0]);
  });

  it('the files of one ingest give the same registry, even if two contain the same record', async () => {
    const states: string[] = [];
    for (const order of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      const place = await withAreas();
      const files = { a: osmFile(), b: osmFile({ 2: { 'building:levels': '77' } }) } as Record<string, string>;
      const paths = order.map((name) => place.file(`${name}.osm`, files[name] as string));
      expect((await place.ingest('osm', ...paths, ...at(FIRST))).code).toBe(0);
      states.push(await place.state());
    }
    expect(states[1]).toBe(states[0]);
  });
});

describe('another edition of a file', () => {
  it('changes only what changed in it', async () => {
    const place = await withAreas();
    await place.ingest('osm', place.file('old.osm', osmFile()), ...at(FIRST));
    const before = await publishedIn(place);
    const file = place.file('new.osm', osmFile({ 2: { 'building:levels': '77' } }));
    const { code, stdout } = await place.ingest('osm', file, ...at(SECOND));
    expect(code).toBe(0);
    expect(countsIn(stdout, file)).toMatchObject({ read: 3, new: 0, changed: 1, unchanged: 2 });
    const after = await publishedIn(place);
    for (const name of [NAMES[0], NAMES[2]]) expect(after.get(name)).toEqual(before.get(name));
    const changed = after.get(NAMES[1]);
    expect(changed?.history[0]).toMatchObject({ version: 2, changedFields: expect.arrayContaining(['floorsAbove']) });
    expect(changed?.fields.floorsAbove).toMatchObject({ value: 77, provenance: { retrievedAt: SECOND } });
    expect(before.get(NAMES[1])?.fields.floorsAbove?.provenance.retrievedAt).toBe(FIRST);
  });

  it('that equals the first one restores its values: A, B, A', async () => {
    const place = await withAreas();
    const [a, b] = [place.file('a.osm', osmFile()), place.file('b.osm', osmFile({ 2: { 'building:levels': '77' } }))];
    const floors = async () => (await publishedIn(place)).get(NAMES[1])?.fields.floorsAbove;
    const seen: unknown[] = [];
    for (const [file, moment] of [
      [a, FIRST],
      [b, SECOND],
      [a, THIRD],
    ] as const) {
      expect((await place.ingest('osm', file, ...at(moment))).code).toBe(0);
      seen.push((await floors())?.value);
    }
    expect(seen).toEqual([6, 77, 6]);
    expect((await floors())?.provenance.retrievedAt).toBe(THIRD);
  });

  it('CON-03 that is older changes nothing that is published', async () => {
    const editions: [string, string, string, string][] = [
      ['osm', 'old.osm', osmFile(), FIRST],
      ['wikidata', 'old.json', wikidataFile('+40'), FIRST],
      ['osm', 'new.osm', osmFile({ 2: { 'building:levels': '77' } }), SECOND],
      ['wikidata', 'new.json', wikidataFile('+51'), SECOND],
    ];
    const fieldsOf = (pages: Map<string, BuildingPage>) => [...pages].map(([name, { fields }]) => [name, fields]);
    const valuesOf = (pages: Map<string, BuildingPage>) =>
      [...pages].map(([name, { fields }]) => [name, Object.entries(fields).map(([field, of]) => [field, of?.value])]);
    const ends: unknown[] = [];
    for (const order of [editions, editions.toReversed()]) {
      const place = await withAreas();
      let newest: unknown;
      for (const [source, name, content, moment] of order) {
        expect((await place.ingest(source, place.file(name, content), ...at(moment))).code).toBe(0);
        if (order !== editions && name === 'new.osm') newest = fieldsOf(await publishedIn(place));
      }
      const pages = await publishedIn(place);
      if (newest !== undefined) expect(fieldsOf(pages)).toEqual(newest);
      expect(pages.get(NAMES[1])?.fields.floorsAbove).toMatchObject({ value: 77, provenance: { retrievedAt: SECOND } });
      expect(pages.get(NAMES[0])?.fields.heightM).toMatchObject({ value: 51, provenance: { retrievedAt: SECOND } });
      ends.push(valuesOf(pages));
    }
    expect(ends[1]).toEqual(ends[0]);
  });

  it('of boundaries: the one that was fetched last applies, whichever was read last', async () => {
    const place = await withAreas();
    await place.ingest('osm', place.file('city.osm', osmFile()), ...at(FIRST));
    const machiAza = async () => (await publishedIn(place)).get(NAMES[0])?.location.machiAza.nameJa;
    const swapped = place.write('swapped', estatOf(['白山二丁目', '白山一丁目', '架空一丁目']));
    const [original] = [join(place.dir, 'estat')];
    expect(await machiAza()).toBe('白山一丁目');
    expect((await place.ingest('estat', swapped, ...at('2025-01-01T00:00:00Z'))).code).toBe(0);
    expect(await machiAza()).toBe('白山一丁目');
    await place.ingest('estat', swapped, ...at(SECOND));
    expect(await machiAza()).toBe('白山二丁目');
    await place.ingest('estat', original, ...at(THIRD));
    expect(await machiAza()).toBe('白山一丁目');
    await place.ingest('estat', original, ...at('2026-05-01T00:00:00Z'));
    await place.ingest('estat', swapped, ...at('2026-04-01T00:00:00Z'));
    expect(await machiAza()).toBe('白山一丁目');
  });

  it('without --retrieved-at: new bytes get the current time, known ones that of their first ingest', async () => {
    const place = await withAreas();
    const file = place.file('a.osm', osmFile());
    const start = new Date().toISOString();
    await place.ingest('osm', file);
    const page = async () => (await publishedIn(place)).get(NAMES[0]);
    const moment = (await page())?.fields.nameJa?.provenance.retrievedAt ?? '';
    expect(moment >= start && moment <= new Date().toISOString()).toBe(true);
    const before = await place.state();
    await place.ingest('osm', file);
    expect(await place.state()).toBe(before);
  });

  it('FLT-06 a file that follows another of its source counts as newer, even if the clock was set back', async () => {
    const place = await withAreas();
    const ingestAt = async (clock: string, name: string) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(clock) });
      const file = place.file('a.osm', osmFile().replaceAll(NAMES[0], name));
      await place.ingest('osm', file).finally(() => vi.useRealTimers());
    };
    await ingestAt('2026-06-02T00:00:00Z', NAMES[0]);
    await ingestAt('2026-06-01T00:00:00Z', '改称ビル');
    const { nameJa } = (await publishedIn(place)).get('改称ビル')?.fields ?? {};
    expect(nameJa?.provenance.retrievedAt).toBe('2026-06-02T00:00:00.001Z');
    // A time that an operator stated ahead of its clock is no sign of that.
    await place.ingest('osm', place.file('b.osm', osmFile()), '--retrieved-at', '2999-01-01T00:00:00Z');
    await ingestAt('2026-06-03T00:00:00Z', '三代目ビル');
    expect((await publishedIn(place)).has('三代目ビル')).toBe(false);
  });
});

describe('the paths and options of ingest', () => {
  let place: IngestPlace;
  const kept = async () => Object.keys(await place.kept()).filter((key) => key.startsWith('osm:'));
  const ALL = ['osm:way/1', 'osm:way/2', 'osm:way/3'];

  it.each<[string, () => Promise<string[]>]>([
    ['a file', async () => [place.file('a.osm', osmFile())]],
    ['a PBF file', async () => [place.file('a.osm.pbf', osmPbf())]],
    ['an Overpass response', async () => [place.file('a.json', overpassJson())]],
    [
      'a folder with files of other kinds, which are skipped',
      async () => [place.write('several', { 'deep/er/a.osm': osmFile(), 'notes.txt': 'zz', 'photo.jpg': 'zz' })],
    ],
    ['a zip', async () => [place.file('a.zip', await zipOf({ 'x/city.osm': osmFile(), 'x/README.txt': 'zz' }))]],
    [
      'a zip in a folder',
      async () => [place.write('zipped', { 'deep/a.ZIP': await zipOf({ 'city.osm': osmFile() }) })],
    ],
    [
      'several',
      async () => [
        place.file('one.osm', osmXml(osmFile().slice(osmFile().indexOf('<node'), osmFile().indexOf('</osm>')))),
        place.write('more', { 'b.osm': osmFile() }),
      ],
    ],
  ])('%s', async (_, paths) => {
    place = freshPlace();
    const given = await paths();
    const { code, stdout, stderr } = await place.ingest('osm', ...given, ...at(FIRST));
    expect({ code, notes: stderr.replaceAll(/^\S+: [12] files? passed over, not of this source: .*\n/gm, '') }).toEqual(
      {
        code: 0,
        notes: '',
      },
    );
    expect(stdout.match(/: read \d+/g)).toHaveLength(given.length);
    expect(await kept()).toEqual(ALL);
  });

  it('a folder and a file in it, which is read once', async () => {
    place = freshPlace();
    const folder = place.write('twice', { 'a.osm': osmFile() });
    const { code, stdout } = await place.ingest('osm', folder, join(folder, 'a.osm'), ...at(FIRST));
    expect(code).toBe(0);
    expect(countsIn(stdout, folder)).toMatchObject({ read: 3, new: 3 });
    const unfinished = await place.read(({ db }) =>
      db.selectFrom('ingest').selectAll().where('finished_at', 'is', null).execute(),
    );
    expect(unfinished).toEqual([]);
  });

  it('a workbook', async () => {
    place = freshPlace();
    const file = place.file('book.xlsx', await xlsx());
    const { code, stdout } = await place.ingest('jreit', file, '--url', 'https://abc.example/list');
    expect(code).toBe(0);
    expect(countsIn(stdout, file)).toMatchObject({ read: 1, new: 1, unmatched: 1 });
  });

  it('--url, for records without a URL', async () => {
    place = await withAreas();
    await place.ingest('osm', place.file('city.osm', osmFile()), ...at(FIRST));
    const bare = JREIT.replaceAll(/,(?:物件ページ|https:[^\n]*)/g, '');
    const file = place.file('bare.csv', bare);
    const without = await place.ingest('jreit', file);
    expect(without.code).toBe(1);
    expect(without.stderr).toContain(`${file}:2: rejected: ABC投資法人/O-1: no page to cite; use --url`);
    expect(Object.keys(await place.kept()).some((key) => key.startsWith('jreit:'))).toBe(false);
    const withUrl = await place.ingest('jreit', file, '--url', 'https://abc.example/list');
    expect(withUrl.code).toBe(0);
    const page = (await publishedIn(place)).get(NAMES[1]);
    expect(page?.fields.acquisitionPriceJpy?.provenance.sourceUrl).toBe('https://abc.example/list');
  });

  it.each<[string, number, () => Promise<string[]>, RegExp]>([
    ['a missing file', 1, async () => ['osm', join(place.dir, 'missing.osm')], /missing\.osm: no such file\n$/],
    [
      'an empty folder',
      1,
      async () => ['osm', place.folder('empty')],
      /empty: the folder has no file of this source; expected \.osm.*\n$/,
    ],
    ['a folder of other things', 1, async () => ['estat', place.write('other', { 'a.osm': osmFile() })], /has no file/],
    [
      'a zip of other things',
      1,
      async () => ['estat', place.file('o.zip', await zipOf({ 'a.osm': 'zz' }))],
      /has no file/,
    ],
    ['an empty zip', 1, async () => ['osm', place.file('e.zip', await zipOf({}))], /the zip has no file/],
    ['an unknown source', 2, async () => ['touki', place.cwd], /Expected one of osm, plateau/],
    ['no path', 2, async () => ['osm'], /path/],
    ['an invalid time', 2, async () => ['osm', place.cwd, '--retrieved-at', '2026-02-30'], /2026-01-31T00:00:00Z/],
    ['an invalid URL', 2, async () => ['osm', place.cwd, '--url', 'file:///etc/passwd'], /http or https/],
    ['an unknown option', 2, async () => ['osm', place.cwd, '--force'], /unknown option/],
  ])('%s: ends with %i and the reason', async (_, wanted, args, reason) => {
    place = freshPlace();
    const { code, stdout, stderr } = await place.ingest(...((await args()) as [string, ...string[]]));
    expect({ code, stdout }).toEqual({ code: wanted, stdout: '' });
    expect(stderr).toMatch(reason);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('a missing file does not stop the others', async () => {
    place = freshPlace();
    const file = place.file('a.osm', osmFile());
    const { code, stdout, stderr } = await place.ingest('osm', join(place.dir, 'no.osm'), file, ...at(FIRST));
    expect(code).toBe(1);
    expect(stderr).toContain('no.osm: no such file');
    expect(countsIn(stdout, file)).toMatchObject({ read: 3 });
    expect(await kept()).toEqual(ALL);
  });
});

/** Enough buildings, in several files, that an ingest takes a while. */
function manyFiles(): Record<string, string> {
  const files: Record<string, string> = {};
  for (let f = 0; f < 4; f++) {
    const squares = Array.from({ length: 200 }, (_, i) => {
      const n = f * 200 + i;
      const [west, south] = [LON - 0.004 + (n % 50) * 0.00016, LAT - 0.004 + Math.floor(n / 50) * 0.0002];
      const tags = { building: 'yes', name: `第${n}棟`, 'building:levels': String(1 + (n % 9)) };
      return squareXml({ way: n + 1, west, south, size: 0.0001, tags });
    });
    files[`part-${f}.osm`] = osmXml(...squares);
  }
  return files;
}

onBothEngines('an ingest of a source', (freshDatabase, engine) => {
  const prepared = async () => withAreas(engine === 'postgres' ? (await freshDatabase()).url : undefined);

  it('that is killed and repeated ends like an uninterrupted one', { timeout: 60_000 }, async () => {
    const [whole, cut] = [await prepared(), await prepared()];
    const args = (place: IngestPlace) => ['ingest', 'osm', place.write('many', manyFiles()), ...at(FIRST)];
    expect((await whole.run(...args(whole))).code).toBe(0);
    const random = new Random(engine === 'sqlite' ? 11 : 12);
    const ends: unknown[] = [];
    await cut.read(async ({ db }) => {
      const countIn = async (table: 'statement' | 'building_version') =>
        Number(
          (
            await db
              .selectFrom(table)
              .select((eb) => eb.fn.countAll().as('n'))
              .executeTakeFirstOrThrow()
          ).n,
        );
      const before = await countIn('statement');
      for (const [table, most] of [
        ['statement', before + 700],
        ['building_version', 600],
      ] as const) {
        const least = Math.floor(random.next() * most);
        const run = launch(cut, ...args(cut));
        while (run.child.exitCode === null && (await countIn(table)) <= least) await sleep(random.below(30));
        run.child.kill('SIGKILL');
        ends.push((await run.ended).code);
      }
    });
    // A kill may come too late for one of them, but not for all.
    expect(ends).toContain(null);
    expect((await cut.run(...args(cut))).code).toBe(0);
    expect(await cut.state()).toBe(await whole.state());
  });

  it('is visible to readers once committed, and does not block them', { timeout: 60_000 }, async () => {
    const place = await prepared();
    await place.ingest('osm', place.file('city.osm', osmFile()), ...at(FIRST));
    const known = (await publishedIn(place)).get(NAMES[0])?.id ?? '';
    const server = launch(place, 'serve');
    const [, origin] = await server.says(/tatemono serves (http:\S+)\/japan\n/);
    const ask = async (rest: string) => {
      const response = await fetch(`${origin}${rest}`);
      return { status: response.status, body: (await response.json()) as Record<string, never> };
    };
    let isDone = false;
    const run = place.ingest('osm', place.write('many', manyFiles()), ...at(SECOND)).finally(() => {
      isDone = true;
    });
    const statuses = new Map<number, number>();
    while (!isDone) {
      const { status } = await ask(assetUrl(known));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await sleep(15);
    }
    expect((await run).code).toBe(0);
    expect([...statuses.keys()]).toEqual([200]);
    const found = await ask(`/japan/api/v1/assets?q=${encodeURIComponent('第799棟')}`);
    expect(found).toMatchObject({ status: 200, body: { total: 1 } });
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
  });

  it('reports that it waits for another writer, and then continues', { timeout: 30_000 }, async () => {
    const place = await prepared();
    await place.read(async (storage) => {
      await migrate(storage);
      const release = await storage.lockWriter(() => {}, 1_000);
      const run = launch(place, 'ingest', 'osm', place.file('a.osm', osmFile()), ...at(FIRST));
      const waits = new Promise<void>((resolve) =>
        run.child.stderr?.on('data', (chunk: string) => {
          if (/another tatemono process is writing to this database; waiting/.test(chunk)) resolve();
        }),
      );
      await Promise.race([waits, run.ended]);
      expect(run.child.exitCode).toBeNull();
      expect(Object.keys(await place.kept()).filter((key) => key.startsWith('osm:'))).toEqual([]);
      await release();
      expect((await run.ended).code).toBe(0);
    });
    expect((await publishedIn(place)).size).toBe(3);
  });
});

describe('two ingests at once', () => {
  it('both succeed, one after the other', { timeout: 30_000 }, async () => {
    const [both, turns] = [await withAreas(), await withAreas()];
    const args = (place: IngestPlace) => [
      ['ingest', 'osm', place.file('a.osm', osmFile()), ...at(FIRST)],
      ['ingest', 'wikidata', place.file('a.json', wikidataFile()), ...at(FIRST)],
      ['ingest', 'plateau', place.file('a.gml', cityGml(CITY)), ...at(FIRST)],
    ];
    const ended = await Promise.all(args(both).map((each) => both.spawned({}, ...each)));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
    for (const each of args(turns)) expect((await turns.run(...each)).code).toBe(0);
    const names = async (place: IngestPlace) => [...(await publishedIn(place)).keys()].sort();
    expect(await names(both)).toEqual(await names(turns));
    expect(await both.kept()).toEqual(await turns.kept());
  });
});
