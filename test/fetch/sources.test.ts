import { describe, expect, it } from 'vitest';
import { boxQuery, readBox } from '../../src/fetch/overpass-query.ts';
import { chooseResource } from '../../src/fetch/plateau.ts';
import { prefectureQuery } from '../../src/fetch/wikidata.ts';
import {
  ESTAT_QUERY,
  overpassAnswer,
  publishAddresses,
  publishBoundaries,
  publishCatalogue,
  publishCity,
  publishExtract,
  publishFilings,
  publishItems,
  publishOverpass,
  resource,
} from './publishers.ts';
import { KEY, openFetchPlace } from './support.ts';

const BOX = '139.74,35.71,139.76,35.72';

describe('FTC-11 what is asked for', () => {
  it('FTC-11, FTC-12 osm: a region of Geofabrik with its MD5', async () => {
    const { publisher, fetch, files, ledger } = await openFetchPlace();
    const body = publishExtract(publisher);
    expect(await fetch('osm', 'kanto')).toMatchObject({ state: 'new', cutOff: '2026-05-28' });
    expect(publisher.paths()).toEqual([
      '/osm/asia/japan/kanto-latest.osm.pbf',
      '/osm/asia/japan/kanto-latest.osm.pbf.md5',
    ]);
    expect(Object.keys(files())).toEqual(['kanto-latest.osm.pbf']);
    expect(ledger().files['kanto-latest.osm.pbf']).toMatchObject({ bytes: body.length, cutOff: '2026-05-28' });
    publishExtract(publisher, 'japan');
    await fetch('osm', 'japan');
    expect(publisher.paths()).toContain('/osm/asia/japan-latest.osm.pbf');
  });

  it('FTC-11, FTC-12 osm: a box of Overpass', async () => {
    const { publisher, fetch, files } = await openFetchPlace();
    publishOverpass(publisher);
    expect(await fetch('osm', BOX)).toMatchObject({ state: 'new', cutOff: '2026-05-29' });
    const [{ method, body } = { method: '', body: '' }] = publisher.asked;
    expect(method).toBe('POST');
    const query = new URLSearchParams(body).get('data');
    expect(query).toMatch(/^\[out:json\].*35\.71,139\.74,35\.72,139\.76/);
    expect(files()).toEqual({ [`overpass-${BOX}.json`]: overpassAnswer() });
    // The same answer is no change.
    expect(await fetch('osm', BOX)).toMatchObject({ state: 'unchanged' });
  });

  it('FTC-11, FTC-12 plateau: the newest CityGML in the catalogue', async () => {
    const { publisher, fetch, files } = await openFetchPlace();
    await publishCity(publisher);
    expect(await fetch('plateau', '13105')).toMatchObject({ state: 'new', cutOff: '2026-03-31' });
    expect(Object.keys(files())).toEqual(['13105_bunkyo-ku_pref_2023_citygml_2_op.zip']);
    expect(publisher.paths().slice(0, 2)).toEqual(Array(2).fill('/ckan/api/3/action/package_search'));
    expect(publisher.asked[1]?.url).toContain('start=2');
    await expect(fetch('plateau', '13199')).rejects.toThrow('no package plateau-13199-… in the catalogue');
  });

  it('FTC-11 plateau: a catalogue that lists packages without their resources is asked for them', async () => {
    const { publisher, fetch, files } = await openFetchPlace();
    await publishCity(publisher);
    publishCatalogue(publisher, [{ name: 'plateau-13105-bunkyo-ku-2023' }]);
    const name = '13105_bunkyo-ku_pref_2023_citygml_2_op.zip';
    const result = { resources: [resource('CityGML（v3）', `${publisher.url}/assets/${name}`)] };
    const path = '/ckan/api/3/action/package_show';
    publisher.files.set(`${path}?id=plateau-13105-bunkyo-ku-2023`, { body: JSON.stringify({ success: true, result }) });
    // Without last_modified, and without a date of the file, it is the day of the fetch.
    expect(await fetch('plateau', '13105')).toMatchObject({ state: 'new', cutOff: '2026-06-01' });
    expect(Object.keys(files())).toEqual([name]);
  });

  it('FTC-11, FTC-12 abr: areas of Japan and tables of a prefecture', async () => {
    const { publisher, fetch, files } = await openFetchPlace();
    await publishAddresses(publisher);
    expect(await fetch('abr', '13')).toMatchObject({ state: 'new', cutOff: '2026-05-15' });
    expect(publisher.paths()).toEqual([
      '/abr/mt_pref/mt_pref_all.csv.zip',
      '/abr/mt_city/mt_city_all.csv.zip',
      ...['mt_town', 'mt_town_pos', 'mt_rsdtdsp_rsdt', 'mt_rsdtdsp_rsdt_pos'].map(
        (table) => `/abr/${table}/pref/${table}_pref13.csv.zip`,
      ),
    ]);
    expect(Object.keys(files())).toHaveLength(6);
  });

  it('FTC-11, FTC-12 estat: boundaries of a prefecture, under the name that e-Stat gives', async () => {
    const { publisher, fetch, files } = await openFetchPlace();
    await publishBoundaries(publisher);
    expect(await fetch('estat', '13')).toMatchObject({ state: 'new', cutOff: '2026-06-01' });
    expect(publisher.asked.map(({ url }) => url)).toEqual([ESTAT_QUERY]);
    expect(Object.keys(files())).toEqual(['A002005212020DDSWC13-JGD2011.zip']);
    expect(await fetch('estat', '13')).toMatchObject({ state: 'unchanged', cutOff: '2026-06-01' });
  });

  it('FTC-11, FTC-12 wikidata: the items of a query; one that was deleted is left out', async () => {
    const { publisher, fetch, files, told } = await openFetchPlace();
    publishItems(publisher);
    expect(await fetch('wikidata', '13')).toMatchObject({ state: 'new', cutOff: '2026-05-15' });
    const query = new URL(publisher.asked[0]?.url ?? '', publisher.url).searchParams;
    expect([query.get('format'), query.get('query')]).toEqual(['json', prefectureQuery('13')]);
    expect(prefectureQuery('13')).toContain('"JP-13"');
    expect(publisher.paths().slice(1)).toEqual(
      ['Q901', 'Q777777777'].map((item) => `/wikidata/wiki/Special:EntityData/${item}.json`),
    );
    expect(Object.keys(files())).toEqual(['Q901.json']);
    expect(told).toEqual(['1 of 2 items of the query do not exist any more']);
    expect(await fetch('wikidata', '13')).toMatchObject({ state: 'unchanged' });
  });

  it('FTC-11, FTC-12 edinet: the list of a day and its reports of REITs', async () => {
    const { publisher, fetch, files } = await openFetchPlace();
    await publishFilings(publisher);
    expect(await fetch('edinet', '2026-05-28')).toMatchObject({ state: 'new', cutOff: '2026-05-28' });
    expect(publisher.asked.map(({ url }) => url)).toEqual([
      `/edinet/api/v2/documents.json?date=2026-05-28&type=2&Subscription-Key=${KEY}`,
      `/edinet/api/v2/documents/S100ABCD?type=1&Subscription-Key=${KEY}`,
    ]);
    expect(Object.keys(files())).toEqual(['S100ABCD.zip', 'documents-2026-05-28.json']);
    // A filing does not change, so that only the list is asked for again.
    expect(await fetch('edinet', '2026-05-28')).toMatchObject({ state: 'unchanged' });
    expect(publisher.paths().slice(2)).toEqual(['/edinet/api/v2/documents.json']);
  });
});

describe('an Overpass box', () => {
  it.each([BOX, '-1,-2,3.5,4', '0,0,1,1'])('FTC-14 %s is read', (text) => expect(readBox(text)).toBeDefined());
  it.each([
    '',
    '1,2,3',
    '1,2,3,4,5',
    '3,2,1,4',
    '1,4,3,2',
    '1,2,3,95',
    '1,2,200,4',
    '1,2,3,4);out;',
    '1,2,3,NaN',
    ' 1,2,3,4',
  ])('FTC-14 %j is refused', (text) => expect(readBox(text)).toBeUndefined());

  it('FTC-11 the query asks for members and nodes', () => {
    expect(boxQuery({ west: '1', south: '2', east: '3', north: '4' })).toMatch(/\[bbox:2,1,4,3\].*>>;\);out body;$/);
  });
});

describe('the resources of a PLATEAU package', () => {
  const urlOf = (...names: string[]) =>
    chooseResource(names.map((name, i) => resource(name, `https://x.example/${i}.zip`)))?.url.slice(-5, -4);

  it.each([
    [['CityGML', 'CityGML（v2）', '3D Tiles（v3）'], '1'],
    [['CityGML（v10）', 'CityGML（v9）'], '0'],
    [['CityGML (v3)', 'CityGML（v4）'], '1'],
    [['CityGML(v3)', 'CityGML(v3.1)'], '1'],
    [['のCityGMLデータ', 'CityGML サンプル'], undefined],
  ])('FTC-11 of %j the highest version is chosen', (names, chosen) => expect(urlOf(...names)).toBe(chosen));

  it('FTC-11 other files than zips, and damaged entries, are ignored', () => {
    const pdf = resource('CityGML（v3）', 'https://x.example/1.pdf', { format: 'PDF' });
    expect(chooseResource([pdf, null, 3, { name: 'CityGML' }, { url: 'x' }])).toBeUndefined();
    expect(chooseResource('x')).toBeUndefined();
  });

  it('FTC-09 an address that is not http, or less safe than the catalogue, is refused', async () => {
    const { publisher, fetch } = await openFetchPlace();
    const resources = [resource('CityGML', 'file:///etc/passwd.zip')];
    publishCatalogue(publisher, [{ name: 'plateau-13105-bunkyo-ku-2023', resources }]);
    await expect(fetch('plateau', '13105')).rejects.toThrow('no usable address of the CityGML');
  });
});
