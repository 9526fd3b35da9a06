import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { type Audit, type Audited, audit } from '../../src/audit/audit.ts';
import type { SampleRequest } from '../../src/audit/draw-values.ts';
import { placeOf } from '../../src/observations/archive.ts';
import { silent } from '../../src/pipeline/context.ts';
import { block, FORM, honbun, table } from '../sources/edinet/filing.ts';
import { zipOf } from '../sources/jreit/workbook.ts';
import { onBothEngines } from '../support/engines.ts';
import { IngestPlace } from '../support/ingest-place.ts';
import { nodeXml, osmXml, squareXml } from '../support/osm-xml.ts';
import { AREAS, id, record, square } from '../support/records.ts';
import {
  ABR,
  CITY,
  FILING,
  type Files,
  JREIT,
  LAT,
  LON,
  NOMINATIM,
  osmFile,
  osmPbf,
  overpassJson,
  smallSources,
  wikidataFile,
  xlsx,
} from '../support/small-sources.ts';
import { cityGml, codeList } from '../support/write-citygml.ts';

const places: IngestPlace[] = [];
const freshPlace = (url?: string) => {
  const place = new IngestPlace(url);
  places.push(place);
  return place;
};
afterAll(() => {
  for (const place of places) place.remove();
});

function auditOf(place: IngestPlace, drawing: Partial<SampleRequest> = {}): Promise<Audit> {
  const { url: databaseUrl, env } = place;
  const context = { databaseUrl, archiveDir: env.ARCHIVE_DIR as string, now: () => '', report: silent };
  return place.read((storage) => audit({ storage, ...context }, { count: 10_000, seed: 'test', ...drawing }));
}

/** Ingests files of a source into a registry that has areas and buildings. */
async function ingested(files: Partial<Record<string, Files>>, place = freshPlace()): Promise<IngestPlace> {
  for (const [source, some] of Object.entries(files)) {
    await place.ingest(source, place.write(source, some as Files), '--url', 'https://list.example/');
  }
  return place;
}

const textOf = ({ pieces }: Audited) => pieces.map(({ bytes }) => bytes.toString('utf8')).join('\n');
const find = ({ audited }: Audit, kind: string, source: string) =>
  audited.find(({ value }) => value.kind === kind && value.provenance.source === source) as Audited;

onBothEngines('an audit of every source', (fresh) => {
  it('AUD-02, AUD-03 shows each value with its raw record and the rule that made it win', async () => {
    const place = freshPlace((await fresh()).url);
    const sources = await smallSources();
    for (const [source, { files }] of Object.entries(sources)) await place.ingest(source, place.write(source, files));
    const result = await auditOf(place);

    expect(result.audited.length).toBeGreaterThan(30);
    for (const { value, reason, fault, pieces } of result.audited) {
      expect([value.kind, fault, reason.ok]).toEqual([value.kind, undefined, true]);
      if (value.provenance.source !== 'dnk') expect(pieces.length).toBeGreaterThan(0);
      expect(reason.text).toMatch(/\b(?:CON|REC)-\d{2}|venue/);
    }
    const shown = (kind: string, source: string) => textOf(find(result, kind, source));
    expect(shown('heightM', 'plateau')).toContain('<bldg:measuredHeight uom="m">48.5</bldg:measuredHeight>');
    expect(find(result, 'heightM', 'plateau').reason.text).toBe('plateau precedes wikidata, osm (CON-05, CON-16)');
    expect(find(result, 'heightM', 'plateau').value.alternatives.map(({ text }) => text)).toEqual(['49.5 m', '50 m']);
    expect(shown('venues', 'osm')).toContain('喫茶あおば');
    expect(shown('nameEn', 'wikidata')).toContain('"Aoba Building"');
    expect(shown('addressJa', 'jreit')).toContain('ＡＢＣ投資法人,O-1,若葉タワー');
    expect(shown('addressJa', 'jreit')).toContain('投資法人,物件番号,物件名称');
    expect(shown('acquisitionPriceJpy', 'edinet')).toContain('1,234');
    expect(shown('developer', 'greenbuilding')).toContain('990001,文京区,若葉タワー');
    expect(shown('managementPlanCertifiedOn', 'mankan')).toContain('99-1,若葉タワー');
    const computed = result.audited.find(({ value }) => value.kind === 'gfaM2' && value.provenance.source === 'dnk');
    expect(computed?.inputs.map(({ value }) => value.kind)).toEqual(['footprintM2', 'floorsAbove']);
    for (const input of computed?.inputs ?? []) expect(input.pieces.length).toBeGreaterThan(0);
  });

  it('AUD-01 draws the same values for the same seed, and others for another seed', async () => {
    const place = await ingested({ abr: ABR, osm: { 'a.osm': osmFile() } }, freshPlace((await fresh()).url));
    const draw = async (seed: string) =>
      (await auditOf(place, { count: 8, seed })).audited.map(({ value }) => [value.building, value.kind, value.text]);
    expect(await draw('a')).toEqual(await draw('a'));
    expect(await draw('a')).not.toEqual(await draw('b'));
    const only = await auditOf(place, { source: 'osm', field: 'nameJa', area: '13105' });
    expect(only.audited.map(({ value }) => value.text).sort()).toEqual(['双葉館', '若葉タワー', '青葉ビル'].sort());
    expect((await auditOf(place, { area: '27' })).audited).toEqual([]);
  });
});

describe('the raw record', () => {
  it.each<[string, () => Promise<Partial<Record<string, Files>>>, string, string, RegExp]>([
    ['OSM XML with gzip', async () => ({ osm: { 'a.osm.gz': gzipSync(osmFile()) } }), 'heightM', 'osm', /v="50"/],
    [
      'Overpass JSON',
      async () => ({ osm: { 'a.json': overpassJson() } }),
      'nameJa',
      'osm',
      /"type": "way"[\s\S]*"id": \d/,
    ],
    ['OSM PBF', async () => ({ osm: { 'a.osm.pbf': osmPbf() } }), 'nameJa', 'osm', /<tag k="building" v="office"\/>/],
    [
      'OSM PBF, the outline',
      async () => ({ osm: { 'a.osm.pbf': osmPbf() } }),
      'footprint',
      'osm',
      /<way id[\s\S]*<node id="\d+" lat="35\.715\d*" lon="139\.75/,
    ],
    [
      'a CityGML tile in a zip in a zip, with its code list',
      async () => {
        const city = {
          'udx/bldg/1.gml': cityGml(CITY),
          'codelists/Building_usage.xml': codeList('usage', { 401: '業務施設' }),
        };
        return { plateau: { 'all.zip': await zipOf({ 'city.zip': await zipOf(city) }) } };
      },
      'assetTypes',
      'plateau',
      /usage[^>]*>401<[\s\S]*業務施設/,
    ],
    [
      'a CityGML tile with gzip',
      async () => ({ plateau: { '1.gml.gz': gzipSync(cityGml(CITY)) } }),
      'yearBuilt',
      'plateau',
      />1999</,
    ],
    [
      'lines of a Wikidata dump with gzip',
      async () => {
        const [entity] = Object.values((JSON.parse(wikidataFile()) as { entities: object }).entities);
        return {
          osm: { 'a.osm': osmFile() },
          wikidata: { 'd.ndjson.gz': gzipSync(`[\n{"id":"P1"},\n${JSON.stringify(entity)}\n]\n`) },
        };
      },
      'nameEn',
      'wikidata',
      /^\{.*"Aoba Building"/,
    ],
    [
      'a list of replies of Nominatim',
      async () => ({ osm: { 'a.osm': osmFile() }, nominatim: { 'r.json': `[\n${NOMINATIM}\n]` } }),
      'postcode',
      'nominatim',
      /"postcode":"112-0001"/,
    ],
    [
      'a workbook',
      async () => ({ osm: { 'a.osm': osmFile() }, jreit: { 'a.xlsx': await xlsx() } }),
      'acquisitionPriceJpy',
      'jreit',
      /<row r="3"[\s\S]*双葉館[\s\S]*1000000000/,
    ],
  ])('AUD-02 is found in %s', async (_, files, kind, source, expected) => {
    const place = await ingested({ abr: ABR, ...(await files()) });
    const found = await auditOf(place, { field: kind as never, source: source as never });
    expect(found.audited.map(({ fault, reason }) => fault ?? reason.ok)).toContain(true);
    expect(found.audited.map(textOf).join('\n')).toMatch(expected);
  });

  it('AUD-02 is the row of a table by its line, even after rows of several lines', async () => {
    const [header, first, second] = JREIT.split('\n') as [string, string, string];
    const rows = [header, second.replace('離島ビル', '"離島\r\nビル"'), first, ''].join('\r\n');
    const place = await ingested({ abr: ABR, osm: { 'a.osm': osmFile() }, jreit: { 'l.csv': rows } });
    const { audited } = await auditOf(place, { source: 'jreit', field: 'acquisitionPriceJpy' });
    expect(audited.map(({ pieces }) => pieces[0]?.at)).toEqual([
      `line 4, byte ${Buffer.byteLength(rows.split(first)[0] as string)}`,
    ]);
    expect(audited.map((each) => textOf(each))).toEqual([`${first}\n${header}`]);
  });

  it('AUD-02 is the line of a records file', async () => {
    const place = freshPlace();
    const said = record(
      'osm',
      'way/7',
      { nameJa: '見本館', heightM: 12 },
      { building: id(1), area: '131010001001', geometry: square([139.7, 35.6]) },
    );
    const lines = [...AREAS, said].map((line) => JSON.stringify(line));
    await place.ingest('records', place.file('a.ndjson', `${lines.join('\n')}\n`));
    const { audited } = await auditOf(place);
    expect(audited.map(({ value }) => value.kind).sort()).toEqual(['assetTypes', 'footprint', 'heightM', 'nameJa']);
    for (const each of audited.filter(({ value }) => value.provenance.source === 'osm')) {
      expect(each.pieces.map(({ at }) => at)).toEqual([
        expect.stringMatching(new RegExp(`^line ${lines.length}, byte \\d+$`)),
      ]);
      expect(textOf(each)).toBe(lines.at(-1));
    }
  });

  it('AUD-02 is every row of a filing that names the property, with the header of its table', async () => {
    const body = (text: string) => honbun(block(text));
    const filing = await zipOf({
      [`XBRL/PublicDoc/0101010_honbun_${FORM}`]: FILING,
      [`XBRL/PublicDoc/0102010_honbun_${FORM}`]: body(
        table(['物件番号', '物件名称', '鑑定評価額（百万円）'], ['O-1', '青葉ビル', '2,345'], ['O-2', '遠方ビル', '9']),
      ),
    });
    const place = await ingested({ abr: ABR, osm: { 'a.osm': osmFile() }, edinet: { 'S100ABCD.zip': filing } });
    const { audited } = await auditOf(place, { source: 'edinet', field: 'appraisalValueJpy' });
    expect(audited.map(({ value }) => value.text)).toEqual(['2345000000 JPY']);
    const shown = audited.map(textOf).join('');
    expect(shown).toMatch(/取得価格（百万円）[\s\S]*鑑定評価額（百万円）/);
    expect(shown).toContain('2,345');
    expect(shown).not.toContain('遠方ビル');
  });

  it('AUD-02 is shown with the building part that has its height', async () => {
    const [west, south] = [LON, LAT];
    const outline = squareXml({ way: 1, west, south, size: 0.0002, tags: { building: 'yes' } });
    const part = (way: number, by: number, height: string) =>
      squareXml({
        way,
        west: west + by,
        south: south + 0.00005,
        size: 0.00005,
        tags: { 'building:part': 'yes', height },
      });
    const place = await ingested({
      abr: ABR,
      osm: { 'a.osm': osmXml(outline, part(2, 0.00002, '31.5 m'), part(3, 0.0001, '12'), part(4, 0.001, '31.5')) },
    });
    const { audited } = await auditOf(place, { field: 'heightM' });
    expect(audited.map(({ value, pieces }) => [value.text, pieces.map(({ what }) => what)])).toEqual([
      ['31.5 m', ['way/1', 'way/2']],
    ]);
  });

  it('AUD-02 is every element with the ID of the building', async () => {
    const [first, second] = CITY as [(typeof CITY)[0], (typeof CITY)[0]];
    const tile = cityGml([first, { ...second, id: '13105-bldg-1', gmlId: 'bldg_9' }]);
    const place = await ingested({ abr: ABR, plateau: { '1.gml': tile } });
    const { audited } = await auditOf(place, { field: 'heightM' });
    expect(audited.map(({ value, pieces }) => [value.text, pieces.length])).toEqual([['48.5 m', 2]]);
  });

  it('AUD-02 is not found in a comment', async () => {
    const osm = osmFile().replace('<osm', '<!-- <way id="1"><tag k="height" v="7"/></way> --><osm');
    const place = await ingested({ abr: ABR, osm: { 'a.osm': osm } });
    const { audited } = await auditOf(place, { field: 'heightM' });
    expect(audited.map(({ pieces }) => pieces.map(({ bytes }) => /v="50"/.test(bytes.toString())))).toEqual([[true]]);
  });
});

describe('the command', () => {
  it('AUD-04 reports for each value that its file is missing or damaged, and exits with 1', async () => {
    const place = await ingested({ abr: ABR, osm: { 'a.osm': osmFile() }, plateau: { '1.gml': cityGml(CITY) } });
    const { audited } = await auditOf(place);
    const fileOf = (source: string) => {
      const origin = audited.find(({ value }) => value.provenance.source === source)?.origin;
      return placeOf(place.env.ARCHIVE_DIR as string, origin?.sha256 ?? '');
    };
    expect((await place.run('audit', '5')).code).toBe(0);
    rmSync(fileOf('osm'));
    const tile = readFileSync(fileOf('plateau'));
    tile[100] = (tile[100] ?? 0) ^ 1;
    writeFileSync(fileOf('plateau'), tile);
    const after = await auditOf(place);
    const faults = (source: string) =>
      new Set(after.audited.filter(({ value }) => value.provenance.source === source).map(({ fault }) => fault));
    expect(faults('osm')).toEqual(new Set(['the file is missing in the archive']));
    expect(faults('plateau')).toEqual(new Set(['the file in the archive is damaged: its bytes do not match its name']));
    const { code, stdout, stderr } = await place.run('audit', '1000');
    expect(code).toBe(1);
    expect(stdout).toContain('fault  the file is missing in the archive');
    expect(stderr).toMatch(/could not be checked/);
  });

  it('AUD-04 reports an archive entry that is not a regular file, without waiting for it', async () => {
    const place = await ingested({ abr: ABR, osm: { 'a.osm': osmFile() } });
    const [first] = (await auditOf(place, { source: 'osm' })).audited;
    const path = placeOf(place.env.ARCHIVE_DIR as string, first?.origin?.sha256 ?? '');
    rmSync(path);
    execFileSync('mkfifo', [path]);
    const { audited } = await auditOf(place, { source: 'osm' });
    expect(new Set(audited.map(({ fault }) => fault))).toEqual(
      new Set(['the file in the archive is damaged: it is not a regular file']),
    );
  });

  it('AUD-05 refuses an unwritable page before drawing values', async () => {
    const place = freshPlace();
    const missing = join(place.dir, 'none');
    for (const [path, says] of [
      [join(missing, 'a.html'), `The folder ${missing} does not exist; create it first.`],
      [join(place.file('a.txt', ''), 'a.html'), 'does not exist; create it first.'],
      [place.dir, 'This is a folder; name a file in it.'],
    ] as const) {
      const { code, stdout, stderr } = await place.run('audit', '5', '--html', path);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(says);
      expect(stderr).not.toContain('ENO');
    }
  });

  it('AUD-05 gives the time of retrieval of every record, even of those only consulted', async () => {
    const osm = osmXml(squareXml({ way: 1, west: LON, south: LAT, size: 0.0002, tags: { building: 'yes' } }));
    const place = await ingested({ abr: ABR, osm: { 'a.osm': osm } });
    const page = join(place.dir, 'audit.html');
    expect((await place.run('audit', '100', '--html', page)).code).toBe(0);
    const text = readFileSync(page, 'utf8');
    expect(text).toMatch(/none stated[\s\S]*<b>way\/1<\/b>, retrieved 20\d\d-/);
    expect(text).not.toMatch(/retrieved\s*</);
  });

  it('AUD-05 shows hostile bytes escaped, on a terminal and as HTML without scripts', async () => {
    const evil = 'Evil\u202e<script>alert(1)</script>&amp;';
    const way = squareXml({
      ...{ way: 1, west: LON, south: LAT, size: 0.0002 },
      tags: { building: 'office', name: evil, note: '\u0085\u200bx' },
    });
    const cafe = nodeXml(99, LON + 0.0001, LAT + 0.0001, {
      amenity: 'cafe',
      name: '喫茶</pre>\u001b[31m'.replace('\u001b', '\u009b'),
    });
    const place = await ingested({ abr: ABR, osm: { 'a.osm': osmXml(cafe, way) } });
    const page = join(place.dir, 'audit.html');
    const { code, stdout } = await place.run('audit', '100', '--seed', 's\u001b[2J', '--html', page);
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202e]/);
    expect(stdout).toContain('seed s\\u{1b}[2J');
    const html = readFileSync(page, 'utf8');
    expect(html).not.toMatch(/<script|\u202e|\u009b/);
    expect(html).toContain('\\u{202e}');
    expect(html).toContain("default-src 'none'");
  });

  it('AUD-05 aligns columns, counting wide characters as two', async () => {
    const place = await ingested({ abr: ABR, osm: { 'a.osm': osmFile() } });
    const { stdout } = await place.run('audit', '100', '--field', 'nameJa', '--seed', 'x');
    const rows = stdout.split('\n').filter((line) => /^(?:#|\d+ +ASSET)/.test(line));
    const before = (row: string) => row.slice(0, row.search(/(?:osm|source) /));
    const width = (text: string) => [...text].reduce((sum, c) => sum + (c > '\u2e80' ? 2 : 1), 0);
    expect(rows.length).toBe(4);
    expect(new Set(rows.map((row) => width(before(row)))).size).toBe(1);
  });

  it('AUD-01 refuses invalid counts, fields and areas with exit code 2', async () => {
    const place = freshPlace();
    for (const args of [
      ['0'],
      ['x'],
      ['10001'],
      ['5', '--field', 'colour'],
      ['5', '--area', 'x'],
      ['5', '--source', 'x'],
    ]) {
      expect((await place.run('audit', ...args)).code).toBe(2);
    }
    const { code, stderr } = await place.run('audit', '5');
    expect([code, stderr]).toEqual([0, 'only 0 of the 5 values asked for were found\n']);
  });
});
