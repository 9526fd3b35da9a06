import type { Field, FieldScalar, ScalarField } from '../../src/vocabulary/fields.ts';
import type { GivenSource } from './support.ts';

/** Section 2.7 of the contract, copied from its text; never generated from the code. */
const TABLE = `
| nameJa | jreit, edinet, osm, wikidata, plateau, greenarchive, greenbuilding, mankan |
| nameEn | wikidata, osm |
| aliases | osm, wikidata |
| addressJa | jreit, edinet, abr, nominatim, osm, plateau, greenarchive, greenbuilding, mankan |
| postcode | abr, nominatim, osm |
| assetTypes | jreit, edinet, osm, plateau, wikidata |
| footprintM2 | plateau, osm |
| gfaM2 | jreit, edinet, plateau, osm, greenarchive, greenbuilding |
| completionMonth | jreit, edinet, greenarchive, greenbuilding, mankan |
| structure | jreit, edinet, greenarchive, mankan |
| landAreaM2 | jreit, edinet |
| leasableAreaM2 | jreit, edinet |
| acquisitionPriceJpy | jreit, edinet |
| acquisitionDate | jreit, edinet |
| appraisalValueJpy | edinet, jreit |
| appraisalDate | edinet, jreit |
| bookValueJpy | edinet, jreit |
| occupancyRate | edinet, jreit |
| unitCount | jreit, edinet, mankan |
| roomCount | jreit, edinet |
| floorsAbove | jreit, edinet, plateau, osm, wikidata, greenarchive, mankan |
| floorsBelow | jreit, edinet, plateau, osm, wikidata, greenarchive, mankan |
| heightM | plateau, wikidata, osm |
| yearBuilt | jreit, edinet, wikidata, plateau, greenarchive, greenbuilding, mankan |
| ownerPublic | jreit, edinet, wikidata |
| architect | wikidata |
| developer | greenbuilding, greenarchive |
| tenure | greenbuilding, greenarchive |
| managementPlanCertifiedOn | mankan |
`;

export const CONTRACT_ORDER = Object.fromEntries(
  TABLE.trim()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()))
    .map(([, field, order]) => [field, (order as string).split(', ')]),
) as Record<Field, GivenSource[]>;

export const CONTRACT_FIELDS = Object.keys(CONTRACT_ORDER) as Field[];

export const CONTRACT_SCALARS = CONTRACT_FIELDS.filter((field): field is ScalarField => !isRepeated(field));

export function isRepeated(field: Field): field is 'aliases' | 'assetTypes' {
  return field === 'aliases' || field === 'assetTypes';
}

type Row = { unit: string | null; values: readonly [FieldScalar, FieldScalar] };

/** REC-12 and its decisions: the unit of each field and two valid values; those of a repeated field are in one group. */
export const CONTRACT_VALUES: Readonly<Record<Field, Row>> = {
  nameJa: { unit: null, values: ['丸の内ビル', '丸ノ内ビルディング'] },
  nameEn: { unit: null, values: ['Marunouchi Building', 'Maru Biru'] },
  aliases: { unit: null, values: ['Marubiru', 'MARUBIRU'] },
  addressJa: { unit: null, values: ['千代田区丸の内1-1', '千代田区丸の内一丁目1番'] },
  postcode: { unit: null, values: ['100-0005', '100-6301'] },
  assetTypes: { unit: null, values: ['office', '事務所'] },
  footprintM2: { unit: 'm2', values: [1000.5, 900] },
  gfaM2: { unit: 'm2', values: [12000, 11999.25] },
  completionMonth: { unit: null, values: ['2002-08', '2002-09'] },
  structure: { unit: null, values: ['S', 'SRC'] },
  landAreaM2: { unit: 'm2', values: [3000, 3001.5] },
  leasableAreaM2: { unit: 'm2', values: [8000, 8000.1] },
  acquisitionPriceJpy: { unit: 'JPY', values: [12_300_000_000, 12_000_000_000] },
  acquisitionDate: { unit: null, values: ['2010-03-31', '2010-04-01'] },
  appraisalValueJpy: { unit: 'JPY', values: [15_000_000_000, 14_800_000_000] },
  appraisalDate: { unit: null, values: ['2025-09-30', '2025-03-31'] },
  bookValueJpy: { unit: 'JPY', values: [11_000_000_000, 11_000_000_001] },
  occupancyRate: { unit: '%', values: [98.5, 100] },
  unitCount: { unit: null, values: [120, 121] },
  roomCount: { unit: null, values: [300, 299] },
  floorsAbove: { unit: null, values: [37, 36] },
  floorsBelow: { unit: null, values: [4, 0] },
  heightM: { unit: 'm', values: [179.2, 180] },
  yearBuilt: { unit: null, values: [2002, 2003] },
  ownerPublic: { unit: null, values: ['三菱地所', '日本ビルファンド'] },
  architect: { unit: null, values: ['三菱地所設計', '日建設計'] },
  developer: { unit: null, values: ['三菱地所株式会社', '森ビル株式会社'] },
  tenure: { unit: null, values: ['sale', 'rental'] },
  managementPlanCertifiedOn: { unit: null, values: ['2024-05-01', '2023-05-01'] },
};
