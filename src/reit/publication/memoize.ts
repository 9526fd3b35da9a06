const MAX_KEPT = 20_000;

/** Caches a pure function of a text. Longer texts than `maxLength` are not kept. */
export function memoize<T>(answer: (text: string) => T, maxLength = Infinity): (text: string) => T {
  const kept = new Map<string, { value: T }>();
  return (text) => {
    if (text.length > maxLength) return answer(text);
    const known = kept.get(text) ?? { value: answer(text) };
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(text, known);
    return known.value;
  };
}
