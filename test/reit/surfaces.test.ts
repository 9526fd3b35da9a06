import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { retireBuilding } from '../../src/pipeline/identity-commands.ts';
import { openRegistry } from '../../src/registry/registry.ts';
import { openReit } from '../../src/reit/life/reit.ts';
import { findPublications, storePublication } from '../../src/reit/life/store.ts';
import { canonicalJson, sha256 } from '../../src/reit/publication/canonical-json.ts';
import type { Envelope } from '../../src/reit/publication/document.ts';
import { CSV_COLUMNS } from '../../src/reit/publication/project-csv.ts';
import type { Catalog } from '../../src/reit/publication/project-json-ld.ts';
import { compact, expandText, type StoredText } from '../../src/storage/compact/compact.ts';
import { onBothEngines } from '../support/engines.ts';
import { McpClient } from '../support/mcp-inject.ts';
import { building, id, record, square } from '../support/records.ts';
import { ASKED_SURFACES, bundleFor, openReitPlace, permit, type ReitPlace } from '../support/reit-place.ts';
import { assetUrl, emptyRegistry, expectProblem, serverOn } from '../support/serving.ts';
import { exampleBundle } from './support.ts';

const FORMS = ['reit', 'reit.csv', 'reit.jsonld'] as const;

onBothEngines('an accepted publication', (fresh) => {
  let place: ReitPlace;
  let publication: string;
  beforeAll(async () => {
    place = await openReitPlace(await fresh());
    ({ id: publication } = await place.compose(exampleBundle()));
  });
  afterAll(() => place.close());
  const envelope = async (of = id(1)) => JSON.parse((await place.get(assetUrl(of, '/reit'))).body) as Envelope;

  it('REIT-09 is not served before it is activated, even if reviewed and allowed', async () => {
    await permit(place, 'allow', 'all');
    for (const review of ['data', 'match']) {
      await place.reit('review', review, publication, '--pass', '--by', 'alice', '--note', 'x');
    }
    expect(await place.stateOf(publication)).toBe('reviewed');
    expect(await place.servedAnywhere()).toEqual([]);
    expect(await place.reit('activate', publication, '--by', 'bob')).toMatchObject({ code: 0 });
    for (const surface of ASKED_SURFACES) expect(await place.served(surface), surface).toEqual([publication]);
    expect(await place.servedAnywhere(id(2))).toEqual([]);
  });

  it('REIT-01 REIT-02 REIT-04 is the same snapshot everywhere: in the envelope, over MCP and in `show`', async () => {
    const shown = await place.show(publication);
    const served = await envelope();
    expect(served).toEqual({ buildingId: id(1), publications: [shown] });
    expect(`rp_${sha256(canonicalJson(served.publications[0]?.document))}`).toBe(publication);
    const mcp = await McpClient.open(place.app);
    const answer = await mcp.call('get_asset_reit', { id: id(1) });
    expect(answer.structuredContent).toEqual(served);
    expect(answer.content[0]?.text).toContain('a 1/2 quasi-co-ownership, not the whole building');
    expect(answer.content[0]?.text).toContain('- noi: 57000000 JPY (singleSource)');
    const parts = Object.keys(served.publications[0]?.document ?? {});
    for (const part of ['sourceRevisions', 'revisionHeads', 'periods', 'buildingMatches', 'financialChecks']) {
      expect(parts).toContain(part);
    }
  });

  it('REIT-04 the ID is the hash of the bytes of the document', async () => {
    const { body } = await place.get(assetUrl(id(1), '/reit'));
    const [, document = ''] = /"document":(.*)\}\]\}$/s.exec(body) ?? [];
    expect(`rp_${createHash('sha256').update(document).digest('hex')}`).toBe(publication);
  });

  it('CSV-01 CSV-02 has one row per metric, matched holding and period, read by an ordinary reader', async () => {
    const { headers, body } = await place.get(assetUrl(id(1), '/reit.csv'));
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    const rows = parse(body, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[];
    const { document } = await place.show(publication);
    expect(rows).toHaveLength(document.metrics.length);
    expect(Object.keys(rows[0] ?? {})).toEqual([...CSV_COLUMNS]);
    expect(rows.find(({ metric }) => metric === 'noi')).toMatchObject({
      ...{ buildingId: id(1), publicationId: publication, value: '57000000', state: 'recorded', unit: 'JPY' },
      ...{ agreement: 'singleSource', scale: '', decimals: '', rounding: '', revisionId: 'r1' },
    });
  });

  it('LD-01 is in the catalogue, with a link to the JSON and no figure', async () => {
    const { headers, body } = await place.get(assetUrl(id(1), '/reit.jsonld'), { host: 'registry.example' });
    expect(headers['content-type']).toMatch(/^application\/json/);
    const [dataset] = (JSON.parse(body) as Catalog).dataset;
    expect(dataset).toMatchObject({
      ...{ identifier: publication, about: { identifier: id(1) } },
      distribution: { contentUrl: `http://registry.example${assetUrl(id(1), '/reit')}` },
    });
    expect(dataset?.citation.length).toBeGreaterThan(0);
    expect(body).not.toContain('57000000');
  });

  it('REIT-05 must not be cached: no-store and no ETag on every response', async () => {
    for (const form of FORMS) {
      for (const [of, status] of [
        [id(1), 200],
        [id(2), 200],
        [id(99), 404],
        ['nonsense', 400],
      ] as const) {
        const answer = await place.get(assetUrl(of, `/${form}`));
        expect([answer.status, answer.headers['cache-control']], `${of} ${form}`).toEqual([status, 'no-store']);
        expect(answer.headers).not.toHaveProperty('etag');
        if (status >= 400) expectProblem(answer, status);
      }
      const head = await place.app.inject({ method: 'HEAD', url: assetUrl(id(1), `/${form}`) });
      expect([head.statusCode, head.headers['cache-control']]).toEqual([200, 'no-store']);
      const post = await place.app.inject({ method: 'POST', url: assetUrl(id(1), `/${form}`) });
      expect([post.statusCode, post.headers.allow]).toEqual([405, 'GET, HEAD']);
    }
  });

  it('REIT-10 a denied surface loses it, the others keep it', async () => {
    await permit(place, 'deny', 'csv');
    const { status, body } = await place.get(assetUrl(id(1), '/reit.csv'));
    expect([status, body]).toEqual([200, `${CSV_COLUMNS.join(',')}\r\n`]);
    for (const surface of ['rest-json', 'jsonld', 'mcp'] as const) {
      expect(await place.served(surface)).toEqual([publication]);
    }
    await permit(place, 'deny', 'rest-json');
    expect(await envelope()).toEqual({ buildingId: id(1), publications: [] });
    const [dataset] = (JSON.parse((await place.get(assetUrl(id(1), '/reit.jsonld'))).body) as Catalog).dataset;
    expect(dataset).not.toHaveProperty('distribution');
    await permit(place, 'deny', 'all');
    expect(await place.servedAnywhere()).toEqual([]);
    expect(await place.stateOf(publication)).toBe('accepted');
    await permit(place, 'allow', 'all');
    expect(await place.served('csv')).toEqual([publication]);
  });

  it('REIT-09 a restart publishes nothing and withdraws nothing', async () => {
    const { id: draft } = await place.compose(bundleFor(id(2), 'N-01'));
    const app = serverOn(openRegistry(place.context.storage), undefined, { reit: openReit(place.context.storage) });
    const ask = async (of: string) => (await app.inject(assetUrl(of, '/reit'))).json() as Envelope;
    expect((await ask(id(1))).publications.map((p) => p.id)).toEqual([publication]);
    expect((await ask(id(2))).publications).toEqual([]);
    expect(await place.stateOf(draft)).toBe('draft');
    await app.close();
  });

  it('REIT-10 what a REIT states about its building neither confirms nor suspends the match', async () => {
    await place.ingest([
      record('jreit', 'j1', { nameJa: '改名館', floorsAbove: 30, yearBuilt: 1999 }, { building: id(1) }),
      record('edinet', 'e1', { nameJa: '改名館', addressJa: '東京都千代田区丸の内1-1' }, { building: id(1) }),
    ]);
    expect(await place.stateOf(publication)).toBe('accepted');
    expect(await place.served('rest-json')).toEqual([publication]);
  });

  it('REIT-10 a changed footprint suspends it everywhere, until the match is reviewed again, with the same ID', async () => {
    const moved = { geometry: square([139.7648, 35.6815], 0.00006), retrievedAt: '2026-03-01T00:00:00Z' };
    await place.ingest([building(1, { floorsAbove: 9 }, { ...moved, rawPayloadRef: 'sha256:bb' })]);
    expect(await place.stateOf(publication)).toBe('suspended');
    expect(await place.servedAnywhere()).toEqual([]);
    const { stdout } = await place.reit('status', publication);
    expect(stdout).toMatch(/building .*footprintHash .*→/);
    expect(stdout).toMatch(/event .* suspended: the anchors/);
    await place.reit('review', 'data', publication, '--pass', '--by', 'alice', '--note', 'x');
    expect(await place.servedAnywhere()).toEqual([]);
    await place.reit('review', 'match', publication, '--pass', '--by', 'erin', '--note', '現地で確認');
    expect(await place.stateOf(publication)).toBe('accepted');
    expect(await place.servedAnywhere()).toEqual([publication]);
  });

  it('REIT-10 unknown means not served: anchors are compared on every read', async () => {
    const { storage } = place.context;
    const version = await storage.db
      .selectFrom('building_version')
      .select(['version', 'canonical'])
      .where('building', '=', 1_300_000_001)
      .orderBy('version', 'desc')
      .executeTakeFirstOrThrow();
    const set = (canonical: StoredText) =>
      storage.transaction(({ db }) =>
        db
          .updateTable('building_version')
          .set({ canonical })
          .where('building', '=', 1_300_000_001)
          .where('version', '=', version.version)
          .execute(),
      );
    await set(compact(expandText(version.canonical).replace('第1ビル', '別のビル')));
    expect(await place.servedAnywhere()).toEqual([]);
    expect(await place.stateOf(publication)).toBe('suspended');
    await set(version.canonical);
    expect(await place.servedAnywhere()).toEqual([publication]);
  });

  it('REIT-10 a withdrawal takes effect with the next read and is final', async () => {
    await place.reit('withdraw', publication, '--by', 'dave', '--reason', '誤り');
    expect(await place.servedAnywhere()).toEqual([]);
    expect(await place.stateOf(publication)).toBe('withdrawn');
    for (const args of [
      ['activate', publication, '--by', 'bob'],
      ['review', 'match', publication, '--pass', '--by', 'alice', '--note', 'x'],
      ['withdraw', publication, '--by', 'dave', '--reason', 'x'],
    ]) {
      expect(await place.reit(...args)).toMatchObject({ code: 1 });
    }
    expect(await place.compose(exampleBundle())).not.toMatchObject({ id: publication });
  });

  it('REIT-02 a document of an earlier version, without agreement, is served too', async () => {
    const { document } = await place.show((await place.compose(bundleFor(id(3), 'OLD-1'))).id);
    const { agreement, ...old } = document;
    const canonical = canonicalJson(old);
    const draft = { id: `rp_${sha256(canonical)}`, canonical, document: old };
    await place.context.storage.transaction((tx) => storePublication(tx, draft, '2020-01-01T00:00:00.000Z'));
    await place.accept(draft.id);
    expect((await envelope(id(3))).publications).toMatchObject([{ id: draft.id, document: old }]);
    expect(await place.served('mcp', id(3))).toEqual([draft.id]);
    expect(await place.served('jsonld', id(3))).toEqual([draft.id]);
    expect(await place.served('csv', id(3))).toEqual([]);
    expect((await place.reit('show', draft.id, '--table')).stdout).toContain('earlier version');
  });
});

onBothEngines('merged buildings', (fresh) => {
  let place: ReitPlace;
  beforeAll(async () => {
    place = await openReitPlace(await fresh());
  });
  afterAll(() => place.close());

  it('REIT-06 REIT-10 a merge withdraws permanently, and the ID redirects in every format', async () => {
    const loser = await place.compose(bundleFor(id(2), 'M-02'));
    const survivor = await place.compose(bundleFor(id(1), 'M-01'));
    await place.accept(loser.id);
    await place.accept(survivor.id);
    await place.ingest([{ kind: 'merge', from: id(2), into: id(1), reason: 'one building' }]);
    expect(await place.stateOf(loser.id)).toBe('withdrawn');
    expect((await place.reit('status', loser.id)).stdout).toContain(`withdrawn by registry: ${id(2)} is merged`);
    for (const form of FORMS) {
      expect(await place.get(assetUrl(id(2), `/${form}?a=1`))).toMatchObject({
        status: 301,
        headers: { location: assetUrl(id(1), `/${form}?a=1`), 'cache-control': 'no-store' },
      });
      expectProblem(await place.get(assetUrl(id(98), `/${form}`)), 404);
    }
    const mcp = await McpClient.open(place.app);
    expect(await mcp.call('get_asset_reit', { id: id(98) })).toMatchObject({ isError: true });
    const { content } = await mcp.call('get_asset_reit', { id: id(2) });
    expect(content[0]?.text).toContain(`now leads to ${id(1)}`);
    expect(await place.servedAnywhere(id(1))).not.toContain(loser.id);
  });

  it('REIT-10 a retirement withdraws every publication of the building, also one that covers others', async () => {
    const example = bundleFor(id(3), 'B-01');
    const [holding] = example.holdings;
    const [match] = example.matches;
    const both = {
      ...example,
      holdings: [holding, { ...holding, id: 'h2', propertyCode: 'B-02' }],
      matches: [match, { ...match, holdingId: 'h2', buildingId: id(1) }],
    };
    const { id: publication } = await place.compose(both);
    // The merge changed the building that two publications share, so the match is reviewed again.
    await place.accept(publication);
    expect(await place.served('rest-json', id(1))).toContain(publication);
    await retireBuilding(place.context, id(3), undefined, 'demolished');
    expect(await place.stateOf(publication)).toBe('withdrawn');
    expect(await place.servedAnywhere(id(1))).not.toContain(publication);
    expectProblem(await place.get(assetUrl(id(3), '/reit')), 404);
  });
});

onBothEngines('a read that fails', (fresh) => {
  it('REIT-07 is a 500 and isError, never an empty list', async () => {
    const place = await openReitPlace(await fresh());
    const { id: publication } = await place.compose(exampleBundle());
    await place.accept(publication);
    const { storage } = place.context;
    const [kept] = await storage.snapshot((reads) => findPublications(reads, [publication]));
    expect(kept?.id).toBe(publication);
    await storage.transaction(async ({ db }) => {
      await sql`alter table reit_event rename to reit_event_gone`.execute(db);
    });
    for (const form of FORMS) {
      const answer = await place.get(assetUrl(id(1), `/${form}`));
      expectProblem(answer, 500);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
    const mcp = await McpClient.open(place.app);
    const result = await mcp.call('get_asset_reit', { id: id(1) });
    expect(result).toMatchObject({ isError: true });
    expect(result).not.toHaveProperty('structuredContent');
    // Buildings without an active publication are not affected, nor is the rest of the record.
    expect((await place.get(assetUrl(id(1)))).status).toBe(200);
    await place.close();
  });
});

describe('an unknown building', () => {
  it('REIT-06 gives 404', async () => {
    const app = serverOn(emptyRegistry);
    for (const form of FORMS) expect((await app.inject(assetUrl(id(1), `/${form}`))).statusCode).toBe(404);
    await app.close();
  });
});
