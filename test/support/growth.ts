/** CPU time of this thread, independent of other load on the machine. */
function ownMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Wall-clock time, for work that is partly done elsewhere, such as in a database server. */
export const wallMs = (): number => performance.now();

/** The ratio of the times for two sizes of input. Takes the best of several tries, so that other load hardly matters. */
export async function growthOf(
  work: (size: number) => unknown,
  small: number,
  large: number,
  clock: () => number = ownMs,
): Promise<number> {
  const timeOf = async (size: number) => {
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 3; i++) {
      const started = clock();
      await work(size);
      best = Math.min(best, clock() - started);
    }
    // Shorter times are noise.
    return Math.max(best, 1);
  };
  return (await timeOf(large)) / (await timeOf(small));
}
