import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRegistry } from '../../src/registry/registry.ts';
import {
  type BuildingPage,
  BuildingPageSchema,
  type SourcesEntry,
  SourcesSchema,
} from '../../src/vocabulary/building-page.ts';
import { onBothEngines } from '../support/engines.ts';
import { AREA, building, id, record } from '../support/records.ts';
import { answerOf, assetUrl, expectProblem, MARK, serverOn } from '../support/serving.ts';
import { LIVE, openSmallRegistry, SMALL, type SmallRegistry } from '../support/small-registry.ts';
import { listening } from '../support/wire.ts';

const pageSchema = Compile(BuildingPageSchema);
const sourcesSchema = Compile(SourcesSchema);
const FULL_RECORD = [
  ...['id', 'path', 'assetTypes', 'fields', 'location', 'aliases', 'footprint', 'geometry'],
  ...['sources', 'venues', 'nearby', 'history', 'counters', 'attribution'],
];

onBothEngines('assets', (fresh) => {
  let small: SmallRegistry;
  beforeAll(async () => {
    small = await openSmallRegistry(await fresh());
  });
  afterAll(() => small.close());
  const get = async (url: string, headers: Record<string, string> = {}) =>
    answerOf(await small.app.inject({ url, headers }));
  const pageOf = async (asset: string) => JSON.parse((await get(assetUrl(asset))).body) as BuildingPage;
  const sourcesOf = async (asset: string) =>
    JSON.parse((await get(assetUrl(asset, '/sources'))).body) as SourcesEntry[];

  describe('the record', () => {
    it('REC-01 every live building has a full record that matches the schema', async () => {
      for (const asset of LIVE) {
        const answer = await get(assetUrl(asset));
        expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } });
        const page = JSON.parse(answer.body) as BuildingPage;
        expect(Object.keys(page).sort()).toEqual([...FULL_RECORD].sort());
        expect([...pageSchema.Errors(page)], asset).toEqual([]);
        expect(page.id).toBe(asset);
        expect(page.path).toBe(`/japan/tokyo/chiyoda-ku/marunouchi-1-chome/${asset}`);
        expect(page.location.machiAza.code).toBe(AREA);
      }
    });

    it('REC-02 assetTypes is at the top level, never among the fields, and is never empty', async () => {
      for (const asset of LIVE) {
        const page = await pageOf(asset);
        expect(page.assetTypes.length).toBeGreaterThan(0);
        expect(page.fields).not.toHaveProperty('assetTypes');
        expect(page.fields).not.toHaveProperty('aliases');
      }
      expect((await pageOf(SMALL.full)).assetTypes.map(({ category }) => category).sort()).toEqual([
        'office',
        'retail',
      ]);
      expect((await pageOf(SMALL.geometryOnly)).assetTypes).toMatchObject([
        { value: 'unknown', category: 'unspecified' },
      ]);
    });

    it('REC-05 a field shows the winning source and the best losing value, if one differs', async () => {
      const { fields, counters } = await pageOf(SMALL.full);
      expect(fields.heightM).toMatchObject({
        value: 50,
        unit: 'm',
        provenance: { source: 'plateau', sourceRecordId: 'b1' },
        conflict: { value: 49, unit: 'm', source: 'wikidata' },
        estimated: false,
      });
      expect(fields.yearBuilt?.conflict).toBeNull();
      expect(fields.gfaM2).toMatchObject({ value: 3600, estimated: true, provenance: { source: 'dnk' } });
      const conflicts = Object.values(fields).filter((field) => field?.conflict != null);
      expect(counters.conflictsFlagged).toBe(conflicts.length);
    });
  });

  describe('the sources of a record', () => {
    it('SRC-01 there is one entry per source record consulted', async () => {
      const sources = await sourcesOf(SMALL.full);
      expect([...sourcesSchema.Errors(sources)]).toEqual([]);
      const keys = sources.map(({ source, sourceRecordId, sourceUrl }) => [source, sourceRecordId, sourceUrl]);
      expect(keys.sort()).toEqual([
        ['estat', 'e1', 'https://estat.example/e1'],
        ['osm', 'way/1', 'https://osm.example/way/1'],
        ['plateau', 'b1', 'https://plateau.example/b1'],
        ['wikidata', 'Q1', 'https://wikidata.example/Q1'],
        ['wikidata', 'Q9', 'https://wikidata.example/Q9'],
      ]);
    });

    it('SRC-01 a survivor lists the records of the buildings merged into it', async () => {
      const records = (await sourcesOf(SMALL.chain[2])).map(({ sourceRecordId }) => sourceRecordId);
      expect(records.sort()).toEqual(['way/3', 'way/4', 'way/5']);
    });

    it('SRC-01 the list equals the one in the record', async () => {
      for (const asset of LIVE) expect(await sourcesOf(asset)).toEqual((await pageOf(asset)).sources);
    });

    it('SRC-02 SRC-03 SRC-04 an entry lists the published fields of its record once, and no outranked ones', async () => {
      const won = Object.fromEntries(
        (await sourcesOf(SMALL.full)).map(({ sourceRecordId, fields }) => [sourceRecordId, [...fields].sort()]),
      );
      expect(won).toEqual({
        'way/1': ['aliases', 'assetTypes', 'nameJa'],
        b1: ['floorsAbove', 'footprintM2', 'heightM'],
        Q1: ['aliases', 'nameEn', 'yearBuilt'],
        Q9: [],
        e1: [],
      });
    });

    it('SRC-04 a record with only a footprint is listed', async () => {
      expect(await sourcesOf(SMALL.geometryOnly)).toContainEqual({
        source: 'plateau',
        sourceRecordId: 'b2',
        sourceUrl: 'https://plateau.example/b2',
        fields: [],
      });
      expect((await pageOf(SMALL.geometryOnly)).footprint?.provenance.source).toBe('plateau');
    });
  });

  describe('identity', () => {
    it('ID-03 a well-formed ID without a record is not found', async () => {
      const unknown = [SMALL.unknown, SMALL.unplaced, id(0), id(0, '00'), id(99_999_999, '99'), id(1, '47')];
      for (const asset of unknown) {
        for (const rest of ['', '/sources']) expectProblem(await get(assetUrl(asset, rest)), 404);
      }
    });

    it.each([
      ['merged through a chain', SMALL.chain[0], SMALL.chain[2]],
      ['merged', SMALL.chain[1], SMALL.chain[2]],
      ['retired with a successor', SMALL.retiredInto.from, SMALL.retiredInto.into],
      ['retired into a merged ID', SMALL.retiredIntoChain, SMALL.chain[2]],
    ])('API-08 ID-04 a merged ID redirects to its survivor, with sub-path and query: %s', async (_, from, into) => {
      for (const rest of ['', '/sources', '?a=1&a=2', '/sources?q=%E5%BB%BA%20%zz&x', `?${MARK}`]) {
        const answer = await get(assetUrl(from, rest));
        expect(answer).toMatchObject({ status: 301, headers: { location: assetUrl(into, rest) }, body: '' });
      }
    });

    it('API-08 the redirect must be revalidated, because a merge can be undone', async () => {
      const { headers } = await get(assetUrl(SMALL.chain[0]));
      expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    });

    it('ID-04 a building retired without a successor is not found, and neither are IDs merged into it', async () => {
      for (const asset of [SMALL.retired, ...SMALL.mergedIntoRetired]) {
        for (const rest of ['', '/sources']) expectProblem(await get(assetUrl(asset, rest)), 404);
      }
    });

    it('ID-04 following the redirect on the wire ends at the survivor', async () => {
      await listening(serverOn(openRegistry(small.context.storage)), async (port) => {
        const response = await fetch(`http://127.0.0.1:${port}${assetUrl(SMALL.retiredIntoChain, '/sources')}`);
        expect(response).toMatchObject({ status: 200, redirected: true });
        expect(new URL(response.url).pathname).toBe(assetUrl(SMALL.chain[2], '/sources'));
        expect(await response.json()).toEqual(await sourcesOf(SMALL.chain[2]));
      });
    });
  });

  describe('caching', () => {
    const urls = [assetUrl(SMALL.full), assetUrl(SMALL.full, '/sources')];

    it('every response has a strong ETag and must be revalidated', async () => {
      for (const url of urls) {
        const { headers } = await get(url);
        expect(headers.etag).toMatch(/^"[\x21\x23-\x7e]+"$/);
        expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
        expect((await get(url)).headers.etag).toBe(headers.etag);
      }
    });

    it.each([
      ['the tag', (tag: string) => tag],
      ['the weak form', (tag: string) => `W/${tag}`],
      ['a list', (tag: string) => `"other", ${tag},W/"third"`],
      ['a list without spaces', (tag: string) => `"other",W/${tag}`],
      ['any', () => '*'],
    ])('a matching ETag gives 304: %s', async (_, condition) => {
      for (const url of urls) {
        const { headers } = await get(url);
        const known = { 'if-none-match': condition(String(headers.etag)) };
        const again = await get(url, known);
        expect(again).toMatchObject({ status: 304, body: '' });
        expect(again.headers).toMatchObject({ etag: headers.etag, 'cache-control': headers['cache-control'] });
        const head = await small.app.inject({ method: 'HEAD', url, headers: known });
        expect(head.statusCode).toBe(304);
      }
    });

    it.each([
      ['another tag', () => '"other"'],
      ['a list of others', () => '"a", "b", W/"c"'],
      ['an unquoted tag', (tag: string) => tag.slice(1, -1)],
      ['the start of the tag', (tag: string) => `${tag.slice(0, -3)}"`],
      ['nothing', () => ''],
      ['a lower-case w', (tag: string) => `w/${tag}`],
    ])('any other If-None-Match gives the record: %s', async (_, condition) => {
      for (const url of urls) {
        const got = await get(url);
        const again = await get(url, { 'if-none-match': condition(String(got.headers.etag)) });
        expect(again).toMatchObject({ status: 200, body: got.body });
      }
    });

    it('errors and redirects never give 304', async () => {
      const any = { 'if-none-match': '*' };
      expectProblem(await get(assetUrl(SMALL.unknown), any), 404);
      expectProblem(await get(assetUrl(MARK), any), 400);
      expect((await get(assetUrl(SMALL.chain[0]), any)).status).toBe(301);
    });

    it('no two records have the same ETag', async () => {
      const tags = await Promise.all(
        LIVE.flatMap((asset) => [assetUrl(asset), assetUrl(asset, '/sources')]).map(
          async (url) => (await get(url)).headers.etag,
        ),
      );
      expect(new Set(tags).size).toBe(tags.length);
    });

    it('the ETag changes with the bytes: new evidence, a new neighbour, a removed neighbour', async () => {
      const url = assetUrl(id(200));
      const seen = new Map<unknown, string>();
      const look = async () => {
        for (const path of [url, `${url}/sources`]) {
          const { headers, body } = await get(path);
          const key = `${path} ${headers.etag}`;
          expect(seen.get(key) ?? body).toBe(body);
          seen.set(key, body);
        }
        return get(url);
      };
      await small.ingest([building(200)]);
      const answers = [await look()];
      const steps = [
        [building(201)],
        [record('wikidata', 'Q200', { nameEn: 'Two hundred' }, { building: id(200) })],
        [record('estat', 'e200', {}, { building: id(200) })],
        [{ kind: 'merge', from: id(201), into: SMALL.geometryOnly, reason: null }],
      ];
      for (const lines of steps) {
        await small.ingest(lines);
        const before = answers.at(-1);
        const after = await look();
        expect(after.body).not.toBe(before?.body);
        const known = await get(url, { 'if-none-match': String(before?.headers.etag) });
        expect(known).toMatchObject({ status: 200, body: after.body });
        answers.push(after);
      }
      expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(answers.length);
    });
  });
});
