import { createHash } from 'node:crypto';

/**
 * RFC 8785: no white space, keys in the order of their UTF-16 units, strings and numbers as ECMAScript writes them. Throws
 * on values that JSON cannot express.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('a number that is not finite cannot be written as JSON');
    return JSON.stringify(value);
  }
  if (typeof value !== 'object') throw new TypeError(`a ${typeof value} cannot be written as JSON`);
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${canonicalJson(item)}`;
    return `[${text}]`;
  }
  // The default order of sort is by UTF-16 units.
  for (const key of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined) text += `${text === '' ? '' : ','}${quote(key)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

/** Skips JSON.stringify for texts without anything to escape, which are most. */
function quote(text: string): string {
  if (!/["\\\x00-\x1f\ud800-\udfff]/.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new TypeError('a lone surrogate has no canonical JSON');
  return JSON.stringify(text);
}

export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** Compares by UTF-16 units, as RFC 8785 orders keys. Every list of a document is in this order. */
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
