/** Of this thread alone: other load on the machine takes nothing of it. */
function ownMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** For work that is partly done elsewhere, such as by a database server. */
export const wallMs = (): number => performance.now();

/** How many times as long some work takes on the larger of two sizes. The best of several tries, so that other load on the machine hardly counts. */
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
