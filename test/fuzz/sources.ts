import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
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
import type { Random } from '../support/random.ts';
import * as small from '../support/small-sources.ts';
import { fileOf, READING, readAll } from '../support/source-files.ts';
import { cityGml, codeList } from '../support/write-citygml.ts';
import { lz4Packing, type PbfElement, writePbf } from '../support/write-pbf.ts';
import { mutate, mutateJson } from './mutate.ts';
import { fault, show, type Target } from './target.ts';

/** What a case gives to an adapter. */
interface Format {
  source: IngestSource;
  tokens: readonly string[];
  /** Files of which one is changed. */
  files: small.Files;
  /** Packs the changed bytes of a file, where the format is a packed one. */
  pack?: (name: string, bytes: Buffer) => Promise<[name: string, bytes: Buffer]>;
  isJson?: boolean;
}

const XML = [
  '<',
  '/>',
  '</',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<!DOCTYPE x [<!ENTITY a "b">]>',
  '&a;',
  '&#0;',
  '&#x110000;',
  '&lt;',
];
const OSM = [
  ...XML,
  '<nd ref="1"/>',
  '<tag k="name" v="',
  'building',
  'lat="91"',
  'type="relation"',
  'height',
  'building:levels',
  '10 ft',
];
const GML = [
  ...XML,
  'gml:posList',
  'bldg:Building',
  '35.7 139.7 0',
  'xlink:href="#a"',
  'srsName="EPSG:0"',
  'uro:buildingID',
];
const CSV = [
  '"',
  '""',
  '","',
  ',',
  '\n',
  '\r',
  '令和元年',
  '昭和99年13月',
  '1,234',
  '▲1',
  '△',
  '-',
  '㎡',
  '（注1）',
  '=1+1',
  '1/0',
];
const JSON_TOKENS = [
  '"',
  '\\u0000',
  '\\ud800',
  '[',
  ']',
  '{',
  '}',
  ',',
  ':',
  '"type"',
  '"nodes"',
  '"claims"',
  '"coordinates"',
  'Q901',
  'P31',
];
const XBRL = [
  ...XML,
  '<td rowspan="9999" colspan="9999">',
  '<tr>',
  '</table>',
  'ix:nonNumeric',
  'contextRef',
  '取得価格',
  '百万円',
  '千円',
];
const BINARY = ['\0\0\0\0', '\xff\xff\xff\xff', '\x7f', '\x80\x80\x80\x80\x80\x01', 'OSMData', 'OSMHeader'];

const usages = { 'codelists/Building_usage.xml': codeList('Building_usage', { 401: '業務施設', 411: '住宅' }) };
const DRAWN: PbfElement[] = [
  { type: 'node', id: 1, lon: 139.75, lat: 35.7, tags: { shop: 'books', name: '青葉書店' } },
  {
    ...{ type: 'way', id: 1, refs: [1, 2, 3, 4, 1], tags: { building: 'yes', name: '青葉ビル' } },
    places: squareAt(139.75, 35.7, 0.001),
  },
];
const municipalities = () =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: ['27127', '27127', '27106', null].map((N03_007) => ({
      ...{ type: 'Feature', properties: { N03_003: '大阪市', N03_004: '北区', N03_007 } },
      geometry: { type: 'Polygon', coordinates: [squareAt(135.5, 34.7)] },
    })),
  });
const sampleFile = (path: string) => readFileSync(new URL(`../../sample/${path}`, import.meta.url));
const filing = `S100ABCD/XBRL/PublicDoc/0101010_honbun_${FORM}`;

/** Every source format, small enough that a case takes about a millisecond. */
export async function formats(): Promise<Record<string, Format>> {
  const wikidata = small.wikidataFile();
  const dump = `[\n${JSON.stringify(JSON.parse(wikidata).entities.Q901)},\n]\n`;
  return {
    'osm-xml': { source: 'osm', tokens: OSM, files: { 'a.osm': small.osmFile() } },
    'osm-bz2': { source: 'osm', tokens: BINARY, files: { 'a.osm.bz2': OSM_BZ2 } },
    'osm-pbf': { source: 'osm', tokens: BINARY, files: { 'a.osm.pbf': small.osmPbf() } },
    'osm-pbf-lz4': { source: 'osm', tokens: BINARY, files: { 'a.osm.pbf': writePbf(DRAWN, 2, lz4Packing) } },
    'osm-overpass': { source: 'osm', tokens: JSON_TOKENS, files: { 'a.json': small.overpassJson() }, isJson: true },
    citygml: { source: 'plateau', tokens: GML, files: { 'udx/bldg/a.gml': cityGml(small.CITY), ...usages } },
    abr: { source: 'abr', tokens: CSV, files: small.ABR },
    'abr-blocks': {
      source: 'abr',
      tokens: CSV,
      files: {
        ...small.ABR,
        'blk.csv': tableOf('block', [RESIDENCE]),
        'blk_pos.csv': tableOf('blockPos', [{ ...RESIDENCE, ...AT }]),
      },
    },
    'estat-shape': { source: 'estat', tokens: BINARY, files: small.ESTAT },
    'estat-geojson': { source: 'estat', tokens: JSON_TOKENS, files: { 'N03.geojson': municipalities() }, isJson: true },
    wikidata: { source: 'wikidata', tokens: JSON_TOKENS, files: { 'a.json': wikidata }, isJson: true },
    'wikidata-dump': { source: 'wikidata', tokens: JSON_TOKENS, files: { 'a.ndjson': dump } },
    'wikidata-gz': {
      ...{ source: 'wikidata', tokens: JSON_TOKENS, files: { 'a.json': dump } },
      pack: async (name, bytes) => [`${name}.gz`, gzipSync(bytes)],
    },
    nominatim: { source: 'nominatim', tokens: JSON_TOKENS, files: { 'a.json': small.NOMINATIM }, isJson: true },
    'edinet-xbrl': { source: 'edinet', tokens: XBRL, files: { [filing]: small.FILING } },
    'edinet-zip': {
      ...{ source: 'edinet', tokens: XBRL, files: { 'XBRL/PublicDoc/a.htm': small.FILING } },
      pack: async (_, bytes) => ['S100ABCD.zip', await zipOf({ [`XBRL/PublicDoc/0101010_honbun_${FORM}`]: bytes })],
    },
    'jreit-csv': { source: 'jreit', tokens: CSV, files: { 'a.csv': small.JREIT } },
    'jreit-sample': { source: 'jreit', tokens: CSV, files: { 'a.csv': sampleFile('jreit/properties.csv') } },
    'jreit-xlsx': { source: 'jreit', tokens: BINARY, files: { 'a.xlsx': await small.xlsx() } },
    greenarchive: { source: 'greenarchive', tokens: CSV, files: { 'a.csv': small.GREENARCHIVE } },
    greenbuilding: { source: 'greenbuilding', tokens: CSV, files: { 'a.csv': small.GREENBUILDING } },
    mankan: { source: 'mankan', tokens: CSV, files: { 'a.csv': small.MANKAN } },
    zip: {
      ...{ source: 'osm', tokens: BINARY },
      files: {
        'a.zip': await zipOf({ 'x/a.osm': small.osmFile(), 'x/b.json': small.overpassJson(), 'x/c.txt': 'zz' }),
      },
    },
  };
}

const READ = { ...READING, url: 'https://abc.example/list' };

/** FUZ-05: files of every source, from their bytes to records. */
export const sources: Target = {
  name: 'sources',
  atOnce: 1,
  async open() {
    const all = Object.entries(await formats());
    const dir = mkdtempSync(join(tmpdir(), 'tatemono-fuzz-'));
    return {
      async run(random) {
        const [name, format] = random.pick(all);
        const given = await changedFiles(format, random, random.pick(all)[1]);
        const items = await read(format.source, given, random, dir);
        try {
          expectSound(items, [...given.keys()]);
        } catch (error) {
          fault(`${name}: ${(error as Error).message}: ${show([...given.values()].join('\n'))}`);
        }
      },
      close: async () => rmSync(dir, { recursive: true, force: true }),
    };
  },
};

async function changedFiles(format: Format, random: Random, other: Format): Promise<Map<string, Buffer>> {
  const { files, tokens, isJson, pack } = format;
  const names = Object.keys(files);
  const changed = random.pick(names);
  const given = new Map<string, Buffer>();
  for (const name of names) {
    const whole = Buffer.from(files[name] as Buffer);
    if (name !== changed) {
      given.set(name, whole);
      continue;
    }
    const donor = Buffer.from(Object.values(other.files)[0] as Buffer);
    const bytes =
      isJson === true && random.chance(0.6)
        ? Buffer.from(mutateJson(JSON.parse(whole.toString()), random, tokens))
        : mutate(whole, random, tokens, random.chance(0.2) ? donor : whole);
    given.set(...(pack === undefined ? ([name, bytes] as [string, Buffer]) : await pack(name, bytes)));
  }
  return given;
}

async function read(
  source: IngestSource,
  given: ReadonlyMap<string, Buffer>,
  random: Random,
  dir: string,
): Promise<Item[]> {
  const adapter = adapterOf(source);
  const [[first, bytes] = ['', Buffer.alloc(0)]] = given;
  if (!first.endsWith('.zip')) {
    return readAll(
      adapter,
      [...given].map(([name, content]) => fileOf(name, content, 1 + random.below(3_000))),
      READ,
    );
  }
  const path = join(dir, first);
  writeFileSync(path, bytes);
  const opened = await openFiles(
    [{ root: path, name: first, path, ...(await digestOf(Readable.from([bytes]))) }],
    adapter,
  );
  try {
    return await readAll(adapter, opened.files, READ);
  } finally {
    opened.close();
  }
}

const expectTrue = (is: boolean, what: string) => void (is || fault(what));

/** What the later stages rely on. */
function expectSound(items: readonly Item[], names: readonly string[]): void {
  for (const item of items) {
    const file = 'at' in item ? item.at.file : item.file;
    expectTrue(
      names.some((name) => name.startsWith(file) || file.includes(name)),
      `an item of another file, ${file}`,
    );
    if ('at' in item) expectTrue(Number.isSafeInteger(item.at.line) && item.at.line > 0, `line ${item.at.line}`);
    if ('reason' in item)
      expectTrue(item.reason.length > 0 && item.reason.length < 2_000, `reason ${show(item.reason)}`);
    if (item.kind === 'record') {
      const { geometry, observations } = item.record;
      if (geometry !== null)
        expectTrue(faultInGeometry(geometry) === undefined, `geometry: ${faultInGeometry(geometry)}`);
      for (const { field, value } of observations)
        expectTrue(faultInValue(field, value) === undefined, `${field}: ${faultInValue(field, value)}`);
    }
    if (item.kind === 'area') {
      const { code, nameJa, nameEn, slug, fallbackSlug, point } = item.area;
      for (const text of [code, nameJa, nameEn ?? 'x', slug, fallbackSlug])
        expectTrue(faultInText(text) === undefined, `area: ${faultInText(text)}`);
      for (const text of [slug, fallbackSlug]) expectTrue(/^[a-z0-9]+(-[a-z0-9]+)*$/.test(text), `slug ${show(text)}`);
      if (point !== null)
        expectTrue(faultInGeometry({ type: 'Point', coordinates: point }) === undefined, 'the point of an area');
    }
    if (item.kind === 'boundary') {
      expectTrue(faultInText(item.boundary.nameJa) === undefined, 'the name of a boundary');
      expectTrue(/^\d{5}$/.test(item.boundary.ward), 'the ward of a boundary');
      expectTrue(faultInGeometry(item.boundary.boundary) === undefined, 'a boundary');
    }
  }
}
