import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listLeftOut } from '../src/observations/source-records.ts';
import { type Context, silent } from '../src/pipeline/context.ts';
import { ingestRecords } from '../src/pipeline/ingest-records.ts';
import { loadSampleIfEmpty } from '../src/pipeline/load-sample.ts';
import { decodeCanonical } from '../src/registry/canonical-codec.ts';
import { openRegistry } from '../src/registry/registry.ts';
import { formatAssetId } from '../src/vocabulary/asset-id.ts';
import {
  type BuildingPage,
  BuildingPageSchema,
  type SourcesEntry,
  SourcesSchema,
} from '../src/vocabulary/building-page.ts';
import { SCALAR_FIELDS } from '../src/vocabulary/fields.ts';
import { dumpTables } from './support/dump-tables.ts';
import { onBothEngines, openContext } from './support/engines.ts';
import { geodesicM, type Place } from './support/geodesic.ts';
import { AREAS, writeRecords } from './support/records.ts';
import { registryState } from './support/registry-state.ts';
import { answerOf, assetUrl, expectProblem, serverOn } from './support/serving.ts';

interface RecordLine {
  kind: string;
  source: string;
  sourceRecordId: string;
  building?: string;
}

const LINES = ['areas', 'buildings', 'updates'].flatMap((name) =>
  readFileSync(new URL(`../sample/${name}.ndjson`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordLine),
);
const MERGED = { from: 'ASSET-JP-13-00000070', into: 'ASSET-JP-13-00000047' };
const RETIRED = 'ASSET-JP-13-00000028';
const pageSchema = Compile(BuildingPageSchema);
const sourcesSchema = Compile(SourcesSchema);

onBothEngines('the bundled sample', (fresh) => {
  let context: Context;
  let app: FastifyInstance;
  let loaded: boolean;
  const rejected: string[] = [];
  const pages = new Map<string, BuildingPage>();
  const all = () => [...pages.values()];
  const get = async (url: string) => answerOf(await app.inject({ url }));

  beforeAll(async () => {
    const report = { ...silent, rejected: (...place: unknown[]) => rejected.push(place.join(' ')) };
    context = await openContext(await fresh(), { report });
    loaded = await loadSampleIfEmpty(context);
    app = serverOn(openRegistry(context.storage));
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

  it('loads into an empty registry without a rejected line', () => {
    expect(loaded).toBe(true);
    expect(rejected).toEqual([]);
  });

  it('has at least 60 buildings in 3 prefectures, 6 wards and 15 machi-aza', () => {
    const areas = (level: 'prefecture' | 'ward' | 'machiAza') =>
      new Set(all().map(({ location }) => location[level].code));
    expect(pages.size).toBeGreaterThanOrEqual(60);
    expect(areas('prefecture').size).toBeGreaterThanOrEqual(3);
    expect(areas('ward').size).toBeGreaterThanOrEqual(6);
    expect(areas('machiAza').size).toBeGreaterThanOrEqual(15);
  });

  it('publishes every building that its lines create, but for the merged and the retired one', () => {
    const creating = LINES.filter(({ kind, source }) => kind === 'record' && ['osm', 'plateau'].includes(source));
    const created = new Set(creating.map(({ building }) => building));
    created.delete(MERGED.from);
    created.delete(RETIRED);
    expect([...pages.keys()]).toEqual([...created].sort());
  });

  it('REC-01 every record is one that the schema holds, at a path of its own', () => {
    for (const [id, page] of pages) {
      expect([...pageSchema.Errors(page)], id).toEqual([]);
      const { prefecture, ward, machiAza } = page.location;
      expect(page.path).toBe(`/japan/${prefecture.slug}/${ward.slug}/${machiAza.slug}/${id}`);
    }
  });

  it('REC-02 REC-07 every building has a use, each category once, none among the fields', () => {
    for (const [id, { assetTypes, fields }] of pages) {
      const categories = assetTypes.map(({ category }) => category);
      expect(categories.length, id).toBeGreaterThan(0);
      expect(new Set(categories).size, id).toBe(categories.length);
      expect(fields, id).not.toHaveProperty('assetTypes');
    }
  });

  it('REC-11 the counters count what the record shows', () => {
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

  it('SRC-01 the sources of every building are the records that its lines name', async () => {
    for (const id of pages.keys()) {
      const answer = await get(assetUrl(id, '/sources'));
      const sources = JSON.parse(answer.body) as SourcesEntry[];
      expect([...sourcesSchema.Errors(sources)], id).toEqual([]);
      const spoken = LINES.filter(
        ({ building }) => building === id || (id === MERGED.into && building === MERGED.from),
      );
      const keys = new Set(spoken.map(({ source, sourceRecordId }) => `${source} ${sourceRecordId}`));
      expect(sources.map(({ source, sourceRecordId }) => `${source} ${sourceRecordId}`).sort(), id).toEqual(
        [...keys].sort(),
      );
    }
  });

  it('SRC-02 SRC-03 an entry lists what carries its name, each once, and nothing else', () => {
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

  it('shows a conflict, an estimate, an inheritance, several uses, aliases and venues', () => {
    const some = (state: (page: BuildingPage) => boolean) => all().filter(state).length;
    const field = (state: (field: NonNullable<BuildingPage['fields'][string]>) => boolean) =>
      some(({ fields }) => Object.values(fields).some((value) => value !== undefined && state(value)));
    expect(field(({ conflict }) => conflict !== null)).toBeGreaterThan(0);
    expect(field(({ estimated, provenance }) => estimated && provenance.source === 'dnk')).toBeGreaterThan(0);
    expect(field(({ inheritedFrom }) => inheritedFrom?.nameJa != null)).toBeGreaterThan(0);
    expect(some(({ assetTypes }) => assetTypes.length > 1)).toBeGreaterThan(0);
    expect(some(({ aliases }) => aliases.length > 1)).toBeGreaterThan(0);
    expect(some(({ venues }) => venues.length > 0)).toBeGreaterThan(0);
    expect(some(({ assetTypes }) => assetTypes[0]?.category === 'unspecified')).toBeGreaterThan(0);
    expect(some(({ counters }) => counters.conflictsFlagged === 0)).toBeGreaterThan(0);
  });

  it('CON-15 shows a change of evidence alone: a field that changed and kept its value', async () => {
    const rows = await context.storage.db.selectFrom('building_version').selectAll().orderBy('version').execute();
    const kept = rows.flatMap(({ building, version, changed_fields, canonical }) => {
      const before = rows.find((row) => row.building === building && row.version === version - 1);
      if (before === undefined) return [];
      const [old, now] = [decodeCanonical(before.canonical).fields, decodeCanonical(canonical).fields];
      const changed = JSON.parse(changed_fields) as string[];
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

  it('ID-04 API-08 shows a merged ID that leads on and a retired one that is not found', async () => {
    expect(await get(assetUrl(MERGED.from, '/sources?a=1'))).toMatchObject({
      status: 301,
      headers: { location: assetUrl(MERGED.into, '/sources?a=1') },
    });
    expect(pages.has(MERGED.into)).toBe(true);
    expectProblem(await get(assetUrl(RETIRED)), 404);
  });

  it('CON-09 shows a record that matches no building', async () => {
    const leftOut = await Array.fromAsync(listLeftOut(context.storage.db, undefined));
    expect(leftOut).toContainEqual(expect.objectContaining({ source: 'mankan', reason: 'unmatched' }));
  });

  it('what is nearby is what lies nearest', () => {
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

  it('loading it again does nothing at all', async () => {
    const before = await dumpTables(context.storage);
    expect(await loadSampleIfEmpty(context)).toBe(false);
    expect(await dumpTables(context.storage)).toEqual(before);
  });

  it('is not loaded into a registry that has anything', async () => {
    const database = await fresh();
    const other = await openContext(database);
    await ingestRecords(other, [writeRecords(database.dir, AREAS.slice(0, 1))]);
    const before = await dumpTables(other.storage);
    expect(await loadSampleIfEmpty(other)).toBe(false);
    expect(await dumpTables(other.storage)).toEqual(before);
    await other.storage.close();
  });

  it.each(['archiving buildings.ndjson', 'reading buildings.ndjson', 'publishing', 'reading updates.ndjson'])(
    'a load cut short is completed by the next: %s',
    async (moment) => {
      const database = await fresh();
      const stage = (name: string) => {
        if (name === moment) throw new Error('cut short');
      };
      const cut = await openContext(database, { report: { ...silent, stage } });
      await expect(loadSampleIfEmpty(cut)).rejects.toThrow('cut short');
      await cut.storage.close();
      const again = await openContext(database);
      expect(await loadSampleIfEmpty(again)).toBe(true);
      expect(await loadSampleIfEmpty(again)).toBe(false);
      expect(await registryState(again.storage)).toBe(await registryState(context.storage));
      await again.storage.close();
    },
  );
});
