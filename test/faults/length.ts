/** `npm run test:faults` sets these; without them the short form of every scenario runs, as in `npm test`. */
export const isLong = process.env.FAULTS_LONG === '1';
export const seed = Number(process.env.FAULTS_SEED ?? 1);

export const shortOrLong = (short: number, long: number): number => (isLong ? long : short);
export const timeout = shortOrLong(240_000, 3_600_000);

/** Figures of a scenario, which only the long form prints. */
export function tell(line: string): void {
  if (isLong) console.log(line);
}
