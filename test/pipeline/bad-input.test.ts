import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORM } from '../sources/edinet/filing.ts';
import { shpOf, squareAt } from '../sources/estat/shapefiles.ts';
import { zipOf } from '../sources/jreit/workbook.ts';
import { point } from '../sources/wikidata/entities.ts';
import type { Finished } from '../support/command.ts';
import { onPostgres } from '../support/engines.ts';
import { countsIn, IngestPlace } from '../support/ingest-place.ts';
import { nodeXml, osmXml, squareXml, wayXml } from '../support/osm-xml.ts';
import { rawZip } from '../support/raw-zip.ts';
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
  osmElements,
  osmFile,
  overpassJson,
  wikidataFile,
  xlsx,
} from '../support/small-sources.ts';
import { type CityBuilding, cityGml, squareRing } from '../support/write-citygml.ts';
import { blob, headerBlob, type PbfElement, writePbf } from '../support/write-pbf.ts';

const places: IngestPlace[] = [];
let prepared: IngestPlace;
const RETRIEVED = ['--retrieved-at', '2026-01-01T00:00:00Z', '--url', 'https://abc.example/list'] as const;

beforeAll(async () => {
  prepared = new IngestPlace();
  places.push(prepared);
  await prepared.ingest('abr', prepared.write('abr', ABR), ...RETRIEVED);
  await prepared.ingest('estat', prepared.write('estat', ESTAT), ...RETRIEVED);
});
afterAll(() => {
  for (const place of places) place.remove();
});

/** A registry with only areas. */
function freshPlace(): IngestPlace {
  const place = new IngestPlace();
  places.push(place);
  copyFileSync(join(prepared.dir, 'registry.db'), join(place.dir, 'registry.db'));
  return place;
}

/** The output of a process that ran out of memory, or was killed. */
const CRASHED = /heap|FATAL|^\s+at |Error:|RangeError|TypeError/m;
const RAW = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

function expectPlain({ stderr, stdout }: Finished): void {
  expect(stderr).not.toMatch(CRASHED);
  expect(`${stdout}${stderr}`).not.toMatch(RAW);
}

interface Bad {
  source: string;
  /** The bad files. */
  bad: Files;
  /** Files with only the complete records, which must give the same registry; none if no record is complete. */
  whole?: Files;
  code?: 0 | 1;
  says: readonly (RegExp | string)[];
}

async function check({ source, bad, whole, code = 1, says }: Bad): Promise<void> {
  const [place, other] = [freshPlace(), freshPlace()];
  const ended = await place.ingest(source, place.write('in', bad), ...RETRIEVED);
  if (whole !== undefined) {
    const good = await other.ingest(source, other.write('in', whole), ...RETRIEVED);
    expect(good.code).toBe(0);
  }
  expectPlain(ended);
  for (const words of says) expect(ended.stderr).toMatch(words);
  expect(ended.code).toBe(code);
  expect(statementsIn(await place.state())).toBe(statementsIn(await other.state()));
}

/** The statements of records, without `whole`, which is unknown for a file that is cut off. */
const statementsIn = (state: string) =>
  state.replaceAll('\\"whole\\":true,', '').replaceAll(/sha256:[0-9a-f]{64}/g, 'sha256');

const cutAfter = (text: string, mark: string) => text.slice(0, text.indexOf(mark) + mark.length);
const cutAt = <T extends string | Buffer>(content: T, share: number) =>
  content.slice(0, Math.floor(content.length * share)) as T;

/** OSM files without the third way. */
const twoWays = () => {
  const xml = osmFile();
  return `${xml.slice(0, xml.indexOf('  <node id="30"'))}</osm>\n`;
};
const square = (way: number, tags: Record<string, string>, west = LON, south = LAT) =>
  squareXml({ way, west, south, size: 0.0002, tags: { building: 'office', ...tags } });
const lonely = (way: number) => square(way, { name: '無事ビル' }, LON + 0.002);
const twoElements = () => osmElements().filter(({ type, id }) => type === 'node' || id < 3);
const plain = (elements: readonly PbfElement[]) => writePbf(elements, 1);
const abrWith = (rsdt: string, pos = ABR['mt_rsdt_pos.csv'] as string): Files => ({
  'mt_rsdt.csv': rsdt,
  'mt_rsdt_pos.csv': pos,
});
const firstRow = (csv: string) => `${csv.split('\n').slice(0, -2).join('\n')}\n`;
const zipped = (content: string | Buffer) => zipOf({ [`XBRL/PublicDoc/0101010_honbun_${FORM}`]: String(content) });
const dump = (...lines: string[]) => `[\n${lines.join(',\n')}\n]\n`;
const item = (id: string) => JSON.stringify(JSON.parse(wikidataFile()).entities.Q901).replaceAll('Q901', id);

describe('a file that is cut off', () => {
  it.each<[string, () => Bad | Promise<Bad>]>([
    [
      'OSM XML',
      () => ({
        ...{ source: 'osm', whole: { 'a.osm': twoWays() }, says: [/a\.osm: it ends at line \d+ inside an element/] },
        bad: { 'a.osm': cutAfter(osmFile(), '<way id="3">') },
      }),
    ],
    [
      'PBF',
      () => ({
        ...{ source: 'osm', whole: { 'a.osm.pbf': plain(twoElements()) }, says: [/a\.osm\.pbf: .*cut off/] },
        bad: { 'a.osm.pbf': plain(osmElements()).subarray(0, -20) },
      }),
    ],
    [
      'Overpass JSON',
      () => ({
        ...{ source: 'osm', whole: { 'a.osm.pbf': plain(twoElements()) }, says: [/a\.json: .*cut off/] },
        bad: { 'a.json': overpassJson().slice(0, overpassJson().lastIndexOf('双葉館')) },
      }),
    ],
    [
      'CityGML',
      () => ({
        ...{ source: 'plateau', whole: { 'a.gml': cityGml(CITY.slice(0, 1)) }, says: [/a\.gml: it ends at line \d+/] },
        bad: { 'a.gml': cutAfter(cityGml(CITY), '<bldg:Building gml:id="bldg_2">') },
      }),
    ],
    [
      'an address table',
      () => ({
        source: 'abr',
        bad: abrWith((ABR['mt_rsdt.csv'] as string).slice(0, -20)),
        whole: abrWith(firstRow(ABR['mt_rsdt.csv'] as string), firstRow(ABR['mt_rsdt_pos.csv'] as string)),
        says: [/mt_rsdt\.csv:3: rejected: \d+ cells, but the header has \d+: the file may be cut off here/],
      }),
    ],
    [
      'a shapefile',
      () => ({
        source: 'estat',
        bad: { ...ESTAT, 'r2ka13105.shp': (ESTAT['r2ka13105.shp'] as Buffer).subarray(0, -30) },
        says: [/r2ka13105\.shp: .*cut off/],
      }),
    ],
    [
      'the table of a shapefile',
      () => ({
        source: 'estat',
        bad: { ...ESTAT, 'r2ka13105.dbf': (ESTAT['r2ka13105.dbf'] as Buffer).subarray(0, -60) },
        says: [/r2ka13105\.(dbf|shp): .*cut off/],
      }),
    ],
    [
      'a Wikidata document',
      () => ({
        ...{ source: 'wikidata', bad: { 'a.json': cutAt(wikidataFile(), 0.8) }, says: [/a\.json: .*cut off/] },
      }),
    ],
    [
      'a Wikidata dump',
      () => ({
        source: 'wikidata',
        bad: { 'a.json': cutAt(dump(item('Q1'), item('Q2')), 0.8) },
        whole: { 'a.json': dump(item('Q1')) },
        says: [/a\.json: it ends inside line 3: the file may be cut off/],
      }),
    ],
    [
      'a packed dump',
      () => ({
        source: 'wikidata',
        bad: { 'a.json.gz': gzipSync(dump(item('Q1'), item('Q2'))).subarray(0, -12) },
        whole: { 'a.json': dump(item('Q1')) },
        says: [/a\.json\.gz: its gzip is damaged or cut off: fetch it again/],
      }),
    ],
    [
      'a Nominatim response',
      () => ({
        ...{ source: 'nominatim', bad: { 'a.json': cutAt(NOMINATIM, 0.7) }, says: [/a\.json: .*cut off/] },
      }),
    ],
    [
      'Nominatim responses',
      () => ({
        source: 'nominatim',
        bad: { 'a.ndjson': `${NOMINATIM}\n${cutAt(NOMINATIM, 0.7)}` },
        whole: { 'a.ndjson': `${NOMINATIM}\n` },
        says: [/a\.ndjson: it ends inside line 2/],
      }),
    ],
    [
      'a filing',
      async () => ({
        source: 'edinet',
        // Nothing of a table that is cut off is read, because its remaining rows are not known.
        bad: {
          'S100ABCD.zip': await zipped(
            FILING.replace(
              '</body>',
              `${FILING.slice(FILING.indexOf('<ix:'), FILING.indexOf('東京都港区')).replaceAll('O-1', 'O-9')}`,
            ).split('</html>')[0] as string,
          ),
        },
        whole: { 'S100ABCD.zip': await zipped(FILING) },
        says: [/_ixbrl\.htm: .*cut off/],
      }),
    ],
    [
      'a workbook',
      async () => ({
        ...{
          source: 'jreit',
          bad: { 'a.xlsx': cutAt(await xlsx(), 0.7) },
          says: [/a\.xlsx: .*(cut off|not a complete)/],
        },
      }),
    ],
    [
      'a table of properties',
      () => ({
        source: 'jreit',
        bad: { 'a.csv': JREIT.slice(0, JREIT.indexOf(',900,') + 2) },
        whole: { 'a.csv': firstRow(JREIT) },
        says: [/a\.csv:3: rejected: .*cut off/],
      }),
    ],
    [
      'greenarchive',
      () => ({
        ...{ source: 'greenarchive', bad: { 'a.csv': GREENARCHIVE.slice(0, -8) } },
        ...{ whole: { 'a.csv': firstRow(GREENARCHIVE) }, says: [/a\.csv:3: rejected: .*cut off/] },
      }),
    ],
    [
      'greenbuilding',
      () => ({
        ...{ source: 'greenbuilding', bad: { 'a.csv': GREENBUILDING.slice(0, -3) } },
        ...{ whole: { 'a.csv': firstRow(GREENBUILDING) }, says: [/a\.csv:5: rejected: .*cut off/] },
      }),
    ],
    [
      'mankan',
      () => ({
        ...{ source: 'mankan', bad: { 'a.csv': MANKAN.slice(0, -2) } },
        ...{ whole: { 'a.csv': firstRow(MANKAN) }, says: [/a\.csv:3: rejected: .*cut off/] },
      }),
    ],
    [
      'a zip',
      async () => ({
        source: 'osm',
        bad: { 'a.zip': cutAt(await zipOf({ 'a.osm': osmFile() }), 0.8), 'b.osm': osmFile() },
        whole: { 'b.osm': osmFile() },
        says: [/a\.zip: not a complete zip: /],
      }),
    ],
    [
      'nothing at all',
      () => ({
        ...{ source: 'osm', bad: { 'a.osm': '', 'a.json': '', 'a.pbf': '', 'a.zip': '', 'b.osm': osmFile() } },
        ...{ whole: { 'b.osm': osmFile() }, says: [/a\.osm: /, /a\.json: /, /a\.pbf: /, /a\.zip: /] },
      }),
    ],
  ])('%s is read up to the cut, with a message, and ends with 1', async (_, bad) => check(await bad()));
});

describe('a packed file that is padded', () => {
  it('is read to the end of its data', async () => {
    const padded = Buffer.concat([gzipSync(dump(item('Q1'), item('Q2'))), Buffer.alloc(512)]);
    const whole = { 'a.json': dump(item('Q1'), item('Q2')) };
    await check({ source: 'wikidata', bad: { 'a.json.gz': padded }, whole, code: 0, says: [/^$/] });
  });
});

/** So little memory that an unpacked bomb would end the process. */
const TIGHT = { megabytes: 160 };

async function survives(source: string, files: Files, says: readonly RegExp[], code = 1) {
  const place = freshPlace();
  const before = await place.state();
  const ended = await place.spawned(TIGHT, 'ingest', source, place.write('in', files), ...RETRIEVED);
  expectPlain(ended);
  for (const words of says) expect(ended.stderr).toMatch(words);
  expect(ended.stderr.split('\n').length - 1).toBe(says.length);
  expect(ended.code).toBe(code);
  const kept = Object.keys(await place.kept()).filter((key) => key.startsWith(source));
  return { place, before, kept };
}

const zeros = (megabytes: number) => Buffer.alloc(megabytes << 20);
const liar = (content: Uint8Array) => ({ field: 3, bytes: deflateSync(content), rawSize: 1000 });

describe('a decompression bomb is refused, in little memory and time', () => {
  it.each<[string, string, () => Files, RegExp[]]>([
    [
      'zips and PBF',
      'osm',
      () => ({
        'plain.zip': rawZip([{ name: 'a.osm', content: zeros(64) }]),
        'shared.zip': rawZip([{ name: 'a.osm', content: zeros(15), times: 500 }]),
        'liar.zip': rawZip([{ name: 'a.osm', content: zeros(200), claimedSize: 1000 }]),
        'nested.zip': rawZip([{ name: 'b.zip', content: rawZip([{ name: 'a.osm', content: zeros(64) }]) }]),
        'plain.pbf': Buffer.concat([headerBlob(), blob('OSMData', zeros(200))]),
        'liar.pbf': Buffer.concat([headerBlob(), blob('OSMData', zeros(200), liar)]),
      }),
      [
        /plain\.zip: the zip has an entry that unpacks to far more than it holds/,
        /shared\.zip: the zip unpacks to far more than it holds/,
        /liar\.zip\/a\.osm: the zip is damaged/,
        /nested\.zip: the zip has an entry that unpacks to far more than it holds/,
        /plain\.pbf: \S/,
        /liar\.pbf: \S/,
      ],
    ],
    ['a packed dump', 'wikidata', () => ({ 'a.json.gz': gzipSync(zeros(200)) }), [/a\.json\.gz: \S/]],
    [
      'a workbook',
      'jreit',
      () => ({
        'a.xlsx': rawZip([
          { name: 'xl/workbook.xml', content: '<workbook/>' },
          { name: 'xl/worksheets/sheet1.xml', content: zeros(300) },
        ]),
      }),
      [/a\.xlsx: \S/],
    ],
  ])('%s', async (_, source, files, says) => {
    const { place, before } = await survives(source, files(), says);
    expect(await place.state()).toBe(before);
  });
});

describe('names in a zip', () => {
  it.each([
    ['above', '../../evil.osm'],
    ['of the root', '/tmp/evil-tatemono.osm'],
    ['above in another way', '..\\..\\evil.osm'],
    ['of a drive', 'C:\\evil.osm'],
  ])('that lead outside are harmless: %s', async (_, name) => {
    const bad = rawZip([
      { name: 'a.osm', content: osmFile() },
      { name, content: osmFile() },
    ]);
    await check({ source: 'osm', bad: { 'a.zip': bad }, says: [/a\.zip: the zip is damaged or unsafe: .*evil/] });
    for (const { dir } of places) {
      for (const folder of [dir, join(dir, '..'), join(dir, 'cwd'), '/tmp'])
        expect(readdirSync(folder).filter((file) => file.includes('evil'))).toEqual([]);
    }
  });

  const strange = { name: 'we\x1b[31mird\0\u202e.osm', content: osmFile() };

  it('are shown without control characters', async () => {
    const place = freshPlace();
    const ended = await place.ingest('osm', place.file('a.zip', rawZip([{ ...strange, content: 'zz' }])), ...RETRIEVED);
    expectPlain(ended);
    expect(ended.stderr).toContain('a.zip/we\\u{1b}[31mird\\u{0}\\u{202e}.osm: ');
    const listed = [await place.run('status'), await place.run('unmatched')];
    for (const each of listed) expectPlain(each);
  });

  onPostgres('on the other database', (fresh) => {
    it('are kept', async () => {
      const place = new IngestPlace((await fresh()).url);
      places.push(place);
      const { code, stderr } = await place.ingest('osm', place.file('a.zip', rawZip([strange])), ...RETRIEVED);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    });
  });

  it('that are repeated are read once and reported', async () => {
    const twice = rawZip([
      { name: 'a.osm', content: osmFile() },
      { name: 'a.osm', content: osmFile() },
    ]);
    await check({
      ...{ source: 'osm', bad: { 'a.zip': twice }, whole: { 'a.osm': osmFile() } },
      says: [/a\.zip\/a\.osm: the zip has several files of this name: only one of them is read/],
    });
  });

  it('a wrong checksum breaks only that file', async () => {
    const zip = rawZip([
      { name: 'a.osm', content: square1('破損ビル'), stored: true },
      { name: 'b.osm', content: osmFile(), stored: true },
    ]);
    zip.write('X', zip.indexOf('破損ビル'));
    const place = freshPlace();
    const ended = await place.ingest('osm', place.file('a.zip', zip), ...RETRIEVED);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/a\.zip\/a\.osm: /);
    expect(Object.keys(await place.kept())).toEqual(expect.arrayContaining(['osm:way/1', 'osm:way/2', 'osm:way/3']));
  });
});

const square1 = (name: string) => osmXml(square(7, { name }, LON + 0.003));

const SECRET = 'a secret of the machine';
const laughs = Array.from({ length: 30 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('');
const DOCTYPES = {
  'that explode': () => `<!DOCTYPE a [<!ENTITY l0 "ha">${laughs}]>`,
  'from outside': (secret: string) => `<!DOCTYPE a [<!ENTITY l30 SYSTEM "file://${secret}">]>`,
  'from a document type elsewhere': (secret: string) => `<!DOCTYPE a SYSTEM "file://${secret}">`,
};

describe.each(Object.entries(DOCTYPES))('entities %s', (_, doctype) => {
  const withEntity = (xml: string, mark: string, secret: string) =>
    xml.replace(/(<\?xml[^>]*\?>)?/, `$1${doctype(secret)}`).replace(mark, '&l30;');

  it.each<[string, string, string, (secret: string) => Files | Promise<Files>]>([
    ['OSM XML', 'osm', 'a.osm', (secret) => ({ 'a.osm': withEntity(osmFile(), '若葉タワー', secret) })],
    ['CityGML', 'plateau', 'a.gml', (secret) => ({ 'a.gml': withEntity(cityGml(CITY), '東京都文京区', secret) })],
    [
      'a workbook',
      'jreit',
      'a.xlsx',
      async (secret) => ({
        'a.xlsx': await zipOf({
          'xl/workbook.xml':
            '<workbook xmlns:r="r"><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>',
          'xl/_rels/workbook.xml.rels':
            '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
          'xl/worksheets/sheet1.xml': withEntity(
            '<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>NAME</t></is></c></row></sheetData></worksheet>',
            ...(['NAME', secret] as const),
          ),
        }),
      }),
    ],
  ])('of a document type are refused in %s', async (__, source, file, files) => {
    const place = freshPlace();
    const before = await place.state();
    const secret = place.file('secret.txt', SECRET);
    const ended = await place.ingest(source, place.write('in', await files(secret)), ...RETRIEVED);
    expectPlain(ended);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(new RegExp(`${file}.*: .*document type`));
    expect(`${ended.stdout}${ended.stderr}`).not.toContain(SECRET);
    expect(await place.state()).toBe(before);
  });

  it('are not expanded in a filing', async () => {
    const place = freshPlace();
    const secret = place.file('secret.txt', SECRET);
    const filing = await zipped(withEntity(FILING, '青葉ビル', secret));
    const ended = await place.ingest('edinet', place.write('in', { 'S100ABCD.zip': filing }), ...RETRIEVED);
    expectPlain(ended);
    const state = await place.state();
    expect(state).not.toContain(SECRET);
    expect(state).not.toContain('hahaha');
  });
});

const toUtf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const declared = (xml: string, encoding: string) => xml.replace('encoding="UTF-8"', `encoding="${encoding}"`);
/** 青 and 葉 in EUC-JP; the rest of the file is ASCII. */
const eucJp = (xml: string) => {
  const [before = '', after = ''] = xml.split('青葉');
  const ascii = (text: string) => Buffer.from(text.replaceAll(/[^\x00-\x7f]/g, ''), 'latin1');
  return Buffer.concat([ascii(before), Buffer.from([0xc0, 0xc4, 0xcd, 0xd5]), ascii(after)]);
};

describe('text in another encoding', () => {
  const latin1 = (text: string) => Buffer.concat([Buffer.from(text), Buffer.from([0xe9, 0xff, 0x0a])]);

  it.each<[string, Bad]>([
    [
      'OSM XML declared as UTF-8, but in another encoding',
      {
        ...{ source: 'osm', bad: { 'a.osm': eucJp(osmFile()) }, says: [/a\.osm: its text is not UTF-8/] },
      },
    ],
    [
      'OSM XML in an unsupported encoding',
      {
        ...{ source: 'osm', bad: { 'a.osm': eucJp(declared(osmFile(), 'ISO-2022-JP')) } },
        says: [/a\.osm: its encoding is ISO-2022-JP, which is not supported: convert it to UTF-8/],
      },
    ],
    [
      'CityGML declared as UTF-8, but in another encoding',
      {
        ...{ source: 'plateau', bad: { 'a.gml': eucJp(cityGml([{ ...CITY[0], name: '青葉' } as CityBuilding])) } },
        says: [/a\.gml: its text is not UTF-8/],
      },
    ],
    [
      'an Overpass response',
      {
        ...{ source: 'osm', bad: { 'a.json': latin1(overpassJson()) }, says: [/a\.json: its text is not UTF-8/] },
      },
    ],
    [
      'a document of Wikidata',
      {
        ...{ source: 'wikidata', bad: { 'a.json': Buffer.from(wikidataFile(), 'utf16le') }, says: [/a\.json: /] },
      },
    ],
    [
      'a Nominatim response',
      {
        ...{ source: 'nominatim', bad: { 'a.json': toUtf16(NOMINATIM) }, says: [/a\.json: /] },
      },
    ],
    ['a register', { source: 'mankan', bad: { 'a.csv': latin1(MANKAN) }, says: [/a\.csv: /] }],
    [
      'an address table',
      {
        ...{
          source: 'abr',
          bad: abrWith(String(toUtf16(ABR['mt_rsdt.csv'] as string).subarray(2))),
          says: [/mt_rsdt\.csv: /],
        },
      },
    ],
    [
      'an address table with one invalid byte',
      {
        ...{ source: 'abr', bad: abrWith(ABR['mt_rsdt.csv'] as string), says: [/mt_rsdt\.csv: its text is not UTF-8/] },
        ...{
          bad: {
            ...ABR,
            'mt_town.csv': Buffer.concat([Buffer.from(ABR['mt_town.csv'] as string), Buffer.from([0xe9])]),
          },
        },
        says: [/mt_town\.csv: its text is not UTF-8/],
      },
    ],
    [
      'binary under another name',
      {
        ...{ source: 'greenarchive', bad: { 'a.csv': writePbf(osmElements()) }, says: [/a\.csv: /] },
      },
    ],
  ])('is refused: %s', async (_, bad) => check(bad));

  it('that an XML document declares is read as such', async () => {
    const place = freshPlace();
    const bytes = eucJp(declared(osmFile(), 'EUC-JP'));
    expect((await place.ingest('osm', place.file('a.osm', bytes), ...RETRIEVED)).code).toBe(0);
    expect(await place.state()).toContain('"name_ja": "青葉"');
  });
});

describe('byte order marks and other line ends change nothing', () => {
  const dressed = (content: string | Buffer) =>
    typeof content === 'string' ? `\ufeff${content.replaceAll(/\r?\n/g, '\r\n')}` : content;

  it.each<[string, Files]>([
    ['osm', { 'a.osm': osmFile() }],
    ['osm', { 'a.json': overpassJson() }],
    ['plateau', { 'a.gml': cityGml(CITY) }],
    ['abr', { 'mt_rsdt.csv': ABR['mt_rsdt.csv'] as string, 'mt_rsdt_pos.csv': ABR['mt_rsdt_pos.csv'] as string }],
    ['wikidata', { 'a.json': wikidataFile() }],
    ['wikidata', { 'a.ndjson': dump(item('Q1'), item('Q2')) }],
    ['nominatim', { 'a.json': NOMINATIM }],
    ['nominatim', { 'a.ndjson': `${NOMINATIM}\n` }],
    ['jreit', { 'a.csv': JREIT }],
    ['greenarchive', { 'a.csv': GREENARCHIVE }],
    ['greenbuilding', { 'a.csv': GREENBUILDING }],
    ['mankan', { 'a.csv': MANKAN }],
  ])('%s', async (source, files) => {
    const bad = Object.fromEntries(Object.entries(files).map(([name, content]) => [name, dressed(content)]));
    await check({ source, bad, whole: files, code: 0, says: [/^$/] });
  });
});

const ringXml = (way: number, corners: readonly (readonly [number, number])[], tags: Record<string, string> = {}) => {
  const refs = corners.map((_, i) => way * 100 + i);
  const nodes = corners.map(([lon, lat], i) => nodeXml(way * 100 + i, lon, lat));
  return [...nodes, wayXml(way, [...refs, refs[0] as number], { building: 'yes', ...tags })].join('');
};
const near = (corners: readonly (readonly [number, number])[]) =>
  corners.map(([x, y]) => [LON + x * 1e-4, LAT + y * 1e-4] as const);
/** One of its two lobes is larger than the other, so that its signed area is not zero. */
const BOW_TIE = near([
  [0, 0],
  [2, 2],
  [2, 0],
  [0, 1],
]);
const closed = (corners: readonly (readonly [number, number])[]) =>
  [...corners, corners[0]].map((corner) => [...(corner as [number, number])] as [number, number]);
const bowTie = closed(BOW_TIE);
const good = squareRing(LON, LAT + 0.001, 20);
const tile = (...buildings: CityBuilding[]) => ({ 'a.gml': cityGml(buildings) });
const GOOD_TILE: CityBuilding = { id: 'good', gmlId: 'bldg_9', outline: [good], height: 9 };
const badTile = (outline: [number, number][], more: Partial<CityBuilding> = {}) =>
  tile({ id: 'bad', gmlId: 'bldg_8', outline: [outline], ...more }, GOOD_TILE);
const shifted = (dLon: number, dLat: number) => squareRing(LON + dLon, LAT + dLat, 20).map(([x, y]) => [x, y]);
const swappedRing = squareRing(LON, LAT, 20).map(([lon, lat]) => [lat, lon] as [number, number]);
const osmWith = (...elements: string[]) => ({ 'a.osm': osmXml(...elements, lonely(5)) });
const osmGood = { 'a.osm': osmXml(lonely(5)) };
const estatWith = (ring: [number, number][]) => ({
  ...ESTAT,
  'r2ka13105.shp': shpOf([[squareAt(139.745, 35.71)], [squareAt(139.755, 35.71)], [ring]]),
});
const posWith = (lon: string, lat: string): Files => {
  const [header, first, second] = (ABR['mt_rsdt_pos.csv'] as string).split('\r\n');
  const moved = (second as string).replace(/139\.\d+,35\.\d+/, `${lon},${lat}`);
  return {
    'mt_rsdt.csv': ABR['mt_rsdt.csv'] as string,
    'mt_rsdt_pos.csv': `${[header, first, moved].join('\r\n')}\r\n`,
  };
};
const onlyFirst = abrWith(
  `${(ABR['mt_rsdt.csv'] as string).split('\r\n').slice(0, 2).join('\r\n')}\r\n`,
  `${(ABR['mt_rsdt_pos.csv'] as string).split('\r\n').slice(0, 2).join('\r\n')}\r\n`,
);
const itemAt = (latitude: number, longitude: number) => {
  const document = JSON.parse(wikidataFile());
  document.entities.Q901.claims.P625 = [
    {
      mainsnak: { snaktype: 'value', property: 'P625', datavalue: point(latitude, longitude) },
      ...{ type: 'statement', id: 'q901$2', rank: 'normal' },
    },
  ];
  return JSON.stringify(document);
};
const replyAt = (lat: string, lon: string) => JSON.stringify({ ...JSON.parse(NOMINATIM), lat, lon });

describe('impossible shapes and locations', () => {
  it.each<[string, Bad]>([
    [
      'a way that crosses itself',
      {
        ...{ source: 'osm', bad: osmWith(ringXml(1, BOW_TIE)), whole: osmGood },
        says: [/a\.osm:\d+: rejected: way\/1: .*crosses itself/],
      },
    ],
    [
      'a way that does not close',
      {
        ...{ source: 'osm', whole: osmGood, says: [/a\.osm:\d+: rejected: way\/1: .*not closed|open/] },
        bad: osmWith(
          ringXml(
            1,
            near([
              [0, 0],
              [1, 0],
              [1, 1],
            ]),
          ).replace(/<nd ref="100"\/>\s*<tag/, '<tag'),
        ),
      },
    ],
    [
      'a way without area',
      {
        ...{
          source: 'osm',
          bad: osmWith(
            ringXml(
              1,
              near([
                [0, 0],
                [1, 1],
                [2, 2],
              ]),
            ),
          ),
          whole: osmGood,
        },
        says: [/a\.osm:\d+: rejected: way\/1: .*area/],
      },
    ],
    [
      'a way outside Japan',
      {
        ...{ source: 'osm', bad: osmWith(square(1, {}, -0.12, 51.5)), whole: osmGood },
        says: [/a\.osm:\d+: rejected: way\/1: .*outside Japan/],
      },
    ],
    [
      'a way with its axes swapped',
      {
        ...{ source: 'osm', bad: osmWith(square(1, {}, LAT, LON - 100)), whole: osmGood },
        says: [/a\.osm:\d+: rejected: way\/1: .*outside Japan/],
      },
    ],
    [
      'a node without a valid position',
      {
        ...{ source: 'osm', whole: osmGood, says: [/a\.osm:\d+: rejected: way\/1: /] },
        bad: osmWith(square(1, {}).replace(/lat="35[^"]*"/, 'lat="NaN"')),
      },
    ],
    [
      'a PBF way outside Japan',
      {
        ...{
          source: 'osm',
          whole: { 'a.pbf': plain(twoElements()) },
          says: [/a\.pbf:\d+: rejected: way\/3: .*outside/],
        },
        bad: { 'a.pbf': plain(osmElements().map((e) => (e.type === 'node' && e.id >= 30 ? { ...e, lon: 2.3 } : e))) },
      },
    ],
    [
      'an Overpass way outside Japan',
      {
        ...{
          source: 'osm',
          whole: { 'a.pbf': plain(twoElements()) },
          says: [/a\.json:\d+: rejected: way\/3: .*outside/],
        },
        bad: { 'a.json': overpassJson().replaceAll(/("id": 3\d,\s*"lon": )[\d.]+/g, '$12.3') },
      },
    ],
    [
      'a building that crosses itself',
      {
        ...{ source: 'plateau', bad: badTile(bowTie, { shapes: ['lod0RoofEdge'] }), whole: tile(GOOD_TILE) },
        says: [/a\.gml:\d+: rejected: bad: .*crosses itself/],
      },
    ],
    [
      'a building that does not close',
      {
        ...{
          source: 'plateau',
          bad: badTile(bowTie.slice(0, 4), { shapes: ['lod0RoofEdge'] }),
          whole: tile(GOOD_TILE),
        },
        says: [/a\.gml:\d+: rejected: bad: .*not closed/],
      },
    ],
    [
      'a building outside Japan',
      {
        ...{ source: 'plateau', bad: badTile(shifted(60, 0) as [number, number][]), whole: tile(GOOD_TILE) },
        says: [/a\.gml:\d+: rejected: bad: .*outside Japan/],
      },
    ],
    [
      'a building with its axes swapped',
      {
        ...{ source: 'plateau', bad: badTile(swappedRing), whole: tile(GOOD_TILE) },
        says: [/a\.gml:\d+: rejected: bad: .*outside Japan/],
      },
    ],
    [
      'a tile in another reference system',
      {
        ...{ source: 'plateau', says: [/a\.gml:\d+: rejected: 13105-bldg-1: .*2451; transform it/] },
        bad: { 'a.gml': cityGml(CITY, { srsName: 'http://www.opengis.net/def/crs/EPSG/0/2451' }) },
      },
    ],
    [
      'a boundary that crosses itself',
      {
        ...{ source: 'estat', says: [/r2ka13105\.shp:3: rejected: 13105099001: .*crosses itself/] },
        bad: estatWith(
          [
            [0, 0],
            [2, 2],
            [2, 0],
            [0, 1],
            [0, 0],
          ].map(([x = 0, y = 0]) => [139.765 + x * 0.005, 35.71 + y * 0.005]),
        ),
      },
    ],
    [
      'a boundary with its axes swapped',
      {
        ...{ source: 'estat', says: [/r2ka13105\.shp:3: rejected: 13105099001: .*outside Japan/] },
        bad: estatWith(squareAt(139.765, 35.71).map(([lon, lat]) => [lat, lon])),
      },
    ],
    [
      'an address outside Japan',
      {
        ...{ source: 'abr', bad: posWith('2.35', '48.85'), whole: onlyFirst, code: 0 },
        says: [/mt_rsdt_pos\.csv:3: passed over: .*Japan/],
      },
    ],
    [
      'an address with its axes swapped',
      {
        ...{ source: 'abr', bad: posWith('35.71', '139.75'), whole: onlyFirst, code: 0 },
        says: [/mt_rsdt_pos\.csv:3: passed over: .*Japan/],
      },
    ],
    [
      'a Japanese item outside Japan',
      {
        ...{ source: 'wikidata', bad: { 'a.json': itemAt(48.85, 2.35) }, says: [/a\.json:1: rejected: Q901: .*Japan/] },
      },
    ],
    [
      'an item with its axes swapped',
      {
        ...{ source: 'wikidata', bad: { 'a.json': itemAt(139.75, 35.71) }, whole: { 'a.json': wikidataFile() } },
        ...{ code: 0, says: [/a\.json:1: passed over: Q901: /] },
      },
    ],
    [
      'a response outside Japan',
      {
        ...{ source: 'nominatim', bad: { 'a.json': replyAt('48.85', '2.35') }, says: [/a\.json:1: rejected: .*Japan/] },
      },
    ],
    [
      'a response with its axes swapped',
      {
        ...{
          source: 'nominatim',
          bad: { 'a.json': replyAt(String(LON), String(LAT)) },
          says: [/a\.json:1: rejected: /],
        },
      },
    ],
  ])('%s is left out, and the rest is read', async (_, bad) => check(bad));
});

describe('implausible values', () => {
  const csv = (text: string, from: string, to: string) => ({ 'a.csv': text.replace(from, to) });

  it.each<[string, Bad]>([
    [
      'an OSM height',
      {
        ...{ source: 'osm', bad: { 'a.osm': osmFile({ 2: { height: '99999' } }) }, whole: { 'a.osm': osmFile() } },
        says: [/a\.osm:\d+: passed over: way\/2: heightM/],
      },
    ],
    [
      'OSM floors',
      {
        ...{ source: 'osm', says: [/a\.osm:\d+: passed over: way\/1: .*(floorsBelow|underground)/] },
        ...{
          bad: { 'a.osm': osmFile({ 1: { 'building:levels:underground': '1e9' } }) },
          whole: { 'a.osm': osmFile() },
        },
      },
    ],
    [
      'a PLATEAU height',
      {
        ...{ source: 'plateau', bad: tile({ ...GOOD_TILE, height: '1e30' }) },
        ...{ whole: tile({ ...GOOD_TILE, height: '-9999' }), says: [/a\.gml:\d+: passed over: good: heightM/] },
      },
    ],
    [
      'a PLATEAU year',
      {
        ...{ source: 'plateau', bad: tile({ ...GOOD_TILE, year: '2999' }), whole: tile(GOOD_TILE) },
        says: [/a\.gml:\d+: passed over: good: .*(yearBuilt|year)/],
      },
    ],
    [
      'a Wikidata height',
      {
        ...{
          source: 'wikidata',
          bad: { 'a.json': wikidataFile('+1000000') },
          says: [/a\.json:1: passed over: Q901: .*height/],
        },
        whole: {
          'a.json': JSON.stringify(JSON.parse(wikidataFile(), (key, value) => (key === 'P2048' ? undefined : value))),
        },
      },
    ],
    [
      'a Wikidata year',
      {
        ...{ source: 'wikidata', says: [/a\.json:1: passed over: Q901: /] },
        bad: { 'a.json': wikidataFile().replace('+1998-04-01', '+9998-04-01') },
        whole: {
          'a.json': JSON.stringify(JSON.parse(wikidataFile(), (key, value) => (key === 'P1619' ? undefined : value))),
        },
      },
    ],
    [
      'a year of completion',
      {
        ...{ source: 'greenarchive', bad: csv(GREENARCHIVE, '1999-03', '9999-99') },
        ...{ whole: csv(GREENARCHIVE, '1999-03', ''), says: [/a\.csv:2: passed over: A-1: .*完了年月/] },
      },
    ],
    [
      'a floor area',
      {
        ...{ source: 'greenbuilding', bad: csv(GREENBUILDING, '2643.02', '9e99') },
        ...{ whole: csv(GREENBUILDING, '2643.02', ''), says: [/a\.csv:4: passed over: 990001: /] },
      },
    ],
    [
      'a number of flats',
      {
        ...{ source: 'mankan', bad: csv(MANKAN, ',120', ',999999999999999999999') },
        ...{ whole: csv(MANKAN, ',120', ','), says: [/a\.csv:2: passed over: 99-1: /] },
      },
    ],
    [
      'a price',
      {
        ...{ source: 'jreit', bad: csv(JREIT, '"1,500"', '"99,999,999,999,999"') },
        ...{ whole: csv(JREIT, '"1,500"', ''), says: [/a\.csv:2: passed over: ABC投資法人\/O-1: /] },
      },
    ],
  ])('%s is left out with a note, and the record is read', async (_, bad) => check({ ...bad, code: 0 }));
});

describe('far too much of one thing', () => {
  const MILLION = 1_000_000;
  const numbers = Array.from({ length: MILLION }, (_, i) => i);

  it('in OSM: tags, names, an endless text', async () => {
    const manyTags = numbers.map((i) => `<tag k="k${i}" v="${i}"/>`).join('');
    const pbf = osmElements().map((element) =>
      element.type === 'way' && element.id === 2
        ? { ...element, tags: { ...Object.fromEntries(numbers.slice(0, MILLION / 5).map((i) => [`k${i}`, `${i}`])) } }
        : element,
    );
    const { kept, place } = await survives(
      'osm',
      {
        'a.osm': osmFile({ 2: { alt_name: numbers.join(';') } }).replace(
          '<tag k="building"',
          `${manyTags}<tag k="building"`,
        ),
        'b.pbf': writePbf(pbf),
        'c.json': overpassJson().replace('"tags": {', `"tags": {${numbers.map((i) => `"k${i}":"${i}",`).join('')}`),
        'd.osm': `<osm><way id="${'1'.repeat(34 << 20)}`,
      },
      [/c\.json: an element is longer than \d+ characters/, /d\.osm: line 1: a text or a tag is too long/],
    );
    expect(kept).toEqual(['osm:way/1', 'osm:way/2', 'osm:way/3']);
    // A hundred of a million names are read.
    expect((await place.state()).length).toBeLessThan(200_000);
  });

  it('in CityGML: attributes', async () => {
    const raw = numbers
      .slice(0, MILLION / 10)
      .map((i) => `<gen:stringAttribute name="k${i}"><gen:value>${i}</gen:value></gen:stringAttribute>`)
      .join('');
    const { kept } = await survives('plateau', { 'a.gml': cityGml([{ ...GOOD_TILE, raw }]) }, [], 0);
    expect(kept).toEqual(['plateau:good']);
  });

  it('in a table: cells', async () => {
    const long = `${MANKAN}${'x,'.repeat(MILLION)}\n`;
    const { kept } = await survives('mankan', { 'a.csv': long }, [/a\.csv:4: rejected: 1000001 cells/]);
    expect(kept).toEqual(['mankan:99-1', 'mankan:99-2']);
  });

  it('in an item: aliases', async () => {
    const long = JSON.parse(item('Q1'));
    long.aliases = {
      ja: numbers.slice(0, 400).map((i) => ({ language: 'ja', value: `別名${i}`.repeat(5_000) })),
    };
    const files = { 'a.json': dump(JSON.stringify(long), item('Q2')) };
    const { kept } = await survives('wikidata', files, [/a\.json:2: rejected: the line is longer than 16 MB/]);
    expect(kept).toEqual(['wikidata:Q2']);
  });
});

describe('what the operator sees', () => {
  const manyBad = osmXml(
    ...Array.from({ length: 2_000 }, (_, i) => wayXml(i + 10, [50, 51, 52], { building: 'yes' })),
    lonely(5),
  );

  it('is limited to the first hundred messages and how to see all', async () => {
    const place = freshPlace();
    const file = place.file('a.osm', manyBad);
    const { code, stdout, stderr } = await place.ingest('osm', file, ...RETRIEVED);
    const lines = stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(101);
    expect(lines.slice(0, 100).every((line) => /a\.osm:\d+: rejected: way\/\d+: \S/.test(line))).toBe(true);
    expect(lines[100]).toBe('further rejections are only counted; run again with --verbose to list them all');
    expect(code).toBe(1);
    expect(countsIn(stdout, file)).toMatchObject({ read: 2_001, new: 1, rejected: 2_000 });
    const all = await place.ingest('osm', file, ...RETRIEVED, '--verbose');
    expect(all.code).toBe(1);
    expect(all.stderr.match(/: rejected: way\//g)).toHaveLength(2_000);
  });

  it('never contains raw control characters of a source', async () => {
    const evil = '\x1b]0;owned\x07\x1b[31m\u202e';
    const xmlEvil = '\u009b31m\u202e';
    const files: [string, Files][] = [
      ['osm', osmWith(square(1, { name: xmlEvil, height: xmlEvil, 'addr:postcode': xmlEvil, wikidata: xmlEvil }))],
      ['osm', { 'a.json': overpassJson().replaceAll('双葉館', JSON.stringify(evil).slice(1, -1)) }],
      ['osm', { [`a${evil}.osm`]: `<osm${xmlEvil}>` }],
      ['plateau', badTile(bowTie, { id: xmlEvil, name: xmlEvil, usage: xmlEvil, year: xmlEvil })],
      ['abr', { 'a.csv': `${evil},b\n1,2\n` }],
      ['wikidata', { 'a.json': wikidataFile(evil) }],
      ['nominatim', { 'a.json': JSON.stringify({ ...JSON.parse(NOMINATIM), osm_type: evil, error: evil, lat: evil }) }],
      ['mankan', { 'a.csv': `${MANKAN}${evil},${evil},${evil},${evil},${evil}\n` }],
      ['mankan', { 'a.csv': `認定コード,マンション名,所在地,認定日,${evil}\n` }],
      ['greenarchive', { 'a.csv': GREENARCHIVE.replace('1999-03', evil).replace('A-2', evil) }],
      ['jreit', { 'a.csv': JREIT.replace('"1,500"', evil).replace('若葉タワー', evil) }],
      ['edinet', { 'S100ABCD.zip': await zipped(FILING.replaceAll('青葉ビル', evil).replace('1,234', evil)) }],
    ];
    const place = freshPlace();
    for (const [i, [source, bad]] of files.entries()) {
      const ended = await place.ingest(source, place.write(`in${i}`, bad), ...RETRIEVED);
      expect([source, i, `${ended.stdout}${ended.stderr}`]).toEqual([source, i, expect.not.stringMatching(RAW)]);
    }
    for (const command of ['unmatched', 'status']) expectPlain(await place.run(command));
  });
});
