import { describe, expect, it } from 'vitest';
import { chance } from '../../bench/generate-records.ts';
import { growthOf, Latencies } from './measure.ts';

describe('measuring under load', () => {
  it('tells percentiles within two per cent', () => {
    const random = chance(5);
    const took = Array.from({ length: 20_000 }, () => 0.05 + 400 * random() ** 4);
    const latencies = new Latencies();
    for (const ms of took) latencies.add(ms);
    const sorted = took.toSorted((a, b) => a - b);
    for (const share of [0.01, 0.5, 0.95, 0.99, 0.999]) {
      const exact = sorted[Math.ceil(sorted.length * share) - 1] as number;
      expect(latencies.percentile(share) / exact).toBeGreaterThanOrEqual(1);
      expect(latencies.percentile(share) / exact).toBeLessThan(1.0201);
    }
    expect(latencies.percentile(1)).toBe(latencies.worst);
    expect(latencies).toMatchObject({ count: took.length, worst: sorted.at(-1) });
  });

  it('has no percentiles without answers', () => {
    expect(new Latencies().percentile(0.99)).toBe(0);
  });

  it('finds how fast something grows in the second half', () => {
    const samples = Array.from({ length: 120 }, (_, seconds) => ({
      seconds,
      // Caches fill in the first minute; later it grows by half a megabyte a second.
      megabytes: seconds < 60 ? seconds * 5 : 300 + (seconds - 60) / 2,
      handles: 40 + (seconds % 2),
    }));
    const { megabytes, handles } = growthOf(samples);
    expect(megabytes).toBeCloseTo(30);
    expect(Math.abs(handles)).toBeLessThan(0.1);
    expect(growthOf(samples.slice(0, 1))).toEqual({ megabytes: 0, handles: 0 });
  });
});
