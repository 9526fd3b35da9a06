/** How a number of a workbook is meant, which only the format of its cell says. */
export type NumberFormat = 'number' | 'percent' | 'day' | 'month';

const BUILT_IN: ReadonlyMap<number, NumberFormat> = new Map<number, NumberFormat>([
  [9, 'percent'],
  [10, 'percent'],
  ...[14, 15, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, 'day'] as const),
  [17, 'month'],
  [55, 'month'],
]);

export function formatOf(id: number, code: string | undefined): NumberFormat {
  if (code === undefined) return BUILT_IN.get(id) ?? 'number';
  const bare = code
    .slice(0, 500)
    .replace(/"[^"]*"|\[[^\]]*\]|\\./gu, '')
    .toLowerCase();
  if (bare.includes('%')) return 'percent';
  if (bare === 'general' || !/[ymdge]/u.test(bare) || !/[md]/u.test(bare)) return 'number';
  return bare.includes('d') ? 'day' : 'month';
}

const DAY = 86_400_000;
/** Day 0 of serial numbers; a workbook of the old Macintosh counts from 1904. */
const EPOCH = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) };

/** The number of a cell as a reader of the workbook sees it, without exponent and without the noise of binary fractions. */
export function showNumber(raw: string, format: NumberFormat, epoch: 1900 | 1904): string {
  const value = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(value)) return raw;
  if (format === 'day' || format === 'month') {
    const date = new Date(EPOCH[epoch] + Math.floor(value) * DAY);
    if (Number.isNaN(date.getTime()) || value < 1) return raw;
    return date.toISOString().slice(0, format === 'day' ? 10 : 7);
  }
  if (format === 'percent') return `${plain(Number((value * 100).toPrecision(15)))}%`;
  return plain(Number(value.toPrecision(15)));
}

function plain(value: number): string {
  if (Math.abs(value) >= 1e21) return String(BigInt(Math.trunc(value)));
  const text = String(value);
  return text.includes('e') ? value.toFixed(15).replace(/\.?0+$/u, '') : text;
}
