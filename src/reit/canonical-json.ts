import { createHash } from 'node:crypto';

/**
 * RFC 8785: no white space, keys in the order of their UTF-16 units, strings and numbers as ECMAScript writes them. What
 * JSON cannot hold is a fault of the program.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new TypeError('half of a surrogate pair has no canonical JSON');
    return JSON.stringify(value);
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('a number that is not finite has no JSON');
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object') throw new TypeError(`a ${typeof value} has no JSON`);
  const entries = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => compareText(a, b));
  return `{${entries.map(([key, member]) => `${canonicalJson(key)}:${canonicalJson(member)}`).join(',')}}`;
}

export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** By UTF-16 units, as RFC 8785 orders keys: every list of a document is in this order. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Compares by several texts in turn. */
export function byTexts<T>(...keys: readonly ((item: T) => string)[]): (a: T, b: T) => number {
  return (a, b) => {
    for (const key of keys) {
      const order = compareText(key(a), key(b));
      if (order !== 0) return order;
    }
    return 0;
  };
}
