import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RecentCache } from '../../src/registry/recent-cache.ts';

it('gives back what was kept, and nothing from before a write', () => {
  const recent = new RecentCache<string, number>(2);
  expect(recent.get('a', 1)).toBeUndefined();
  recent.keep('a', 10, 1);
  expect(recent.get('a', 1)).toBe(10);
  expect(recent.get('a', 2)).toBeUndefined();
  // Read before the write, kept after it.
  recent.keep('a', 10, 1);
  expect(recent.get('a', 2)).toBeUndefined();
});

it('never answers with a value of another key or another moment, and holds at most twice its size', () => {
  const step = fc.record({ key: fc.nat(9), moment: fc.nat(2) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), fc.integer({ min: 1, max: 4 }), (steps, most) => {
      const recent = new RecentCache<number, string>(most);
      let moment = 0;
      for (const { key, moment: forward } of steps) {
        moment += forward === 2 ? 1 : 0;
        const kept = recent.get(key, moment);
        if (kept !== undefined) expect(kept).toBe(`${key} at ${moment}`);
        else recent.keep(key, `${key} at ${moment}`, moment);
      }
      const held = Array.from({ length: 10 }, (_, key) => recent.get(key, moment)).filter(
        (value) => value !== undefined,
      );
      expect(held.length).toBeLessThanOrEqual(2 * most);
    }),
  );
});

it('keeps what is asked for again and again, whatever else passes by', () => {
  const recent = new RecentCache<string, string>(3);
  recent.get('hot', 1);
  recent.keep('hot', 'hot', 1);
  for (let i = 0; i < 50; i++) {
    recent.get(`passing ${i}`, 1);
    recent.keep(`passing ${i}`, 'x', 1);
    expect(recent.get('hot', 1)).toBe('hot');
  }
});

it('holds no more than it may weigh, and what came last', () => {
  const recent = new RecentCache<number, number>(10, (weight) => weight);
  recent.get(0, 1);
  for (let key = 0; key < 40; key++) recent.keep(key, 4, 1);
  const held = () => Array.from({ length: 40 }, (_, key) => recent.get(key, 1) ?? 0).reduce((a, b) => a + b);
  expect(held()).toBeLessThanOrEqual(2 * (10 + 4));
  expect(recent.get(39, 1)).toBe(4);
  recent.keep(99, 1_000, 1);
  recent.keep(100, 1, 1);
  recent.keep(101, 10, 1);
  recent.keep(102, 1, 1);
  expect(recent.get(99, 1)).toBeUndefined();
});
