import { randomBytes } from 'node:crypto';

/** Cheap, and never the client's own: a client could write anything into the log with one. */
export function requestIds(): () => string {
  const process = randomBytes(6).toString('hex');
  let count = 0;
  return () => `${process}-${(count++).toString(36)}`;
}
