import autocannon from 'autocannon';
import type { Started } from './processes.ts';

/** Measures requests per second over several connections that request the paths in turn. */
export async function load(
  { origin }: Started,
  paths: readonly string[],
  { connections, ...length }: { connections: number } & ({ seconds: number } | { amount: number }),
): Promise<number> {
  let next = 0;
  const result = await autocannon({
    url: origin,
    connections,
    ...('amount' in length ? { amount: length.amount } : { duration: length.seconds }),
    requests: [{ setupRequest: (request) => ({ ...request, path: paths[next++ % paths.length] as string }) }],
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} bad answers, ${result.errors} errors`);
  // A run by amount may be shorter than the interval of its averages.
  return 'amount' in length
    ? length.amount / ((result.finish.getTime() - result.start.getTime()) / 1000)
    : result.requests.average;
}
