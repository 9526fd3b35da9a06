import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mergeBuildings, retireBuilding, unmergeBuilding } from '../../src/pipeline/identity-commands.ts';
import { type SearchEnvelope, SearchEnvelopeSchema } from '../../src/vocabulary/api-shapes.ts';
import { onBothEngines } from '../support/engines.ts';
import { AREA, AREAS, building, id, type Json, OTHER_AREA, record } from '../support/records.ts';
import { openServedRegistry, type ServedRegistry } from '../support/served-registry.ts';
import { assetUrl, MARK } from '../support/serving.ts';

const LIST = '/japan/api/v1/assets';
const envelope = Compile(SearchEnvelopeSchema);
const OSAKA: Json[] = [
  { kind: 'area', level: 'prefecture', code: '27', parent: null, slug: 'osaka', nameJa: '大阪府', nameEn: 'Osaka' },
  { kind: 'area', level: 'ward', code: '27101', parent: '27', slug: 'chiyoda-ku', nameJa: '同名区', nameEn: null },
  ...[
    { code: '27101001', slug: 'marunouchi-1-chome' },
    { code: '27101002', slug: 'elsewhere' },
  ].map((area) => ({ kind: 'area', level: 'machiAza', parent: '27101', nameJa: '同名町', nameEn: null, ...area })),
];
const OSAKA_AREA = '27101001';

/** A building with a name and no location. */
function plain(number: number, fields: Json, area = AREA): Json {
  return record('osm', `way/${number}`, fields, { building: id(number, area.slice(0, 2)), area });
}

/** The URL of a search with these parameters. */
const query = (parts: Record<string, string | number>) =>
  `${LIST}?${Object.entries(parts)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`;

function asking(served: () => ServedRegistry) {
  const ask = async (url: string) => {
    const { status, body } = await served().get(url);
    expect(status, url).toBe(200);
    const answer = JSON.parse(body) as SearchEnvelope;
    expect([...envelope.Errors(answer)], url).toEqual([]);
    return answer;
  };
  const find = async (parts: Record<string, string | number>) => {
    const { items, total } = await ask(query(parts));
    expect(total).toBe(items.length);
    return items.map((item) => item.id);
  };
  return { ask, find, numbers: async (q: string) => (await find({ q })).map((found) => Number(found.slice(-8))) };
}

onBothEngines('search', (fresh) => {
  // Few entries are scanned; many are looked up in an index.
  describe.each([0, 300])('by words, among %i other buildings', (others) => {
    let served: ServedRegistry;
    const { ask, find, numbers } = asking(() => served);
    beforeAll(async () => {
      served = await openServedRegistry(await fresh());
      await served.ingest([
        ...AREAS,
        plain(1, { nameJa: 'Ｍａｒｕビル', nameEn: 'Maru Tower', addressJa: '東京都千代田区丸の内１－２－３' }),
        plain(2, { nameJa: 'ｶﾞｰﾃﾞﾝﾊﾟﾚｽ', aliases: ['first half', 'second half'] }),
        plain(3, { nameJa: '100%_館\\', nameEn: 'O\'Brien "House"; --' }),
        plain(4, { nameJa: '100x館', nameEn: 'aXb' }),
        plain(5, { nameJa: '𠮷野\n  ビル\u3000別館', nameEn: 'ΟΔΟΣ Straße İzmir ﬁn ①' }),
        plain(6, { nameJa: 'がーでん', ownerPublic: '持主', structure: 'RC造' }),
        record('jreit', 'J6', { ownerPublic: '持主', architect: '設計者' }, { building: id(6) }),
        record('wikidata', 'Q6', { nameJa: '負けた名前', nameEn: 'Winner' }, { building: id(6) }),
        plain(7, { addressJa: '無名の番地' }),
        ...Array.from({ length: others }, (_, i) => plain(10_000 + i, { nameJa: '埋草' })),
      ]);
    });
    afterAll(() => served.close());

    it('SEA-01 the envelope has full records, and no parameter changes the page size', async () => {
      const { items, page, total, totalCapped } = await ask(`${LIST}?q=maru&limit=1&pageSize=1&size=1&per_page=1`);
      expect({ page, total, totalCapped }).toEqual({ page: 1, total: 1, totalCapped: false });
      expect(JSON.stringify(items[0])).toBe((await served.get(assetUrl(id(1)))).body);
      expect((await ask(LIST)).total).toBe(7 + others);
    });

    it('SEA-02 width and case do not matter, in the query or in the value', async () => {
      for (const q of ['maru', 'MARU', 'ｍａｒｕ', 'ＭＡＲＵビル', 'maruﾋﾞﾙ']) expect(await numbers(q)).toEqual([1]);
      for (const q of ['ガーデン', 'ｶﾞｰﾃﾞﾝ', 'カ\u3099ーテ\u3099ン', 'ﾊﾟﾚｽ']) expect(await numbers(q)).toEqual([2]);
      for (const q of ['1-2-3', '１-２-３']) expect(await numbers(q)).toEqual([1]);
      for (const q of ['fin', 'FIN', 'ﬁ', 'fin ①', 'i\u0307zmir', 'İZMIR', 'straße'])
        expect(await numbers(q)).toContain(5);
    });

    it('SEA-02 only JavaScript’s lower case applies: neither ß nor the final sigma is folded', async () => {
      expect(await numbers('ΟΔΟΣ')).toEqual([5]);
      expect(await numbers('οδος')).toEqual([5]);
      expect(await numbers('οδοσ')).toEqual([]);
      expect(await numbers('strasse')).toEqual([]);
      expect(await numbers('izmir')).toEqual([]);
    });

    it('SEA-02 terms are split at any whitespace', async () => {
      for (const space of [' ', '\u3000', '\t', '\n', '\u00a0', '\u2028', '\ufeff', '   ']) {
        expect(await numbers(`${space}tower${space}maru${space}`)).toEqual([1]);
      }
      expect(await ask(`${LIST}?q=tower+maru`)).toMatchObject({ total: 1 });
      expect(await numbers('𠮷野 別館 ビル')).toEqual([5]);
    });

    it('SEA-03 one value must contain every term', async () => {
      expect(await numbers('maru ビル')).toEqual([1]);
      expect(await numbers('ビル tower')).toEqual([]);
      expect(await numbers('maru 丸の内')).toEqual([]);
      expect(await numbers('first second')).toEqual([]);
      expect(await numbers('half')).toEqual([2]);
      expect(await numbers('first half')).toEqual([2]);
      expect(await numbers('halfsecond')).toEqual([]);
    });

    it('SEA-03 the public ID matches in any case and in part', async () => {
      expect(await find({ q: id(3) })).toEqual([id(3)]);
      expect(await find({ q: id(3).toLowerCase() })).toEqual([id(3)]);
      expect(await numbers('jp-13-00000004')).toEqual([4]);
      expect(await numbers('ASSET 00000004')).toEqual([4]);
      expect(await numbers('00000004 館')).toEqual([]);
    });

    it('SEA-03 nothing else is searched: losing values, owners, structures, area names', async () => {
      for (const q of ['負けた名前', '持主', 'rc造', '設計者', '千代田区 一丁目', 'chiyoda', 'osm']) {
        expect(await numbers(q)).toEqual([]);
      }
      expect(await numbers('winner')).toEqual([6]);
      expect(await numbers('番地')).toEqual([7]);
    });

    it('SEA-04 wildcards, escapes and quotes match literally', async () => {
      expect(await numbers('%')).toEqual([3]);
      expect(await numbers('100%')).toEqual([3]);
      expect(await numbers('0_')).toEqual([]);
      expect(await numbers('_館')).toEqual([3]);
      expect(await numbers('a_b')).toEqual([]);
      expect(await numbers('\\')).toEqual([3]);
      expect(await numbers('館\\')).toEqual([3]);
      expect(await numbers("'")).toEqual([3]);
      expect(await numbers('"house"; --')).toEqual([3]);
      for (const q of ['.*', '[a-z]', '*', '?', '(', '100?', '^', '$']) expect(await numbers(q)).toEqual([]);
    });

    it('SEA-04 kana do not match other kana or romaji, and half a character matches nothing', async () => {
      expect(await numbers('がーでん')).toEqual([6]);
      expect(await numbers('gaaden')).toEqual([]);
      expect(await numbers('biru')).toEqual([]);
      expect(await numbers('mraru')).toEqual([]);
      expect(await numbers('𠮷')).toEqual([5]);
      expect(await numbers('吉')).toEqual([]);
      expect(await numbers('カーテン')).toEqual([]);
    });

    it('SEA-04 an invalid character matches nothing', async () => {
      for (const q of ['\0', 'maru\0', '\0maru', 'm\0', 'ma\0', '館\0', 'ビ\0']) expect(await numbers(q)).toEqual([]);
    });

    it('SEA-10 a q of only whitespace is ignored', async () => {
      const everything = (await served.get(LIST)).body;
      for (const q of ['', ' ', '+', '%20%09%0A', '%E3%80%80', '%C2%A0', '%EF%BB%BF']) {
        expect((await served.get(`${LIST}?q=${q}`)).body).toBe(everything);
      }
      expect((await served.get(`${LIST}?q`)).body).toBe(everything);
    });

    it('SEA-01 q may have any length', async () => {
      expect(await numbers('maru '.repeat(300))).toEqual([1]);
      expect(await numbers('長'.repeat(1_500))).toEqual([]);
      expect(await numbers(Array.from({ length: 500 }, (_, i) => `m${i}`).join(' '))).toEqual([]);
    });
  });

  describe('by filters', () => {
    let served: ServedRegistry;
    const { ask, find } = asking(() => served);
    const TOKYO = [id(1), id(2), id(3)];
    const [OSAKAN, ELSEWHERE] = [id(4, '27'), id(5, '27')];
    beforeAll(async () => {
      served = await openServedRegistry(await fresh());
      await served.ingest([
        ...AREAS,
        ...OSAKA,
        plain(1, { nameJa: '甲', assetTypes: ['apartments', 'office'] }),
        plain(2, { nameJa: '乙', assetTypes: 'residential' }),
        plain(3, { nameJa: '丙', assetTypes: '事務所' }, OTHER_AREA),
        plain(4, { nameJa: '甲', assetTypes: '共同住宅' }, OSAKA_AREA),
        plain(5, { nameJa: '乙' }, '27101002'),
      ]);
    });
    afterAll(() => served.close());

    it('SEA-09 area filters combine', async () => {
      expect(await find({ prefecture: 'tokyo' })).toEqual(TOKYO);
      expect(await find({ prefecture: 'tokyo', ward: 'chiyoda-ku' })).toEqual(TOKYO);
      expect(await find({ prefecture: 'tokyo', ward: 'chiyoda-ku', machiAza: 'marunouchi-2-chome' })).toEqual([id(3)]);
      expect(await find({ prefecture: 'osaka', ward: 'chiyoda-ku' })).toEqual([OSAKAN, ELSEWHERE]);
      expect(await find({ prefecture: 'osaka', ward: 'chiyoda-ku', machiAza: 'marunouchi-2-chome' })).toEqual([]);
    });

    it('SEA-09 an omitted higher level matches any area', async () => {
      expect(await find({ ward: 'chiyoda-ku' })).toEqual([...TOKYO, OSAKAN, ELSEWHERE]);
      expect(await find({ machiAza: 'marunouchi-1-chome' })).toEqual([id(1), id(2), OSAKAN]);
      expect(await find({ prefecture: 'osaka', machiAza: 'marunouchi-1-chome' })).toEqual([OSAKAN]);
      expect(await find({ ward: 'chiyoda-ku', machiAza: 'elsewhere' })).toEqual([ELSEWHERE]);
    });

    it('SEA-09 only the exact slug of the right level matches', async () => {
      for (const slug of [
        'chiyoda-ku',
        'Tokyo',
        'ｔｏｋｙｏ',
        'toky',
        'tokyo ',
        '13',
        '東京都',
        '%',
        '\0',
        'tokyo\0',
      ]) {
        expect(await ask(query({ prefecture: slug }))).toMatchObject({ items: [], page: 1, total: 0 });
        expect(await ask(query({ ward: slug === 'chiyoda-ku' ? 'tokyo' : slug }))).toMatchObject({ items: [] });
        expect(await ask(query({ prefecture: 'tokyo', machiAza: slug }))).toMatchObject({ items: [], total: 0 });
      }
    });

    it('SEA-09 every word for a category returns the same buildings', async () => {
      const homes = [id(1), id(2), OSAKAN];
      for (const type of [
        'residential',
        'apartments',
        '共同住宅',
        'Apartments',
        'ａｐａｒｔｍｅｎｔｓ',
        ' residential ',
      ]) {
        expect(await find({ type })).toEqual(homes);
      }
      expect(await find({ type: 'office' })).toEqual([id(1), id(3)]);
      expect(await find({ type: 'unspecified' })).toEqual([ELSEWHERE]);
      for (const type of ['no such use', '\0', '%', 'hotel', '__proto__']) {
        expect(await ask(query({ type }))).toEqual({ items: [], page: 1, total: 0, totalCapped: false });
      }
    });

    it('SEA-09 a use without a category finds only the buildings that recorded it', async () => {
      await served.ingest([
        plain(50, { nameJa: '謎', assetTypes: ['Ｍｙｓｔｅｒｙ  Use', 'hotel'] }),
        plain(51, { nameJa: '謎', assetTypes: ['mystery'] }),
        plain(52, { nameJa: '謎', assetTypes: ['building=Tower'] }),
        plain(53, { nameJa: '謎' }),
        // Within a category only the first source is published; outranked words are not recorded.
        plain(54, { nameJa: '謎', assetTypes: ['outranked'] }),
        record('jreit', 'J54', { assetTypes: ['shed'] }, { building: id(54) }),
      ]);
      const among = async (type: string) => find({ q: '謎', type });
      for (const type of ['mystery use', 'MYSTERY USE', ' ｍｙｓｔｅｒｙ　ｕｓｅ ', 'building=mystery use']) {
        expect(await among(type), type).toEqual([id(50)]);
        expect(await find({ type }), type).toEqual([id(50)]);
      }
      expect(await among('mystery')).toEqual([id(51)]);
      for (const type of ['tower', 'ＴＯＷＥＲ', 'building=tower']) expect(await among(type), type).toEqual([id(52)]);
      expect(await among('unspecified')).toEqual([id(52), id(53)]);
      expect(await among('other')).toEqual([id(50), id(51), id(54)]);
      for (const type of ['unknown', 'building', 'ビル', 'skyscraper', 'yes', '超高層ビル', 'outranked', 'myster']) {
        expect(await find({ type }), type).toEqual([]);
      }
    });

    it('SEA-09 filters and words combine', async () => {
      expect(await find({ q: '甲', type: 'apartments' })).toEqual([id(1), OSAKAN]);
      expect(await find({ q: '甲', type: 'residential', prefecture: 'osaka' })).toEqual([OSAKAN]);
      expect(await find({ q: '甲', type: 'office', ward: 'chiyoda-ku' })).toEqual([id(1)]);
      expect(await find({ q: '乙', type: 'office' })).toEqual([]);
    });

    it('SEA-01 unknown parameters are ignored', async () => {
      const everything = (await served.get(LIST)).body;
      for (const more of [`${MARK}=1`, 'q[]=x', 'Q=x', 'prefectures=osaka', '__proto__=x', '=x', '&&', 'order=name']) {
        expect((await served.get(`${LIST}?${more}`)).body).toBe(everything);
      }
    });
  });

  describe('after changes', () => {
    it('SEA-08 the most recently recorded building comes first, whatever happened to the others', async () => {
      const served = await openServedRegistry(await fresh());
      const { find } = asking(() => served);
      const all = () => find({});
      const change = (number: number, at: string) =>
        building(number, { nameJa: `改${number}` }, { retrievedAt: at, rawPayloadRef: at });
      await served.ingest([...AREAS, building(3), building(1), building(2)]);
      expect(await all()).toEqual([1, 2, 3].map((n) => id(n)));
      await served.ingest([building(5), building(4)]);
      expect(await all()).toEqual([4, 5, 1, 2, 3].map((n) => id(n)));
      await served.ingest([change(3, '2026-01-02T00:00:00Z'), building(1)]);
      expect(await all()).toEqual([3, 4, 5, 1, 2].map((n) => id(n)));
      expect(await find({ q: '第3ビル' })).toEqual([]);
      expect(await find({ q: '改3' })).toEqual([id(3)]);
      await mergeBuildings(served.context, id(4), id(2), null);
      expect(await all()).toEqual([2, 3, 5, 1].map((n) => id(n)));
      expect(await find({ q: id(4) })).toEqual([]);
      await unmergeBuilding(served.context, id(4), null);
      expect((await all()).sort()).toEqual([1, 2, 3, 4, 5].map((n) => id(n)));
      await retireBuilding(served.context, id(3), undefined, null);
      expect(await find({ q: '改3' })).toEqual([]);
      await served.close();
    });
  });
});
