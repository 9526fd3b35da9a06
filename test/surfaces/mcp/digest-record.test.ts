import fc from 'fast-check';
import { expect, it } from 'vitest';
import { digestRecord } from '../../../src/surfaces/mcp/digest-record.ts';
import type { BuildingPage } from '../../../src/vocabulary/building-page.ts';
import { CATEGORIES } from '../../../src/vocabulary/categories.ts';
import { onBothEngines } from '../../support/engines.ts';
import { plainDigest } from '../../support/plain-digest.ts';
import { openServedSample } from '../../support/served-sample.ts';

const BASE_URLS = [undefined, 'https://registry.example', 'https://建物.example/"x"'];
const TODAY = '2026-11-16';

/** The bytes that get_asset sends, and those of the text that is written plainly. */
function compare(record: Uint8Array, baseUrl: string | undefined): void {
  const page = JSON.parse(Buffer.from(record).toString()) as BuildingPage;
  const written = Buffer.from(`"${digestRecord(record, baseUrl, TODAY)}"`, 'latin1');
  expect(written.toString()).toBe(JSON.stringify(plainDigest(page, baseUrl, TODAY)));
  expect(written.equals(Buffer.from(written.toString()))).toBe(true);
}

onBothEngines('the text of a record', (fresh) => {
  it('is that of the parsed record, for every building of the sample', async () => {
    const sample = await openServedSample(await fresh());
    try {
      const ids = new Set<string>();
      for (let page = 1; page === 1 || ids.size === (page - 1) * 20; page++) {
        const { items } = (await sample.app.inject(`/japan/api/v1/assets?view=summary&page=${page}`)).json();
        for (const { id } of items) ids.add(id);
      }
      expect(ids.size).toBeGreaterThan(50);
      for (const id of ids) {
        const { rawPayload } = await sample.app.inject(`/japan/api/v1/assets/${id}`);
        for (const baseUrl of BASE_URLS) compare(rawPayload, baseUrl);
      }
    } finally {
      await sample.close();
    }
  });
});

/** Text with everything that Markdown and JSON escape, and what UTF-8 writes in one to four bytes. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom(
      ...'_*`[]<>#|~&!@\\":/.w \n\t\u0000\u00a0\u3000\u200e\u2066\ufeff\u061c\u1680\ud800ビ館Ⅱ（😀',
    ),
    maxLength: 12,
  }),
  fc.constantFrom(
    'www.example.com',
    'https://evil.example',
    ' a ',
    'a  b',
    'あ'.repeat(101),
    `${'x'.repeat(299)}😀`,
    '',
  ),
);
const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const amount = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const provenance = fc.record({
  source: fc.constantFrom('osm', 'plateau', 'dnk'),
  sourceRecordId: text,
  sourceUrl: fc.oneof(fc.webUrl(), text),
  retrievedAt: fc.constantFrom('2026-05-01T00:00:00Z', '2025-12-31T23:59:59.999Z'),
  extractionMethod: fc.constant('osm-tag'),
  confidence: fc.constantFrom(0.8, 1, 0),
});
const value = fc.oneof(text, amount);
const unit = nullable(fc.constantFrom('m', 'm2'));
const field = fc.record(
  {
    value,
    unit,
    tier: fc.constant('free'),
    provenance,
    conflict: nullable(fc.record({ value, unit, source: fc.constant('plateau') })),
    estimated: fc.boolean(),
    inheritedFrom: fc.record({ nameJa: nullable(text), nameEn: nullable(text) }),
  },
  { requiredKeys: ['value', 'unit', 'tier', 'provenance', 'conflict', 'estimated'] },
);
const completion = fc
  .constantFrom('2026-12', '2026-11', '2027-01', '1999-05')
  .chain((month) => field.map((one) => ({ ...one, value: month })));
const year = fc.constantFrom(2026, 2027, 1999, 800).chain((number) => field.map((one) => ({ ...one, value: number })));
const named = { nameJa: nullable(text), nameEn: nullable(text) };
const area = fc.record({ code: fc.constant('13'), slug: fc.constant('tokyo'), nameJa: text, nameEn: nullable(text) });
const category = fc.constantFrom(...CATEGORIES);
const page = fc.record({
  id: fc.constant('ASSET-JP-13-00000001'),
  path: fc.constant('/japan/tokyo/x/y/ASSET-JP-13-00000001'),
  assetTypes: fc.array(fc.record({ value: text, category, tier: fc.constant('free'), provenance }), { maxLength: 3 }),
  fields: fc.record(
    { nameEn: field, nameJa: field, completionMonth: completion, heightM: field, yearBuilt: year, ownerPublic: field },
    { requiredKeys: [] },
  ),
  location: fc.record({
    ...{ lat: nullable(fc.constant(35.1)), lon: fc.constant(139.5), meshCode: fc.constant(null) },
    ...{ prefecture: area, ward: area, machiAza: area },
  }),
  aliases: fc.array(fc.record({ value: text, tier: fc.constant('free'), provenance }), { maxLength: 12 }),
  geometry: nullable(
    fc.constant({
      type: 'Polygon',
      coordinates: [
        [
          [1, 2],
          [3, 4.5],
          [5, 6],
          [1, 2],
        ],
      ],
    }),
  ),
  footprint: nullable(fc.record({ areaM2: amount, perimeterM: amount, bbox: fc.constant([1, 2, 3, 4]), provenance })),
  sources: fc.array(
    fc.record({
      source: fc.constant('osm'),
      sourceRecordId: text,
      sourceUrl: fc.oneof(fc.webUrl(), text, fc.constant(`https://a.example/${'x'.repeat(300)}`)),
      fields: fc.subarray(['nameJa', 'assetTypes']),
    }),
    { maxLength: 22 },
  ),
  venues: fc.array(fc.record({ ...named, category: text, level: nullable(text), provenance }), { maxLength: 12 }),
  history: fc.array(
    fc.record({
      version: fc.nat(),
      recordedAt: fc.constant('2026-11-16T05:46:48.707Z'),
      changedFields: fc.constant([]),
    }),
    { maxLength: 2 },
  ),
  counters: fc.constant({ observations: 3, sources: 1 }),
  attribution: fc.array(
    fc.record({ source: fc.constant('osm'), name: text, licence: text, licenceUrl: fc.webUrl(), credit: text }),
    { maxLength: 2 },
  ),
  nearby: fc.array(
    fc.record({ id: fc.constant('ASSET-JP-13-00000002'), path: text, ...named, category, distanceM: amount }),
    { maxLength: 8 },
  ),
});

it('is that of the parsed record, whatever a source states', () => {
  fc.assert(
    fc.property(page, fc.constantFrom(...BASE_URLS), (given, baseUrl) =>
      compare(Buffer.from(JSON.stringify(given)), baseUrl),
    ),
    { numRuns: 300 },
  );
});
