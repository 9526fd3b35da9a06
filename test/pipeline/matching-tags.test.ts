import { expect, it } from 'vitest';
import { linksTo } from '../../src/matching/queries.ts';
import { onBothEngines } from '../support/engines.ts';
import { draftOf, ingestDrafts } from '../support/ingest-drafts.ts';
import { HERE, inTown, item, later, plateau, point, shape, type Town } from '../support/matching-registry.ts';
import { record } from '../support/records.ts';
import { pageOf, registryState } from '../support/registry-state.ts';

const TOWER = shape([10, 10, 30, 30]);
const BESIDE = shape([40, 10, 60, 30]);
const day = (month: number) => `2026-0${month}-01T00:00:00Z`;
const tagged = (key: string, geometry: typeof TOWER, ...items: string[]) =>
  draftOf(key, null, { geometry, links: items.map((name) => `wikidata:${name}`) });

onBothEngines('matching by the wikidata tag', (fresh) => {
  const inRegistry = async (work: (town: Town) => Promise<void>) => inTown(await fresh(), work);
  /** Far from every footprint, and with another name. */
  const Q1 = item('Q1', point(500, 500), { nameJa: '塔', yearBuilt: 1999 });

  it('an item is assigned to the building that is tagged with it, in either order', async () => {
    await inRegistry(async ({ ingest, idOf, context }) => {
      await ingest(...HERE, Q1);
      await ingestDrafts(context, 'osm', day(1), tagged('way/1', TOWER, 'Q1'), tagged('way/2', BESIDE));
      expect(await idOf('wikidata:Q1')).toBe(await idOf('osm:way/1'));
    });
    await inRegistry(async ({ ingest, idOf, context }) => {
      await ingest(...HERE);
      await ingestDrafts(context, 'osm', day(1), tagged('way/1', TOWER, 'Q1'), tagged('way/2', BESIDE));
      await ingest(Q1);
      expect(await idOf('wikidata:Q1')).toBe(await idOf('osm:way/1'));
    });
  });

  it('an item is ambiguous if two buildings have the tag, but not if two objects of one building do', () =>
    inRegistry(async ({ ingest, idOf, leftOut, context }) => {
      await ingest(...HERE, Q1, plateau('p', shape([10, 10, 35, 30])));
      await ingestDrafts(context, 'osm', day(1), tagged('way/1', TOWER, 'Q1'), tagged('node/1', point(32, 20), 'Q1'));
      expect(await idOf('wikidata:Q1')).toBe(await idOf('plateau:p'));
      await ingestDrafts(context, 'osm', day(1), tagged('way/2', BESIDE, 'Q1'));
      expect(await leftOut()).toEqual(['wikidata:Q1 ambiguous']);
    }));

  it('an item follows the tag from one object to another, and is unassigned without it', () =>
    inRegistry(async ({ ingest, idOf, leftOut, context, storage }) => {
      await ingest(...HERE, Q1);
      await ingestDrafts(context, 'osm', day(1), tagged('way/1', TOWER, 'Q1'), tagged('way/2', BESIDE));
      const first = (await idOf('osm:way/1')) as string;
      expect((await pageOf(storage, first))?.fields.yearBuilt?.value).toBe(1999);
      await ingestDrafts(context, 'osm', day(2), tagged('way/1', TOWER), tagged('way/2', BESIDE, 'Q1'));
      expect(await idOf('wikidata:Q1')).toBe(await idOf('osm:way/2'));
      expect((await pageOf(storage, first))?.fields.yearBuilt).toBeUndefined();
      await ingestDrafts(context, 'osm', day(3), tagged('way/2', BESIDE));
      expect(await leftOut()).toEqual(['wikidata:Q1 unmatched']);
      const before = await registryState(storage);
      await ingestDrafts(context, 'osm', day(3), tagged('way/2', BESIDE));
      expect(await registryState(storage)).toBe(before);
    }));

  it('a real-estate ID is stored and can be looked up, but does not affect matching', () =>
    inRegistry(async ({ ingest, buildings, context, storage }) => {
      await ingest(...HERE, Q1);
      const links = ['realestate:0100001234567-0000', 'realestate-land:0100007654321-0000'];
      const owned = (key: string, geometry: typeof TOWER) => draftOf(key, null, { geometry, links });
      await ingestDrafts(context, 'plateau', day(1), owned('p1', TOWER), owned('p2', BESIDE));
      expect(await buildings()).toEqual([['plateau:p1'], ['plateau:p2']]);
      expect((await linksTo(storage.db, links.slice(0, 1))).map(({ name }) => name)).toEqual([links[0], links[0]]);
      const before = await registryState(storage);
      await ingestDrafts(context, 'plateau', day(1), owned('p1', TOWER), owned('p2', BESIDE));
      expect(await registryState(storage)).toBe(before);
    }));

  it('an item follows its building when the footprints are separated', () =>
    inRegistry(async ({ ingest, idOf, buildings, context }) => {
      await ingest(...HERE, Q1, plateau('p', TOWER));
      await ingestDrafts(context, 'osm', day(1), tagged('way/1', TOWER, 'Q1'));
      expect(await buildings()).toEqual([['osm:way/1', 'plateau:p', 'wikidata:Q1']]);
      await ingestDrafts(context, 'osm', day(2), tagged('way/1', BESIDE, 'Q1'));
      expect(await buildings()).toEqual([['osm:way/1', 'wikidata:Q1'], ['plateau:p']]);
      await ingestDrafts(context, 'osm', day(3), tagged('way/1', TOWER, 'Q1'));
      expect(await idOf('wikidata:Q1')).toBe(await idOf('plateau:p'));
    }));

  it('CON-12 every building tagged with a complex inherits from it', () =>
    inRegistry(async ({ ingest, idOf, leftOut, context, storage }) => {
      const complex = { nameJa: '地区', nameEn: null };
      await ingest(...HERE, record('wikidata', 'Q9', { yearBuilt: 1980, nameJa: '地区' }, { complex }));
      expect(await leftOut()).toEqual(['wikidata:Q9 unmatched']);
      await ingestDrafts(context, 'osm', day(1), tagged('way/1', TOWER, 'Q9'), tagged('way/2', BESIDE, 'Q9'));
      for (const key of ['osm:way/1', 'osm:way/2']) {
        const page = await pageOf(storage, (await idOf(key)) as string);
        expect(page?.fields.yearBuilt).toMatchObject({ value: 1980, estimated: true, inheritedFrom: complex });
        expect(page?.fields.nameJa).toBeUndefined();
      }
      await ingestDrafts(context, 'osm', day(2), tagged('way/2', BESIDE));
      const page = await pageOf(storage, (await idOf('osm:way/2')) as string);
      expect(page?.fields.yearBuilt).toBeUndefined();
      expect((await pageOf(storage, (await idOf('osm:way/1')) as string))?.fields.yearBuilt?.value).toBe(1980);
    }));

  it('CON-12 only the building that the record of a complex names inherits from it', () =>
    inRegistry(async ({ ingest, idOf, context, storage }) => {
      const complex = { nameJa: '地区', nameEn: null };
      const Q9 = record('wikidata', 'Q9', { yearBuilt: 1980 }, { complex });
      await ingest(...HERE, Q9);
      await ingestDrafts(context, 'osm', day(1), tagged('way/1', TOWER, 'Q9'), tagged('way/2', BESIDE, 'Q9'));
      const [one, two] = [(await idOf('osm:way/1')) as string, (await idOf('osm:way/2')) as string];
      await ingest({ ...Q9, retrievedAt: day(2), building: one });
      expect((await pageOf(storage, one))?.fields.yearBuilt?.value).toBe(1980);
      expect((await pageOf(storage, two))?.fields.yearBuilt).toBeUndefined();
    }));

  it('CON-12 an item that no longer describes a complex passes nothing on', () =>
    inRegistry(async ({ ingest, idOf, context, storage }) => {
      const Q9 = record('wikidata', 'Q9', { yearBuilt: 1980 });
      await ingest(...HERE, { ...Q9, complex: { nameJa: '地区', nameEn: null } });
      await ingestDrafts(context, 'osm', day(1), tagged('way/1', TOWER, 'Q9'), tagged('way/2', BESIDE, 'Q9'));
      await ingest({ ...Q9, ...later(2) });
      expect(await storage.db.selectFrom('lent').selectAll().execute()).toEqual([]);
      for (const key of ['osm:way/1', 'osm:way/2']) {
        expect((await pageOf(storage, (await idOf(key)) as string))?.fields.yearBuilt).toBeUndefined();
      }
    }));
});
