/** An exact rational number with a positive denominator. Money is never a float (REIT-12). */
export interface Exact {
  readonly n: bigint;
  readonly d: bigint;
}

/** An exact decimal. Sources keep their trailing zeros; the canonical form has none. */
export const DECIMAL_PATTERN = '^-?(0|[1-9]\\d*)(\\.\\d+)?$';
const DECIMAL = new RegExp(DECIMAL_PATTERN);

export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}

export function parseDecimal(text: string): Exact | undefined {
  if (!isDecimal(text)) return undefined;
  const point = text.indexOf('.');
  if (point < 0) return { n: BigInt(text), d: 1n };
  return { n: BigInt(text.slice(0, point) + text.slice(point + 1)), d: powerOfTen(text.length - point - 1) };
}

/** From a valid decimal. */
export function exact(text: string): Exact {
  const parsed = parseDecimal(text);
  if (parsed === undefined) throw new RangeError('not an exact decimal');
  return parsed;
}

const powerOfTen = (exponent: number): bigint => 10n ** BigInt(exponent);

/** A power of ten. */
export function unitOf(exponent: number): Exact {
  return exponent >= 0 ? { n: powerOfTen(exponent), d: 1n } : { n: 1n, d: powerOfTen(-exponent) };
}

export const fromInteger = (value: bigint | number): Exact => ({ n: BigInt(value), d: 1n });
export const negate = (a: Exact): Exact => ({ n: -a.n, d: a.d });
export const multiply = (a: Exact, b: Exact): Exact => ({ n: a.n * b.n, d: a.d * b.d });
export const subtract = (a: Exact, b: Exact): Exact => add(a, negate(b));

export function add(a: Exact, b: Exact): Exact {
  return a.d === b.d ? { n: a.n + b.n, d: a.d } : { n: a.n * b.d + b.n * a.d, d: a.d * b.d };
}

/** The divisor must not be zero. */
export function divide(a: Exact, b: Exact): Exact {
  if (b.n === 0n) throw new RangeError('division by zero');
  return b.n < 0n ? { n: -a.n * b.d, d: a.d * -b.n } : { n: a.n * b.d, d: a.d * b.n };
}

export function compareExact(a: Exact, b: Exact): number {
  const [left, right] = [a.n * b.d, b.n * a.d];
  return left < right ? -1 : left > right ? 1 : 0;
}

export const isPositive = (a: Exact): boolean => a.n > 0n;

/** Rounded once, half away from zero; canonical. */
export function roundToDecimals(value: Exact, decimals: number): string {
  const scaled = (value.n < 0n ? -value.n : value.n) * powerOfTen(decimals);
  const rounded = (scaled * 2n + value.d) / (value.d * 2n);
  return writeDigits(value.n < 0n ? -rounded : rounded, decimals);
}

/** The canonical form of a number with a finite decimal expansion. */
export function formatExact(value: Exact): string {
  let { n, d } = value;
  const divisor = gcd(n < 0n ? -n : n, d);
  n /= divisor;
  d /= divisor;
  let decimals = 0;
  for (let rest = d; rest !== 1n; decimals++) {
    if (rest % 10n === 0n) rest /= 10n;
    else if (rest % 5n === 0n) rest /= 5n;
    else if (rest % 2n === 0n) rest /= 2n;
    else throw new RangeError('a number without an exact decimal form');
  }
  return writeDigits((n * powerOfTen(decimals)) / d, decimals);
}

/** 1.50 is 1.5, and 1.0 is 1. */
export function withoutTrailingZeros(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.0+$|(?<=[1-9])0+$/, '') : decimal;
}

/** `^-?(0|[1-9]\d*)(\.\d+)?$` without trailing fractional zeros, −0 as 0. */
export function canonicalDecimal(text: string): string {
  const bare = withoutTrailingZeros(text);
  return bare === '-0' ? '0' : bare;
}

/** A decimal times a power of ten, with every digit kept: 98.50 by −2 is 0.9850. */
export function shiftDecimal(text: string, power: number): string {
  const negative = text.startsWith('-');
  const [whole = '', fraction = ''] = (negative ? text.slice(1) : text).split('.');
  const decimals = Math.max(0, fraction.length - power);
  const digits = (whole + fraction + '0'.repeat(Math.max(0, power - fraction.length))).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const shifted = digits.slice(0, point).replace(/^0+(?=\d)/, '') + (decimals > 0 ? `.${digits.slice(point)}` : '');
  return negative ? `-${shifted}` : shifted;
}

function writeDigits(value: bigint, decimals: number): string {
  const digits = String(value < 0n ? -value : value).padStart(decimals + 1, '0');
  const text = `${digits.slice(0, digits.length - decimals)}.${digits.slice(digits.length - decimals)}`;
  return canonicalDecimal(`${value < 0n ? '-' : ''}${decimals === 0 ? digits : text}`);
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
