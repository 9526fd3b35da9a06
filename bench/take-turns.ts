import type { Context, Figure } from './harness/benchmark.ts';

/** Requests per second. */
export type Load = () => Promise<number>;

/** Loads the peers and the registry in turn, so that other load on the machine affects all; one figure for each peer. */
export async function takeTurns(
  { rounds, say }: Context,
  name: string,
  registry: Load,
  peers: Readonly<Record<string, Load>>,
): Promise<Figure[]> {
  const values: number[] = [];
  const theirs = new Map<string, number[]>(Object.keys(peers).map((peer) => [peer, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const [peer, load] of Object.entries(peers)) theirs.get(peer)?.push(await load());
    values.push(await registry());
    const others = [...theirs].map(([peer, list]) => `${peer} ${list.at(-1)?.toFixed(0)}/s`).join(', ');
    say(`${name}, round ${round}: registry ${values.at(-1)?.toFixed(0)}/s, ${others}`);
  }
  return [...theirs].map(([peer, list], i) => ({
    name: i === 0 ? name : `${name}, beside ${peer}`,
    unit: '/s',
    values,
    beside: { name: peer, values: list },
  }));
}
