import { FailureError } from '../vocabulary/failure.ts';

/** A file cannot be read any further. Adapters turn it into a `broken` item. */
export class BrokenFile extends FailureError {
  constructor(reason: string, options?: ErrorOptions, kind: 'brokenFile' | 'foreignFile' = 'brokenFile') {
    super({ kind, reason }, options);
  }
}

/** The file belongs to another source. Adapters turn it into a `foreign` item. */
export class ForeignFile extends BrokenFile {
  constructor(reason: string) {
    super(reason, undefined, 'foreignFile');
  }
}

/** The item that says why a file could not be read. */
export function faultItem(file: string, fault: BrokenFile) {
  const kind = fault instanceof ForeignFile ? ('foreign' as const) : ('broken' as const);
  return { kind, file, reason: fault.message };
}

/** Yields the items of a reading; if it breaks, the last item says why. */
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
