import autocannon from 'autocannon';
import type { Started } from './processes.ts';

export const CONNECTIONS = 16;
export const BARE = 'bare node:http';

type Request = Pick<autocannon.Request, 'path' | 'body' | 'headers' | 'method'>;

/** Measures requests per second over several connections that send the requests in turn. */
export async function load(
  { origin }: Started,
  seconds: number,
  nextRequest: () => Request,
  connections = CONNECTIONS,
): Promise<number> {
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    requests: [{ setupRequest: (request) => ({ ...request, ...nextRequest() }) }],
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} bad answers, ${result.errors} errors`);
  return result.requests.average;
}

/** The items over and over. */
export function inTurn<T>(list: readonly T[]): () => T {
  let next = 0;
  return () => list[next++ % list.length] as T;
}

/** GETs of the paths in turn, from the first. */
export function loadPaths(server: Started, seconds: number, paths: readonly string[]): Promise<number> {
  const nextPath = inTurn(paths);
  return load(server, seconds, () => ({ path: nextPath() }));
}
