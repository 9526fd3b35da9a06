import { expect, it } from 'vitest';
import { republish } from '../../src/pipeline/run.ts';
import type { SearchEnvelope } from '../../src/vocabulary/api-shapes.ts';
import type { BuildingPage } from '../../src/vocabulary/building-page.ts';
import { onBothEngines } from '../support/engines.ts';
import { AREA, AREAS, id, type Json, OTHER_AREA, record } from '../support/records.ts';
import { byRecency, openServedRegistry, type ServedRegistry } from '../support/served-registry.ts';

const LIST = '/japan/api/v1/assets';
const COUNT = 600;
const numbers = Array.from({ length: COUNT }, (_, i) => i + 1);
const word = encodeURIComponent('ビル');

const named = (number: number, revision: number): Json =>
  record(
    'osm',
    `way/${number}`,
    { nameJa: `${revision}版 第${number}ビル`, nameEn: 'Building' },
    {
      ...{ building: id(number), area: number % 3 === 0 ? OTHER_AREA : AREA },
      ...{ retrievedAt: `2026-01-0${revision}T00:00:00Z`, rawPayloadRef: `sha256:${revision}` },
    },
  );

/** Checks what must hold for every response at any time. */
function expectValid(status: number, body: string, holds: (item: BuildingPage) => boolean): SearchEnvelope {
  expect(status).toBe(200);
  const envelope = JSON.parse(body) as SearchEnvelope;
  const { items, total, page, totalCapped } = envelope;
  expect(new Set(items.map((item) => item.id)).size).toBe(items.length);
  expect([...items].sort(byRecency).map((item) => item.id)).toEqual(items.map((item) => item.id));
  expect(items.length).toBe(Math.max(0, Math.min(20, total - (page - 1) * 20)));
  expect(items.filter((item) => !holds(item))).toEqual([]);
  expect(totalCapped).toBe(false);
  return envelope;
}

/** Repeats requests during an ingest; returns the number of rounds. */
async function askDuring(
  served: ServedRegistry,
  run: Promise<void>,
  check: (answer: SearchEnvelope, query: string) => void,
): Promise<number> {
  let done = false;
  const ended = run.finally(() => {
    done = true;
  });
  // Awaited below; until then a failure must not be an unhandled rejection.
  ended.catch(() => {});
  const queries: [string, (item: BuildingPage) => boolean][] = [
    ['', () => true],
    ['?page=2', () => true],
    [`?q=${word}`, (item) => String(item.fields.nameJa?.value).includes('ビル')],
    [`?q=2+${word}&page=3`, (item) => String(item.fields.nameJa?.value).includes('2')],
    ['?machiAza=marunouchi-2-chome', (item) => item.location.machiAza.code === OTHER_AREA],
    [`?q=${id(300)}`, (item) => item.id === id(300)],
  ];
  let rounds = 0;
  while (!done) {
    const answers = await Promise.all(queries.map(([query]) => served.get(`${LIST}${query}`)));
    for (const [i, [query, holds]] of queries.entries()) {
      const { status, body } = answers[i] as { status: number; body: string };
      check(expectValid(status, body, holds), query);
    }
    // Areas and portfolios are read from the same tables.
    expect([200, 404]).toContain((await served.get('/japan/api/v1/areas/tokyo')).status);
    expect((await served.get('/japan/api/v1/owners/x/assets')).status).toBe(200);
    rounds += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await ended;
  return rounds;
}

onBothEngines('searching during an ingest', (fresh) => {
  it('SEA-01 SEA-08 SEA-11 every response is complete, and none is an error', async () => {
    const served = await openServedRegistry(await fresh());
    let before = 0;
    const growing = await askDuring(
      served,
      served.ingest([...AREAS, ...numbers.map((n) => named(n, 1))]),
      (answer, query) => {
        if (query !== '') return;
        expect(answer.total).toBeGreaterThanOrEqual(before);
        before = answer.total;
      },
    );
    expect(JSON.parse((await served.get(LIST)).body).total).toBe(COUNT);

    // Every building changes its position, but none is ever missing or duplicated.
    const expectAll = ({ total }: SearchEnvelope, query: string) => {
      if (query === '' || query === `?q=${word}`) expect(total).toBe(COUNT);
      if (query === `?q=${id(300)}`) expect(total).toBe(1);
      if (query === '?machiAza=marunouchi-2-chome') expect(total).toBe(COUNT / 3);
    };
    const changing = await askDuring(served, served.ingest(numbers.map((n) => named(n, 2))), expectAll);
    const again = await askDuring(
      served,
      republish(served.context, true).then(() => {}),
      expectAll,
    );
    expect(Math.min(growing, changing)).toBeGreaterThan(1);
    expect(again).toBeGreaterThan(0);
    const after = JSON.parse((await served.get(`${LIST}?q=${encodeURIComponent('2版')}`)).body) as SearchEnvelope;
    expect(after.total).toBe(COUNT);
    await served.close();
  });
});
