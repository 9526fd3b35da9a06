import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { looseEvidence } from '../consolidation/arbitrary-evidence.ts';
import { changes, pageOf, record, says, square, statement, stored } from '../consolidation/support.ts';
import { randomRuns } from '../support/test-length.ts';

describe('a stored version', () => {
  it('REC-03 decodes to the same record, which encodes to the same text', () => {
    fc.assert(
      fc.property(looseEvidence, (evidence) => {
        const { text, textAgain, page } = stored(evidence);
        expect(JSON.stringify(page)).toBe(JSON.stringify(pageOf(evidence)));
        expect(textAgain).toBe(text);
      }),
      { numRuns: randomRuns(400) },
    );
  });

  it('CON-13 does not differ from the version before it was stored', () => {
    fc.assert(
      fc.property(looseEvidence, (evidence) => {
        expect(stored(evidence).changes).toEqual([]);
      }),
      { numRuns: randomRuns(200) },
    );
  });

  it('CON-13 shows the same changes to the next version as before it was stored', () => {
    fc.assert(
      fc.property(looseEvidence, looseEvidence, (before, after) => {
        expect(stored(before).changesTo(after)).toEqual(changes(before, after));
      }),
      { numRuns: randomRuns(200) },
    );
  });

  it('CON-06 keeps all losers, including those that agree', () => {
    const winner = says('jreit', { nameJa: '名' });
    const agreeing = says('osm', { nameJa: '名' });
    const differing = says('mankan', { nameJa: '異名' });
    const { page, changesTo } = stored([winner, agreeing, differing]);
    expect(page.fields.nameJa?.conflict).toEqual({ value: '異名', unit: null, source: 'mankan' });
    expect(changesTo([winner, agreeing, differing])).toEqual([]);
    expect(changesTo([winner, differing])).toEqual(['nameJa']);
    expect(changesTo([winner, agreeing])).toEqual(['nameJa']);
  });

  it('REC-03 keeps units, tiers, estimates, complexes, venues and every text as they are', () => {
    const evidence = [
      record('plateau', 'bldg:"1"', [
        statement(
          {
            footprintM2: 100.25,
            floorsAbove: 3,
            floorsBelow: 0,
            heightM: { value: 9.5, tier: 'paid' },
            nameJa: '改\n行 "引用" \\ 😀',
          },
          { geometry: square(20) },
        ),
      ]),
      record('osm', 'way/1', [
        statement(
          { aliases: [{ value: 'Alpha', tier: 'premium' }, 'Beta'], assetTypes: ['office', 'なんでもない'] },
          { geometry: square(30), venues: [{ nameJa: null, nameEn: 'Cafe', category: 'cafe', level: '-1' }] },
        ),
      ]),
      says('wikidata', { yearBuilt: 1999, aliases: ['x'] }, { complex: { nameJa: null, nameEn: 'Block' } }),
    ];
    expect(stored(evidence).page).toEqual(pageOf(evidence));
  });

  it('REC-02 keeps the unknown use', () => {
    expect(stored([says('osm', {})]).page.assetTypes).toEqual(pageOf([says('osm', {})]).assetTypes);
  });
});
