import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { digestOf } from '../../src/files/verified-file.ts';
import { adapterOf, type IngestSource } from '../../src/pipeline/adapters.ts';
import { openFiles } from '../../src/pipeline/open-files.ts';
import type { Item } from '../../src/sources/adapter.ts';
import { faultInText, faultInValue } from '../../src/vocabulary/fields.ts';
import { faultInGeometry } from '../../src/vocabulary/geometry.ts';
import { AT, RESIDENCE, tableOf } from '../sources/abr/tables.ts';
import { FORM } from '../sources/edinet/filing.ts';
import { squareAt } from '../sources/estat/shapefiles.ts';
import { zipOf } from '../sources/jreit/workbook.ts';
import { OSM_BZ2 } from '../support/bzip2.ts';
import { Random } from '../support/random.ts';
import {
  ABR,
  CITY,
  ESTAT,
  FILING,
  type Files,
  GREENARCHIVE,
  GREENBUILDING,
  JREIT,
  MANKAN,
  NOMINATIM,
  osmFile,
  osmPbf,
  overpassJson,
  wikidataFile,
  xlsx,
} from '../support/small-sources.ts';
import { fileOf, READING, readAll } from '../support/source-files.ts';
import { randomRuns } from '../support/test-length.ts';
import { cityGml, codeList } from '../support/write-citygml.ts';
import { lz4Packing, type PbfElement, writePbf } from '../support/write-pbf.ts';

const dir = mkdtempSync(join(tmpdir(), 'tatemono-fuzz-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const RUNS = randomRuns(200);
const READ = { ...READING, url: 'https://abc.example/list' };

/** One to four of: a flipped bit, another byte, a cut, a repeated piece, a missing piece, a missing end. */
function mangle(content: Buffer, random: Random): Buffer {
  let bytes = Buffer.from(content);
  for (let i = 1 + random.below(4); i > 0 && bytes.length > 0; i--) {
    const at = random.below(bytes.length);
    const end = Math.min(bytes.length, at + 1 + random.below(40));
    switch (random.below(6)) {
      case 0:
        bytes[at] = (bytes[at] as number) ^ (1 << random.below(8));
        break;
      case 1:
        bytes[at] = random.pick([0, 0x0a, 0x22, 0x26, 0x2c, 0x3c, 0x3e, 0x5b, 0x7b, 0x80, 0xff, random.below(256)]);
        break;
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, end), bytes.subarray(at, end), bytes.subarray(end)]);
        break;
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]);
        break;
      case 4:
        bytes = Buffer.concat([bytes, bytes.subarray(at)]);
        break;
      default:
        if (random.chance(0.4)) bytes = bytes.subarray(0, at);
    }
  }
  return bytes;
}

/** What the later stages rely on. */
function expectSound(items: readonly Item[], files: readonly string[]): void {
  for (const item of items) {
    const file = 'at' in item ? item.at.file : item.file;
    expect(files.some((name) => name.startsWith(file))).toBe(true);
    if ('at' in item) expect(Number.isSafeInteger(item.at.line) && item.at.line > 0).toBe(true);
    if ('reason' in item) expect(item.reason.length > 0 && item.reason.length < 2_000).toBe(true);
    if (item.kind === 'record') {
      const { geometry, observations } = item.record;
      if (geometry !== null) expect(faultInGeometry(geometry)).toBeUndefined();
      for (const { field, value } of observations)
        expect([field, faultInValue(field, value)]).toEqual([field, undefined]);
    }
    if (item.kind === 'area') {
      const { code, nameJa, nameEn, slug, fallbackSlug, point } = item.area;
      for (const text of [code, nameJa, nameEn ?? 'x', slug, fallbackSlug]) expect(faultInText(text)).toBeUndefined();
      for (const text of [slug, fallbackSlug]) expect(text).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      if (point !== null) expect(faultInGeometry({ type: 'Point', coordinates: point })).toBeUndefined();
    }
    if (item.kind === 'boundary') {
      expect(faultInText(item.boundary.nameJa)).toBeUndefined();
      expect(item.boundary.ward).toMatch(/^\d{5}$/);
      expect(faultInGeometry(item.boundary.boundary)).toBeUndefined();
    }
  }
}

async function fuzz(source: IngestSource, files: Files, seed: number): Promise<void> {
  const random = new Random(seed);
  const names = Object.keys(files);
  for (let run = 0; run < RUNS; run++) {
    const broken = random.pick(names);
    const given = names.map((name) => {
      const content = Buffer.from(files[name] as Buffer);
      return fileOf(name, name === broken ? mangle(content, random) : content, 1 + random.below(3_000));
    });
    let items: Item[] = [];
    try {
      items = await readAll(adapterOf(source), given, READ);
    } catch (error) {
      throw new Error(`run ${run} of ${source}, ${broken}`, { cause: error });
    }
    expectSound(items, names);
  }
}

const blockPositions = () => tableOf('blockPos', [{ ...RESIDENCE, ...AT }]);
const prettyItem = () => JSON.stringify(JSON.parse(wikidataFile()).entities.Q901, null, 2);
const wikidataDump = () => `[\n${JSON.stringify(JSON.parse(wikidataFile()).entities.Q901)},\n]\n`;
const square = { type: 'Polygon', coordinates: [squareAt(135.5, 34.7)] };
const municipalities = () =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: ['27127', '27127', '27106', null].map((N03_007) => ({
      ...{ type: 'Feature', properties: { N03_003: '大阪市', N03_004: '北区', N03_007 } },
      geometry: square,
    })),
  });
const DRAWN: PbfElement[] = [
  { type: 'node', id: 1, lon: 139.75, lat: 35.7, tags: { shop: 'books', name: '青葉書店' } },
  {
    ...{ type: 'way', id: 1, refs: [1, 2, 3, 4, 1], tags: { building: 'yes', name: '青葉ビル' } },
    places: squareAt(139.75, 35.7, 0.001),
  },
];
const usages = { 'codelists/Building_usage.xml': codeList('Building_usage', { 401: '業務施設', 411: '住宅' }) };

describe('files with random faults', { timeout: 60_000 }, () => {
  it.each<[string, IngestSource, () => Files | Promise<Files>]>([
    ['OSM XML', 'osm', () => ({ 'a.osm': osmFile() })],
    ['PBF', 'osm', () => ({ 'a.osm.pbf': osmPbf() })],
    ['PBF with LZ4', 'osm', () => ({ 'a.osm.pbf': writePbf(DRAWN, 2, lz4Packing) })],
    ['Overpass JSON', 'osm', () => ({ 'a.json': overpassJson() })],
    ['CityGML and its code lists', 'plateau', () => ({ 'udx/bldg/a.gml': cityGml(CITY), ...usages })],
    ['the address registry', 'abr', () => ABR],
    [
      'block tables',
      'abr',
      () => ({ ...ABR, 'blk.csv': tableOf('block', [RESIDENCE]), 'blk_pos.csv': blockPositions() }),
    ],
    ['a shapefile', 'estat', () => ESTAT],
    ['boundaries of municipalities', 'estat', () => ({ 'N03.geojson': municipalities() })],
    ['a document of Wikidata', 'wikidata', () => ({ 'a.json': wikidataFile() })],
    ['a dump of Wikidata', 'wikidata', () => ({ 'a.ndjson': wikidataDump() })],
    ['a pretty-printed item', 'wikidata', () => ({ 'a.json': prettyItem() })],
    ['a packed dump', 'wikidata', () => ({ 'a.json.gz': gzipSync(wikidataDump()) })],
    ['OSM XML in bzip2', 'osm', () => ({ 'a.osm.bz2': OSM_BZ2 })],
    ['a reply of Nominatim', 'nominatim', () => ({ 'a.json': NOMINATIM })],
    ['a filing', 'edinet', () => ({ [`S100ABCD/XBRL/PublicDoc/0101010_honbun_${FORM}`]: FILING })],
    ['a table of properties', 'jreit', () => ({ 'a.csv': JREIT })],
    ['a workbook', 'jreit', async () => ({ 'a.xlsx': await xlsx() })],
    ['greenarchive', 'greenarchive', () => ({ 'a.csv': GREENARCHIVE })],
    ['greenbuilding', 'greenbuilding', () => ({ 'a.csv': GREENBUILDING })],
    ['mankan', 'mankan', () => ({ 'a.csv': MANKAN })],
  ])('%s', async (name, source, files) => fuzz(source, await files(), name.length * 7_919));

  it('a zip of source files', async () => {
    const random = new Random(4_711);
    const whole = await zipOf({ 'x/a.osm': osmFile(), 'x/b.json': overpassJson(), 'x/c.txt': 'zz' });
    for (let run = 0; run < RUNS; run++) {
      const path = join(dir, 'a.zip');
      const bytes = mangle(whole, random);
      writeFileSync(path, bytes);
      const archived = { root: path, name: 'a.zip', path, ...(await digestOf(Readable.from([bytes]))) };
      const opened = await openFiles([archived], adapterOf('osm'));
      expectSound(await readAll(adapterOf('osm'), opened.files, READ), [
        'a.zip',
        ...opened.files.map(({ name }) => name),
      ]);
      opened.close();
    }
  });
});
