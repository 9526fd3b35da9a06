import type { PropertyColumn } from '../disclosure/columns.ts';
import type { PropertyLayout } from '../disclosure/find-layout.ts';
import type { Units } from '../disclosure/units.ts';

/** A sheet of a REIT whose workbook is known: where its columns are and in what units, where its headers leave it open. */
interface KnownSheet {
  sheet: string;
  columns: Readonly<Partial<Record<PropertyColumn, string>>>;
  units: Units;
}

const KNOWN: readonly KnownSheet[] = [
  // 日本ビルファンド投資法人
  {
    sheet: 'データシート',
    columns: { name: 'B', address: 'C', price: 'D', book: 'E', appraisal: 'F', leasable: 'G', occupancy: 'J' },
    units: { money: '円', area: 'm2', rate: '%' },
  },
  // GLP投資法人
  {
    sheet: 'ポートフォリオ一覧',
    columns: { number: 'A', name: 'B', address: 'C', price: 'E', leasable: 'G', occupancy: 'I' },
    units: { money: '百万円', area: 'm2', rate: '%' },
  },
  { sheet: '鑑定評価額一覧', columns: { number: 'A', appraisal: 'C', book: 'K' }, units: { money: '百万円' } },
  // ジャパンリアルエステイト投資法人: its metrics have sheets of their own
  { sheet: '基礎データ', columns: { name: 'B', address: 'C', price: 'L' }, units: { area: 'm2' } },
];

/** Adds what is known of a sheet by its name to what its headers say. */
export function completeLayout(sheet: string, layout: PropertyLayout): PropertyLayout {
  const known = KNOWN.find((each) => each.sheet === sheet.normalize('NFKC').trim());
  if (known === undefined) return layout;
  const columns = new Map(layout.columns);
  const taken = new Set([...columns.values()].map(({ index }) => index));
  for (const [column, letter] of Object.entries(known.columns) as [PropertyColumn, string][]) {
    const index = letter.charCodeAt(0) - 65;
    if (!columns.has(column) && !taken.has(index)) columns.set(column, { index, units: {} });
  }
  for (const [column, { index, units }] of columns) columns.set(column, { index, units: { ...known.units, ...units } });
  return { ...layout, columns };
}
