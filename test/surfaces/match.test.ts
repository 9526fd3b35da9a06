import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mergeBuildings } from '../../src/pipeline/identity-commands.ts';
import { rebuildSearch } from '../../src/pipeline/rebuild-search.ts';
import { MATCH_REASONS, type MatchAnswer, MatchAnswerSchema } from '../../src/vocabulary/match-shapes.ts';
import { onBothEngines } from '../support/engines.ts';
import { AREAS, building, id, type Json, MARUNOUCHI, OTHER_AREA, record } from '../support/records.ts';
import { openServedRegistry, type ServedRegistry } from '../support/served-registry.ts';

const answers = Compile(MatchAnswerSchema);
const MINATO = '13103';
const SHIBA = '131030005004';
const OTHER_MARUNOUCHI = '131030009001';
const MORE_AREAS: Json[] = [
  { kind: 'area', level: 'ward', code: MINATO, parent: '13', slug: 'minato-ku', nameJa: '港区', nameEn: null },
  {
    kind: 'area',
    level: 'machiAza',
    code: SHIBA,
    parent: MINATO,
    slug: 'shiba-4',
    nameJa: '芝公園四丁目',
    nameEn: null,
  },
  {
    ...{ kind: 'area', level: 'machiAza', code: OTHER_MARUNOUCHI, parent: MINATO },
    ...{ slug: 'marunouchi-2', nameJa: '丸の内二丁目', nameEn: null },
  },
];

const chiyoda = (rest: string) => `東京都千代田区丸の内${rest}`;
const at = (number: number) => ({ lat: MARUNOUCHI[1], lon: Math.round((MARUNOUCHI[0] + number * 0.0002) * 1e7) / 1e7 });

onBothEngines('match', (fresh) => {
  let served: ServedRegistry;
  beforeAll(async () => {
    served = await openServedRegistry(await fresh());
    await served.ingest([
      ...AREAS,
      ...MORE_AREAS,
      building(1, {
        nameJa: '新丸ビル',
        nameEn: 'Shin-Maru Building',
        aliases: ['シン丸'],
        addressJa: chiyoda('１丁目５番１号'),
      }),
      record('abr', 'rsdt-1', { addressJa: chiyoda('一丁目5番2号') }, { building: id(1) }),
      building(2, { nameJa: '同名ビル', addressJa: chiyoda('1-6-1'), assetTypes: 'office' }),
      building(3, { nameJa: '同名ビル', addressJa: '東京都港区芝公園4-2-8', assetTypes: 'hotel' }, { area: SHIBA }),
      building(4, { nameJa: '北館', addressJa: chiyoda('1-9-2') }),
      building(5, { nameJa: '南館', addressJa: chiyoda('一丁目9番2号') }),
      building(6, { nameJa: '無番館' }),
      building(7, { nameJa: '旧館', addressJa: chiyoda('2-1-1') }, { area: OTHER_AREA }),
      building(8, { nameJa: '別館', addressJa: '東京都港区丸の内2-3-4' }, { area: OTHER_MARUNOUCHI }),
      building(10, { addressJa: chiyoda('二丁目') }, { area: OTHER_AREA }),
      building(20, { nameJa: '本館' }),
      building(21, { nameJa: '新館' }),
    ]);
    await mergeBuildings(served.context, id(21), id(20), 'one building');
  });
  afterAll(() => served.close());

  const ask = async (parts: Record<string, string | number>) => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parts)) query.set(name, String(value));
    const { status, body, headers } = await served.get(`/japan/api/v1/match?${query}`);
    expect(status, body).toBe(200);
    expect(headers.etag).toMatch(/^"/);
    const answer = JSON.parse(body) as MatchAnswer;
    expect([...answers.Errors(answer)]).toEqual([]);
    const order = [...answer.candidates].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
    expect(answer.candidates).toEqual(order);
    for (const { reasons } of answer.candidates) expect(reasons.length).toBeGreaterThan(0);
    return answer;
  };
  const brief = async (parts: Record<string, string | number>) => {
    const { verdict, candidates } = await ask(parts);
    return [verdict, ...candidates.map((candidate) => Number(candidate.id.slice(-8)))];
  };

  it('RCN-01 one address in three notations leads to its building', async () => {
    for (const rest of ['1-5-1', '１丁目５番１号', '一丁目5番1号', '一丁目5番2号', '1丁目5-1 新丸ビル5階']) {
      for (const address of [chiyoda(rest), `千代田区丸の内${rest}`, `〒100-0005 ${chiyoda(rest)}`]) {
        expect(await brief({ address }), address).toEqual(['match', 1]);
      }
    }
    // Without its municipality, an address is compared in every machi-aza that fits.
    expect(await brief({ address: '丸の内1-5-1' })).toEqual(['match', 1]);
    expect(await brief({ address: '丸の内一丁目5番1号' })).toEqual(['match', 1]);
    expect(await brief({ address: '東京都丸の内１丁目５番１号' })).toEqual(['match', 1]);
  });

  it('RCN-01, RCN-03 a candidate says who it is and why it fits', async () => {
    expect(
      await ask({ address: chiyoda('1-5-2'), name: 'シン丸', ...at(1), source: 'osm', sourceRecordId: 'way/1' }),
    ).toEqual({
      verdict: 'match',
      candidates: [
        {
          id: id(1),
          path: `/japan/tokyo/chiyoda-ku/marunouchi-1-chome/${id(1)}`,
          nameJa: '新丸ビル',
          nameEn: 'Shin-Maru Building',
          addressJa: chiyoda('一丁目5番2号'),
          score: 1,
          reasons: [
            { kind: 'sourceRecord', detail: 'osm:way/1' },
            { kind: 'address', detail: chiyoda('一丁目5番2号') },
            { kind: 'point', detail: 'inside the footprint' },
            { kind: 'name', detail: 'シン丸' },
          ],
        },
      ],
    });
    const [unnamed] = (await ask({ ...at(6) })).candidates;
    expect(unnamed).toMatchObject({ nameJa: '無番館', nameEn: null, addressJa: null });
    expect(MATCH_REASONS).toEqual(['sourceRecord', 'address', 'point', 'name', 'machiAza']);
  });

  it('RCN-02 a name alone is compared in all Japan, by the comparison of ingest', async () => {
    for (const name of [
      '新丸ビル',
      ' 新丸・ビル ',
      '（仮称）新丸ビル',
      'shin maru building',
      'ｓｈｉｎ－ｍａｒｕ Building',
    ]) {
      expect(await brief({ name }), name).toEqual(['match', 1]);
    }
    expect(await brief({ name: '同名ビル' })).toEqual(['ambiguous', 2, 3]);
    expect(await brief({ name: '丸ビル' })).toEqual(['none']);
    expect(await brief({ name: '・・・' })).toEqual(['none']);
  });

  it('RCN-02 a point alone means the footprint that holds it', async () => {
    expect(await brief(at(2))).toEqual(['match', 2]);
    expect(await brief({ ...at(2), lon: at(2).lon + 0.00006 })).toEqual(['none']);
    expect(await brief({ lat: 0, lon: 0 })).toEqual(['none']);
  });

  it('RCN-02 a source record means its building, of merged ones the survivor', async () => {
    expect(await brief({ source: 'osm', sourceRecordId: 'way/3' })).toEqual(['match', 3]);
    expect(await brief({ source: 'abr', sourceRecordId: 'rsdt-1' })).toEqual(['match', 1]);
    expect(await brief({ source: 'osm', sourceRecordId: 'way/21' })).toEqual(['match', 20]);
    expect(await brief({ name: '新館' })).toEqual(['match', 20]);
    expect(await brief({ source: 'osm', sourceRecordId: 'way/99' })).toEqual(['none']);
    expect(await brief({ source: 'osm', sourceRecordId: 'way/1\0' })).toEqual(['none']);
  });

  it('RCN-02 statements are judged together, as the records of registers', async () => {
    expect(await brief({ address: chiyoda('1-9-2') })).toEqual(['ambiguous', 4, 5]);
    expect(await brief({ address: chiyoda('1-9-2'), name: '南館' })).toEqual(['match', 5, 4]);
    expect(await brief({ address: chiyoda('1-9-2'), ...at(4) })).toEqual(['match', 4, 5]);
    expect(await brief({ name: '同名ビル', address: '東京都港区芝公園4-2-8' })).toEqual(['match', 3, 2]);
    expect(await brief({ name: '同名ビル', ...at(2) })).toEqual(['match', 2, 3]);
    // A building without a house number is found by its name in the machi-aza.
    expect(await ask({ name: '無番館', address: chiyoda('1-7-7') })).toMatchObject({
      verdict: 'match',
      candidates: [{ id: id(6), score: 0.7, reasons: [{ kind: 'name' }, { kind: 'machiAza', detail: '丸の内1丁目' }] }],
    });
    // An address without a house number accepts none, and lists the buildings whose address is the same.
    expect(await brief({ address: chiyoda('2丁目') })).toEqual(['none', 10]);
    // An unknown name does not contradict the address.
    expect(await brief({ name: '新しい名前', address: chiyoda('1-5-1') })).toEqual(['match', 1]);
    // A point on the street does not contradict it either; one far away does.
    expect(await brief({ address: chiyoda('1-5-1'), lat: at(1).lat + 0.0003, lon: at(1).lon })).toEqual(['match', 1]);
    expect(await brief({ address: chiyoda('1-5-1'), lat: at(1).lat + 0.01, lon: at(1).lon })).toEqual(['none', 1]);
  });

  it('RCN-02 contradictions and near-misses are no match', async () => {
    // Statements that mean different buildings: any of these may be meant.
    expect(await brief({ address: chiyoda('1-5-1'), ...at(2) })).toEqual(['ambiguous', 1, 2]);
    expect(await brief({ address: chiyoda('1-5-3') })).toEqual(['none']);
    expect(await brief({ address: chiyoda('2-5-1') })).toEqual(['none']);
    expect(await brief({ address: '東京都港区丸の内1-5-1' })).toEqual(['none']);
    expect(await brief({ name: '新丸ビル', address: '東京都港区芝公園4-2-9' })).toEqual(['none', 1]);
    expect(await brief({ name: '新丸ビル', address: '東京都港区芝公園4-2-8' })).toEqual(['ambiguous', 3, 1]);
    expect(await brief({ name: '新丸ビル', ...at(2) })).toEqual(['ambiguous', 2, 1]);
    const ofRecord = { source: 'osm', sourceRecordId: 'way/1' };
    expect(await brief({ ...ofRecord, ...at(2) })).toEqual(['ambiguous', 1, 2]);
    expect(await brief({ ...ofRecord, address: chiyoda('1-6-1') })).toEqual(['ambiguous', 1, 2]);
    expect(await brief({ ...ofRecord, name: '無番館' })).toEqual(['ambiguous', 1, 6]);
    // One building fits in part, and the rest fits none.
    expect(await brief({ ...ofRecord, name: 'ない' })).toEqual(['none', 1]);
    expect(await brief({ name: '新丸ビル', ...at(1), address: chiyoda('1-5-3') })).toEqual(['none', 1]);
    expect(await brief({ name: '新丸ビル', lat: 0, lon: 0 })).toEqual(['none', 1]);
    // Two wards have a 丸の内二丁目, and only one of them has this number.
    expect(await brief({ address: '丸の内2-1-1' })).toEqual(['ambiguous', 7]);
    expect(await brief({ address: '丸の内2-1-1', name: '旧館' })).toEqual(['match', 7]);
    expect(await brief({ address: '千代田区丸の内2-1-1' })).toEqual(['match', 7]);
    for (const address of ['東京都千代田区', '1-2-3', 'Marunouchi 1-5-1', '丸', '']) {
      expect(await brief({ address, name: 'ない' }), address).toEqual(['none']);
    }
  });

  it('RCN-02 type and limit restrict the candidates', async () => {
    expect(await brief({ name: '同名ビル', type: 'hotel' })).toEqual(['match', 3]);
    expect(await brief({ name: '同名ビル', type: 'オフィス' })).toEqual(['match', 2]);
    expect(await brief({ name: '同名ビル', type: 'school' })).toEqual(['none']);
    expect(await brief({ name: '同名ビル', type: '' })).toEqual(['ambiguous', 2, 3]);
    expect(await brief({ name: '同名ビル', limit: 1 })).toEqual(['ambiguous', 2]);
    expect(await brief({ ...at(2), type: 'hotel' })).toEqual(['none']);
    expect(await brief({ ...at(2), address: '東京都港区芝公園4-2-8', type: 'hotel' })).toEqual(['none', 3]);
  });

  it('RCN-04 a request without a whole statement, or with a malformed one, is refused', async () => {
    for (const query of [
      '',
      'name=&address=',
      'name=%20%20&address=%E3%80%80',
      'source=osm&sourceRecordId=%20',
      'type=office&limit=3',
      'lat=35.6',
      'lon=139.7&name=x',
      'lat=35.6&lon=',
      'lat=abc&lon=139.7',
      'lat=35.6&lon=1e2',
      'lat=91&lon=139.7',
      'lat=NaN&lon=139.7',
      'lat=+35.6&lon=139.7',
      'source=osm',
      'source=osm&sourceRecordId=',
      'sourceRecordId=way/1',
      'source=nobody&sourceRecordId=way/1',
      'source=&name=x',
      'name=x&limit=0',
      'name=x&limit=21',
      'name=x&limit=',
      'name=x&limit=1.5',
      'name=x&name=y',
      'name=%E3',
    ]) {
      const { status, body, headers } = await served.get(`/japan/api/v1/match?${query}`);
      expect(status, query).toBe(400);
      expect(headers['content-type']).toContain('application/problem+json');
      const { detail } = JSON.parse(body) as { detail: string };
      expect(detail).toMatch(/^query parameters: /);
      expect(detail).not.toMatch(/undefined|nobody|abc/);
    }
  });

  it('RCN-05 keys follow every change of a building', async () => {
    await served.ingest([
      building(
        7,
        { nameJa: '改名館', addressJa: chiyoda('2-1-5') },
        { area: OTHER_AREA, retrievedAt: '2026-02-01T00:00:00Z' },
      ),
    ]);
    expect(await brief({ name: '旧館' })).toEqual(['none']);
    expect(await brief({ name: '改名館' })).toEqual(['match', 7]);
    expect(await brief({ address: chiyoda('2-1-5') })).toEqual(['match', 7]);
    expect(await brief({ address: chiyoda('2-1-1') })).toEqual(['none']);
    const kept = await served.context.storage.db
      .selectFrom('lookup_key')
      .selectAll()
      .orderBy('building')
      .orderBy('key')
      .execute();
    await served.context.storage.transaction(async (tx) => rebuildSearch(tx));
    const rebuilt = await served.context.storage.db
      .selectFrom('lookup_key')
      .selectAll()
      .orderBy('building')
      .orderBy('key')
      .execute();
    expect(rebuilt).toEqual(kept);
    // A new machi-aza changes how an address is read: 丸の内3-1 was in no machi-aza.
    await served.ingest([building(9, { nameJa: '三丁目館', addressJa: chiyoda('三丁目1番') })]);
    expect(await brief({ address: chiyoda('3-1') })).toEqual(['none']);
    await served.ingest([
      {
        ...{ kind: 'area', level: 'machiAza', code: '131010001003', parent: '13101', slug: 'marunouchi-3-chome' },
        ...{ nameJa: '丸の内3丁目', nameEn: null },
      },
    ]);
    expect(await brief({ address: chiyoda('3-1') })).toEqual(['match', 9]);
  });
});
