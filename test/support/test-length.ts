/** How many cases a test with an arbitrary number of them tries: more with LONG_TESTS=1. */
export const usualOrLong = (usual: number, long: number): number => (process.env.LONG_TESTS === '1' ? long : usual);
