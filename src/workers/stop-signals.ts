const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** A process may get the same signal twice: from its group, and from the process that started it. */
const REPEATED_MS = 1_000;

/** Resolves when the process is told to stop. A later signal ends it at once. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      resolve();
      setTimeout(() => {
        for (const signal of STOP_SIGNALS) process.off(signal, stop);
      }, REPEATED_MS).unref();
    };
    for (const signal of STOP_SIGNALS) process.on(signal, stop);
  });
}
