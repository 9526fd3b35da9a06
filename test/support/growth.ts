/** How many times as long some work takes on the larger of two sizes. The best of several tries, so that other load on the machine hardly counts. */
export async function growthOf(work: (size: number) => unknown, small: number, large: number): Promise<number> {
  const timeOf = async (size: number) => {
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 3; i++) {
      const started = performance.now();
      await work(size);
      best = Math.min(best, performance.now() - started);
    }
    // Shorter times are noise.
    return Math.max(best, 1);
  };
  return (await timeOf(large)) / (await timeOf(small));
}
