import { describe, expect, it } from 'vitest';
import { WalHistory } from '../../src/storage/wal-history.ts';

describe('the lag of a standby', () => {
  it('STB-02 is the time since the primary was last where the standby is', () => {
    const history = new WalHistory(1_000);
    expect(history.lagOf(5n, 0)).toBeUndefined();
    history.note(10n, 0);
    expect(history.lagOf(9n, 0)).toBeUndefined();
    expect(history.lagOf(10n, 0)).toBe(0);
    expect(history.lagOf(12n, 0)).toBe(0);
    // An idle primary makes nobody late.
    history.note(10n, 900);
    expect(history.lagOf(10n, 900)).toBe(0);
    history.note(20n, 1_000);
    history.note(30n, 1_200);
    expect(history.lagOf(15n, 1_300)).toBe(400);
    expect(history.lagOf(20n, 1_300)).toBe(300);
    expect(history.lagOf(30n, 1_300)).toBe(0);
  });

  it('STB-02 is unknown beyond what is remembered, and after the log began anew', () => {
    const history = new WalHistory(1_000);
    for (let at = 0; at <= 5_000; at += 250) history.note(BigInt(at), at);
    expect(history.lagOf(3_999n, 5_000)).toBeGreaterThan(1_000);
    expect(history.lagOf(3_000n, 5_000)).toBeUndefined();
    expect(history.lagOf(4_250n, 5_000)).toBe(750);
    history.note(100n, 5_250);
    expect(history.lagOf(99n, 5_250)).toBeUndefined();
    expect(history.lagOf(100n, 5_250)).toBe(0);
  });
});
