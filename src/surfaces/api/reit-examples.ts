import type { Envelope } from '../../reit/publication/document.ts';
import { projectCsv } from '../../reit/publication/project-csv.ts';
import { type Catalog, projectJsonLd } from '../../reit/publication/project-json-ld.ts';
import { BUILDING_EXAMPLE } from './examples.ts';

const SOURCE_URL = 'https://disclosure.example/S100SMP9';
const cited = [{ sourceUrl: SOURCE_URL, locator: '表3 個別物件の収益状況' }];
const noi = { state: 'recorded' as const, amount: '57000000', unit: 'JPY' as const };

/** A shortened publication of an issuer that does not exist; a test holds it against the schemas. */
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
            sourceUrl: SOURCE_URL,
            publishedAt: '2025-12-20T00:00:00Z',
            retrievedAt: '2026-01-05T00:00:00Z',
            contentHash: 'sha256:5f0c1d1e8d3b4a77',
            extractionMethod: 'disclosure-table',
            extractorVersion: '1',
            supersedes: null,
            fields: { '/h1/p21/noi': { ...noi, scale: 6, decimals: -6, rounding: 'truncate' } },
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
        fieldCitations: [{ revisionId: 'r1', path: '/h1/p21/noi', citations: cited }],
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
                  value: noi,
                  observations: [
                    {
                      revisionId: 'r1',
                      path: '/h1/p21/noi',
                      value: { ...noi, scale: 6, decimals: -6, rounding: 'truncate' },
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
