/** Why a file cannot be read on. Thrown by what reads bytes, and turned into a `broken` item by each adapter. */
export class BrokenFile extends Error {}

/** Yields what a reading gives until it breaks, then why. */
export async function* untilBroken<T>(
  file: string,
  reading: AsyncIterable<T[]>,
): AsyncGenerator<(T | { kind: 'broken'; file: string; reason: string })[]> {
  try {
    yield* reading;
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
    yield [{ kind: 'broken', file, reason: error.message }];
  }
}
