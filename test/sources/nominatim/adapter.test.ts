import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Item } from '../../../src/sources/adapter.ts';
import type { Draft } from '../../../src/sources/draft.ts';
import { nominatim } from '../../../src/sources/nominatim/adapter.ts';
import { fileOf, hasRealData, READING, readAll, realFiles } from '../../support/source-files.ts';

const CENTRE = {
  place_id: 11,
  osm_type: 'way',
  osm_id: 123,
  lat: '35.6923922',
  lon: '139.7581189473426',
  category: 'building',
  addresstype: 'building',
  display_name: '中央館, 並木通り, 一ツ橋二丁目, 一ツ橋, 千代田区, 東京都, 101-8430, 日本',
  address: {
    building: '中央館',
    road: '並木通り',
    neighbourhood: '一ツ橋二丁目',
    quarter: '一ツ橋',
    city: '千代田区',
    'ISO3166-2-lvl4': 'JP-13',
    postcode: '101-8430',
    country: '日本',
    country_code: 'jp',
  },
};

type Address = Record<string, unknown>;

const itemsOf = (reply: unknown, name = 'a.json') => readAll(nominatim, [fileOf(name, JSON.stringify(reply))]);
const recordsIn = (items: Item[]): Draft[] => items.flatMap((item) => (item.kind === 'record' ? [item.record] : []));
const reasonsIn = (items: Item[]) =>
  items.flatMap((item) => ('reason' in item ? [`${item.kind}: ${item.reason}`] : []));

function valueIn(items: Item[], field: string) {
  return recordsIn(items)[0]?.observations.find((o) => o.field === field)?.value;
}

async function addressOf(address: Address, displayName = ''): Promise<unknown> {
  return valueIn(await itemsOf({ ...CENTRE, display_name: displayName, address }), 'addressJa');
}

describe('a reply of Nominatim', () => {
  it('is a record with its address in Japanese order', async () => {
    const items = await itemsOf(CENTRE);
    expect(items).toHaveLength(1);
    expect(recordsIn(items)[0]).toMatchObject({
      sourceRecordId: 'way/123',
      sourceUrl: 'https://nominatim.openstreetmap.org/reverse?lat=35.6923922&lon=139.7581189473426&format=jsonv2',
      extractionMethod: 'geocode-reverse',
      whole: false,
      geometry: { type: 'Point', coordinates: [139.7581189, 35.6923922] },
      links: ['osm:way/123'],
    });
    expect(valueIn(items, 'addressJa')).toBe('東京都千代田区一ツ橋二丁目');
    expect(valueIn(items, 'postcode')).toBe('101-8430');
  });

  it('is read as GeoJSON, geocodejson, a list and lines too', async () => {
    const { lat, lon, ...properties } = CENTRE;
    const feature = {
      type: 'Feature',
      properties,
      geometry: { type: 'Point', coordinates: [Number(lon), Number(lat)] },
    };
    const geojson = await itemsOf({ type: 'FeatureCollection', features: [feature] }, 'a.geojson');
    expect(recordsIn(geojson)).toEqual(recordsIn(await itemsOf(CENTRE)));

    const geocoding = { osm_type: 'way', osm_id: 5, osm_key: 'building', postcode: '1018430', street: '並木通り' };
    const [record] = recordsIn(await itemsOf({ features: [{ ...feature, properties: { geocoding } }] }));
    expect(record).toMatchObject({ sourceRecordId: 'way/5', links: ['osm:way/5'] });
    expect(record?.observations).toMatchObject([{ field: 'postcode', value: '101-8430' }]);

    expect(recordsIn(await itemsOf([CENTRE, { ...CENTRE, osm_id: 124 }]))).toHaveLength(2);
    const lines = `${JSON.stringify(CENTRE)}\r\n\nno JSON\n${JSON.stringify({ error: 'x' })}\n${JSON.stringify(CENTRE)}`;
    const items = await readAll(nominatim, [fileOf('a.ndjson', lines)]);
    expect(items.map((item) => [item.kind, 'at' in item && item.at.line])).toEqual([
      ['record', 1],
      ['rejected', 3],
      ['note', 4],
      ['record', 5],
    ]);
  });

  it('is identified by place ID or coordinates without an OSM ID', async () => {
    const { osm_id: _, ...withoutOsm } = CENTRE;
    expect(recordsIn(await itemsOf(withoutOsm))[0]).toMatchObject({ sourceRecordId: 'place/11', links: [] });
    const { place_id: __, ...withoutPlace } = withoutOsm;
    expect(recordsIn(await itemsOf(withoutPlace))[0]?.sourceRecordId).toBe('35.6923922,139.7581189473426');
    const { lat: ___, lon: ____, ...nothing } = withoutPlace;
    expect(reasonsIn(await itemsOf(nothing))).toEqual([expect.stringMatching(/^rejected: incomplete reply/)]);
  });

  it('cites the given URL or its details page if it has no coordinates', async () => {
    const { lat: _, lon: __, ...reply } = CENTRE;
    const file = fileOf('a.json', JSON.stringify(reply));
    const urlOf = async (url: string | undefined) =>
      recordsIn(await readAll(nominatim, [file], { ...READING, url }))[0];
    expect((await urlOf('https://geo.example/x'))?.sourceUrl).toBe('https://geo.example/x');
    for (const url of [undefined, 'file:///x']) {
      expect((await urlOf(url))?.sourceUrl).toBe('https://nominatim.openstreetmap.org/details?osmtype=W&osmid=123');
    }
  });

  it.each([
    [{ category: 'building', addresstype: 'house' }, true],
    [{ category: undefined, class: 'building', addresstype: undefined }, true],
    [{ category: undefined, addresstype: undefined }, true],
    [{ category: 'amenity', addresstype: 'building' }, true],
    [{ category: 'highway', addresstype: 'road' }, false],
    [{ category: undefined, addresstype: undefined, display_name: '並木通り, 東京都' }, false],
    [{ osm_type: 'node' }, false],
  ])('links the OSM building it found, not a road: %j', async (change, linked) => {
    const [record] = recordsIn(await itemsOf({ ...CENTRE, ...change }));
    expect(record?.links).toEqual(linked ? ['osm:way/123'] : []);
  });

  it('leaves out "not found" with a note', async () => {
    expect(reasonsIn(await itemsOf({ error: 'Unable to geocode' }))).toEqual([
      expect.stringMatching(/^note: .*nothing/),
    ]);
  });

  it.each([
    [{ address: { ...CENTRE.address, country_code: 'kr' } }, /not in Japan/],
    [{ lat: '139.7', lon: '35.6' }, /outside Japan/],
    [{ lat: '48.85', lon: '2.29' }, /outside Japan/],
  ])('refuses a place outside Japan: %j', async (change, reason) => {
    const items = await itemsOf({ ...CENTRE, ...change });
    expect(items).toMatchObject([{ kind: 'rejected', record: 'way/123' }]);
    expect(reasonsIn(items)[0]).toMatch(reason);
  });

  it('reports a file that is not JSON, and reads the others', async () => {
    const files = [fileOf('a.json', '{"place_id":1'), fileOf('b.json', JSON.stringify(CENTRE))];
    expect((await readAll(nominatim, files)).map((item) => item.kind)).toEqual(['broken', 'record']);
  });
});

describe('the Japanese address', () => {
  const tokyo = { neighbourhood: '台場一丁目', quarter: '台場', city: '港区', 'ISO3166-2-lvl4': 'JP-13' };

  it.each<[string, Address, string | undefined]>([
    ['東京都港区台場一丁目', tokyo, undefined],
    ['大阪府高槻市芝谷町', { quarter: '芝谷町', city: '高槻市', province: '大阪府' }, undefined],
    ['大阪府高槻市芝谷町', { quarter: '芝谷町', city: '高槻市', state: '大阪府' }, undefined],
    [
      '北海道虻田郡倶知安町山田',
      { quarter: '山田', town: '倶知安町', county: '虻田郡', province: '北海道' },
      undefined,
    ],
    ['神奈川県横浜市中区本町', { quarter: '本町', suburb: '中区', city: '横浜市', province: '神奈川県' }, undefined],
    ['東京都港区台場', { quarter: '台場', suburb: '港区', city: '東京都' }, undefined],
    ['東京都港区台場二丁目', { ...tokyo, neighbourhood: '２丁目' }, undefined],
    ['東京都港区台場二丁目', { ...tokyo, neighbourhood: '2' }, undefined],
    ['東京都港区台場', { quarter: '台場', city: '港区' }, '台場, 港区, 東京都, 日本'],
    ['東京都港区台場', { quarter: '台場', city: '港区' }, '台場, 港区, Tokyo, Japan'],
    [
      '東京都港区六本木六丁目',
      { neighbourhood: '六本木六丁目', quarter: '六本木', suburb: '麻布', city: '港区', state: '東京都' },
      undefined,
    ],
    [
      '東京都港区六本木六丁目',
      { neighbourhood: '六本木六丁目', suburb: '麻布', city: '港区', state: '東京都' },
      undefined,
    ],
    ['東京都港区台場', { ...tokyo, neighbourhood: 'シーサイド団地' }, undefined],
    [
      '奈良県高市郡明日香村岡字西',
      { neighbourhood: '字西', quarter: '岡', village: '明日香村', county: '高市郡', state: '奈良県' },
      undefined,
    ],
    ['東京都港区台場', { ...tokyo, neighbourhood: '台場団地' }, undefined],
    ['東京都港区台場一丁目', { ...tokyo, quarter: '台場１丁目', neighbourhood: '2' }, undefined],
    // numbers
    ['東京都港区台場一丁目9-1', { ...tokyo, house_number: '1-9-1' }, undefined],
    ['東京都港区台場一丁目9-1', { ...tokyo, house_number: '９−１' }, undefined],
    ['東京都港区台場一丁目9-1', { ...tokyo, city_block: '9', house_number: '1' }, undefined],
    ['東京都港区台場一丁目9-1', { ...tokyo, city_block: '9番', house_number: '1号' }, undefined],
    ['東京都港区台場一丁目9-1', { ...tokyo, house_number: '9番1号' }, undefined],
    ['東京都港区台場一丁目9-1', { ...tokyo, city_block: '9', house_number: '9-1' }, undefined],
    [
      '東京都港区台場1-9-1',
      { quarter: '台場', city: '港区', 'ISO3166-2-lvl4': 'JP-13', house_number: '1-9-1' },
      undefined,
    ],
    ['東京都港区台場一丁目', { ...tokyo, house_number: '2-9-1' }, undefined],
    ['東京都港区台場一丁目', { ...tokyo, house_number: '新座市栗原5－４－５' }, undefined],
  ])('%s', async (expected, address, displayName) => {
    expect(await addressOf(address, displayName)).toBe(expected);
  });

  it.each<[string, Address, string | undefined]>([
    ['no prefecture is named', { quarter: '台場', city: '港区' }, '台場, 港区, 日本'],
    ['other cities have a ward of this name', { quarter: '中央', city: '中央区' }, '中央, 中央区'],
    ['two prefectures are named', { ...tokyo, province: '大阪府' }, undefined],
    ['the ISO code is unknown', { ...tokyo, 'ISO3166-2-lvl4': 'JP-48' }, undefined],
    ['it is in English', { quarter: 'Daiba', city: 'Minato', 'ISO3166-2-lvl4': 'JP-13' }, 'Daiba, Minato, Tokyo'],
    ['it is half in English', { quarter: 'Daiba', city: '港区', 'ISO3166-2-lvl4': 'JP-13' }, undefined],
    ['two neighbourhoods are named', { ...tokyo, neighbourhood: '海岸一丁目' }, undefined],
    ['only a chome is named', { ...tokyo, quarter: undefined, neighbourhood: '一丁目' }, undefined],
    ['only an estate is named', { ...tokyo, quarter: undefined, neighbourhood: '台場団地' }, undefined],
    ['it is in Chinese', { quarter: '台場', city: '千代田區', 'ISO3166-2-lvl4': 'JP-13' }, undefined],
    ['it ends at the municipality', { city: '港区', 'ISO3166-2-lvl4': 'JP-13', road: '並木通り' }, undefined],
  ])('is not composed if %s', async (_, address, displayName) => {
    const items = await itemsOf({
      ...CENTRE,
      display_name: displayName ?? '',
      address: { ...address, postcode: '１３５－００９１' },
    });
    expect(valueIn(items, 'addressJa')).toBeUndefined();
    expect(valueIn(items, 'postcode')).toBe('135-0091');
    expect(reasonsIn(items)).toEqual([expect.stringMatching(/^note: no addressJa/)]);
  });

  it('uses nothing from a whole municipality, whose postcode is that of its office', async () => {
    const address = { city: 'Shinjuku', 'ISO3166-2-lvl4': 'JP-13', postcode: '160-8484', country_code: 'jp' };
    const items = await itemsOf({ ...CENTRE, address });
    expect(items).toMatchObject([{ kind: 'note', record: 'way/123', reason: expect.stringMatching(/municipality/) }]);
  });

  it('drops a postcode of another form with a note', async () => {
    const items = await itemsOf({ ...CENTRE, address: { ...CENTRE.address, postcode: '101-8430;101-0003' } });
    expect(valueIn(items, 'postcode')).toBeUndefined();
    expect(reasonsIn(items)[0]).toMatch(/NNN-NNNN/);
  });
});

describe('hostile replies', () => {
  it('never throw for any value in any part', async () => {
    const paths = [...Object.keys(CENTRE), ...Object.keys(CENTRE.address).map((key) => `address.${key}`)];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), fc.jsonValue(), async (path, value) => {
        const [key, inner] = path.split('.') as [string, string | undefined];
        const part = inner === undefined ? value : { ...CENTRE.address, [inner]: value };
        for (const item of await itemsOf({ ...CENTRE, [key]: part })) expect(item.kind).toMatch(/record|note|rejected/);
      }),
      { numRuns: 300 },
    );
  });

  it('give complete records or a broken item for any cut', async () => {
    const text = `${JSON.stringify(CENTRE)}\n${JSON.stringify(CENTRE)}\n`;
    for (let cut = 0; cut < text.length; cut += 37) {
      const items = await readAll(nominatim, [fileOf('a.jsonl', Buffer.from(text).subarray(0, cut))]);
      for (const record of recordsIn(items)) expect(record.observations).toHaveLength(2);
    }
  });
});

describe.skipIf(!hasRealData)('the real replies', () => {
  it('are read as documented', async () => {
    const items = await readAll(nominatim, realFiles('nominatim'));
    const said = items.map((item) => {
      const name = ('at' in item ? item.at.file : item.file).replace(/^.*reverse_/, '');
      if (item.kind !== 'record') return `${name} ${item.kind}`;
      const values = item.record.observations.map(({ value }) => value);
      return [name, item.record.sourceRecordId, ...values.sort(), ...item.record.links].join(' ');
    });
    expect(said).toEqual([
      'json_hitotsubashi_tokyo.json way/105430529 101-8430 東京都千代田区一ツ橋二丁目 osm:way/105430529',
      'json_takatsuki_osaka.json way/134526097 569-1022 大阪府高槻市芝谷町',
      'jsonv2_shinjuku_zoom10_en.partial.json rejected',
      'not_found.json note',
      'partial_shibuya_tokyo.json place/266366356 150-0043 東京都渋谷区道玄坂二丁目',
    ]);
  });
});
