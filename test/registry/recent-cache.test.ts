import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AskedLately, RecentCache } from '../../src/registry/recent-cache.ts';

interface Value {
  text: string;
  bytes: number;
}

const newCache = (maxBytes: number) => new RecentCache<number, Value>(maxBytes, ({ bytes }) => bytes);
const value = (text = '', bytes = 1): Value => ({ text, bytes });

it('returns cached values, but none from before a write', () => {
  const cache = newCache(2);
  expect(cache.get(0, 1)).toBeUndefined();
  cache.keep(0, value('a'), 1);
  expect(cache.get(0, 1)?.text).toBe('a');
  expect(cache.get(0, 2)).toBeUndefined();
  // Read before the write, cached after it.
  cache.keep(0, value('a'), 1);
  expect(cache.get(0, 2)).toBeUndefined();
});

it('never returns a value of another key or moment, and never exceeds its size', () => {
  const step = fc.record({ key: fc.nat(9), moment: fc.nat(2) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), fc.integer({ min: 1, max: 4 }), (steps, most) => {
      const cache = newCache(most);
      let moment = 0;
      for (const { key, moment: forward } of steps) {
        moment += forward === 2 ? 1 : 0;
        const cached = cache.get(key, moment);
        if (cached !== undefined) expect(cached.text).toBe(`${key} at ${moment}`);
        else cache.keep(key, value(`${key} at ${moment}`), moment);
      }
      const held = Array.from({ length: 10 }, (_, key) => cache.get(key, moment)).filter((kept) => kept !== undefined);
      expect(held.length).toBeLessThanOrEqual(most);
    }),
  );
});

it('keeps a value that is read repeatedly, whatever else is read', () => {
  const cache = newCache(3);
  cache.get(0, 1);
  cache.keep(0, value('hot'), 1);
  for (let key = 1; key <= 50; key++) {
    cache.get(key, 1);
    cache.keep(key, value(), 1);
    expect(cache.get(0, 1)?.text).toBe('hot');
  }
});

it('never exceeds its size in bytes, and keeps the latest value', () => {
  const cache = newCache(10);
  cache.get(0, 1);
  for (let key = 0; key < 40; key++) cache.keep(key, value('', 4), 1);
  const held = Array.from({ length: 40 }, (_, key) => cache.get(key, 1)?.bytes ?? 0).reduce((a, b) => a + b);
  expect(held).toBeLessThanOrEqual(10);
  expect(cache.get(39, 1)?.bytes).toBe(4);
  cache.keep(99, value('', 1_000), 1);
  expect(cache.get(99, 1)).toBeUndefined();
});

it('remembers which of the last IDs were asked for', () => {
  const asked = new AskedLately(2);
  expect([1, 1, 2, 2].map((id) => asked.again(id))).toEqual([false, true, false, true]);
  // 1 and 2 make room one after the other.
  expect([3, 1, 4, 5, 2].map((id) => asked.again(id))).toEqual([false, true, false, false, false]);
});
