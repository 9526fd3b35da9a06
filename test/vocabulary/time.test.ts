import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dayClock,
  dayInJapan,
  instantSortKey,
  isCalendarDate,
  isCalendarMonth,
  laterThan,
  parseInstant,
} from '../../src/vocabulary/time.ts';

describe('calendar date', () => {
  it.each(['2026-01-31', '2026-04-30', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])(
    '%s is valid',
    (text) => {
      expect(isCalendarDate(text)).toBe(true);
    },
  );

  it.each([
    '2026-02-29',
    '2026-02-30',
    '1900-02-29',
    '2100-02-29',
    '2026-04-31',
    '2026-01-32',
    '2026-01-00',
    '2026-00-01',
    '2026-13-01',
    '2026-1-1',
    '26-01-01',
    '20260101',
    '2026/01/01',
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
    '2026-01-01\n',
    '２０２６-01-01',
    '',
  ])('%j is invalid', (text) => {
    expect(isCalendarDate(text)).toBe(false);
  });

  it('is exactly what Date accepts', () => {
    const part = (max: number, width: number) => fc.nat({ max }).map((n) => String(n).padStart(width, '0'));
    fc.assert(
      fc.property(part(9999, 4), part(14, 2), part(33, 2), (year, month, day) => {
        const text = `${year}-${month}-${day}`;
        const date = new Date(`${text}T00:00:00Z`);
        const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
        expect(isCalendarDate(text)).toBe(exists);
      }),
      { numRuns: 500 },
    );
  });
});

describe('calendar month', () => {
  it.each(['2026-01', '2026-09', '2026-10', '2026-12'])('%s is valid', (text) => {
    expect(isCalendarMonth(text)).toBe(true);
  });

  it.each(['2026-00', '2026-13', '2026-1', '2026', '2026-01-01', '202601', '2026-01\n', '２０２６-01', ''])(
    '%j is invalid',
    (text) => {
      expect(isCalendarMonth(text)).toBe(false);
    },
  );
});

describe('instant', () => {
  it.each([
    ['2026-01-31T00:00:00Z', '2026-01-31T00:00:00Z'],
    ['2026-01-31T23:59:59.5Z', '2026-01-31T23:59:59.5Z'],
    ['2026-01-31T00:00:00.000Z', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T00:00:00.123456789Z', '2026-01-31T00:00:00.123456789Z'],
    ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00Z'],
    ['2026-01-01T08:59:59+09:00', '2025-12-31T23:59:59Z'],
    ['2026-01-01T08:59:59.25+09:00', '2025-12-31T23:59:59.25Z'],
    ['2026-01-01T00:00:00.000000001+09:00', '2025-12-31T15:00:00.000000001Z'],
    ['2024-02-28T20:00:00-05:30', '2024-02-29T01:30:00Z'],
    ['2026-01-01T00:00:00+00:00', '2026-01-01T00:00:00Z'],
    ['2026-01-01T00:00:00+23:59', '2025-12-31T00:01:00Z'],
  ])('REC-08 %s is %s', (text, utc) => {
    expect(parseInstant(text)).toBe(utc);
  });

  it.each([
    ['2026-02-30T00:00:00Z', 'a day that does not exist'],
    ['2025-02-29T00:00:00Z', '29 February in a common year'],
    ['2026-02-30T00:00:00+09:00', 'a day that does not exist, with an offset'],
    ['2026-13-01T00:00:00Z', 'a month that does not exist'],
    ['2026-01-01T24:00:00Z', 'an hour that does not exist'],
    ['2026-01-01T00:60:00Z', 'a minute that does not exist'],
    ['2026-12-31T23:59:60Z', 'a leap second'],
    ['2026-01-01T00:00:00', 'no zone'],
    ['2026-01-01T00:00Z', 'no seconds'],
    ['2026-01-01', 'no time'],
    ['2026-01-01 00:00:00Z', 'a space instead of T'],
    ['2026-01-01t00:00:00z', 'lower case'],
    ['2026-01-01T00:00:00.Z', 'an empty fraction'],
    ['2026-01-01T00:00:00.1234567890Z', 'ten decimals'],
    ['2026-01-01T00:00:00,5Z', 'a comma'],
    ['2026-01-01T00:00:00+0900', 'an offset without its colon'],
    ['2026-01-01T00:00:00+24:00', 'an offset of 24 hours'],
    ['2026-01-01T00:00:00+09:60', 'an offset with 60 minutes'],
    ['+002026-01-01T00:00:00Z', 'a year of six digits'],
    ['2026-01-01T00:00:00Z\n', 'a newline at the end'],
    ['Thu, 01 Jan 2026 00:00:00 GMT', 'another format'],
    ['1767225600', 'a number'],
    ['', 'empty'],
  ])('REC-08 %j is invalid: %s', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it.each(['0000-01-01T00:00:00+09:00', '9999-12-31T23:00:00-05:00'])(
    'REC-08 %s is outside the years 0000 to 9999 in UTC, and invalid',
    (text) => {
      expect(parseInstant(text)).toBeUndefined();
    },
  );

  const NANOS_PER_SECOND = 1_000_000_000n;
  const seconds = fc.integer({
    min: Date.UTC(1990, 0, 1) / 1000,
    max: Date.UTC(2090, 0, 1) / 1000,
  });
  const offsetMinutes = fc.integer({ min: -(23 * 60 + 59), max: 23 * 60 + 59 });
  const fraction = fc.option(
    fc
      .tuple(fc.integer({ min: 1, max: 9 }), fc.nat({ max: 999_999_999 }))
      .map(([digits, n]) => String(n).padStart(9, '0').slice(-digits)),
    { nil: '' },
  );
  const written = fc.tuple(seconds, fraction, fc.option(offsetMinutes)).map(([at, digits, offset]) => {
    const local = new Date((at + (offset ?? 0) * 60) * 1000).toISOString().slice(0, 19);
    const minutes = Math.abs(offset ?? 0);
    const zone =
      offset === null
        ? 'Z'
        : `${offset < 0 ? '-' : '+'}${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
    const decimals = digits === '' ? '' : `.${digits}`;
    return {
      text: `${local}${decimals}${zone}`,
      utc: `${new Date(at * 1000).toISOString().slice(0, 19)}${decimals}Z`,
      nanos: BigInt(at) * NANOS_PER_SECOND + BigInt(digits.padEnd(9, '0')),
    };
  });

  it('is converted to UTC from every offset, with its decimals', () => {
    fc.assert(
      fc.property(written, ({ text, utc }) => {
        expect(parseInstant(text)).toBe(utc);
        expect(parseInstant(utc)).toBe(utc);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['2026-01-01T00:00:00Z', '2026-01-01'],
    ['2025-12-31T14:59:59.999999999Z', '2025-12-31'],
    ['2025-12-31T15:00:00Z', '2026-01-01'],
    ['2024-02-28T15:00:00.5Z', '2024-02-29'],
  ])('CON-08 %s is on %s in Japan', (instant, day) => {
    expect(dayInJapan(instant)).toBe(day);
  });

  it('CON-01 sort keys follow the order of time, with any decimals and offset', () => {
    const sign = (n: bigint) => (n < 0n ? -1 : n > 0n ? 1 : 0);
    const near = fc.tuple(written, fraction).map(([a, digits]) => {
      const text = `${a.utc.slice(0, 19)}${digits === '' ? '' : `.${digits}`}Z`;
      return [a, { text, nanos: a.nanos - (a.nanos % NANOS_PER_SECOND) + BigInt(digits.padEnd(9, '0')) }] as const;
    });
    fc.assert(
      fc.property(fc.oneof(near, fc.tuple(written, written)), ([a, b]) => {
        const [ka, kb] = [a, b].map(({ text }) => instantSortKey(parseInstant(text) as string)) as [string, string];
        expect(ka < kb ? -1 : ka > kb ? 1 : 0).toBe(sign(a.nanos - b.nanos));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00.5Z', '2026-01-01T00:00:00.500000000Z'],
  ])('CON-01 %s and %s are the same time', (a, b) => {
    expect(instantSortKey(a)).toBe(instantSortKey(b));
  });
});

it('UI-20 a day clock tells the day in Japan, also when the clock is set back', () => {
  let now = 0;
  const day = dayClock(() => now);
  fc.assert(
    fc.property(fc.date({ min: new Date('1980-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }), (date) => {
      now = date.getTime();
      expect(day()).toBe(dayInJapan(date.toISOString()));
    }),
  );
});

describe('a later time', () => {
  it.each([
    ['', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
    ['2025-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z'],
    ['2027-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.001Z'],
  ])('SEA-08 is after %s at %s', (last, now, later) => expect(laterThan(last, now)).toBe(later));

  it.each(['then', '2026-02-30T00:00:00Z', '9999'])('VRF-11 is now after the damaged time %s', (damaged) =>
    expect(laterThan(damaged, '2026-01-01T00:00:00.000Z')).toBe('2026-01-01T00:00:00.000Z'),
  );
});
