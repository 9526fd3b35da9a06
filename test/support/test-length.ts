const isLong = process.env.LONG_TESTS === '1';

/** For a number of cases that is arbitrary: the larger one with LONG_TESTS=1. */
export const usualOrLong = (usual: number, long: number): number => (isLong ? long : usual);

/** Of so many random cases a quarter is tried, and all with LONG_TESTS=1. */
export const randomRuns = (count: number): number => usualOrLong(Math.ceil(count / 4), count);
