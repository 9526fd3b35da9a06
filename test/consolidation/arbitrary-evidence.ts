import fc from 'fast-check';
import type { Observation, RecordEvidence, Statement } from '../../src/vocabulary/evidence.ts';
import { FIELDS, type Field, type FieldScalar } from '../../src/vocabulary/fields.ts';
import type { ExtractionMethod } from '../../src/vocabulary/sources.ts';
import { CONTRACT_FIELDS, CONTRACT_VALUES, isRepeated } from './contract-table.ts';
import { GIVEN_SOURCES, type GivenSource, square, USUAL_METHOD } from './support.ts';

/** Small pools, so that ties, agreement and withdrawal are frequent. */
const MOMENTS = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.500Z', '2026-01-02T00:00:00Z', '2026-01-03T00:00:00.25Z'];
const PAYLOADS = ['a', 'b', 'B'];
const URLS = ['https://example.org/1', 'https://example.org/2'];
const COMPLEXES = [
  { nameJa: '街区', nameEn: null },
  { nameJa: null, nameEn: 'Block' },
];
const SHAPES = [square(10), square(20), { type: 'Point' as const, coordinates: [139.7, 35.6] as [number, number] }];
const BUSY_SOURCES: GivenSource[] = ['osm', 'plateau', 'wikidata', 'jreit', 'edinet'];
const BUSY_FIELDS: Field[] = [
  ...([
    'nameJa',
    'aliases',
    'aliases',
    'assetTypes',
    'assetTypes',
    'appraisalValueJpy',
    'appraisalDate',
    'yearBuilt',
    'architect',
  ] as const),
  ...(['footprintM2', 'floorsAbove', 'floorsBelow', 'gfaM2', 'heightM'] as const),
];
const REPEATED_VALUES: Record<'aliases' | 'assetTypes', FieldScalar[]> = {
  aliases: ['Alpha', 'ＡＬＰＨＡ', 'Beta'],
  assetTypes: ['office', '事務所', 'apartments', 'no word of the table'],
};
const OTHER_METHODS: Partial<Record<GivenSource, ExtractionMethod[]>> = {
  osm: ['osm-tag', 'osm-business-tag', 'poi-join'],
  wikidata: ['wikidata-claim', 'commons-imageinfo'],
};

const field = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...BUSY_FIELDS) },
  { weight: 1, arbitrary: fc.constantFrom(...CONTRACT_FIELDS) },
);
const fieldAndValue = field.chain((name) =>
  fc.record({
    field: fc.constant(name),
    value: fc.constantFrom<FieldScalar[]>(...(isRepeated(name) ? REPEATED_VALUES[name] : CONTRACT_VALUES[name].values)),
  }),
);
const tier = fc.oneof(
  { weight: 5, arbitrary: fc.constant('free' as const) },
  { weight: 1, arbitrary: fc.constantFrom('paid' as const, 'premium' as const) },
);
const source = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...BUSY_SOURCES) },
  { weight: 1, arbitrary: fc.constantFrom(...GIVEN_SOURCES) },
);
const recordNames = fc.uniqueArray(fc.record({ source, sourceRecordId: fc.constantFrom('r1', 'r2', 'r3') }), {
  minLength: 1,
  maxLength: 6,
  selector: ({ source, sourceRecordId }) => `${source} ${sourceRecordId}`,
});

function observation(source: GivenSource): fc.Arbitrary<Observation> {
  const methods = OTHER_METHODS[source];
  return fc
    .record(
      {
        content: fieldAndValue,
        tier,
        confidence: fc.constant(0.6),
        extractionMethod: methods === undefined ? fc.constant(USUAL_METHOD[source]) : fc.constantFrom(...methods),
      },
      { requiredKeys: ['content', 'tier'] },
    )
    .map(({ content, ...rest }) => ({ ...content, unit: FIELDS[content.field].unit, ...rest }));
}

function frame(source: GivenSource) {
  const complexes = source === 'wikidata' ? [null, ...COMPLEXES] : [null];
  return {
    sourceUrl: fc.constantFrom(...URLS),
    extractionMethod: fc.constantFrom(...(OTHER_METHODS[source] ?? [USUAL_METHOD[source]])),
    whole: fc.boolean(),
    complex: fc.constantFrom(...complexes),
  };
}

const shape = fc.option(fc.constantFrom(...SHAPES), { freq: 2 });
const venues = fc.subarray([
  { nameJa: '店', nameEn: 'Shop', category: 'shop', level: null },
  { nameJa: '店', nameEn: 'Shop', category: 'shop', level: '2' },
  { nameJa: null, nameEn: 'Cafe', category: 'cafe', level: '1' },
]);

/** A realistic payload: the same content in every fetch, each scalar once, in one line or two. */
function payload(source: GivenSource): fc.Arbitrary<Payload> {
  return fc.record({
    ...frame(source),
    rawPayloadRef: fc.constantFrom(...PAYLOADS),
    geometry: shape,
    venues,
    observations: fc.uniqueArray(observation(source), {
      maxLength: 7,
      selector: (o) => (isRepeated(o.field) ? `${o.field} ${o.value}` : o.field),
    }),
    split: fc.boolean(),
  });
}

type Payload = Omit<Statement, 'retrievedAt' | 'area'> & { split: boolean };

function linesOf({ split, ...content }: Payload, retrievedAt: string): Statement[] {
  const { sourceUrl, rawPayloadRef, extractionMethod, whole, geometry, observations, venues, complex } = content;
  const head = { sourceUrl, retrievedAt, rawPayloadRef, extractionMethod, whole, area: null };
  if (!split) return [{ ...head, geometry, observations, venues, complex }];
  const half = Math.ceil(observations.length / 2);
  return [
    { ...head, geometry, observations: observations.slice(0, half), venues: [], complex },
    { ...head, geometry: null, observations: observations.slice(half), venues, complex },
  ];
}

/** Records whose payloads are fetched repeatedly, in any order. */
export const readEvidence: fc.Arbitrary<RecordEvidence[]> = recordNames.chain((names) =>
  fc.tuple(
    ...names.map(({ source, sourceRecordId }) =>
      fc
        .uniqueArray(payload(source), { minLength: 1, maxLength: 3, selector: (p) => p.rawPayloadRef })
        .chain((payloads) =>
          fc
            .array(fc.tuple(fc.constantFrom(...MOMENTS), fc.constantFrom(...payloads)), { minLength: 1, maxLength: 4 })
            .map((fetches) => ({
              source,
              sourceRecordId,
              statements: fetches.flatMap(([moment, fetched]) => linesOf(fetched, moment)),
            })),
        ),
    ),
  ),
);

function looseStatement(source: GivenSource): fc.Arbitrary<Statement> {
  const { sourceUrl, extractionMethod, whole, complex } = frame(source);
  return fc.record({
    sourceUrl,
    retrievedAt: fc.constantFrom(...MOMENTS, '2026-01-01T00:00:00.000Z'),
    rawPayloadRef: fc.constantFrom(...PAYLOADS),
    extractionMethod,
    whole,
    area: fc.constantFrom(null, '131010001001'),
    geometry: shape,
    observations: fc.array(observation(source), { maxLength: 7 }),
    venues,
    complex,
  });
}

/** Whatever the types allow: a payload may change with every fetch, and state a value in several ways. */
export const looseEvidence: fc.Arbitrary<RecordEvidence[]> = recordNames.chain((names) =>
  fc.tuple(
    ...names.map(({ source, sourceRecordId }) =>
      fc
        .array(looseStatement(source), { minLength: 1, maxLength: 4 })
        .map((statements) => ({ source, sourceRecordId, statements })),
    ),
  ),
);
