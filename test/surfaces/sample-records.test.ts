import { afterAll, beforeAll, expect, it } from 'vitest';
import { API_ROOT } from '../../src/surfaces/http/surface.ts';
import type { BuildingPage, SourcesEntry } from '../../src/vocabulary/building-page.ts';
import type { MatchAnswer } from '../../src/vocabulary/match-shapes.ts';
import { AREA_REASON, type SourceRecordAnswer } from '../../src/vocabulary/source-record.ts';
import { onBothEngines } from '../support/engines.ts';
import { openServedSample, type ServedSample } from '../support/served-sample.ts';

interface Pair extends Pick<SourcesEntry, 'source' | 'sourceRecordId'> {
  id: string;
}

onBothEngines('every source record of the sample', (fresh) => {
  let sample: ServedSample;
  let pairs: Pair[] = [];
  /** The buildings that list each record. */
  let buildingsOf: Map<string, string[]>;
  const nameOf = ({ source, sourceRecordId }: Omit<Pair, 'id'>) => `${source}:${sourceRecordId}`;
  const get = async <T>(path: string, query: Record<string, string>) => {
    const { statusCode, body } = await sample.app.inject({ url: `${path}?${new URLSearchParams(query)}` });
    expect(statusCode, body).toBe(200);
    return JSON.parse(body) as T;
  };
  beforeAll(async () => {
    sample = await openServedSample(await fresh(), { rateLimit: { api: 0, page: 0, mcp: 0 } });
    for (let page = 1; ; page++) {
      const { items } = await get<{ items: BuildingPage[] }>(`${API_ROOT}/assets`, { page: String(page) });
      if (items.length === 0) break;
      pairs.push(...items.flatMap(({ id, sources }) => sources.map((entry) => ({ ...entry, id }))));
    }
    pairs = pairs.sort((a, b) => (a.id < b.id ? -1 : 1));
    buildingsOf = new Map(pairs.map((pair) => [nameOf(pair), []]));
    for (const pair of pairs) buildingsOf.get(nameOf(pair))?.push(pair.id);
  });
  afterAll(() => sample.close());

  it('RCN-02 GET /match leads from it to the buildings that list it', async () => {
    expect(pairs.length).toBeGreaterThan(500);
    let shared = 0;
    for (const { source, sourceRecordId } of pairs) {
      const ids = buildingsOf.get(nameOf({ source, sourceRecordId })) as string[];
      const { verdict, candidates } = await get<MatchAnswer>(`${API_ROOT}/match`, { source, sourceRecordId });
      expect([verdict, ...candidates.map(({ id }) => id)]).toEqual([ids.length === 1 ? 'match' : 'ambiguous', ...ids]);
      if (ids.length > 1) shared += 1;
    }
    // Two complexes with two buildings each.
    expect(shared).toBe(4);
  });

  it('RCN-07 reconciliation leads from it to the buildings that list it', async () => {
    const queries = Object.fromEntries(
      pairs.map((pair, i) => [`q${i}`, { properties: [{ pid: 'sourceRecordId', v: nameOf(pair) }] }]),
    );
    const payload = new URLSearchParams({ queries: JSON.stringify(queries) }).toString();
    const { body } = await sample.app.inject({
      ...{ method: 'POST', url: '/japan/reconcile', payload },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const results = JSON.parse(body) as Record<string, { result: { id: string; match: boolean }[] }>;
    for (const [i, pair] of pairs.entries()) {
      const ids = buildingsOf.get(nameOf(pair)) as string[];
      const { result } = results[`q${i}`] as (typeof results)[string];
      expect(result.map(({ id, match }) => [id, match])).toEqual(ids.map((id) => [id, ids.length === 1]));
    }
  });

  it('REF-01 a look-up leads to the first of the buildings that list it', async () => {
    for (const { id, source, sourceRecordId } of pairs) {
      const answer = await get<SourceRecordAnswer>(`${API_ROOT}/source-records`, { source, id: sourceRecordId });
      expect(['contributes', 'merged']).toContain(answer.disposition);
      expect(answer.assetId).toBe(buildingsOf.get(nameOf({ source, sourceRecordId }))?.[0]);
      expect(buildingsOf.get(nameOf({ source, sourceRecordId }))).toContain(id);
    }
  });

  it('REF-03 areas of its tables and boundaries are found, and belong to no building', async () => {
    for (const [source, id] of [
      ['abr', '130001'],
      ['abr', '131016'],
      ['abr', '131016-0039001'],
      ['estat', '13101039001'],
    ] as const) {
      expect(await get<SourceRecordAnswer>(`${API_ROOT}/source-records`, { source, id })).toMatchObject({
        ...{ sourceRecordId: id, disposition: 'unmatched', reason: AREA_REASON, assetId: null, path: null },
      });
    }
  });
});
