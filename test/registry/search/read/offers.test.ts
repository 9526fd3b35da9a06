import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRegistry, type Registry } from '../../../../src/registry/registry.ts';
import type { ListQuery } from '../../../../src/registry/search/read/list-query.ts';
import { composeOffers, MAX_SEARCHES, type Offer } from '../../../../src/registry/search/read/offers.ts';
import { onBothEngines } from '../../../support/engines.ts';
import { openPageTown } from '../../../support/page-town.ts';
import { AREA, building, id, record } from '../../../support/records.ts';
import type { ServedRegistry } from '../../../support/served-registry.ts';
import { randomRuns } from '../../../support/test-length.ts';

const ANY: ListQuery = { types: [], words: [], has: [], ranges: {}, page: 1 };
const TOWER = '丸の内一丁目9番2号';

onBothEngines('offers of a search without results', (fresh) => {
  let town: ServedRegistry;
  let registry: Registry;
  beforeAll(async () => {
    town = await openPageTown(await fresh());
    await town.ingest([
      building(301, { nameJa: '九番塔', addressJa: `東京都千代田区${TOWER}`, postcode: '100-6701' }, { area: AREA }),
      building(302, { nameJa: '別館', addressJa: `東京都千代田区${TOWER}`, postcode: '100-6701' }, { area: AREA }),
      record('wikidata', 'Q301', { ownerPublic: '丸の内 開発株式会社' }, { building: id(301) }),
    ]);
    registry = openRegistry(town.context.storage);
  });
  afterAll(() => town.close());
  const offersFor = async (q: string, query: Partial<ListQuery> = {}) =>
    (await registry.findOffers({ query: { ...ANY, ...query, q }, others: [] })).offers;

  it.each(['丸の内1-9-2', '丸の内１丁目９番２号', '丸の内1−9−2', '東京都千代田区丸の内1-9-2', '千代田区 丸の内1-9-2'])(
    'UI-43 %s offers the address in the registry’s writing',
    async (q) => {
      const [offer] = await offersFor(q);
      expect(offer).toMatchObject({ kind: 'address', q: expect.stringContaining(TOWER), everywhere: false, count: 2 });
    },
  );

  it.each(['100-6701', '〒１００−６７０１', '1006701', '〒100-6701'])(
    'UI-44 %s offers the buildings of the postcode',
    async (q) => {
      expect(await offersFor(q)).toEqual([{ kind: 'postcode', postcode: '100-6701', everywhere: false, count: 2 }]);
      expect(await offersFor('999-9999')).toEqual([]);
    },
  );

  it('UI-43 UI-44 what a filter or an area hides is offered in all of Japan', async () => {
    const filtered = { prefecture: 'osaka', types: ['hotel'] } as const;
    expect(await offersFor('100-6701', filtered)).toEqual([
      { kind: 'postcode', postcode: '100-6701', everywhere: true, count: 2 },
    ]);
    expect(await offersFor('丸の内1-9-2', filtered)).toMatchObject([{ kind: 'address', q: TOWER, everywhere: true }]);
  });

  it('UI-45 the name of an owner offers the portfolio, by the rule for owners', async () => {
    for (const q of ['丸の内 開発株式会社', '丸の内　開発株式会社', ' 丸の内 開発株式会社 ']) {
      expect(await offersFor(q)).toContainEqual({ kind: 'owner', owner: q.trim(), count: 1 });
    }
    expect(await offersFor('開発株式会社')).toEqual([]);
  });

  it('UI-45 the same words in fewer terms, most results first', async () => {
    const offers = await offersFor('九番塔 丸の内 塔');
    expect(offers.map((offer) => offer.kind === 'fewerTerms' && offer.q)).toEqual(['九番塔 塔']);
    const single = await offersFor('塔 別館');
    expect(single).toMatchObject([{ q: '塔' }, { q: '別館', count: 1 }]);
    expect((single[0] as Offer).count).toBeGreaterThan(40);
    // If no pair finds anything, each word alone.
    expect(
      (await offersFor('梅田塔 別館 乙タワー')).map((offer) => offer.kind === 'fewerTerms' && offer.q).sort(),
    ).toEqual(['梅田塔', '別館', '乙タワー'].sort());
  });

  it('UI-43 UI-44 UI-45 every offer of any query has exactly the buildings it announces', async () => {
    const piece = fc.constantFrom(
      '塔',
      '丸の内',
      '1-9-2',
      '9番2号',
      '100-6701',
      '別館',
      'zzz',
      '梅田',
      '九番塔',
      'ビル',
      '%',
      '大阪市北区',
    );
    const q = fc
      .array(piece, { minLength: 1, maxLength: 5 })
      .chain((words) => fc.constantFrom(words.join(' '), words.join('')));
    const scope = fc.constantFrom<Partial<ListQuery>>(
      {},
      { prefecture: 'tokyo' },
      { types: ['hotel'] },
      { has: ['owner'] },
    );
    let offered = 0;
    await fc.assert(
      fc.asyncProperty(q, scope, async (text, query) => {
        const list: ListQuery = { ...ANY, ...query, q: text };
        const others = [
          { ...ANY, q: text },
          { ...list, q: undefined },
        ];
        const { offers, counts } = await registry.findOffers({ query: list, others });
        for (const offer of offers) {
          offered += 1;
          expect(offer.count).toBeGreaterThan(0);
          if (offer.kind === 'owner') continue;
          const base = offer.everywhere ? ANY : list;
          const asked =
            offer.kind === 'postcode' ? { ...base, q: undefined, postcode: offer.postcode } : { ...base, q: offer.q };
          expect([offer, (await registry.list(asked)).total]).toEqual([offer, offer.count]);
        }
        for (const [i, other] of others.entries()) expect((await registry.list(other)).total).toBe(counts[i]);
      }),
      { numRuns: randomRuns(240) },
    );
    expect(offered).toBeGreaterThan(3);
  });
});

describe('the cost of offers', () => {
  it('UI-46 no query makes more than a fixed number of searches', async () => {
    const piece = fc.constantFrom(
      '丸の内',
      '1-9-2',
      '9番2号',
      '東京都千代田区',
      'a',
      '〒100-0005',
      '一丁目',
      '甲乙',
      '12',
      ' ',
    );
    const q = fc.array(piece, { maxLength: 400 }).chain((words) => fc.constantFrom(words.join(' '), words.join('')));
    let most = 0;
    await fc.assert(
      fc.asyncProperty(q, fc.boolean(), fc.nat(80), fc.nat(3), async (text, isFiltered, otherCount, hits) => {
        const query: ListQuery = { ...ANY, q: text, ...(isFiltered && { prefecture: 'tokyo' }) };
        let searches = 0;
        const count = async () => (++searches % 4 < hits ? 1 : 0);
        const { counts } = await composeOffers({ query, others: Array.from({ length: otherCount }, () => ANY) }, count);
        expect(counts).toHaveLength(otherCount);
        expect(searches).toBeLessThanOrEqual(MAX_SEARCHES);
        most = Math.max(most, searches);
      }),
      { numRuns: randomRuns(300) },
    );
    expect(most).toBe(MAX_SEARCHES);
  });
});
