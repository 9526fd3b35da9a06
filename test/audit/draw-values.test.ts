import { describe, expect, it } from 'vitest';
import { Random, shuffled } from '../../src/audit/draw-values.ts';

describe('a random order', () => {
  it('AUD-01 has every number once, and depends only on its seed', () => {
    const order = (seed: string) => [...shuffled(500, new Random(seed))];
    expect(order('a').toSorted((x, y) => x - y)).toEqual(Array.from({ length: 500 }, (_, i) => i));
    expect(order('a')).toEqual(order('a'));
    expect(order('a')).not.toEqual(order('b'));
    expect([...shuffled(0, new Random('a'))]).toEqual([]);
  });

  it('AUD-01 puts every number first equally often', () => {
    const firsts = new Array<number>(10).fill(0);
    for (let i = 0; i < 5_000; i++) {
      const first = shuffled(10, new Random(`seed ${i}`)).next().value as number;
      firsts[first] = (firsts[first] ?? 0) + 1;
    }
    for (const count of firsts) expect(Math.abs(count - 500)).toBeLessThan(110);
  });
});
