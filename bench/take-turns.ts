import { verdict } from './figures.ts';

const ROUNDS = 4;

/** The measurements, in requests per second. */
export type Load = () => Promise<number>;

/**
 * Loads a bare server and the registry in turn, so that other load on the machine affects both, and compares their best
 * rounds.
 */
export async function takeTurns(name: string, bare: Load, registry: Load, target: number | undefined): Promise<void> {
  const results = { bare: [] as number[], registry: [] as number[] };
  for (let round = 1; round <= ROUNDS; round++) {
    results.bare.push(await bare());
    results.registry.push(await registry());
    const [theirs, ours] = [results.bare.at(-1), results.registry.at(-1)];
    console.log(`${name}, round ${round}: bare ${theirs?.toFixed(0)}/s, registry ${ours?.toFixed(0)}/s`);
  }
  const percent = (100 * Math.max(...results.registry)) / Math.max(...results.bare);
  const said = target === undefined ? 'none' : `at least ${target} %`;
  console.log(verdict(`registry / bare, ${name}`, `${percent.toFixed(0)} %`, said, percent >= (target ?? 0)));
}
