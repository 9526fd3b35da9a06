import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INGEST_SOURCES } from '../../src/pipeline/adapters.ts';
import { FORM } from '../sources/edinet/filing.ts';
import { zipOf } from '../sources/jreit/workbook.ts';
import { OSM_BZ2 } from '../support/bzip2.ts';
import { countsIn, IngestPlace } from '../support/ingest-place.ts';
import { osmXml, relationXml, squareXml, wayXml } from '../support/osm-xml.ts';
import { rawZip } from '../support/raw-zip.ts';
import { AREAS } from '../support/records.ts';
import {
  ABR,
  CITY,
  ESTAT,
  FILING,
  type Files,
  GREENARCHIVE,
  GREENBUILDING,
  JREIT,
  LAT,
  LON,
  MANKAN,
  NOMINATIM,
  osmFile,
  osmPbf,
  overpassJson,
  wikidataFile,
  xlsx,
} from '../support/small-sources.ts';
import { cityGml } from '../support/write-citygml.ts';

const FETCHED = ['--retrieved-at', '2026-01-01T00:00:00Z', '--url', 'https://abc.example/list'] as const;
const places: IngestPlace[] = [];
let prepared: IngestPlace;
beforeAll(async () => {
  prepared = new IngestPlace();
  places.push(prepared);
  await prepared.run('status');
});
/** An empty registry. */
const freshPlace = () => {
  const place = new IngestPlace();
  places.push(place);
  copyFileSync(join(prepared.dir, 'registry.db'), join(place.dir, 'registry.db'));
  return place;
};
afterAll(() => {
  for (const place of places) place.remove();
});

const STACK = /^\s+at /m;
const recordsFile = `${AREAS.map((area) => JSON.stringify(area)).join('\n')}\n`;

describe('a shapefile', () => {
  const shp = 'r2ka13105.shp';
  const [SHP, DBF, PRJ] = [shp, 'r2ka13105.dbf', 'r2ka13105.prj'].map((name) => ESTAT[name] as Buffer) as [
    Buffer,
    Buffer,
    string | Buffer,
  ];
  const isArchived = (place: IngestPlace, bytes: string | Buffer) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return existsSync(join(place.dir, 'archive', 'sha256', sha256.slice(0, 2), sha256.slice(2)));
  };
  const ALL = { ...ESTAT, 'r2ka13105.shx': 'an index', 'r2ka13105.cpg': 'SJIS', 'r2ka13105.shp.xml': '<metadata/>' };

  it.each<[string, Files, string[]]>([
    ['named by its .shp', ALL, [shp]],
    ['named by its .dbf', ALL, ['r2ka13105.dbf']],
    ['named by its index', ALL, ['r2ka13105.shx']],
    ['named by all of its files', ALL, Object.keys(ALL)],
    ['with extensions in capitals', { 'A.SHP': SHP, 'a.DBF': DBF, 'A.Prj': PRJ, 'b.dbf': 'zz' }, ['A.SHP']],
    ['that lies in a folder', ALL, ['']],
    ['in a folder, and named too', ALL, ['', shp]],
  ])('%s is read once, with the files that belong to it, all of them archived', async (_, files, named) => {
    const place = freshPlace();
    const folder = place.write('shapes', files);
    const paths = named.map((name) => (name === '' ? folder : join(folder, name)));
    const ended = await place.ingest('estat', ...paths, ...FETCHED);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout.match(/: read 3, new 3/g)).toHaveLength(1);
    for (const part of [SHP, DBF, PRJ]) expect(isArchived(place, part)).toBe(true);
    const before = await place.state();
    const again = await place.ingest('estat', ...paths);
    expect(again.stdout).toMatch(/: read 3, new 0, changed 0, unchanged 3/);
    expect(await place.state()).toBe(before);
  });

  it('in a zip is read once', async () => {
    const place = freshPlace();
    const zip = place.file(
      'a.zip',
      await zipOf(Object.fromEntries(Object.entries(ALL).map(([k, v]) => [`x/${k}`, v]))),
    );
    const ended = await place.ingest('estat', zip, ...FETCHED);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(countsIn(ended.stdout, zip)).toMatchObject({ read: 3, new: 3 });
  });

  it.each([
    ['r2ka13105.dbf', shp],
    ['r2ka13105.shp', 'r2ka13105.dbf'],
  ])('without its %s names the file that is missing', async (missing, named) => {
    const place = freshPlace();
    const { [missing]: _, ...rest } = ESTAT as Record<string, Buffer>;
    const folder = place.write('part', rest);
    for (const path of [join(folder, named), folder]) {
      const { code, stderr } = await place.ingest('estat', path);
      expect(code).toBe(1);
      expect(stderr).toContain(`${join(folder, named)}: ${missing} is missing`);
    }
  });
});

describe('an OSM extract', () => {
  const tags = { type: 'multipolygon', building: 'yes' };
  const whole = squareXml({ way: 1, west: LON, south: LAT, size: 0.0002, tags: { building: 'yes' } });
  const cutRelations = Array.from({ length: 3 }, (_, i) =>
    relationXml(
      50 + i,
      [
        ['way', 1, 'outer'],
        ['way', 900 + i, 'outer'],
      ],
      tags,
    ),
  );
  const cut = osmXml(whole, wayXml(7, [10, 11, 999, 10], { building: 'yes' }), ...cutRelations);
  const overpass = JSON.stringify({
    ...{ version: 0.6, generator: 'Overpass API' },
    elements: [
      ...JSON.parse(overpassJson()).elements,
      {
        type: 'way',
        id: 7,
        nodes: [1, 2, 3, 1],
        geometry: [null, { lat: LAT, lon: LON }, null, null],
        tags: { building: 'yes' },
      },
      { type: 'relation', id: 50, tags, members: [{ type: 'way', ref: 9, role: 'outer', geometry: [null, null] }] },
    ],
  });

  it.each([
    ['a.osm', cut, '3 relations, 1 way'],
    ['a.osm.gz', gzipSync(cut), '3 relations, 1 way'],
    ['a.json', overpass, '1 relation, 1 way'],
  ])('%s that is cut at its edge is read, and reports once what was cut', async (name, content, what) => {
    const place = freshPlace();
    const file = place.file(name, content);
    const { code, stdout, stderr } = await place.ingest('osm', file, ...FETCHED);
    expect(stderr).toBe(`${file}: left out at the edge of the extract: ${what}; --verbose lists them\n`);
    expect(code).toBe(0);
    expect(countsIn(stdout, file)).toMatchObject({ read: name === 'a.json' ? 3 : 1, rejected: 0 });
    const verbose = await place.ingest('osm', file, '--verbose');
    expect(verbose.code).toBe(0);
    expect(verbose.stderr).toMatch(/:\d+: relation\/50: some members are not in the file\n/);
    expect(verbose.stderr).toMatch(/:\d+: way\/7: some nodes are not in the file\n/);
  });

  it('that was fetched without nodes is an error', async () => {
    const place = freshPlace();
    const file = place.file('a.osm', osmXml(wayXml(7, [1, 2, 3, 1], { building: 'yes' })));
    const { code, stderr } = await place.ingest('osm', file);
    expect(code).toBe(1);
    expect(stderr).toMatch(/a\.osm: ways without nodes/);
  });
});

const HTML =
  '<!DOCTYPE html>\n<html lang="ja"><head><title>404</title></head><body><p>Not found, a,b</p></body></html>\n';
const NONSENSE = Buffer.from(Array.from({ length: 4_000 }, (_, i) => (i * 7_919 + (i >> 3) * 104_729) % 256));
const OTHER_JSON = '{"name": "tatemono", "version": 3, "list": [1, 2, {"a": "b"}]}\n';
const GEOJSON = JSON.stringify({
  type: 'FeatureCollection',
  features: [
    { type: 'Feature', properties: { N03_001: '東京都' }, geometry: { type: 'Point', coordinates: [LON, LAT] } },
  ],
});

/** Every kind of name that a source reads. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  osm: ['a.osm', 'a.xml', 'a.json', 'a.osm.pbf', 'a.osm.gz', 'a.osm.bz2'],
  plateau: ['a.gml', 'a.xml', 'a.gml.gz'],
  abr: ['a.csv'],
  estat: ['a.shp', 'b.dbf', 'a.geojson'],
  wikidata: ['a.json', 'a.ndjson', 'a.jsonl', 'a.json.gz', 'a.json.bz2'],
  nominatim: ['a.json', 'a.geojson', 'a.ndjson'],
  edinet: ['a.csv', 'a.json'],
  jreit: ['a.csv', 'a.xlsx'],
  greenarchive: ['a.csv'],
  greenbuilding: ['a.csv'],
  mankan: ['a.csv'],
  records: ['a.ndjson', 'a.txt'],
};
const BAD: Readonly<Record<string, string | Buffer>> = {
  ...{ empty: '', nonsense: NONSENSE, page: HTML, json: OTHER_JSON, geojson: GEOJSON },
};
/** Names that no source reads, and the error for each. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  ...{ 'a.pdf': 'Unsupported file type; expected ', noname: 'Unsupported file type; expected ' },
  'a.html': 'Unsupported file type; expected ',
  'a.7z': 'the file is a 7-Zip archive, which is not supported: unpack it first',
  'a.7z.001': 'the file is a 7-Zip archive, which is not supported: unpack it first',
  'a.tar.gz': 'the file is a tar archive, which is not supported: unpack it first',
  'a.tar.bz2': 'the file is a tar archive, which is not supported: unpack it first',
  'a.osm.xz': 'the file is an xz file, which is not supported: unpack it first',
};
const SEVEN_ZIP = Buffer.from('377abcaf271c0004', 'hex');

describe('what a source cannot read', () => {
  it('is tried with every source', () => {
    expect(Object.keys(NAMES).sort()).toEqual(INGEST_SOURCES.toSorted());
  });

  let place: IngestPlace;
  beforeAll(() => {
    place = freshPlace();
  });
  const pack = (name: string, content: string | Buffer) => (/\.gz$/.test(name) ? gzipSync(content) : content);
  const saidOf = (stderr: string, path: string) =>
    stderr.split('\n').filter((line) => line.startsWith(`${path}:`) || line.startsWith(`${path} `));

  it.each(Object.keys(NAMES))('given to %s is an error with the reason', async (source) => {
    const files = Object.entries(BAD).flatMap(([kind, content]) =>
      (NAMES[source] as string[]).map((name) => [`${kind}/${name}`, pack(name, content)] as const),
    );
    const others =
      source === 'records' ? [] : Object.keys(OTHER_NAMES).map((name) => [`other/${name}`, OTHER_JSON] as const);
    const folder = place.write(source, Object.fromEntries([...files, ...others]));
    const before = await place.state();
    const paths = [...files, ...others].map(([name]) => join(folder, name));
    const { code, stderr } = await place.ingest(source, ...paths, ...FETCHED);
    expect(code).toBe(1);
    expect(stderr).not.toMatch(STACK);
    for (const path of paths) expect([path, saidOf(stderr, path).length > 0]).toEqual([path, true]);
    for (const [name] of others) {
      const says = OTHER_NAMES[name.slice('other/'.length)];
      expect(saidOf(stderr, join(folder, name))).toEqual([expect.stringContaining(says as string)]);
    }
    for (const [name] of files.filter(([each]) => each.startsWith('page/') && source !== 'estat')) {
      expect(saidOf(stderr, join(folder, name))).toEqual([expect.stringContaining('the file is an HTML page')]);
    }
    expect(await place.state()).toBe(before);
  });

  it.each(Object.keys(NAMES))('alone in a folder or a zip for %s is an error', async (source) => {
    const before = await place.state();
    const names = NAMES[source] as string[];
    const bad = Object.fromEntries(names.map((name) => [name, pack(name, NONSENSE)]));
    const paths = [
      place.write(`${source}-bad`, bad),
      place.write(`${source}-other`, { 'readme.txt': 'zz', 'deep/photo.jpg': 'zz' }),
      place.folder(`${source}-empty`),
      place.file(`${source}-bad.zip`, await zipOf(bad)),
      place.file(`${source}-other.zip`, await zipOf({ 'readme.txt': 'zz' })),
      place.file(`${source}-no.zip`, NONSENSE),
    ];
    for (const path of paths) {
      const { code, stderr } = await place.ingest(source, path, ...FETCHED);
      expect([path, code]).toEqual([path, 1]);
      expect(stderr).toContain(path);
      expect(stderr).not.toMatch(STACK);
      if (/-(?:other|empty)/.test(path) && !(source === 'records' && path.endsWith('zip'))) {
        expect(stderr).toMatch(/: the (?:folder|zip) has no file of this source; expected .+\n$/);
      }
    }
    expect(await place.state()).toBe(before);
  });

  it('is skipped and counted beside readable files, in a folder and in a zip', async () => {
    const here = freshPlace();
    const files = { 'a.osm': osmFile(), 'readme.txt': 'zz', 'b/1.jpg': 'zz', 'b/2.jpg': 'zz', 'c/x.csv': 'zz' };
    for (const path of [here.write('mixed', files), here.file('mixed.zip', await zipOf(files))]) {
      const { code, stderr } = await here.ingest('osm', path, ...FETCHED);
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: `${path}: 4 files passed over, not of this source: 1.jpg, 2.jpg, x.csv and 1 more; --verbose lists them\n`,
      });
      const verbose = await here.ingest('osm', path, '--verbose');
      expect(verbose.stderr).toContain(`${path}/b/1.jpg: passed over: not of this source\n`);
    }
  });

  it('is a 7-Zip archive by its content as well as by its name', async () => {
    const { code, stderr } = await place.ingest('osm', place.file('packed.osm', SEVEN_ZIP), ...FETCHED);
    expect(code).toBe(1);
    expect(stderr).toContain('packed.osm: the file is a 7-Zip archive, which is not supported: unpack it first\n');
  });

  it('is named if it is an unsupported archive, in a folder, in a zip and alone in a folder', async () => {
    const here = freshPlace();
    const says = 'passed over: it is a 7-Zip archive, which is not supported: unpack it first\n';
    const files = { 'a.osm': osmFile(), 'deep/b.7z': SEVEN_ZIP, 'c.jpg': 'zz' };
    for (const path of [here.write('tiles', files), here.file('tiles.zip', await zipOf(files))]) {
      const { code, stderr } = await here.ingest('osm', path, ...FETCHED);
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: `${path}/deep/b.7z: ${says}${path}: 1 file passed over, not of this source: c.jpg; --verbose lists them\n`,
      });
    }
    const alone = { 'b.7z': SEVEN_ZIP };
    for (const source of ['osm', 'records']) {
      const path = here.write(`alone-${source}`, alone);
      const { code, stderr } = await here.ingest(source, path, ...(source === 'osm' ? FETCHED : []));
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(`${path}/b.7z: ${says}${path}: the folder has no file`),
      ]);
    }
  });

  it('is named for the first twenty archives, and then counted', async () => {
    const here = freshPlace();
    const archives = Object.fromEntries(Array.from({ length: 23 }, (_, i) => [`${i}.7z`, SEVEN_ZIP]));
    const path = here.write('many', { 'a.osm': osmFile(), ...archives });
    const { stderr } = await here.ingest('osm', path, ...FETCHED);
    expect(stderr.match(/it is a 7-Zip archive/g)).toHaveLength(20);
    expect(stderr).toContain('3 files also passed over: archives, which are not supported; --verbose lists them\n');
    expect((await here.ingest('osm', path, '--verbose')).stderr.match(/it is a 7-Zip archive/g)).toHaveLength(23);
  });
});

describe('an unusual but readable file', () => {
  it.each<[string, string, string | Buffer, number?]>([
    ['plateau', 'a.xml', cityGml(CITY)],
    ['plateau', 'a.gml.gz', gzipSync(cityGml(CITY))],
    ['osm', 'a.osm.gz', gzipSync(osmFile())],
    ['osm', 'a.json.gz', gzipSync(overpassJson())],
    ['osm', 'a.osm.bz2', OSM_BZ2, 1],
    ['osm', 'a.osm', OSM_BZ2, 1],
  ])('%s %s is read', async (source, name, content, read = source === 'osm' ? 3 : 2) => {
    const place = freshPlace();
    const file = place.file(name, content);
    const { code, stdout, stderr } = await place.ingest(source, file, ...FETCHED);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(countsIn(stdout, file)).toMatchObject({ read });
  });
});

describe('a file of another source', () => {
  /** The files of each source that could be mistaken for those of another. */
  const own = async (): Promise<[string, string, string | Buffer][]> => [
    ['osm', 'o.xml', osmFile()],
    ['osm', 'o.json', overpassJson()],
    ['osm', 'o.osm.pbf', osmPbf()],
    ['plateau', 'p.xml', cityGml(CITY)],
    ...Object.entries(ABR).map(([name, content]): [string, string, string | Buffer] => ['abr', name, content]),
    ['wikidata', 'w.json', wikidataFile()],
    ['nominatim', 'n.json', NOMINATIM],
    ['nominatim', 'n.ndjson', `${NOMINATIM}\n`],
    [
      'edinet',
      'e.csv',
      'docID,edinetCode,fundCode,periodEnd,submitDateTime\nS100ABCD,E1,G03338,2026-01-01,2026-03-01\n',
    ],
    ['edinet', 'e.json', '{"metadata":{"resultset":{"count":0}},"results":[]}'],
    ['jreit', 'j.csv', JREIT],
    ['jreit', 'j.xlsx', await xlsx()],
    ['greenarchive', 'ga.csv', GREENARCHIVE],
    ['greenbuilding', 'gb.csv', GREENBUILDING],
    ['mankan', 'm.csv', MANKAN],
    ['records', 'r.ndjson', recordsFile],
    ['records', 'r.json', recordsFile],
  ];
  let place: IngestPlace;
  let files: [string, string, string | Buffer][];
  let folder: string;
  beforeAll(async () => {
    place = freshPlace();
    files = await own();
    folder = place.write('all', Object.fromEntries(files.map(([, name, content]) => [name, content])));
  });

  it.each(INGEST_SOURCES)('given to %s is refused, with the command that reads it', async (source) => {
    const others = files.filter(([of]) => of !== source);
    const paths = others.map(([, name]) => join(folder, name));
    const { code, stderr } = await place.ingest(source, ...paths, ...FETCHED);
    expect(code).toBe(1);
    expect(await place.kept()).toEqual({});
    for (const [of, name] of others) {
      const messages = stderr.split('\n').filter((line) => line.startsWith(`${join(folder, name)}:`));
      expect([name, messages]).toEqual([
        name,
        [expect.stringMatching(/Unsupported file type|tatemono ingest|zip or an Office/)],
      ]);
      const [line] = messages as [string];
      if (line.includes('tatemono ingest')) expect(line).toContain(`use "tatemono ingest ${of}"`);
    }
    if (['jreit', 'greenarchive', 'greenbuilding', 'mankan', 'abr', 'edinet'].includes(source)) {
      expect(stderr.match(/tatemono ingest/g)?.length).toBeGreaterThanOrEqual(4);
    }
  });

  it('in the same folder as its own files is skipped by each source', async () => {
    for (const source of ['mankan', 'greenarchive', 'greenbuilding', 'jreit'] as const) {
      const here = freshPlace();
      const all = here.write('all', Object.fromEntries(files.map(([, name, content]) => [name, content])));
      const { code, stderr, stdout } = await here.ingest(source, all, ...FETCHED);
      expect([source, code, stderr]).toEqual([
        source,
        0,
        expect.stringMatching(/files passed over, not of this source/),
      ]);
      expect(countsIn(stdout, all)).toMatchObject({ new: source === 'jreit' ? 3 : 2, rejected: 0 });
      const before = await here.state();
      expect((await here.ingest(source, all, '--url', FETCHED[3])).code).toBe(0);
      expect(await here.state()).toBe(before);
    }
  });
});

describe('a folder', () => {
  it('with links that loop, repeat or dangle is read once', async () => {
    const place = freshPlace();
    place.write('aside', { 'sibling.osm': osmXml() });
    const folder = place.write('aside/looped', { 'a.osm': osmFile(), 'deep/b.txt': 'zz' });
    const far = place.write('far', { 'far.osm': osmFile({ 2: { 'building:levels': '9' } }) });
    const link = (target: string, name: string) => symlinkSync(target, join(folder, name));
    link('..', 'up');
    link('.', 'self');
    link('../..', 'deep/higher');
    link('one', 'two');
    link('two', 'one');
    link('nowhere', 'gone.osm');
    link('a.osm', 'again.osm');
    link(join(folder, 'deep'), 'deep-again');
    link(far, 'far-1');
    link(far, 'far-2');
    const { code, stdout, stderr } = await place.ingest('osm', folder, ...FETCHED);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/: 1 file passed over.*: b\.txt/) });
    expect(countsIn(stdout, folder)).toMatchObject({ read: 6 });
    const files = await place.read(({ db }) => db.selectFrom('ingest').select('file').orderBy('file').execute());
    expect(files.map(({ file }) => file)).toEqual([join(folder, 'a.osm'), join(folder, 'far-1', 'far.osm')]);
  });

  it('with files of the operating system is read without a message', async () => {
    const place = freshPlace();
    const clutter = {
      '__MACOSX/._a.osm': 'zz',
      '.DS_Store': 'zz',
      '._a.osm': 'zz',
      'x/._b.json': 'zz',
      'x/Thumbs.db': 'zz',
    };
    const files = { 'a.osm': osmFile(), ...clutter };
    for (const path of [place.write('mac', files), place.file('mac.zip', await zipOf(files))]) {
      expect(await place.ingest('osm', path, ...FETCHED)).toMatchObject({ code: 0, stderr: '' });
    }
    const records = place.write('records', { 'a.ndjson': recordsFile, '._a.ndjson': 'zz', '.DS_Store': 'zz' });
    expect(await place.ingest('records', records)).toMatchObject({ code: 0, stderr: '' });
  });

  it('with pipes in it does not hang', async () => {
    const place = freshPlace();
    const folder = place.write('pipes', { 'a.osm': osmFile(), 'r.ndjson': recordsFile });
    for (const name of ['p.osm', 'p.ndjson']) execFileSync('mkfifo', [join(folder, name)]);
    const osm = await place.ingest('osm', folder, ...FETCHED);
    expect(osm).toMatchObject({ code: 0, stderr: expect.stringContaining('p.osm') });
    expect((await place.ingest('records', folder)).code).toBe(0);
    for (const source of ['osm', 'records']) {
      const pipe = join(folder, source === 'osm' ? 'p.osm' : 'p.ndjson');
      const named = await place.ingest(source, pipe);
      expect(named).toMatchObject({ code: 1, stderr: `${pipe}: it is neither a file nor a folder\n` });
    }
  });

  it.skipIf(process.getuid?.() === 0)(
    'that may not be read, in part or at all, is an error with the path',
    async () => {
      const place = freshPlace();
      const folder = place.write('closed', { 'a.osm': osmFile(), 'b.osm': osmFile(), 'in/c.osm': osmFile() });
      const closed = [join(folder, 'b.osm'), join(folder, 'in')];
      for (const path of closed) chmodSync(path, 0);
      const { code, stderr, stdout } = await place.ingest('osm', folder, ...FETCHED);
      for (const path of closed) chmodSync(path, 0o700);
      expect(code).toBe(1);
      for (const path of closed) expect(stderr).toContain(`${path}: permission denied\n`);
      expect(countsIn(stdout, folder)).toMatchObject({ read: 3 });
    },
  );

  it('is accepted if its files were already named, but not if it is empty', async () => {
    const place = freshPlace();
    const folder = place.write('named', { 'a.osm': osmFile() });
    expect((await place.ingest('osm', join(folder, 'a.osm'), folder, ...FETCHED)).code).toBe(0);
    const empty = place.folder('empty');
    const { code, stderr } = await place.ingest('osm', folder, empty);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^\S+empty: the folder has no file of this source; expected [^\n]+\n$/);
  });
});

describe('a zip', () => {
  const osmKeys = ['osm:way/1', 'osm:way/2', 'osm:way/3'];

  it('inside another zip is read, on the command line and in a folder', async () => {
    const inner = await zipOf({ 'b/city.osm': osmFile(), 'readme.txt': 'zz' });
    const outer = await zipOf({ 'a/inner.ZIP': await zipOf({ 'deep.zip': inner }) });
    for (const named of ['zip', 'folder']) {
      const place = freshPlace();
      const folder = place.write('zips', { 'outer.zip': outer });
      const path = named === 'zip' ? join(folder, 'outer.zip') : folder;
      const { code, stdout } = await place.ingest('osm', path, ...FETCHED);
      expect(code).toBe(0);
      expect(countsIn(stdout, path)).toMatchObject({ read: 3 });
      const before = await place.state();
      expect((await place.ingest('osm', path)).code).toBe(0);
      expect(await place.state()).toBe(before);
      const { stderr } = await place.ingest('osm', path, '--verbose');
      expect(stderr).toContain('outer.zip/a/inner.ZIP/deep.zip/readme.txt: passed over');
    }
  });

  it('that is nested too deeply, or unpacks to too much over several levels, is refused as a whole', async () => {
    let deep = await zipOf({ 'a.osm': osmFile() });
    for (let i = 0; i < 4; i++) deep = await zipOf({ 'in.zip': deep, 'b.osm': osmFile() });
    // Each level alone is within the limits of a zip.
    const layer = await zipOf({ '1.osm': Buffer.alloc(8 << 20), '2.osm': Buffer.alloc(7 << 20) });
    const layers = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`${i}.zip`, layer]));
    const bomb = await zipOf({ 'a.osm': osmFile(), ...layers });
    for (const [content, reason] of [
      [deep, /zips are nested more than 3 deep/],
      [bomb, /the zip unpacks to far more than it holds/],
    ] as const) {
      const place = freshPlace();
      const { code, stderr } = await place.ingest('osm', place.file('bomb.zip', content), ...FETCHED);
      expect(code).toBe(1);
      expect(stderr).toMatch(reason);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(await place.kept()).toEqual({});
    }
  });

  it('with a damaged zip inside is read without it', async () => {
    const place = freshPlace();
    const zip = place.file('a.zip', await zipOf({ 'bad.zip': 'zz', 'a.osm': osmFile() }));
    const { code, stderr } = await place.ingest('osm', zip, ...FETCHED);
    expect(code).toBe(1);
    expect(stderr).toMatch(/a\.zip\/bad\.zip: not a complete zip/);
    expect(Object.keys(await place.kept())).toEqual(osmKeys);
  });

  it('without readable files, beside others in a folder, is skipped, and ingesting again changes nothing', async () => {
    const place = freshPlace();
    const folder = place.write('some', {
      'a.osm': osmFile(),
      'b.zip': await zipOf({ 'x.jpg': 'zz' }),
      'c.zip': await zipOf({}),
    });
    const { code, stderr } = await place.ingest('osm', folder);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/: 2 files passed over, .*: x\.jpg, c\.zip;/),
    });
    const before = await place.state();
    expect((await place.ingest('osm', folder)).stdout).toMatch(/new 0, changed 0, unchanged 3/);
    expect(await place.state()).toBe(before);
  });

  /** 表 has a backslash for its second byte. */
  const CP932 = Buffer.from([0x95, 0x5c, 0x8e, 0xa6]);

  it.each<[string, Buffer | string, boolean, string]>([
    ['in CP932', Buffer.concat([CP932, Buffer.from('/a.osm')]), false, '表示/a.osm'],
    ['in UTF-8 that does not say so', '表示/a.osm', false, '表示/a.osm'],
    ['in CP437', Buffer.from('caf\x82.osm', 'latin1'), false, 'café.osm'],
    ['with backslashes', 'x\\y\\a.osm', true, 'x/y/a.osm'],
  ])('with names %s is read under those names', async (_, name, utf8, shown) => {
    const place = freshPlace();
    const zip = place.file(
      'n.zip',
      rawZip([
        { name, content: osmFile(), utf8 },
        { name: 'x\\', content: '' },
      ]),
    );
    expect((await place.ingest('osm', zip, ...FETCHED)).code).toBe(0);
    const files = await place.read(({ db }) => db.selectFrom('ingest').select('file').execute());
    expect(files).toEqual([{ file: `${zip}/${shown}` }]);
  });

  it('with a link in it does not read the link as a file', async () => {
    const place = freshPlace();
    const zip = place.file(
      'l.zip',
      rawZip([
        { name: 'a.osm', content: osmFile() },
        { name: 'l.osm', content: 'a.osm', mode: 0o120777 },
      ]),
    );
    const { code, stderr } = await place.ingest('osm', zip, ...FETCHED);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/1 file passed over, .*: l\.osm/) });
  });

  it('with an unsupported compression method is an error with the reason', async () => {
    const place = freshPlace();
    const zip = place.file('m.zip', rawZip([{ name: 'a.osm', content: osmFile(), method: 12 }]));
    const { code, stderr } = await place.ingest('osm', zip);
    expect(code).toBe(1);
    expect(stderr).toContain('m.zip/a.osm: its compression method (12) is not supported: pack the zip again');
  });

  it('of an EDINET package inside a zip of many is read', async () => {
    const place = freshPlace();
    const filing = await zipOf({
      [`XBRL/PublicDoc/0101010_honbun_${FORM}`]: FILING,
      'XBRL/PublicDoc/manifest.xml': '<a/>',
    });
    const zip = place.file('day.zip', await zipOf({ 'S100ABCD.zip': filing }));
    expect(await place.ingest('edinet', zip, ...FETCHED)).toMatchObject({ code: 0, stderr: '' });
    expect(Object.keys(await place.kept())).toHaveLength(2);
  });
});
