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

/** Words as somebody might ask for them: out of one stored value, out of several, or out of the air. */
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
  const asked: Asked = {};
  const one = random.pick(records);
  if (random.chance(0.9)) asked.q = askedWords(random, records, one);
  const { location } = one.page;
  for (const level of ['prefecture', 'ward', 'machiAza'] as const) {
    if (random.chance(0.15)) asked[level] = random.chance(0.7) ? location[level].slug : random.pick(SLUGS[level]);
  }
  const uses = one.page.assetTypes.map(({ category }) => category);
  if (random.chance(0.2)) asked.type = random.pick(random.chance(0.5) ? uses : ASKED_TYPES);
  return asked;
}

function askedPage(random: Random, total: number): number | undefined {
  const last = Math.max(1, Math.ceil(total / 20));
  return random.pick([undefined, undefined, 1, 2, last, last + 1, 1 + random.below(last), 50, 51, 2 ** 53 - 1]);
}

/** What the first database answered, for the second to be held against. */
const answers = new Map<string, string>();

onBothEngines('search against every record', (fresh) => {
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
      const asked = askedQuery(random, records);
      const page = askedPage(random, naiveSearch(records, asked, MEANINGS).total);
      if (page !== undefined) asked.page = page;
      const { status, body } = await served.get(searchUrl(asked));
      expect(status, JSON.stringify(asked)).toBe(200);
      const { items: expectedItems, ...expected } = naiveSearch(records, asked, MEANINGS);
      const { items, ...got } = readEnvelope(body);
      expect(got, JSON.stringify(asked)).toEqual(expected);
      expect(items.join('\n') === expectedItems.join('\n'), `whole records: ${JSON.stringify(asked)}`).toBe(true);
      if (i % 20 === 0) expect([...envelope.Errors(JSON.parse(body))]).toEqual([]);
      if (expected.total > 0) found += 1;
      const key = `${seed} ${i} ${JSON.stringify(asked)}`;
      expect(answers.get(key) ?? body).toBe(body);
      answers.set(key, body);
    }
    // Questions that nothing answers would prove little.
    expect(found / count).toBeGreaterThan(0.3);
  };

  for (const [i, { name, run }] of varied.stages.entries()) {
    const count = i === varied.stages.length - 1 ? 200 : 50;
    it(`SEA-02 SEA-03 SEA-04 SEA-05 SEA-06 SEA-08 SEA-09 finds what looking at every record finds: ${name}`, async () => {
      await run(served);
      await compare(name, count);
    });
  }

  it('SEA-01 SEA-11 paging visits every building once', async () => {
    const records = await served.readAll(varied.ids);
    for (const asked of [{}, { prefecture: 'tokyo' }, { type: '共同住宅' }, { q: 'ビル' }, { q: 'asset-jp' }]) {
      const all = records.filter((record) => naiveSearch([record], asked, MEANINGS).total === 1);
      const seen: string[] = [];
      for (let page = 1; ; page++) {
        const { ids, total } = readEnvelope((await served.get(searchUrl({ ...asked, page }))).body);
        expect(total).toBe(all.length);
        seen.push(...ids);
        if (ids.length < 20) break;
      }
      expect(seen.length).toBeGreaterThan(20);
      expect([...seen].sort()).toEqual(all.map(({ page }) => page.id).sort());
    }
  });

  it('SEA-08 nothing changes where everything is published again', async () => {
    const before = await served.readAll(varied.ids);
    await republish(served.context, true);
    expect((await served.readAll(varied.ids)).map(({ text }) => text)).toEqual(before.map(({ text }) => text));
    await compare('published again', 50);
  });
});
