import { readdirSync, readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NAMES_NONE, recordIdOf } from '../src/observations/source-records.ts';
import { INGEST_SOURCES } from '../src/pipeline/adapters.ts';
import { type Context, silent } from '../src/pipeline/context.ts';
import {
  FIRST_FETCH,
  LATER_FETCH,
  loadSampleIfEmpty,
  retireDemolished,
  SAMPLE_PUBLICATIONS,
} from '../src/pipeline/load-sample.ts';
import { ingest, ingestSources } from '../src/pipeline/run.ts';
import { decodeCanonical } from '../src/registry/canonical-codec.ts';
import { decodeChangedFields } from '../src/registry/changed-fields-codec.ts';
import { listLeftOut } from '../src/registry/left-out.ts';
import { openRegistry } from '../src/registry/registry.ts';
import { readDossier } from '../src/reit/life/commands.ts';
import { allowedSurfaces, PERMITTED_SURFACES } from '../src/reit/life/permissions.ts';
import { openReit } from '../src/reit/life/reit.ts';
import { listPublicationIds, readPermissions } from '../src/reit/life/store.ts';
import type { Envelope } from '../src/reit/publication/document.ts';
import { hasPrivateLocation } from '../src/reit/publication/findings.ts';
import { BUILDING_EXAMPLE } from '../src/surfaces/api/examples.ts';
import { formatAssetId, parseAssetId } from '../src/vocabulary/asset-id.ts';
import {
  type BuildingPage,
  BuildingPageSchema,
  type SourcesEntry,
  SourcesSchema,
} from '../src/vocabulary/building-page.ts';
import { findCategory } from '../src/vocabulary/categories.ts';
import { SCALAR_FIELDS } from '../src/vocabulary/fields.ts';
import { dumpTables } from './support/dump-tables.ts';
import { fillOnce, onBothEngines, openContext } from './support/engines.ts';
import { geodesicM, type Place } from './support/geodesic.ts';
import { AREAS, writeRecords } from './support/records.ts';
import { pageOf, registryState } from './support/registry-state.ts';
import { CLAIMS, DOCUMENT, SAMPLE, SHOWN, sourcesOf, textOf } from './support/sample-claims.ts';
import { fillSample } from './support/served-sample.ts';
import { answerOf, assetUrl, expectProblem, serverOn } from './support/serving.ts';

const pageSchema = Compile(BuildingPageSchema);
const sourcesSchema = Compile(SourcesSchema);
const SAMPLE_SOURCES = INGEST_SOURCES.filter((source) => source !== 'records');
/** Every source except the one that has only boundaries. */
const OBSERVING_SOURCES = SAMPLE_SOURCES.filter((source) => source !== 'estat');

interface Entities {
  entities: Record<string, { id: string; claims: Record<string, unknown> }>;
}

/** Everything published about each building, keyed by a record of its outline instead of its ID. */
async function publishedIn({ storage }: Context, withHistory: boolean): Promise<Map<string, unknown>> {
  const rows = await storage.db.selectFrom('page').select('building').execute();
  const pages: BuildingPage[] = [];
  for (const { building } of rows) pages.push((await pageOf(storage, formatAssetId(building))) as BuildingPage);
  const outlines = new Map(
    pages.map(({ id, sources }) => [id, sources.map((s) => s.sourceRecordId).find((r) => /^way|-bldg-/.test(r)) ?? id]),
  );
  return new Map(
    pages.map(({ history, counters: { versions, ...counters }, ...page }) => {
      const changes = history.map(({ version, changedFields }) => ({ version, changedFields }));
      const kept = withHistory ? { ...page, counters, versions, changes } : { ...page, counters };
      const text = JSON.stringify(kept).replaceAll(/ASSET-JP-\d\d-\d{8}/g, (id) => outlines.get(id) ?? id);
      return [outlines.get(page.id) as string, JSON.parse(text)];
    }),
  );
}

onBothEngines('the bundled sample', (fresh, engine) => {
  let context: Context;
  let app: FastifyInstance;
  let load: Awaited<ReturnType<typeof fillSample>>;
  const pages = new Map<string, BuildingPage>();
  const all = () => [...pages.values()];
  const get = async (url: string) => answerOf(await app.inject({ url }));

  beforeAll(async () => {
    const database = await fresh();
    load = await fillOnce('sample', database, fillSample);
    context = await openContext(database);
    app = serverOn(openRegistry(context.storage), undefined, { reit: openReit(context.storage) });
    const published = await context.storage.db.selectFrom('page').select('building').orderBy('building').execute();
    for (const { building } of published) {
      const id = formatAssetId(building);
      const answer = await get(assetUrl(id));
      expect(answer.status, id).toBe(200);
      pages.set(id, JSON.parse(answer.body) as BuildingPage);
    }
  });
  afterAll(async () => {
    await app.close();
    await context.storage.close();
  });

  it('loads into an empty registry without rejected, skipped or broken records', () => {
    expect(load.loaded).toBe(true);
    expect(load.problems).toEqual([]);
  });

  it('reports its progress', () => {
    expect(load.steps[0]).toBe('loading the bundled sample');
    for (const source of SAMPLE_SOURCES)
      expect(load.steps.join('\n')).toMatch(new RegExp(`^${source} of 2026-09-.*read`, 'm'));
    expect(load.steps.at(-1)).toMatch(/is retired: demolished in 2022$/);
  });

  it('has 123 buildings in 5 prefectures, 28 wards and 93 machi-aza', async () => {
    const areas = await context.storage.db.selectFrom('area').select('level').execute();
    const count = (level: string) => areas.filter((area) => area.level === level).length;
    expect(pages.size).toBe(123);
    expect([count('prefecture'), count('ward'), count('machiAza')]).toEqual([5, 28, 93]);
    // The only building of one machi-aza is the retired one.
    expect(new Set(all().map(({ location }) => location.machiAza.code)).size).toBe(92);
  });

  it('publishes every outline of its files except that of the retired building', async () => {
    const files = readdirSync(SAMPLE, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.(osm|gml)$/.test(file),
    );
    const outlines = files.flatMap((file) => [
      ...[...textOf(file).matchAll(/<way id="(\d+)"/g)].map(([, id]) => `way/${id}`),
      ...[...textOf(file).matchAll(/<uro:buildingID>([^<]+)</g)].map(([, id]) => String(id)),
    ]);
    const published = all().flatMap((page) => page.sources.map(({ sourceRecordId }) => sourceRecordId));
    const missing = [...new Set(outlines)].filter((outline) => !published.includes(outline));
    expect(missing).toEqual(['way/9000000013028', '13102-bldg-sample-9']);
  });

  it('REC-01 every record matches the schema and has a path of its own', () => {
    for (const [id, page] of pages) {
      expect([...pageSchema.Errors(page)], id).toEqual([]);
      const { prefecture, ward, machiAza } = page.location;
      expect(page.path).toBe(`/japan/${prefecture.slug}/${ward.slug}/${machiAza.slug}/${id}`);
    }
  });

  it('REC-02 REC-07 every building has a use, each category once, and none in its fields', () => {
    for (const [id, { assetTypes, fields }] of pages) {
      const categories = assetTypes.map(({ category }) => category);
      expect(categories.length, id).toBeGreaterThan(0);
      expect(new Set(categories).size, id).toBe(categories.length);
      expect(fields, id).not.toHaveProperty('assetTypes');
      for (const { value } of assetTypes) expect(findCategory(String(value)), `${id} ${value}`).toBeDefined();
    }
  });

  it('REC-11 the counters match the record', () => {
    for (const [id, page] of pages) {
      const fields = Object.values(page.fields);
      expect(page.counters, id).toMatchObject({
        sources: page.sources.length,
        fields: fields.length,
        aliases: page.aliases.length,
        venues: page.venues.length,
        versions: page.history.length,
        conflictsFlagged: fields.filter((field) => field?.conflict != null).length,
      });
    }
  });

  it('SRC-01 the sources of every building are the records that describe it', async () => {
    const { db } = context.storage;
    const records = await db.selectFrom('source_record').select(['id', 'key', 'building']).execute();
    const inherited = await db.selectFrom('lent').selectAll().execute();
    const members = await db.selectFrom('building').select(['id', 'successor']).execute();
    for (const id of pages.keys()) {
      const answer = await get(assetUrl(id, '/sources'));
      const sources = JSON.parse(answer.body) as SourcesEntry[];
      expect([...sourcesSchema.Errors(sources)], id).toEqual([]);
      const key = parseAssetId(id);
      const own = new Set(members.flatMap((row) => (row.id === key || row.successor === key ? row.id : [])));
      const describing = records.filter(
        (record) =>
          (record.building !== null && own.has(record.building)) ||
          inherited.some(({ record: complex, building }) => complex === record.id && own.has(building)),
      );
      expect(sources.map(({ sourceRecordId }) => sourceRecordId).sort(), id).toEqual(
        describing.map((record) => recordIdOf(record.key)).sort(),
      );
    }
  });

  it('SRC-02 SRC-03 an entry lists exactly the fields that it provides, each once', () => {
    for (const [id, page] of pages) {
      const won = [
        ...Object.entries(page.fields).map(([name, field]) => [name, field?.provenance] as const),
        ...page.aliases.map(({ provenance }) => ['aliases', provenance] as const),
        ...page.assetTypes.map(({ provenance }) => ['assetTypes', provenance] as const),
      ];
      for (const { source, sourceRecordId, fields } of page.sources) {
        const own = won.filter(([, by]) => by?.source === source && by.sourceRecordId === sourceRecordId);
        expect([...fields].sort(), `${id} ${sourceRecordId}`).toEqual([...new Set(own.map(([name]) => name))].sort());
      }
    }
    expect(all().some(({ sources }) => sources.some(({ fields }) => fields.length === 0))).toBe(true);
  });

  it.each(Object.keys(CLAIMS))('docs/reference/sample.md: %s', (what) => {
    const ids = SHOWN.get(what) ?? [];
    expect(ids.length).toBeGreaterThan(0);
    for (const id of ids) CLAIMS[what]?.(pages.get(id) as BuildingPage);
  });

  it('docs/reference/sample.md claims nothing else', () => {
    const others = ['a merged ID, by matching', 'a retired ID'];
    expect([...SHOWN.keys()].sort()).toEqual([...Object.keys(CLAIMS), ...others].sort());
  });

  it('the README and the API reference show what is served', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const [, id = ''] = /api\/v1\/assets\/(ASSET-JP-\d\d-\d{8})\n/.exec(readme) ?? [];
    const [, fields = ''] = /```json\n([^`]+)```/.exec(readme) ?? [];
    expect(pages.get(id)?.fields).toMatchObject(JSON.parse(`{${fields}}`));
    const { path, location, geometry, footprint, ...shortened } = BUILDING_EXAMPLE;
    const page = pages.get(shortened.id) as BuildingPage;
    expect(page).toMatchObject({ path, location, geometry, footprint, fields: shortened.fields });
    expect(page.nearby[0]).toEqual(shortened.nearby[0]);
    for (const part of ['assetTypes', 'aliases', 'venues'] as const) {
      for (const entry of shortened[part]) expect(page[part]).toContainEqual(entry);
    }
  });

  it.each(OBSERVING_SOURCES)('%s provides published values', (source) => {
    const won = all().filter(({ sources }) =>
      sources.some((entry) => entry.source === source && entry.fields.length > 0),
    );
    expect(won.length).toBeGreaterThan(0);
  });

  it('matches Wikidata items by tag, by OSM ID, and by point and name', () => {
    const tagged = new Set([...textOf('osm/tokyo.osm').matchAll(/k="wikidata" v="(Q\d+)"/g)].map(([, id]) => id));
    const items = Object.values((JSON.parse(textOf('wikidata/tokyo.json')) as Entities).entities);
    const joined = new Set(all().flatMap(({ sources }) => sources.map(({ sourceRecordId }) => sourceRecordId)));
    const counts = { tag: 0, way: 0, point: 0 };
    for (const { id, claims } of items) {
      if (joined.has(id)) counts[tagged.has(id) ? 'tag' : claims.P10689 === undefined ? 'point' : 'way'] += 1;
    }
    expect(counts.tag + counts.way + counts.point).toBe(items.length - 1);
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(5);
  });

  it('estat provides boundaries of machi-aza', async () => {
    const bounded = await context.storage.db
      .selectFrom('area')
      .select('name_ja')
      .where('boundary', 'is not', null)
      .execute();
    expect(bounded.map((area) => area.name_ja)).toEqual(
      expect.arrayContaining(['大手町二丁目', '麻布台一丁目', '清水一丁目']),
    );
    expect(bounded).toHaveLength(11);
  });

  it('CON-09 names no building in any record: all are matched', async () => {
    const records = await context.storage.db.selectFrom('source_record').select(['source', 'claimed']).execute();
    expect(records.filter(({ claimed }) => claimed !== NAMES_NONE)).toEqual([]);
    const sources = new Set(records.map(({ source }) => source));
    expect([...sources].sort()).toEqual(OBSERVING_SOURCES.toSorted());
  });

  it('CON-15 shows an evidence-only change: a field that changed and kept its value', async () => {
    const rows = await context.storage.db.selectFrom('building_version').selectAll().orderBy('version').execute();
    const kept = rows.flatMap(({ building, version, changed_fields, canonical }) => {
      const before = rows.find((row) => row.building === building && row.version === version - 1);
      if (before === undefined) return [];
      const [old, now] = [decodeCanonical(before.canonical).fields, decodeCanonical(canonical).fields];
      const changed = decodeChangedFields(changed_fields);
      const same = SCALAR_FIELDS.filter(
        (field) => changed.includes(field) && old[field] !== undefined && old[field].value === now[field]?.value,
      );
      return same.map((field) => ({ id: formatAssetId(building), version, field }));
    });
    expect(kept.length).toBeGreaterThan(0);
    for (const { id, version, field } of kept) {
      const entry = pages.get(id)?.history.find((item) => item.version === version);
      expect(entry?.changedFields, id).toContain(field);
    }
  });

  it('ID-04 API-08 shows a merged ID that redirects and a retired one that is not found', async () => {
    const [from = '', into = ''] = SHOWN.get('a merged ID, by matching') ?? [];
    const [retired = ''] = SHOWN.get('a retired ID') ?? [];
    expect(await get(assetUrl(from, '/sources?a=1'))).toMatchObject({
      status: 301,
      headers: { location: assetUrl(into, '/sources?a=1') },
    });
    expect(pages.get(into)?.fields.nameJa?.value).toBe('新宿パークタワー');
    expect(sourcesOf(pages.get(into) as BuildingPage)).toEqual(expect.arrayContaining(['osm', 'plateau', 'wikidata']));
    expectProblem(await get(assetUrl(retired)), 404);
    const events = await context.storage.db.selectFrom('identity_event').selectAll().orderBy('id').execute();
    expect(events.map(({ kind, building, actor }) => [kind, formatAssetId(building), actor])).toEqual([
      ['merge', from, 'matching'],
      ['retire', retired, 'operator'],
    ]);
  });

  it('CON-09 shows records that match no building, or more than one', async () => {
    const leftOut = await Array.fromAsync(listLeftOut(context.storage.db, undefined));
    const shown = leftOut.map(({ source, reason, sourceRecordId }) => `${reason} ${source} ${sourceRecordId}`);
    expect(shown.sort()).toEqual([
      'ambiguous greenarchive sample-13998',
      'retired abr 131024-0006008-016-010',
      'retired osm way/9000000013028',
      'retired plateau 13102-bldg-sample-9',
      'retired wikidata Q9990013028',
      'unmatched abr 131199-0030009-021-002',
      'unmatched mankan sample-13999',
    ]);
  });

  it('nearby lists the nearest buildings', () => {
    const placed = new Map<string, Place>();
    for (const [id, { location }] of pages) {
      if (location.lat !== null && location.lon !== null) placed.set(id, { lat: location.lat, lon: location.lon });
    }
    expect(placed.size).toBe(pages.size);
    const tolerance = 0.2;
    let listed = 0;
    for (const [id, page] of pages) {
      const here = placed.get(id) as Place;
      const distances = new Map(
        [...placed].filter(([other]) => other !== id).map(([other, at]) => [other, geodesicM(here, at)]),
      );
      for (const neighbour of page.nearby) {
        const other = pages.get(neighbour.id);
        expect(other, `${id}: ${neighbour.id}`).toBeDefined();
        expect(
          Math.abs(neighbour.distanceM - Number(distances.get(neighbour.id))),
          `${id}: ${neighbour.id}`,
        ).toBeLessThan(tolerance);
        expect(neighbour.distanceM).toBeLessThanOrEqual(500);
        expect(neighbour).toMatchObject({
          path: other?.path,
          nameJa: other?.fields.nameJa?.value ?? null,
          nameEn: other?.fields.nameEn?.value ?? null,
          category: other?.assetTypes[0]?.category,
        });
      }
      const ids = page.nearby.map((neighbour) => neighbour.id);
      const ordered = page.nearby.toSorted((a, b) => a.distanceM - b.distanceM || (a.id < b.id ? -1 : 1));
      expect(page.nearby, id).toEqual(ordered);
      expect(new Set(ids).size).toBe(ids.length);
      const reach = ids.length === 8 ? Number(page.nearby.at(-1)?.distanceM) : 500;
      const missed = [...distances].filter(([other, metres]) => !ids.includes(other) && metres < reach - tolerance);
      expect(missed, id).toEqual([]);
      listed += ids.length;
    }
    expect(listed).toBeGreaterThan(0);
    expect(all().some(({ nearby }) => nearby.length === 8)).toBe(true);
  });

  it('REIT-09 REIT-10 shows a publication in every state, and serves only the accepted ones', async () => {
    const { storage } = context;
    const shown = [...DOCUMENT.matchAll(/^\| `([\w-]+\.json)` \| (\w+) \| (ASSET-JP-\d\d-\d{8}) \|/gm)];
    expect(shown.map(([, file]) => file)).toEqual(Object.keys(SAMPLE_PUBLICATIONS));
    expect(readdirSync(new URL('reit/', SAMPLE)).sort()).toEqual(Object.keys(SAMPLE_PUBLICATIONS).sort());
    expect(new Set(shown.map(([, , state]) => state)).size).toBe(7);
    const dossiers = [];
    for (const id of await storage.snapshot(listPublicationIds)) {
      dossiers.push(await storage.snapshot((reads) => readDossier(reads, id)));
    }
    for (const [, file = '', state, building = ''] of shown) {
      const bundle = JSON.parse(textOf(`reit/${file}`)) as { sourceRevisions: { id: string }[] };
      const heads = bundle.sourceRevisions.map(({ id }) => id).sort();
      const dossier = dossiers.find(
        (found) =>
          JSON.stringify(found?.document.sourceRevisions.flatMap(({ id, source }) => (source === 'dnk' ? [] : id))) ===
          JSON.stringify(heads),
      );
      expect(dossier?.status.state, file).toBe(state);
      expect(dossier?.document.issuer.nameJa).toMatch(/^見本.+投資法人$/);
      expect(dossier?.document.buildingMatches.map(({ buildingId }) => buildingId)).toEqual([building]);
      const answer = await get(assetUrl(building, '/reit'));
      expect(answer.body.includes(String(dossier?.id)), file).toBe(state === 'accepted');
    }
  });

  it('REIT-04 permits its own publications by their IDs, and no source', async () => {
    const { storage } = context;
    const [kept, permissions] = [await storage.snapshot(listPublicationIds), await storage.snapshot(readPermissions)];
    expect(permissions).toHaveLength(7);
    for (const { subject } of permissions) {
      expect(Object.keys(subject)).toEqual(['publicationId']);
      expect(kept).toContain((subject as { publicationId: string }).publicationId);
    }
    const [south] = (JSON.parse((await get(assetUrl('ASSET-JP-13-00000054', '/reit'))).body) as Envelope).publications;
    if (south === undefined) throw new Error('no publication is served for the South Tower');
    // The same filings in another document, such as one with another figure.
    expect(allowedSurfaces(south.document, permissions, south.id)).toEqual([...PERMITTED_SURFACES]);
    expect(allowedSurfaces(south.document, permissions, `rp_${'0'.repeat(64)}`)).toEqual([]);
  });

  it('REIT-03 nothing that is served reveals the path of a file', async () => {
    for (const building of ['ASSET-JP-13-00000054', 'ASSET-JP-14-00000006']) {
      for (const form of ['reit', 'reit.csv', 'reit.jsonld']) {
        const answer = await get(assetUrl(building, `/${form}`));
        // The URL of the service itself is replaced, because the test uses localhost.
        const body = answer.body.replaceAll('http://localhost/', 'https://registry.example/');
        expect(body).toContain('https://example.org/tatemono-sample/reit/');
        const texts = body.match(/"(?:[^"\\]|\\.)*"|[^\s,"]+/g) ?? [];
        expect(texts.filter((text) => hasPrivateLocation(text.replace(/^"|"$/g, '')))).toEqual([]);
        expect(body).not.toMatch(/rawPayloadRef|archive|file:/);
      }
    }
  });

  it('AGR-01 AGR-03 REIT-13 shows figures that agree, of one source, missing, undisclosed and derived', async () => {
    const { publications } = JSON.parse((await get(assetUrl('ASSET-JP-13-00000054', '/reit'))).body) as Envelope;
    const fields = publications.flatMap(({ document }) => document.agreement?.groups.flatMap((g) => g.fields) ?? []);
    const said = new Set(fields.map(({ status, value }) => `${status} ${value?.state ?? ''}`.trim()));
    for (const shown of ['agreed recorded', 'singleSource recorded', 'missing', 'singleSource notDisclosed']) {
      expect(said).toContain(shown);
    }
    expect(said).toContain('singleSource derived');
    expect(said).toContain('singleSource outsideHoldingPeriod');
  });

  it('loading it again changes nothing', async () => {
    const before = await dumpTables(context.storage);
    expect(await loadSampleIfEmpty(context)).toBe(false);
    expect(await dumpTables(context.storage)).toEqual(before);
  });

  it('CON-01 fetching all of it again changes no published value', async () => {
    const before = await registryState(context.storage);
    await ingestSources(context, FIRST_FETCH);
    await ingestSources(context, LATER_FETCH);
    expect(await registryState(context.storage)).toBe(before);
  });

  it.runIf(engine === 'sqlite')('the order of its sources does not matter', async () => {
    const database = await fresh();
    const other = await openContext(database);
    await ingestSources(other, FIRST_FETCH.toReversed());
    await ingestSources(other, LATER_FETCH.toReversed());
    await retireDemolished(other);
    expect(await publishedIn(other, true)).toEqual(await publishedIn(context, true));
    await other.storage.close();
  });

  it.runIf(engine === 'sqlite')(
    'gives the same records if every source is ingested separately, with the areas last',
    async () => {
      const database = await fresh();
      const other = await openContext(database);
      for (const fetch of [FIRST_FETCH, LATER_FETCH]) {
        for (const { source, paths, options } of fetch.toReversed()) await ingest(other, source, paths, options);
      }
      await retireDemolished(other);
      expect(await publishedIn(other, false)).toEqual(await publishedIn(context, false));
      await other.storage.close();
    },
  );

  it('is not loaded into a registry that is not empty', async () => {
    const database = await fresh();
    const other = await openContext(database);
    await ingest(other, 'records', [writeRecords(database.dir, AREAS.slice(0, 1))]);
    const before = await dumpTables(other.storage);
    expect(await loadSampleIfEmpty(other)).toBe(false);
    expect(await dumpTables(other.storage)).toEqual(before);
    await other.storage.close();
  });

  const MOMENTS = ['reading plateau', 'matching', 'publishing', 'reading tokyo.osm'];
  // On PostgreSQL one load is interrupted at every moment, which takes a third of the time.
  it.each(engine === 'sqlite' ? MOMENTS.map((moment) => [moment]) : [MOMENTS])(
    'an interrupted load is completed by the next: %s',
    async (...moments) => {
      const database = await fresh();
      for (const moment of moments) {
        const stage = (name: string) => {
          if (name === moment) throw new Error('cut short');
        };
        const cut = await openContext(database, { report: { ...silent, stage } });
        await expect(loadSampleIfEmpty(cut)).rejects.toThrow('cut short');
        await cut.storage.close();
      }
      const again = await openContext(database);
      expect(await loadSampleIfEmpty(again)).toBe(true);
      expect(await loadSampleIfEmpty(again)).toBe(false);
      expect(await registryState(again.storage)).toBe(await registryState(context.storage));
      await again.storage.close();
    },
  );
});
