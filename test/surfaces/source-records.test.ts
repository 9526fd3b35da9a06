import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordIdOf } from '../../src/observations/source-records.ts';
import { putPiece } from '../../src/registry/area-pieces.ts';
import { listLeftOut } from '../../src/registry/left-out.ts';
import { API_ROOT } from '../../src/surfaces/http/surface.ts';
import type { SourcesEntry } from '../../src/vocabulary/building-page.ts';
import type { MatchAnswer } from '../../src/vocabulary/match-shapes.ts';
import { SOURCE_FACTS } from '../../src/vocabulary/source-facts.ts';
import { AREA_REASON, dispositionOf, type SourceRecordAnswer } from '../../src/vocabulary/source-record.ts';
import { square as outline } from '../consolidation/support.ts';
import { runHere } from '../support/command.ts';
import { onBothEngines, type TestDatabase } from '../support/engines.ts';
import { draftOf, ingestDrafts } from '../support/ingest-drafts.ts';
import { AREA, building, id, MARUNOUCHI, record } from '../support/records.ts';
import { answerOf, assetUrl, expectProblem, MARK } from '../support/serving.ts';
import { openSmallRegistry, SMALL, type SmallRegistry } from '../support/small-registry.ts';

const ODD_ID = `Ａ b+c/%25&id=1 "<é>" ﾋﾞﾙ`;
const LATER = '2026-03-01T00:00:00Z';
const whole = { whole: true, rawPayloadRef: 'sha256:bb', retrievedAt: LATER };
const LINES = [
  building(20, { heightM: 30 }, { whole: true }),
  { ...record('osm', 'way/20', {}, { building: id(20), area: AREA, ...whole }) },
  building(21),
  building(22),
  record('wikidata', 'Q21', { nameEn: 'Both' }, { building: id(21) }),
  record('wikidata', 'Q21', { nameEn: 'Both' }, { building: id(22), rawPayloadRef: 'sha256:cc' }),
  record('wikidata', 'Q22', { yearBuilt: 1980 }, { building: id(22), complex: { nameJa: '街区', nameEn: null } }),
  record(
    'mankan',
    ODD_ID,
    { nameJa: 'どこにもない', addressJa: '東京都千代田区丸の内一丁目99番99号' },
    { sourceUrl: 'https://mankan.example/' },
  ),
  record('jreit', 'two', { nameJa: '甲' }, { building: id(21) }),
  record('jreit', 'two', { nameJa: '甲' }, { building: id(22) }),
  // Matched first, then its register no longer lists it.
  record('greenbuilding', 'g1', { developer: '甲社' }, { building: id(22), whole: true }),
  record('greenbuilding', 'g1', {}, whole),
];

onBothEngines('source records', (fresh) => {
  let database: TestDatabase;
  let small: SmallRegistry;
  beforeAll(async () => {
    database = await fresh();
    small = await openSmallRegistry(database);
    await small.ingest(LINES);
    const near = (step: number) => outline(8, [MARUNOUCHI[0] + step * 0.0003, MARUNOUCHI[1] + 0.001]);
    const plateau = (key: string, step: number, ...links: string[]) =>
      draftOf(key, null, { geometry: near(step), links, area: AREA });
    await ingestDrafts(
      small.context,
      'plateau',
      LATER,
      plateau('13101-bldg-1', 1, 'realestate:0100001234567-0000', 'realestate-land:0100007654321-0000'),
      plateau('13101-bldg-2', 2, 'realestate-unit:0100001234568-0101', 'realestate-land:0100007654321-0000'),
    );
    await ingestDrafts(
      small.context,
      'osm',
      LATER,
      draftOf('way/77', null, {
        area: AREA,
        geometry: near(1),
        links: ['ref:MLIT_PLATEAU=13101-bldg-1', 'ref=13101-bldg-1'],
      }),
    );
    await small.context.storage.transaction(async (tx) => {
      const boundary = outline(500, MARUNOUCHI);
      const at = { ingest: 1, line: 7, retrievedAt: LATER, boundary };
      await putPiece(tx, { ...at, id: 'estat:13101999001', ward: '13101', nameJa: 'どこにもない町' });
      await putPiece(tx, { ...at, id: 'estat:13101000101', ward: '13101', nameJa: '丸の内一丁目' });
      await tx.db.updateTable('area_piece').set({ area: AREA }).where('id', '=', 'estat:13101000101').execute();
    });
  });
  afterAll(() => small.close());

  const urlOf = (source: string, record: string) =>
    `${API_ROOT}/source-records?${new URLSearchParams({ source, id: record })}`;
  const get = async (url: string) => answerOf(await small.app.inject({ url }));
  const lookUp = async (source: string, record: string) => {
    const { status, body } = await get(urlOf(source, record));
    expect(status, `${source} ${record}`).toBe(200);
    return JSON.parse(body) as SourceRecordAnswer;
  };
  const pathOf = (asset: string) => `/japan/tokyo/chiyoda-ku/marunouchi-1-chome/${asset}`;
  const nowhere = { assetId: null, path: null, fieldsWon: [] };

  it('REF-01 a record that contributes has its building and the fields that it won', async () => {
    const { fields } = ((await small.app.inject(assetUrl(SMALL.full, '/sources'))).json() as SourcesEntry[]).find(
      ({ sourceRecordId }) => sourceRecordId === 'way/1',
    ) as SourcesEntry;
    expect(fields).toContain('nameJa');
    expect(await lookUp('osm', 'way/1')).toEqual({
      source: 'osm',
      sourceRecordId: 'way/1',
      disposition: 'contributes',
      assetId: SMALL.full,
      path: pathOf(SMALL.full),
      reason: null,
      sourceUrl: 'https://osm.example/way/1',
      retrievedAt: '2026-01-01T00:00:00Z',
      fieldsWon: fields,
    });
    expect(await lookUp('estat', 'e1')).toMatchObject({ disposition: 'contributes', fieldsWon: [] });
  });

  it('REF-01 a record of a merged building leads to the survivor', async () => {
    const survivor = { assetId: SMALL.chain[2], path: pathOf(SMALL.chain[2]) };
    for (const way of ['way/3', 'way/4']) {
      expect(await lookUp('osm', way)).toMatchObject({ disposition: 'merged', reason: null, ...survivor });
    }
    expect(await lookUp('osm', 'way/5')).toMatchObject({ disposition: 'contributes', ...survivor });
  });

  it('REF-01 a record of a retired building leads to the successor, if there is one', async () => {
    const retired = { disposition: 'retired', reason: 'retired', fieldsWon: [] };
    const { from, into } = SMALL.retiredInto;
    expect(from).toBe(id(6));
    expect(await lookUp('osm', 'way/6')).toMatchObject({ ...retired, assetId: into, path: pathOf(into) });
    expect(await lookUp('osm', 'way/7')).toMatchObject({ ...retired, ...nowhere });
    expect(await lookUp('osm', 'way/8')).toMatchObject({ ...retired, assetId: SMALL.chain[2] });
    for (const way of ['way/9', 'way/10']) expect(await lookUp('osm', way)).toMatchObject({ ...retired, ...nowhere });
  });

  it('REF-01 a record without a building says why', async () => {
    expect(await lookUp('osm', 'way/11')).toMatchObject({ disposition: 'unplaced', reason: 'unplaced', ...nowhere });
    expect(await lookUp('jreit', 'two')).toMatchObject({ disposition: 'ambiguous', reason: 'ambiguous', ...nowhere });
    expect(await lookUp('mankan', ODD_ID)).toMatchObject({
      ...{ sourceRecordId: ODD_ID, disposition: 'unmatched', reason: 'unmatched', ...nowhere },
    });
  });

  it('REF-01 a record whose newest whole revision says nothing is withdrawn', async () => {
    const withdrawn = { disposition: 'withdrawn', reason: 'withdrawn', retrievedAt: LATER, fieldsWon: [] };
    expect(await lookUp('osm', 'way/20')).toMatchObject(withdrawn);
    expect(await lookUp('greenbuilding', 'g1')).toMatchObject(withdrawn);
  });

  it('REF-01 of several buildings that a record names, the first counts', async () => {
    expect(await lookUp('wikidata', 'Q21')).toMatchObject({ disposition: 'contributes', assetId: id(21) });
    expect(await lookUp('wikidata', 'Q22')).toMatchObject({ assetId: id(22), fieldsWon: ['yearBuilt'] });
  });

  it('REF-02 every record ever read is found, with the reason that tatemono unmatched prints', async () => {
    const { storage } = small.context;
    const printed = new Map<string, string>();
    for await (const { source, sourceRecordId, reason } of listLeftOut(storage.db, undefined)) {
      printed.set(`${source}:${sourceRecordId}`, reason);
    }
    const kept = await storage.db.selectFrom('source_record').select(['key', 'source']).distinct().execute();
    expect(kept.length).toBeGreaterThan(25);
    const dispositions = new Set<string>();
    for (const { key, source } of kept) {
      const { disposition, reason } = await lookUp(source, recordIdOf(key));
      dispositions.add(disposition);
      expect(reason, key).toBe(printed.get(key) ?? null);
    }
    expect([...dispositions].sort()).toEqual([
      ...['ambiguous', 'contributes', 'merged', 'retired', 'unmatched', 'unplaced', 'withdrawn'],
    ]);
    const env = { DATABASE_URL: database.url, ARCHIVE_DIR: database.dir };
    const { stdout } = await runHere(env, 'unmatched');
    for (const [key, reason] of printed) {
      const [source, ...rest] = key.split(':');
      if (recordIdOf(key) !== ODD_ID) expect(stdout).toContain(`${reason}\t${source}\t${rest.join(':')}\t`);
    }
    expect(stdout).toContain('unmatched\testat\t13101999001\t');
  });

  it('REF-03 a boundary belongs to no building, and says whether an area has it', async () => {
    const boundary = { disposition: 'unmatched', ...nowhere, retrievedAt: expect.any(String) };
    expect(await lookUp('estat', '13101000101')).toMatchObject({ ...boundary, reason: AREA_REASON });
    expect(await lookUp('estat', '13101999001')).toMatchObject({ ...boundary, reason: 'unmatched' });
  });

  it('REF-03 a row of an area is found by its codes', async () => {
    const { storage } = small.context;
    // Areas of a records file are no records of a source.
    for (const code of ['130001', '131016', '131016-0001001']) expectProblem(await get(urlOf('abr', code)), 404);
    const read = (codes: string[], at: string | null) =>
      storage.transaction((tx) =>
        tx.db.updateTable('area').set({ retrieved_at: at }).where('code', 'in', codes).execute(),
      );
    await read(['13', '13101', AREA], LATER);
    const forms = {
      '130001': ['13', '130001'],
      '131016': ['13101', '131016'],
      [`131016-${AREA.slice(5)}`]: [AREA, `131016-${AREA.slice(5)}`, `131016${AREA.slice(5)}`],
    };
    for (const [sourceRecordId, written] of Object.entries(forms)) {
      for (const code of written) {
        expect(await lookUp('abr', code)).toEqual({
          ...{ source: 'abr', sourceRecordId, disposition: 'unmatched', ...nowhere, reason: AREA_REASON },
          ...{ sourceUrl: SOURCE_FACTS.abr.url, retrievedAt: LATER },
        });
      }
    }
    for (const code of ['131015', '131024', '131016-0009999', '1', '１３']) {
      expectProblem(await get(urlOf('abr', code)), 404);
    }
    const env = { DATABASE_URL: database.url, ARCHIVE_DIR: database.dir };
    const { stderr } = await runHere(env, 'unmatched');
    expect(stderr).toContain(
      `not listed: 1 of estat (each ${AREA_REASON})\nnot listed: 3 of abr (each ${AREA_REASON})\n`,
    );
    expect((await runHere(env, 'unmatched', '--source', 'osm')).stderr).not.toContain('not listed');
    await read(['13', '13101', AREA], null);
  });

  it('REF-03 a record never read is not found, and IDs are compared exactly', async () => {
    const strangers = [
      ...[
        ['osm', 'way/999'],
        ['osm', 'WAY/1'],
        ['osm', 'ｗａｙ/1'],
        ['osm', ' way/1'],
        ['plateau', 'way/1'],
      ],
      ...[
        ['dnk', SMALL.full],
        ['estat', '1'],
        ['mankan', ODD_ID.normalize('NFKC')],
        ['osm', '\0'],
        ['osm', MARK],
      ],
    ] as [string, string][];
    for (const [source, record] of strangers) expectProblem(await get(urlOf(source, record)), 404);
  });

  it('REF-03 a missing parameter or an unknown source is refused', async () => {
    const root = `${API_ROOT}/source-records`;
    for (const query of [
      '',
      '?source=osm',
      '?id=way/1',
      '?source=&id=way/1',
      '?source=osm&id=',
      '?source=OSM&id=way/1',
    ]) {
      expectProblem(await get(`${root}${query}`), 400);
    }
    for (const query of [`?source=${MARK}&id=1`, '?source=osm&id=%zz', '?source=osm&id=way/1&id=way/2']) {
      expectProblem(await get(`${root}${query}`), 400);
    }
  });

  it('REF-03 has an ETag and answers HEAD', async () => {
    const url = urlOf('osm', 'way/1');
    const { headers } = await get(url);
    const etag = String(headers.etag);
    expect((await small.app.inject({ url, headers: { 'if-none-match': etag } })).statusCode).toBe(304);
    const head = await small.app.inject({ url, method: 'HEAD' });
    expect([head.statusCode, head.headers.etag]).toEqual([200, etag]);
  });

  describe('identifiers', () => {
    it('REF-04 a record of PLATEAU is found by its real-estate ID, however it is written', async () => {
      const found = await lookUp('plateau', '13101-bldg-1');
      expect(found).toMatchObject({ disposition: 'contributes', sourceRecordId: '13101-bldg-1' });
      const link = 'realestate:0100001234567-0000';
      for (const written of ['0100001234567-0000', '01000012345670000', '０１００００１２３４５６７－００００', link]) {
        expect(await lookUp('plateau', written)).toEqual(found);
      }
      expect(await lookUp('plateau', '0100001234568-0101')).toMatchObject({ sourceRecordId: '13101-bldg-2' });
      for (const other of ['0100001234567', '0100001234567-0001', 'realestate-land:0100001234567-0000']) {
        expectProblem(await get(urlOf('plateau', other)), 404);
      }
      expectProblem(await get(urlOf('osm', '0100001234567-0000')), 404);
    });

    it('REF-04 an identifier of several buildings is ambiguous', async () => {
      expect(await lookUp('plateau', '01000076543210000')).toMatchObject({
        ...{ sourceRecordId: '0100007654321-0000', disposition: 'ambiguous', reason: 'ambiguous', ...nowhere },
      });
    });

    it('REF-04 a record of OpenStreetMap is found by a ref:* tag, with or without its key', async () => {
      const found = await lookUp('osm', 'way/77');
      expect(found).toMatchObject({ sourceRecordId: 'way/77', disposition: 'contributes' });
      for (const ref of ['13101-bldg-1', 'ref=13101-bldg-1', 'ref:MLIT_PLATEAU=13101-bldg-1']) {
        expect(await lookUp('osm', ref)).toEqual(found);
      }
      expectProblem(await get(urlOf('osm', 'ref:other=13101-bldg-1')), 404);
    });

    it('RCN-02 GET /match knows them too', async () => {
      const match = async (source: string, sourceRecordId: string) => {
        const { body } = await get(`${API_ROOT}/match?${new URLSearchParams({ source, sourceRecordId })}`);
        const { verdict, candidates } = JSON.parse(body) as MatchAnswer;
        return [verdict, ...candidates.map(({ id }) => id)];
      };
      const [first, second] = [await lookUp('plateau', '13101-bldg-1'), await lookUp('plateau', '13101-bldg-2')];
      for (const [source, identifier] of [
        ['plateau', '0100001234567-0000'],
        ['plateau', 'realestate:01000012345670000'],
        ['osm', '13101-bldg-1'],
        ['osm', 'ref:MLIT_PLATEAU=13101-bldg-1'],
      ] as const) {
        expect(await match(source, identifier), identifier).toEqual(['match', first.assetId]);
      }
      expect(await match('plateau', '0100007654321-0000')).toEqual(['ambiguous', first.assetId, second.assetId]);
      expect(await match('plateau', '0100001234567-0001')).toEqual(['none']);
    });
  });
});

describe('a disposition', () => {
  const live = { state: 'live' as const, area: AREA, version: 1 };
  const standing = { reason: null, building: live, isGone: false, isWithdrawn: false };

  it('REF-01 a building that waits for the end of an ingest is not unplaced', () => {
    expect(dispositionOf({ ...standing, building: { ...live, area: null, version: 0 } })).toBe('contributes');
    expect(dispositionOf({ ...standing, building: { ...live, area: null } })).toBe('unplaced');
  });

  it('REF-01 retired counts before withdrawn, withdrawn before the result of matching', () => {
    expect(dispositionOf({ ...standing, isGone: true, isWithdrawn: true })).toBe('retired');
    expect(dispositionOf({ ...standing, reason: 'unmatched', building: null, isWithdrawn: true })).toBe('withdrawn');
    expect(dispositionOf({ ...standing, building: { ...live, state: 'merged' }, isWithdrawn: true })).toBe('withdrawn');
  });
});
