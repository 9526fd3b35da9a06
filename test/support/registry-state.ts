import { payloadRef } from '../../src/observations/statement-codec.ts';
import { decodeChangedFields } from '../../src/registry/changed-fields-codec.ts';
import { openRegistry } from '../../src/registry/registry.ts';
import { expandText } from '../../src/storage/compact/compact.ts';
import type { Storage } from '../../src/storage/storage.ts';
import type { BuildingPage } from '../../src/vocabulary/building-page.ts';

/** A published record as the surfaces read it; undefined if the ID has none. */
export async function pageOf(storage: Storage, id: string): Promise<BuildingPage | undefined> {
  const found = await openRegistry(storage).getPage(id);
  return found.ok ? (JSON.parse(Buffer.from(found.value.body).toString()) as BuildingPage) : undefined;
}

/** The whole state of the registry, without recorded times and run IDs. */
export async function registryState(storage: Storage): Promise<string> {
  const { db } = storage;
  const areas = await db
    .selectFrom('area')
    .select(['code', 'level', 'parent', 'slug', 'name_ja', 'name_en', 'boundary', 'lat', 'lon'])
    .orderBy('code')
    .execute();
  const buildings = await db
    .selectFrom('building')
    .select(['id', 'state', 'successor', 'area', 'lat', 'lon', 'mesh', 'name_ja', 'name_en', 'category', 'version'])
    .orderBy('id')
    .execute();
  const records = await db
    .selectFrom('source_record')
    .select(['key', 'building', 'claimed', 'reason'])
    .orderBy('key')
    .execute();
  const statements = await db
    .selectFrom('statement as s')
    .innerJoin('source_record as r', 'r.id', 's.record')
    .innerJoin('retrieval as t', 't.id', 's.retrieval')
    .select(['r.key', 't.at', 's.payload', 's.body'])
    .orderBy('r.key')
    .execute();
  const versions = await db
    .selectFrom('building_version')
    .select(['building', 'version', 'changed_fields', 'canonical'])
    .orderBy('building')
    .orderBy('version')
    .execute();
  const pages = await db
    .selectFrom('page as p')
    .leftJoin('nearby as n', 'n.building', 'p.building')
    .select(['p.building', 'p.body', 'n.body as tail'])
    .orderBy('p.building')
    .execute();
  const texts = pages.map(({ building, body, tail }) => [
    building,
    `${expandText(body)}${tail === null ? '' : expandText(tail)}`.replaceAll(
      /"recordedAt":"[^"]*"/g,
      '"recordedAt":""',
    ),
  ]);
  const recorded = versions.map(({ changed_fields, canonical, ...row }) => ({
    ...{ ...row, changedFields: decodeChangedFields(changed_fields), canonical: expandText(canonical) },
  }));
  const stated = statements
    .map((row) => JSON.stringify({ ...row, payload: payloadRef(row), body: expandText(row.body) }))
    .sort()
    .map((text): unknown => JSON.parse(text));
  const left = await db.selectFrom('stale_building').selectAll().execute();
  const places = await db.selectFrom('stale_place').selectAll().execute();
  const counts = await db.selectFrom('mesh_count').selectAll().where('count', '>', 0).orderBy('mesh').execute();
  const reit = await reitState(storage);
  return JSON.stringify({ areas, buildings, records, stated, recorded, texts, left, places, counts, reit }, null, 1);
}

/** The state of publications and their events. */
async function reitState({ db }: Storage) {
  const publications = await db.selectFrom('reit_publication').selectAll().orderBy('id').execute();
  const events = await db.selectFrom('reit_event').select(['publication', 'body']).orderBy('id').execute();
  const permissions = await db.selectFrom('reit_permission').select('body').orderBy('id').execute();
  const active = await db.selectFrom('reit_active').selectAll().orderBy('building').orderBy('publication').execute();
  const timeless = <T extends { body: string }>(row: T) => ({ ...row, body: row.body.replace(/"at":"[^"]*"/, '') });
  return {
    publications: publications.map(({ computed_at: _, document, ...row }) => ({
      ...row,
      document: `${Buffer.from(document)}`,
    })),
    events: events.map(timeless),
    permissions: permissions.map(timeless),
    active,
  };
}
