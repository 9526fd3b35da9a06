/** A function that looks a value up at most once per period, however often it is called; a failure is not kept. */
export function keptFor<V>(ms: number, find: () => Promise<V>, elapsed: () => number): () => Promise<V> {
  let value: Promise<V> | undefined;
  let validUntil = 0;
  return () => {
    if (value === undefined || elapsed() >= validUntil) {
      validUntil = Number.POSITIVE_INFINITY;
      value = find();
      value.then(
        () => {
          validUntil = elapsed() + ms;
        },
        () => {
          value = undefined;
        },
      );
    }
    return value;
  };
}
