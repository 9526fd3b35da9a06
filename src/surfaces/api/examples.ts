import type { Envelope } from '../../reit/publication/document.ts';
import { projectCsv } from '../../reit/publication/project-csv.ts';
import { type Catalog, projectJsonLd } from '../../reit/publication/project-json-ld.ts';
import type { AreaSummary, OwnerPortfolio, SearchEnvelope } from '../../vocabulary/api-shapes.ts';
import { attributionOf, creditsOf } from '../../vocabulary/attribution.ts';
import type { BuildingPage } from '../../vocabulary/building-page.ts';
import { FIELD_NAMES } from '../../vocabulary/fields.ts';
import type { MatchAnswer } from '../../vocabulary/match-shapes.ts';
import type { SourceRecordAnswer } from '../../vocabulary/source-record.ts';

/** Shortened responses of the bundled sample; a test checks them against the schemas. */
const OSM = {
  source: 'osm',
  sourceRecordId: 'way/9000000013001',
  sourceUrl: 'https://www.openstreetmap.org/way/9000000013001',
  retrievedAt: '2026-09-04T00:00:00Z',
  extractionMethod: 'osm-tag',
  confidence: 0.8,
} as const;
const PLATEAU = {
  source: 'plateau',
  sourceRecordId: '13101-bldg-sample-1',
  sourceUrl: 'https://www.geospatial.jp/ckan/dataset/plateau',
  retrievedAt: '2026-09-03T00:00:00Z',
  extractionMethod: 'citygml',
  confidence: 0.9,
} as const;
const WIKIDATA = {
  source: 'wikidata',
  sourceRecordId: 'Q9990013001',
  sourceUrl: 'https://www.wikidata.org/wiki/Q9990013001',
  retrievedAt: '2026-09-05T00:00:00Z',
  extractionMethod: 'wikidata-claim',
  confidence: 0.75,
} as const;
const free = { unit: null, tier: 'free', conflict: null, estimated: false } as const;

export const SOURCES_EXAMPLE: BuildingPage['sources'] = [
  { ...cite(OSM), fields: ['nameJa', 'aliases', 'assetTypes'] },
  { ...cite(PLATEAU), fields: ['floorsAbove'] },
  { ...cite(WIKIDATA), fields: ['ownerPublic'] },
];

export const BUILDING_EXAMPLE: BuildingPage = {
  id: 'ASSET-JP-13-00000049',
  path: '/japan/tokyo/chiyoda-ku/marunouchi-1-chome/ASSET-JP-13-00000049',
  assetTypes: [{ value: 'train_station', category: 'transport', tier: 'free', provenance: OSM }],
  fields: {
    nameJa: { value: '東京駅丸の内駅舎', ...free, provenance: OSM },
    floorsAbove: { value: 4, ...free, provenance: PLATEAU, conflict: { value: 3, unit: null, source: 'osm' } },
    ownerPublic: { value: '東日本旅客鉄道', ...free, provenance: WIKIDATA },
  },
  location: {
    lat: 35.681406,
    lon: 139.7662059,
    meshCode: '53394611',
    prefecture: { code: '13', slug: 'tokyo', nameJa: '東京都', nameEn: 'Tokyo' },
    ward: { code: '13101', slug: 'chiyoda-ku', nameJa: '千代田区', nameEn: 'Chiyoda-ku' },
    machiAza: {
      code: '131010039001',
      slug: 'marunouchi-1-chome',
      nameJa: '丸の内一丁目',
      nameEn: 'Marunouchi 1-chome',
    },
  },
  aliases: [{ value: '東京駅赤レンガ駅舎', tier: 'free', provenance: OSM }],
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [139.7657151, 35.680014],
        [139.7669257, 35.6827301],
        [139.7666966, 35.682798],
        [139.765486, 35.6800818],
        [139.7657151, 35.680014],
      ],
    ],
  },
  footprint: {
    areaM2: 7075.1,
    perimeterM: 685.47,
    bbox: [139.765486, 35.680014, 139.7669257, 35.682798],
    provenance: PLATEAU,
  },
  sources: SOURCES_EXAMPLE,
  venues: [
    {
      nameJa: '東京ステーションギャラリー',
      nameEn: 'Tokyo Station Gallery',
      category: 'museum',
      level: '1',
      provenance: { ...OSM, extractionMethod: 'poi-join', confidence: 0.7 },
    },
  ],
  nearby: [
    {
      id: 'ASSET-JP-13-00000051',
      path: '/japan/tokyo/chiyoda-ku/marunouchi-1-chome/ASSET-JP-13-00000051',
      nameJa: '新丸の内ビルディング',
      nameEn: 'Shin-Marunouchi Building',
      category: 'office',
      distanceM: 204.7,
    },
  ],
  history: [
    { version: 1, recordedAt: '2026-11-15T05:15:49.511Z', changedFields: ['nameJa', 'floorsAbove', 'ownerPublic'] },
  ],
  counters: { observations: 9, sources: 3, fields: 3, aliases: 1, venues: 1, versions: 1, conflictsFlagged: 1 },
  attribution: attributionOf(creditsOf(['osm', 'plateau', 'wikidata'])),
};

export const SOURCE_RECORD_EXAMPLE: SourceRecordAnswer = {
  source: 'osm',
  sourceRecordId: OSM.sourceRecordId,
  disposition: 'contributes',
  assetId: BUILDING_EXAMPLE.id,
  path: BUILDING_EXAMPLE.path,
  reason: null,
  sourceUrl: OSM.sourceUrl,
  retrievedAt: OSM.retrievedAt,
  fieldsWon: ['nameJa', 'aliases', 'assetTypes'],
};

export const SEARCH_EXAMPLE: SearchEnvelope = { items: [BUILDING_EXAMPLE], page: 1, total: 1, totalCapped: false };

export const MATCH_EXAMPLE: MatchAnswer = {
  verdict: 'match',
  candidates: [
    {
      id: 'ASSET-JP-13-00000051',
      path: '/japan/tokyo/chiyoda-ku/marunouchi-1-chome/ASSET-JP-13-00000051',
      nameJa: '新丸の内ビルディング',
      nameEn: 'Shin-Marunouchi Building',
      addressJa: '東京都千代田区丸の内一丁目5番1号',
      score: 1,
      reasons: [
        { kind: 'address', detail: '東京都千代田区丸の内一丁目5番1号' },
        { kind: 'name', detail: '新丸の内ビルディング' },
      ],
    },
  ],
};

export const OWNER_EXAMPLE: OwnerPortfolio = { owner: '東日本旅客鉄道', items: [BUILDING_EXAMPLE] };

const { prefecture, ward, machiAza } = BUILDING_EXAMPLE.location;
const prefecturePath = `/japan/${prefecture.slug}`;
const wardPath = `${prefecturePath}/${ward.slug}`;
const machiAzaPath = `${wardPath}/${machiAza.slug}`;
const counted = {
  buildingCount: 5,
  latestRecordedAt: '2026-11-15T05:15:49.511Z',
  coverage: Object.fromEntries(FIELD_NAMES.map((field) => [field, /^(name|address)/.test(field) ? 5 : 2])),
};

export const AREA_EXAMPLES: Readonly<Record<'prefecture' | 'ward' | 'machiAza', AreaSummary>> = {
  prefecture: {
    area: { level: 'prefecture', ...prefecture, path: prefecturePath },
    ...counted,
    children: [{ ...nameOf(ward), path: wardPath, buildingCount: 5 }],
  },
  ward: {
    area: { level: 'ward', ...ward, path: wardPath },
    ...counted,
    children: [{ ...nameOf(machiAza), path: machiAzaPath, buildingCount: 5 }],
  },
  machiAza: { area: { level: 'machiAza', ...machiAza, path: machiAzaPath }, ...counted, children: [] },
};

export const DOCUMENT_EXAMPLE = { openapi: '3.1.1', info: { title: 'Tatemono API', version: 'v1' }, paths: {} };

function cite({ source, sourceRecordId, sourceUrl }: Cited): Cited {
  return { source, sourceRecordId, sourceUrl };
}
type Cited = Pick<BuildingPage['sources'][number], 'source' | 'sourceRecordId' | 'sourceUrl'>;

function nameOf({ slug, nameJa, nameEn }: BuildingPage['location']['ward']) {
  return { slug, nameJa, nameEn };
}

const DISCLOSURE_URL = 'https://disclosure.example/S100SMP9';
const CITED = [{ sourceUrl: DISCLOSURE_URL, locator: '表3 個別物件の収益状況' }];
const NOI = { state: 'recorded' as const, amount: '57000000', unit: 'JPY' as const };

/** A shortened publication of a fictitious issuer; a test checks it against the schemas. */
export const REIT_EXAMPLE: Envelope = {
  buildingId: BUILDING_EXAMPLE.id,
  publications: [
    {
      id: `rp_${'0a1b2c3d'.repeat(8)}`,
      computedAt: '2026-11-15T05:15:49.511Z',
      document: {
        schemaVersion: 'reit/1',
        issuer: { id: 'sample-reit', nameJa: '見本投資法人', edinetCode: 'E99999' },
        metrics: ['noi'],
        sourceRevisions: [
          {
            id: 'r1',
            lineageId: 'l1',
            source: 'edinet',
            sourceRecordId: 'S100SMP9',
            title: '有価証券報告書',
            sourceUrl: DISCLOSURE_URL,
            publishedAt: '2025-12-20T00:00:00Z',
            retrievedAt: '2026-01-05T00:00:00Z',
            contentHash: 'sha256:5f0c1d1e8d3b4a77',
            extractionMethod: 'disclosure-table',
            extractorVersion: '1',
            supersedes: null,
            fields: { '/h1/p21/noi': { ...NOI, scale: 6, decimals: -6, rounding: 'truncate' } },
          },
        ],
        revisionHeads: [{ lineageId: 'l1', revisionId: 'r1' }],
        holdings: [
          {
            id: 'h1',
            propertyCode: 'A-01',
            nameJa: '見本館',
            interest: { type: 'trustBeneficiary', tenure: 'quasiCoOwnership', share: { numerator: 1, denominator: 2 } },
            amountBasis: 'interest',
            heldFrom: '2025-03-28',
            heldTo: null,
          },
        ],
        periods: [
          { id: 'p21', ordinal: 21, labelJa: '第21期', startDate: '2025-04-01', endDate: '2025-09-30', days: 183 },
        ],
        buildingMatches: [],
        transactions: [],
        ownership: [],
        financialChecks: [],
        fieldCitations: [{ revisionId: 'r1', path: '/h1/p21/noi', citations: CITED }],
        attributions: [{ source: 'edinet', text: 'EDINET' }],
        agreement: {
          algorithmVersion: 'agreement/1',
          groups: [
            {
              holdingId: 'h1',
              periodId: 'p21',
              fields: [
                {
                  path: 'noi',
                  status: 'singleSource',
                  value: NOI,
                  observations: [
                    {
                      revisionId: 'r1',
                      path: '/h1/p21/noi',
                      value: { ...NOI, scale: 6, decimals: -6, rounding: 'truncate' },
                    },
                  ],
                },
              ],
            },
          ],
        },
      },
    },
  ],
};

export const REIT_CSV_EXAMPLE: string = projectCsv(BUILDING_EXAMPLE.id, []);

export const REIT_CATALOG_EXAMPLE: Catalog = projectJsonLd(
  REIT_EXAMPLE.buildingId,
  REIT_EXAMPLE.publications,
  'https://registry.example',
  new Set(REIT_EXAMPLE.publications.map(({ id }) => id)),
);
