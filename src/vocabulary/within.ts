import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** What a promise gives, or the error of `late` if that takes longer. Does not keep the process running. */
export async function within<T>(ms: number, answer: Promise<T>, late: () => Error): Promise<T> {
  const done = new AbortController();
  const timeout = sleep(ms, undefined, { signal: done.signal, ref: false })
    // This process may have been too busy to receive an answer that has arrived.
    .then(() => setImmediate())
    .then(() => {
      throw late();
    });
  // Both may reject after the race is over.
  timeout.catch(() => {});
  answer.catch(() => {});
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    done.abort();
  }
}
