import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, sha256 } from '../../src/reit/publication/canonical-json.ts';

describe('canonical JSON', () => {
  it('REIT-04 follows RFC 8785, section 3.2.3', () => {
    const value = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('REIT-04 orders keys by UTF-16 units, as in the example of the RFC', () => {
    const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 };
    expect(Object.values(JSON.parse(canonicalJson(value))).length).toBe(7);
    expect([...canonicalJson(value).matchAll(/:(\d)/g)].map((match) => match[1]).join('')).toBe('2467153');
  });

  it('REIT-04 is the same for any order of keys, and parses to the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // −0 is 0 in JSON.
        const plain = JSON.parse(JSON.stringify(value));
        if (!JSON.stringify(plain).isWellFormed() || /\\ud[89a-f]/i.test(JSON.stringify(plain))) return;
        expect(JSON.parse(canonicalJson(plain))).toEqual(plain);
        expect(canonicalJson(reversed(plain))).toBe(canonicalJson(plain));
      }),
      { endOnFailure: true, numRuns: 300 },
    );
  });

  it.each([[Number.NaN], [Number.POSITIVE_INFINITY], ['\ud800'], [1n], [undefined], [{ '\udfff': 1 }]])(
    'REIT-04 %s has no canonical form',
    (value) => {
      expect(() => canonicalJson(value)).toThrow(TypeError);
    },
  );

  it('REIT-04 is hashed as UTF-8', () => {
    expect(sha256('館')).toBe('3b829ba13832b6550d9d357f4c8ce6124012787fd1ddb8488104b686cbbd8171');
    expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
}
