import { type AssetKey, formatAssetId } from '../../../vocabulary/asset-id.ts';
import { SUMMARY_FIGURES, type SummaryItem } from '../../../vocabulary/building-summary.ts';
import type { Canonical } from '../../../vocabulary/canonical.ts';
import { CATEGORIES, type Category } from '../../../vocabulary/categories.ts';
import { FIELDS, type FieldScalar } from '../../../vocabulary/fields.ts';
import { SOURCES, type Source } from '../../../vocabulary/sources.ts';
import { decodePoint } from './site.ts';

/** Of a figure: which, its value, source, confidence and whether it is estimated; then the value and source that lost. */
type StoredFigure = [number, FieldScalar, number, number, 0 | 1, FieldScalar?, number?];

/** The path of its machi-aza, names, address, categories, the number of conflicts, and the figures. */
type StoredSummary = [
  string,
  FieldScalar | null,
  FieldScalar | null,
  FieldScalar | null,
  number[],
  number,
  StoredFigure[],
];

/**
 * FIT-08: what a summary says beside the ID and the point, as JSON of about 250 bytes. Sources and categories are
 * numbers, so that both lists only grow at their end.
 */
export function encodeSummary({ fields, assetTypes }: Canonical, areaPath: string): string {
  const figures: StoredFigure[] = [];
  for (const [i, name] of SUMMARY_FIGURES.entries()) {
    const field = fields[name];
    if (field === undefined) continue;
    const { value, provenance, estimated, conflict } = field;
    const figure: StoredFigure = [i, value, sourceNumber(provenance.source), provenance.confidence, estimated ? 1 : 0];
    if (conflict !== null) figure.push(conflict.value, sourceNumber(conflict.provenance.source));
    figures.push(figure);
  }
  const summary: StoredSummary = [
    areaPath,
    fields.nameJa?.value ?? null,
    fields.nameEn?.value ?? null,
    fields.addressJa?.value ?? null,
    assetTypes.map(({ category }) => CATEGORIES.indexOf(category)),
    Object.values(fields).filter(({ conflict }) => conflict !== null).length,
    figures,
  ];
  return JSON.stringify(summary);
}

const sourceNumber = (source: Source) => SOURCES.indexOf(source);

/** `hasReit` depends on the surface and is false here. */
export function decodeSummary(building: AssetKey, stored: string, site: Uint8Array | null): SummaryItem {
  const [areaPath, nameJa, nameEn, addressJa, categories, conflictsFlagged, known] = JSON.parse(
    stored,
  ) as StoredSummary;
  const figures: SummaryItem['figures'] = {};
  for (const [i, value, source, confidence, estimated, lost, lostSource] of known) {
    const name = SUMMARY_FIGURES[i] as (typeof SUMMARY_FIGURES)[number];
    figures[name] = {
      value,
      unit: FIELDS[name].unit,
      source: SOURCES[source] as Source,
      confidence,
      estimated: estimated === 1,
      conflict: lost === undefined ? null : { value: lost, source: SOURCES[lostSource as number] as Source },
    };
  }
  const id = formatAssetId(building);
  const point = site && decodePoint(site);
  return {
    id,
    path: `${areaPath}/${id}`,
    nameJa: textOf(nameJa),
    nameEn: textOf(nameEn),
    addressJa: textOf(addressJa),
    categories: categories.map((category) => CATEGORIES[category] as Category),
    lat: point?.lat ?? null,
    lon: point?.lon ?? null,
    conflictsFlagged,
    hasReit: false,
    figures,
  };
}

const textOf = (value: FieldScalar | null) => (value === null ? null : String(value));
