import { METHODS } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRegistry } from '../../../src/registry/registry.ts';
import { onBothEngines } from '../../support/engines.ts';
import { building, id, record } from '../../support/records.ts';
import { openServedRegistry } from '../../support/served-registry.ts';
import {
  answerOf,
  emptyRegistry,
  expectNothingInside,
  expectProblem,
  expectRefusal,
  faultyRegistry,
  lastingHeaders,
  MARK,
  serverOn,
} from '../../support/serving.ts';
import { openSmallRegistry, SMALL, type SmallRegistry } from '../../support/small-registry.ts';
import { randomRuns } from '../../support/test-length.ts';
import { TRAPS } from '../../support/trap-texts.ts';
import { ask, listening } from '../../support/wire.ts';

const SUGGEST = '/japan/suggest';
const area = (level: string, code: string, parent: string | null, slug: string, nameJa: string) => ({
  ...{ kind: 'area', level, code, parent, slug, nameJa, nameEn: null },
});
const suggestUrl = (q: string) => `${SUGGEST}?${new URLSearchParams({ q })}`;

onBothEngines('/japan/suggest', (fresh) => {
  let small: SmallRegistry;
  beforeAll(async () => {
    small = await openSmallRegistry(await fresh());
    await small.ingest([21, 22, 23, 24, 25, 26].map((number) => building(number)));
    await small.ingest([building(27, { nameJa: '丸の内塔', addressJa: '東京都千代田区丸の内1-1' })]);
  });
  afterAll(() => small.close());
  const get = async (url: string, headers: Record<string, string> = {}) =>
    answerOf(await small.app.inject({ url, headers }));
  const bodyOf = async (url: string) => {
    const { status, headers, body } = await get(url);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    return JSON.parse(body) as { query: string; rows: Record<string, unknown>[] };
  };

  it('SUG-01 answers with the query and at most five rows, buildings and areas together', async () => {
    const { query, rows } = await bodyOf(suggestUrl('ビル'));
    expect(query).toBe('ビル');
    expect(rows).toHaveLength(5);
    expect(await bodyOf(suggestUrl('丸の内'))).toEqual({
      query: '丸の内',
      rows: [
        {
          kind: 'area',
          label: '丸の内1丁目',
          detail: '東京都千代田区',
          path: '/japan/tokyo/chiyoda-ku/marunouchi-1-chome',
          count: 10,
          labelEn: 'Marunouchi 1-chome',
          detailEn: 'Chiyoda-ku, Tokyo',
        },
        {
          kind: 'building',
          label: '丸の内塔',
          detail: '東京都千代田区丸の内1-1',
          path: `/japan/tokyo/chiyoda-ku/marunouchi-1-chome/${id(27)}`,
        },
      ],
    });
  });

  it('SUG-01 every row has a path of the service and only the shown properties', async () => {
    for (const q of ['ビル', '東', 'o', SMALL.full, '丸']) {
      const { rows } = await bodyOf(suggestUrl(q));
      expect(rows.length).toBeGreaterThan(0);
      for (const { kind, label, detail, path, ...rest } of rows) {
        expect(path).toMatch(/^\/japan\/[\w-]+(\/[\w-]+)*$/);
        expect([typeof label, typeof detail]).toEqual(['string', 'string']);
        const names = kind === 'area' ? ['count', 'labelEn', 'detailEn'] : ['matched'];
        expect(Object.keys(rest).filter((name) => !names.includes(name))).toEqual([]);
      }
    }
  });

  it('SUG-02 ID-04 the ID of a merged or retired building suggests its survivor, in any case and width', async () => {
    const survivor = SMALL.chain[2];
    const { matched: _, ...expected } = (await bodyOf(suggestUrl(survivor))).rows[0] ?? {};
    expect(expected).toMatchObject({ kind: 'building', path: expect.stringMatching(survivor) });
    for (const former of [SMALL.chain[0], SMALL.chain[1], SMALL.retiredIntoChain]) {
      const wide = former.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));
      for (const q of [former, former.toLowerCase(), wide, `  ${former}\u3000`]) {
        expect((await bodyOf(suggestUrl(q))).rows, q).toEqual([{ ...expected, matched: former }]);
      }
      // Only the complete ID counts.
      expect((await bodyOf(suggestUrl(former.slice(0, -1)))).rows).not.toMatchObject([expected]);
      expect((await bodyOf(suggestUrl(`${former} x`))).rows).toEqual([]);
    }
    for (const none of [SMALL.retired, ...SMALL.mergedIntoRetired, SMALL.unplaced, SMALL.unknown]) {
      expect((await bodyOf(suggestUrl(none))).rows, none).toEqual([]);
    }
  });

  it('SUG-02 SUG-03 a ward is also found by its own name if its displayed name begins with its city', async () => {
    const served = await openServedRegistry(await fresh());
    const wards = [
      ['01', 'hokkaido', '01102', 'sapporo-shi-kita-ku', '札幌市北区'],
      ['13', 'tokyo', '13117', 'kita-ku', '北区'],
      ['13', 'tokyo', '13303', 'mizuho-machi', '西多摩郡瑞穂町'],
      ['27', 'osaka', '27127', 'osaka-shi-kita-ku', '大阪市北区'],
      ['27', 'osaka', '27146', 'sakai-shi-kita-ku', '堺市北区'],
      ['27', 'osaka', '27128', 'osaka-shi-chuo-ku', '大阪市中央区'],
      ['40', 'fukuoka', '40106', 'kitakyushu-shi-kokurakita-ku', '北九州市小倉北区'],
    ] as const;
    const prefectures = new Map(wards.map(([code, slug]) => [code, slug]));
    await served.ingest([
      ...[...prefectures].map(([code, slug]) => area('prefecture', code, null, slug, `${slug}県`)),
      ...wards.flatMap(([prefecture, , code, slug, nameJa]) => [
        area('ward', code, prefecture, slug, nameJa),
        area('machiAza', `${code}0001`, code, 'honmachi', '本町'),
      ]),
      ...wards.map(([prefecture, , code], i) =>
        record('osm', `way/${i}`, {}, { building: id(i + 1, prefecture), area: `${code}0001` }),
      ),
    ]);
    const labels = async (q: string) => {
      const { rows } = JSON.parse((await served.get(suggestUrl(q))).body) as { rows: { label: string }[] };
      return rows.map(({ label }) => label);
    };
    // A match at the start of the displayed name ranks before one at the start of the ward's own name; ties by path.
    expect(await labels('北区')).toEqual(['北区', '札幌市北区', '大阪市北区', '堺市北区', '北九州市小倉北区']);
    expect(await labels('北')).toEqual(['北九州市小倉北区', '北区', '札幌市北区', '大阪市北区', '堺市北区']);
    expect(await labels('小倉北')).toEqual(['北九州市小倉北区']);
    expect(await labels('瑞穂町')).toEqual(['西多摩郡瑞穂町']);
    // If buildings match too, two areas come first; areas that match in the middle of their name come last.
    await served.ingest([
      ...[1, 2].map((n) =>
        record('osm', `way/9${n}`, { nameJa: `北区会館${n}` }, { building: id(90 + n), area: '131170001' }),
      ),
    ]);
    expect(await labels('北区')).toEqual(['北区', '札幌市北区', '北区会館1', '北区会館2', '大阪市北区']);
    await served.close();
  });

  it.each([
    ['no query', '', ''],
    ['a query without q', '?Q=a&p=b', ''],
    ['an empty q', '?q=', ''],
    ['q without a value', '?q', ''],
    ['blanks', '?q=%20+%E3%80%80', '  　'],
  ])('suggests nothing for %s', async (_, rest, query) => {
    expect(await bodyOf(`${SUGGEST}${rest}`)).toEqual({ query, rows: [] });
  });

  it('takes the first q of several', async () => {
    const { query, rows } = await bodyOf(`${suggestUrl(SMALL.full)}&q=nothing&q=`);
    expect([query, rows.length]).toEqual([SMALL.full, 1]);
    expect((await bodyOf(`${SUGGEST}?q=nothing&q=${SMALL.full}`)).rows).toEqual([]);
  });

  it('never fails for hostile queries', async () => {
    const hostile = [
      ...['%', '%zz', '%00', '%ED%A0%80', '%F0%9F', '%FF%FE', '%E3%83', '+', '%2B', '&&&', '=', '%26q%3D', '#'],
      ...["'%20or%201=1--", '%25%5F%5C', '%22%7D', '<script>', '..%2F..%2F', '%E2%80%AE', '%F0%9F%8F%A2', '%0D%0A'],
      ...TRAPS.map(encodeURIComponent),
      'a'.repeat(10_000),
      encodeURIComponent('東'.repeat(10_000)),
      Array(5_000).fill('a').join('+'),
    ];
    for (const q of hostile) {
      const { status, body } = await get(`${SUGGEST}?q=${q}`);
      expect(status, q.slice(0, 40)).toBe(200);
      expect(JSON.parse(body).rows.length).toBeLessThanOrEqual(5);
    }
  });

  it('never fails for any query', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 }).map((q) => encodeURIComponent(q));
    const broken = fc.string({ unit: fc.constantFrom(...'%0aFeEdD89+&=qビル'), maxLength: 40 });
    const bytes = fc
      .uint8Array({ maxLength: 30 })
      .map((values) => [...values].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
    await fc.assert(
      fc.asyncProperty(fc.oneof(text, broken, bytes), async (q) => {
        const { status, body } = await get(`${SUGGEST}?q=${q}`);
        expect(status).toBe(200);
        expect(Object.keys(JSON.parse(body))).toEqual(['query', 'rows']);
      }),
      { numRuns: randomRuns(150) },
    );
  });

  it('a query too long for a request is refused with 431', async () => {
    await listening(serverOn(openRegistry(small.context.storage)), async (port) => {
      expect((await ask(port, { path: suggestUrl('a'.repeat(10_000)) })).status).toBe(200);
      expectProblem(await ask(port, { path: suggestUrl('東'.repeat(10_000)) }), 431);
    });
  });

  it('HEAD has the headers of GET and no body', async () => {
    await listening(serverOn(openRegistry(small.context.storage)), async (port) => {
      const path = suggestUrl('ビル');
      const got = await ask(port, { path });
      const head = await ask(port, { path, method: 'HEAD' });
      expect([got.status, head.status, head.body]).toEqual([200, 200, '']);
      expect(lastingHeaders(head.headers)).toEqual(lastingHeaders(got.headers));
    });
  });

  it('a known ETag gives 304 until the suggestions change', async () => {
    const url = suggestUrl('第');
    const { headers } = await get(url);
    expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    const again = await get(url, { 'if-none-match': String(headers.etag) });
    expect(again).toMatchObject({ status: 304, body: '' });
    expect((await get(suggestUrl('丸'))).headers.etag).not.toBe(headers.etag);
    await small.ingest([building(12)]);
    expect((await get(url, { 'if-none-match': String(headers.etag) })).status).toBe(200);
  });
});

describe('/japan/suggest of an empty or failing registry', () => {
  it('other methods are refused', async () => {
    const app = serverOn(emptyRegistry);
    for (const method of METHODS.filter((name) => !['GET', 'HEAD', 'CONNECT'].includes(name))) {
      const answer = answerOf(await app.inject({ method: method as 'POST', url: suggestUrl(MARK), payload: MARK }));
      expectRefusal(answer, 405);
      expect(answer.headers.allow).toBe('GET, HEAD');
    }
    await app.close();
  });

  it('the page rate limit applies', async () => {
    const app = serverOn(emptyRegistry, undefined, { rateLimit: { api: 1, page: 2, mcp: 1 } });
    const ask = async () => answerOf(await app.inject({ url: suggestUrl(MARK) }));
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expectNothingInside(refused);
    await app.close();
  });

  it('an error of the registry gives a 500 without details', async () => {
    const app = serverOn(faultyRegistry(new Error(`SECRET ${MARK} at /node_modules/a.ts:1`)));
    const answer = answerOf(await app.inject({ url: suggestUrl(MARK) }));
    expectRefusal(answer, 500);
    expect(answer.headers.etag).toBeUndefined();
    await app.close();
  });
});
