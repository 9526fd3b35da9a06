import autocannon from 'autocannon';
import type { Started } from './processes.ts';

/** Measures requests per second over several connections that request the paths in turn. */
export async function load(
  { origin }: Started,
  paths: readonly string[] | (() => string),
  { connections, seconds }: { connections: number; seconds: number },
): Promise<number> {
  let next = 0;
  const nextPath = typeof paths === 'function' ? paths : () => paths[next++ % paths.length] as string;
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    requests: [{ setupRequest: (request) => ({ ...request, path: nextPath() }) }],
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} bad answers, ${result.errors} errors`);
  return result.requests.average;
}
