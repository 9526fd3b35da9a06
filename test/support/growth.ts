/** How many times as long some work takes on the larger of two sizes: the best of several tries, in time of the processor, of which other load takes nothing. */
export async function growthOf(work: (size: number) => unknown, small: number, large: number): Promise<number> {
  const timeOf = async (size: number) => {
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 3; i++) {
      const started = process.threadCpuUsage();
      await work(size);
      const { user, system } = process.threadCpuUsage(started);
      best = Math.min(best, (user + system) / 1_000);
    }
    // Shorter times are noise.
    return Math.max(best, 1);
  };
  return (await timeOf(large)) / (await timeOf(small));
}
