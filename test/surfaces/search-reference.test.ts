import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { republish } from '../../src/pipeline/run.ts';
import { SearchEnvelopeSchema } from '../../src/vocabulary/api-shapes.ts';
import { onBothEngines } from '../support/engines.ts';
import { type Asked, naiveSearch, readEnvelope, searchableValues, searchUrl } from '../support/naive-search.ts';
import { Random } from '../support/random.ts';
import { openServedRegistry, type Published, type ServedRegistry } from '../support/served-registry.ts';
import { cutPiece, retype, SPACES, TRAPS } from '../support/trap-texts.ts';
import { ASKED_TYPES, MEANINGS, SLUGS, variedRegistry } from '../support/varied-registry.ts';

const SEED = 20_260_401;
const envelope = Compile(SearchEnvelopeSchema);

/** Search words taken from one stored value, from several, or invented. */
function askedWords(random: Random, records: readonly Published[], { page }: Published): string {
  const values = searchableValues(page);
  const one = random.pick(values);
  const terms = random.some(
    3,
    () => {
      if (random.chance(0.07)) return random.pick([...TRAPS, 'x', 'ない言葉']);
      const value = random.chance(0.7)
        ? one
        : random.pick(searchableValues(random.chance(0.7) ? page : random.pick(records).page));
      return retype(random, cutPiece(random, value).slice(0, 600).toWellFormed());
    },
    1,
  );
  const space = () => (random.chance(0.3) ? random.pick(SPACES) : '');
  return `${space()}${terms.join(random.pick(SPACES))}${space()}`;
}

function askedQuery(random: Random, records: readonly Published[]): Asked {
  const query: Asked = {};
  const one = random.pick(records);
  if (random.chance(0.9)) query.q = askedWords(random, records, one);
  const { location } = one.page;
  for (const level of ['prefecture', 'ward', 'machiAza'] as const) {
    if (random.chance(0.15)) query[level] = random.chance(0.7) ? location[level].slug : random.pick(SLUGS[level]);
  }
  const uses = one.page.assetTypes.map(({ category }) => category);
  if (random.chance(0.2)) query.type = random.pick(random.chance(0.5) ? uses : ASKED_TYPES);
  return query;
}

function askedPage(random: Random, total: number): number | undefined {
  const last = Math.max(1, Math.ceil(total / 20));
  return random.pick([undefined, undefined, 1, 2, last, last + 1, 1 + random.below(last), 50, 51, 2 ** 53 - 1]);
}

/** The results of the first database, to compare with the second. */
const answers = new Map<string, string>();

onBothEngines('search compared with a full scan', (fresh) => {
  const varied = variedRegistry(SEED);
  let served: ServedRegistry;
  beforeAll(async () => {
    served = await openServedRegistry(await fresh());
  });
  afterAll(() => served.close());

  const compare = async (seed: string, count: number) => {
    const random = new Random([...seed].reduce((sum, c) => sum * 31 + c.charCodeAt(0), SEED));
    const records = await served.readAll(varied.ids);
    let found = 0;
    for (let i = 0; i < count; i++) {
      const query = askedQuery(random, records);
      const page = askedPage(random, naiveSearch(records, query, MEANINGS).total);
      if (page !== undefined) query.page = page;
      const { status, body } = await served.get(searchUrl(query));
      expect(status, JSON.stringify(query)).toBe(200);
      const { items: expectedItems, ...expected } = naiveSearch(records, query, MEANINGS);
      const { items, ...got } = readEnvelope(body);
      expect(got, JSON.stringify(query)).toEqual(expected);
      expect(items.join('\n') === expectedItems.join('\n'), `whole records: ${JSON.stringify(query)}`).toBe(true);
      if (i % 20 === 0) expect([...envelope.Errors(JSON.parse(body))]).toEqual([]);
      if (expected.total > 0) found += 1;
      const key = `${seed} ${i} ${JSON.stringify(query)}`;
      expect(answers.get(key) ?? body).toBe(body);
      answers.set(key, body);
    }
    // Queries without results would prove little.
    expect(found / count).toBeGreaterThan(0.3);
  };

  for (const [i, { name, run }] of varied.stages.entries()) {
    const count = i === varied.stages.length - 1 ? 200 : 50;
    it(`SEA-02 SEA-03 SEA-04 SEA-05 SEA-06 SEA-08 SEA-09 finds the same as a scan of all records: ${name}`, async () => {
      await run(served);
      await compare(name, count);
    });
  }

  it('SEA-01 SEA-11 paging shows every building once', async () => {
    const records = await served.readAll(varied.ids);
    for (const query of [{}, { prefecture: 'tokyo' }, { type: '共同住宅' }, { q: 'ビル' }, { q: 'asset-jp' }]) {
      const all = records.filter((record) => naiveSearch([record], query, MEANINGS).total === 1);
      const seen: string[] = [];
      for (let page = 1; ; page++) {
        const { ids, total } = readEnvelope((await served.get(searchUrl({ ...query, page }))).body);
        expect(total).toBe(all.length);
        seen.push(...ids);
        if (ids.length < 20) break;
      }
      expect(seen.length).toBeGreaterThan(20);
      expect([...seen].sort()).toEqual(all.map(({ page }) => page.id).sort());
    }
  });

  it('SEA-08 publishing everything again changes nothing', async () => {
    const before = await served.readAll(varied.ids);
    await republish(served.context, true);
    expect((await served.readAll(varied.ids)).map(({ text }) => text)).toEqual(before.map(({ text }) => text));
    await compare('published again', 50);
  });
});
