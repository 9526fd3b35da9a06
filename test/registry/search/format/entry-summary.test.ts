import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodeSummary, writeSummary } from '../../../../src/registry/search/format/entry-summary.ts';
import { encodeSite } from '../../../../src/registry/search/format/site.ts';
import type { Canonical } from '../../../../src/vocabulary/canonical.ts';

const value = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"', '\\', '\ud800', '館\n', '😀'));
const provenance = { source: 'plateau', confidence: 0.9 };

it('FIT-08 a summary is written as JSON.stringify writes it, whatever a source states', () => {
  fc.assert(
    fc.property(value, value, fc.option(value, { nil: null }), fc.boolean(), (name, owner, lost, estimated) => {
      const conflict = lost === null ? null : { value: lost, provenance: { source: 'osm' } };
      const field = (own: string | number) => ({ value: own, provenance, estimated, conflict });
      const canonical = {
        fields: { nameJa: field(name), heightM: field(12.5), ownerPublic: field(owner) },
        assetTypes: [{ category: 'office' }, { category: 'retail' }],
      } as unknown as Canonical;
      const site = encodeSite({ point: [-0.0000001, 35.6812362], footprint: null });
      const written = writeSummary(
        { building: 1_300_000_001, site, summary: encodeSummary(canonical, '/japan/a/b/c') },
        3.5,
      );
      const loser = lost === null ? null : { value: lost, source: 'osm' };
      const figure = { source: 'plateau', confidence: 0.9, estimated, conflict: loser };
      const summary = {
        ...{ id: 'ASSET-JP-13-00000001', path: '/japan/a/b/c/ASSET-JP-13-00000001' },
        ...{ nameJa: name, nameEn: null, addressJa: null, categories: ['office', 'retail'] },
        ...{ lat: 35.6812362, lon: -1e-7, conflictsFlagged: lost === null ? 0 : 3, hasReit: false },
        figures: {
          heightM: { value: 12.5, unit: 'm', ...figure },
          ownerPublic: { value: owner, unit: null, ...figure },
        },
        distanceM: 3.5,
      };
      expect(written).toBe(JSON.stringify(summary));
    }),
  );
});
