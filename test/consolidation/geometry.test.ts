import { describe, expect, it } from 'vitest';
import type { MultiPolygon, Polygon, Ring } from '../../src/vocabulary/geometry.ts';
import { day, pageOf, record, says, square, statement } from './support.ts';

const [small, middle, large] = [square(10), square(20), square(30)];

describe('geometry', () => {
  it('CON-05 is that of plateau before that of osm, whatever the age', () => {
    const page = pageOf([says('osm', {}, { at: 9, geometry: large }), says('plateau', {}, { at: 1, geometry: small })]);
    expect(page.geometry).toEqual(small);
    expect(page.footprint?.provenance).toMatchObject({ source: 'plateau', retrievedAt: day(1), confidence: 0.9 });
  });

  it('REC-01 is published with its rings wound as RFC 7946 asks', () => {
    const clockwise: Polygon = { type: 'Polygon', coordinates: [(small.coordinates[0] as Ring).toReversed()] };
    for (const geometry of [small, clockwise]) {
      expect(pageOf([says('osm', {}, { geometry })]).geometry).toEqual(small);
    }
  });

  it('CON-05 within one source is the newest', () => {
    const page = pageOf([
      record('osm', 'way/1', [statement({}, { at: 3, geometry: small })]),
      record('osm', 'way/2', [statement({}, { at: 5, geometry: middle })]),
    ]);
    expect(page.geometry).toEqual(middle);
    expect(page.footprint?.provenance.sourceRecordId).toBe('way/2');
  });

  it('CON-16 is taken from no other source', () => {
    for (const source of ['wikidata', 'abr', 'estat', 'nominatim', 'jreit', 'edinet', 'mankan'] as const) {
      expect(pageOf([says(source, {}, { geometry: small })])).toMatchObject({ geometry: null, footprint: null });
    }
  });

  it('CON-03 of an earlier revision does not compete', () => {
    const plateau = record('plateau', 'bldg_1', [
      statement({}, { at: 1, geometry: large }),
      statement({}, { at: 2, geometry: small }),
    ]);
    expect(pageOf([plateau])).toMatchObject({ geometry: small, footprint: { provenance: { retrievedAt: day(2) } } });
    const osm = record('osm', 'way/1', [
      statement({}, { at: 1, payload: 'a', geometry: small }),
      statement({}, { at: 2, payload: 'b', geometry: middle }),
      statement({}, { at: 3, payload: 'a', geometry: small }),
    ]);
    expect(pageOf([osm])).toMatchObject({ geometry: small, footprint: { provenance: { retrievedAt: day(3) } } });
  });

  it('CON-01 at equal retrievedAt is that of the greatest rawPayloadRef', () => {
    const osm = record('osm', 'way/1', [
      statement({}, { payload: 'b', geometry: small }),
      statement({}, { payload: 'a', geometry: large }),
    ]);
    expect(pageOf([osm]).geometry).toEqual(small);
  });

  it('CON-01 stays if it is absent from a newer revision', () => {
    const plateau = record('plateau', 'bldg_1', [
      statement({}, { at: 1, geometry: small }),
      statement({ heightM: 9 }, { at: 2 }),
    ]);
    expect(pageOf([plateau, says('osm', {}, { at: 9, geometry: large })]).geometry).toEqual(small);
  });

  it('CON-03 is that of the next source if a complete revision withdraws it', () => {
    const plateau = record('plateau', 'bldg_1', [
      statement({}, { at: 1, geometry: small }),
      statement({ heightM: 9 }, { at: 2, whole: true }),
    ]);
    const page = pageOf([plateau, says('osm', {}, { geometry: large })]);
    expect(page.geometry).toEqual(large);
    expect(page.footprint?.provenance.source).toBe('osm');
  });

  it('CON-04 fetching the current payload again keeps its retrievedAt', () => {
    const osm = record('osm', 'way/1', [
      statement({}, { at: 1, payload: 'a', geometry: small }),
      statement({}, { at: 5, payload: 'a', geometry: small }),
    ]);
    expect(pageOf([osm]).footprint?.provenance.retrievedAt).toBe(day(1));
  });

  it('CON-05 is never a point, whatever the source', () => {
    const point = { type: 'Point' as const, coordinates: [139.7, 35.6] as [number, number] };
    expect(pageOf([says('plateau', {}, { geometry: point })])).toMatchObject({ geometry: null, footprint: null });
    const page = pageOf([says('plateau', {}, { geometry: point }), says('osm', {}, { geometry: small })]);
    expect(page.geometry).toEqual(small);
  });

  it('CON-05 may consist of several polygons', () => {
    const parts: MultiPolygon = {
      type: 'MultiPolygon',
      coordinates: [small.coordinates, square(10, [139.766, 35.682]).coordinates],
    };
    expect(pageOf([says('osm', {}, { geometry: parts })]).geometry).toEqual(parts);
  });

  it('CON-05 does not determine footprintM2, which has its own candidates', () => {
    const page = pageOf([
      says('plateau', {}, { geometry: small }),
      says('osm', { footprintM2: 123 }, { geometry: large }),
    ]);
    expect(page.fields.footprintM2).toMatchObject({ value: 123, provenance: { source: 'osm' } });
    expect(page.footprint?.provenance.source).toBe('plateau');
  });
});

describe('venues', () => {
  const venue = (nameJa: string, level: string | null = null) => ({ nameJa, nameEn: null, category: 'cafe', level });

  it('CON-01 are those of the current revision', () => {
    const osm = record('osm', 'way/1', [
      statement({}, { at: 1, venues: [venue('旧店')] }),
      statement({}, { at: 2, venues: [venue('新店'), venue('別店')] }),
    ]);
    expect(new Set(pageOf([osm]).venues.map((v) => v.nameJa))).toEqual(new Set(['新店', '別店']));
  });

  it('CON-04 are not duplicated when seen again', () => {
    const osm = record('osm', 'way/1', [
      statement({}, { at: 1, payload: 'a', venues: [venue('店')] }),
      statement({}, { at: 2, payload: 'a', venues: [venue('店')] }),
    ]);
    expect(pageOf([osm])).toMatchObject({
      venues: [{ nameJa: '店', provenance: { retrievedAt: day(1) } }],
      counters: { venues: 1, observations: 0 },
    });
  });

  it('CON-02 are two if they are on two floors', () => {
    expect(pageOf([says('osm', {}, { venues: [venue('店', '1'), venue('店', '2')] })]).venues).toHaveLength(2);
  });
});
