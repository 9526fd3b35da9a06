import { describe, expect, it } from 'vitest';
import { consolidate } from '../../src/consolidation/consolidate.ts';
import { anchorHash, anchorsOf, changedAnchors } from '../../src/reit/publication/anchors.ts';
import { canonicalJson, sha256 } from '../../src/reit/publication/canonical-json.ts';
import type { RecordEvidence } from '../../src/vocabulary/evidence.ts';
import { BUILDING, record, says, square, statement } from '../consolidation/support.ts';

const of = (evidence: RecordEvidence[], changes: Partial<Parameters<typeof anchorsOf>[0]> = {}) =>
  anchorsOf({
    buildingId: 'ASSET-JP-13-00000001',
    lifecycle: 'live',
    areaPath: '/japan/tokyo/chiyoda-ku/marunouchi-1-chome',
    canonical: consolidate(BUILDING, evidence),
    ...changes,
  });

const OWN = [
  record('plateau', 'b1', [statement({ floorsAbove: 9 }, { geometry: square(20) })]),
  record('osm', 'way/1', [statement({ nameJa: '見本館', addressJa: '丸の内1-1', floorsAbove: 8 })]),
  record('greenbuilding', 'g1', [statement({ completionMonth: '2001-05' })]),
];

describe('anchors', () => {
  it('REIT-10 are values of the building', () => {
    const found = of(OWN);
    expect(found).toEqual({
      buildingId: 'ASSET-JP-13-00000001',
      lifecycle: 'live',
      areaPath: '/japan/tokyo/chiyoda-ku/marunouchi-1-chome',
      centroid: { lat: 35.68109, lon: 139.76511 },
      footprintHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      floorsAbove: 9,
      completion: '2001-05',
      nameJa: '見本館',
      addressJa: '丸の内1-1',
    });
    expect(anchorHash(found)).toBe(anchorHash(of([...OWN].reverse())));
    expect(of([])).toMatchObject({ centroid: null, footprintHash: null, floorsAbove: null, nameJa: null });
  });

  it('REIT-10 the footprint is hashed as its source drew it, not as it is published', () => {
    const drawn = { type: 'Polygon' as const, coordinates: square(20).coordinates.map((ring) => ring.toReversed()) };
    const { footprintHash } = of([record('osm', 'way/1', [statement({}, { geometry: drawn })])]);
    expect(footprintHash).toBe(`sha256:${sha256(canonicalJson(drawn))}`);
  });

  it('REIT-10 REIT data that renames the building, or states anything else, changes no anchor', () => {
    const disclosed = {
      nameJa: '新見本館',
      addressJa: '丸の内9-9',
      floorsAbove: 30,
      completionMonth: '1999-01',
      yearBuilt: 1999,
    };
    for (const source of ['jreit', 'edinet'] as const) {
      const after = of([...OWN, says(source, { ...disclosed, acquisitionPriceJpy: 5, gfaM2: 9 })]);
      expect(after).toEqual(of(OWN));
      expect(anchorHash(after)).toBe(anchorHash(of(OWN)));
    }
  });

  it('REIT-10 a value inherited from a complex is not an anchor, since a disclosure would replace it', () => {
    const complex = { nameJa: '街区', nameEn: null };
    const lent = says('wikidata', { yearBuilt: 1990 }, { complex });
    const own = OWN.slice(0, 2);
    expect(of([...own, lent])).toEqual(of(own));
    expect(of([...own, lent, says('jreit', { yearBuilt: 1991 })])).toEqual(of(own));
  });

  it.each([
    [
      'footprintHash',
      [record('plateau', 'b1', [statement({ floorsAbove: 9 }, { geometry: square(21) })]), ...OWN.slice(1)],
    ],
    [
      'floorsAbove',
      [record('plateau', 'b1', [statement({ floorsAbove: 10 }, { geometry: square(20) })]), ...OWN.slice(1)],
    ],
    ['nameJa', [OWN[0], says('osm', { nameJa: '別館', addressJa: '丸の内1-1' }), OWN[2]]],
    ['addressJa', [OWN[0], says('osm', { nameJa: '見本館', addressJa: '丸の内1-2' }), OWN[2]]],
    ['completion', [...OWN.slice(0, 2), says('wikidata', { yearBuilt: 2002 })]],
  ] as [string, RecordEvidence[]][])('REIT-10 another %s is another match', (name, evidence) => {
    const [before, after] = [of(OWN), of(evidence)];
    expect(changedAnchors(before, after)).toContain(name);
    expect(anchorHash(after)).not.toBe(anchorHash(before));
  });

  it('REIT-10 a changed area and a retired building change them too', () => {
    expect(changedAnchors(of(OWN), of(OWN, { areaPath: '/japan/tokyo/chiyoda-ku/otemachi-1-chome' }))).toEqual([
      'areaPath',
    ]);
    expect(changedAnchors(of(OWN), of(OWN, { lifecycle: 'merged' }))).toEqual(['lifecycle']);
    expect(changedAnchors(of(OWN), of(OWN))).toEqual([]);
  });

  it('REIT-10 provenance is not an anchor', () => {
    const moved = OWN.map((r) => ({
      ...r,
      statements: r.statements.map((s) => ({
        ...s,
        retrievedAt: '2026-09-09T00:00:00Z',
        sourceUrl: 'https://x.example/',
      })),
    }));
    expect(of(moved)).toEqual(of(OWN));
  });
});
