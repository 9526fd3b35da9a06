import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipOf } from '../sources/jreit/workbook.ts';
import { ROOT } from '../support/documents.ts';
import type { PublishedFile, Publisher } from '../support/publisher.ts';
import { ABR, ESTAT, osmElements, overpassJson, smallSources, wikidataFile } from '../support/small-sources.ts';
import { headerBlob, writePbf } from '../support/write-pbf.ts';

const MODIFIED = 'Fri, 15 May 2026 03:04:05 GMT';
const md5Of = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex');
const sampleOf = (path: string) => readFileSync(join(ROOT, 'sample', path));
const json = (value: unknown): PublishedFile => ({
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json' },
});

/** 2026-05-28T20:21:44Z */
const REPLICATED = 1_780_000_000 - 504;

/** An extract as Geofabrik publishes it: the PBF with its replication time, and its MD5 as md5sum writes it. */
export function publishExtract(publisher: Publisher, region = 'kanto', replicatedAt = REPLICATED): Buffer {
  const elements = writePbf(osmElements());
  const body = Buffer.concat([
    headerBlob(['OsmSchema-V0.6', 'DenseNodes'], [], replicatedAt),
    elements.subarray(headerBlob().length),
  ]);
  const path = `/osm/asia/${region === 'japan' ? '' : 'japan/'}${region}-latest.osm.pbf`;
  publisher.files.set(path, { body, etag: `"${md5Of(body)}"`, lastModified: MODIFIED });
  publisher.files.set(`${path}.md5`, { body: `${md5Of(body)}  ${region}-latest.osm.pbf\n` });
  return body;
}

export function overpassAnswer(remark?: string): string {
  const { elements } = JSON.parse(overpassJson());
  const osm3s = { timestamp_osm_base: '2026-05-29T10:00:00Z', copyright: 'from www.openstreetmap.org, under ODbL' };
  return JSON.stringify({ version: 0.6, generator: 'Overpass API', osm3s, elements, ...(remark && { remark }) });
}

export function publishOverpass(publisher: Publisher): void {
  publisher.files.set('/overpass/api/interpreter', {
    ...{ body: overpassAnswer(), headers: { 'content-type': 'application/json' } },
  });
}

export const resource = (name: string, url: string, rest: object = {}) => ({
  ...{ id: '1', package_id: '2', name, url, format: 'ZIP', url_type: null, last_modified: null, ...rest },
});

/** The catalogue, which gives two packages at a time whatever is asked for. */
export function publishCatalogue(publisher: Publisher, packages: readonly object[]): void {
  publisher.files.set('/ckan/api/3/action/package_search', ({ url }, response) => {
    const start = Number(new URL(url, publisher.url).searchParams.get('start') ?? 0);
    const results = packages.slice(start, start + 2);
    response.setHeader('content-type', 'application/json;charset=utf-8');
    response.end(
      JSON.stringify({ help: 'x', success: true, result: { count: packages.length, sort: 'score desc', results } }),
    );
  });
}

export async function publishCity(publisher: Publisher): Promise<void> {
  const { plateau } = await smallSources();
  const name = '13105_bunkyo-ku_pref_2023_citygml_2_op.zip';
  const of = (file: string) => `${publisher.url}/assets/${file}`;
  publishCatalogue(publisher, [
    { name: 'plateau-13105-bunkyo-ku-2020', resources: [resource('CityGML（v9）', of('old.zip'))] },
    { name: 'plateau-13106-taito-ku-2024', resources: [resource('CityGML（v4）', of('other.zip'))] },
    { name: 'plateau-13105-bunkyo-ku-2024', resources: [resource('3D Tiles, MVT（v4）', of('tiles.zip'))] },
    {
      name: 'plateau-13105-bunkyo-ku-2023',
      resources: [
        resource('CityGML（v2）', of('13105_bunkyo-ku_pref_2023_citygml_9_op.zip')),
        resource('CityGML（v3）', of('13105_bunkyo-ku_pref_2023_citygml_1_op.zip')),
        resource('CityGML（v3）', of(name), { last_modified: '2026-03-31T04:05:06.123456' }),
        resource('【uc25-001】浸水のCityGMLデータ', of('use-case.zip')),
        resource('データ目録（v3）', of('list.xlsx'), { format: 'XLSX' }),
      ],
    },
  ]);
  publisher.files.set(`/assets/${name}`, { body: await zipOf(plateau.files), etag: '"city-1"' });
}

export async function publishAddresses(publisher: Publisher): Promise<void> {
  const tables: Record<string, Buffer | string | undefined> = {
    'mt_pref/mt_pref_all': sampleOf('abr/mt_pref_all.csv'),
    'mt_city/mt_city_all': sampleOf('abr/mt_city_all.csv'),
    'mt_town/pref/mt_town_pref13': ABR['mt_town.csv'],
    'mt_town_pos/pref/mt_town_pos_pref13': ABR['mt_town_pos.csv'],
    'mt_rsdtdsp_rsdt/pref/mt_rsdtdsp_rsdt_pref13': ABR['mt_rsdt.csv'],
    'mt_rsdtdsp_rsdt_pos/pref/mt_rsdtdsp_rsdt_pos_pref13': ABR['mt_rsdt_pos.csv'],
  };
  for (const [path, csv = ''] of Object.entries(tables)) {
    const body = await zipOf({ [`${path.slice(path.lastIndexOf('/') + 1)}.csv`]: csv });
    publisher.files.set(`/abr/${path}.csv.zip`, { body, etag: `"${md5Of(body)}"`, lastModified: MODIFIED });
  }
}

export const ESTAT_QUERY =
  '/estat/gis/statmap-search/data?dlserveyId=A002005212020&code=13&coordSys=1&format=shape&downloadType=5&datum=2011';

/** e-Stat makes the zip on request, names it in a header, and has no validators. */
export async function publishBoundaries(publisher: Publisher): Promise<void> {
  publisher.files.set(ESTAT_QUERY, {
    body: await zipOf(ESTAT),
    headers: { 'content-disposition': 'attachment; filename="A002005212020DDSWC13-JGD2011.zip"' },
  });
}

export function publishItems(publisher: Publisher, items: readonly string[] = ['Q901', 'Q777777777']): void {
  const bindings = items.map((item) => ({ item: { type: 'uri', value: `http://www.wikidata.org/entity/${item}` } }));
  publisher.files.set('/query/sparql', json({ head: { vars: ['item'] }, results: { bindings } }));
  publisher.files.set('/wikidata/wiki/Special:EntityData/Q901.json', {
    ...{ body: wikidataFile(), lastModified: MODIFIED, headers: { 'content-type': 'application/json' } },
  });
}

const filing = (docID: string, rest: object = {}) => ({
  ...{ seqNumber: 1, docID, edinetCode: 'E00001', secCode: null, fundCode: 'G03338', ordinanceCode: '030' },
  ...{ formCode: '07B000', docTypeCode: '120', withdrawalStatus: '0', xbrlFlag: '1', legalStatus: '1', ...rest },
});

export const filingList = (results: readonly object[]) => ({
  metadata: {
    ...{ title: '提出された書類を把握するためのAPI', parameter: { date: '2026-05-28', type: '2' } },
    ...{ resultset: { count: results.length }, processDateTime: '2026-05-29 00:00', status: '200', message: 'OK' },
  },
  results,
});

export async function publishFilings(publisher: Publisher): Promise<void> {
  const list = filingList([
    filing('S100ABCD'),
    filing('S100ABCE', { withdrawalStatus: '2' }),
    filing('S100ABCF', { formCode: '030000', ordinanceCode: '010' }),
    filing('../../etc'),
  ]);
  publisher.files.set('/edinet/api/v2/documents.json', json(list));
  const { edinet } = await smallSources();
  publisher.files.set('/edinet/api/v2/documents/S100ABCD', {
    body: edinet.files['S100ABCD.zip'] as Buffer,
    headers: { 'content-type': 'application/octet-stream' },
  });
}
