/** The wait that a Retry-After header asks for, in milliseconds: a number of seconds or a date. Undefined without a valid one. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const moment = /^[A-Za-z]+, /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now);
}
