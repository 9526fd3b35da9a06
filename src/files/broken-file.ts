/** Why a file cannot be read on. Thrown by what reads bytes, and turned into a `broken` item by each adapter. */
export class BrokenFile extends Error {}

/** The file is not of the source that reads it. Becomes a `foreign` item. */
export class ForeignFile extends BrokenFile {}

/** The item that says why a file was not read on. */
export function faultItem(file: string, fault: BrokenFile) {
  const kind = fault instanceof ForeignFile ? ('foreign' as const) : ('broken' as const);
  return { kind, file, reason: fault.message };
}

/** Yields what a reading gives until it breaks, then why. */
export async function* untilBroken<T>(
  file: string,
  reading: AsyncIterable<T[]>,
): AsyncGenerator<(T | ReturnType<typeof faultItem>)[]> {
  try {
    yield* reading;
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
    yield [faultItem(file, error)];
  }
}
