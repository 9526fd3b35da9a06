import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completionYear, isStillPlanned, nextCompletionDay } from '../../src/vocabulary/completion.ts';

const built = (yearBuilt?: number, completionMonth?: string) => ({
  yearBuilt: yearBuilt === undefined ? undefined : { value: yearBuilt },
  completionMonth: completionMonth === undefined ? undefined : { value: completionMonth },
});

describe('UI-20 planned completion', () => {
  it('UI-20 lies in the future until its year or month begins in Japan', () => {
    expect(completionYear(built(2028), '2027-12-31')).toEqual({ year: '2028', isPlanned: true });
    expect(completionYear(built(2028), '2028-01-01')).toEqual({ year: '2028', isPlanned: false });
    expect(completionYear(built(undefined, '2028-05'), '2028-04-30')).toEqual({ year: '2028', isPlanned: true });
    expect(completionYear(built(undefined, '2028-05'), '2028-05-01')).toEqual({ year: '2028', isPlanned: false });
    expect(completionYear(built(), '2028-05-01')).toBeUndefined();
  });

  it('UI-20 a year lasts until the month of completion in it', () => {
    expect(isStillPlanned('yearBuilt', built(2028, '2028-05'), '2028-03-01')).toBe(true);
    expect(isStillPlanned('yearBuilt', built(2028, '2029-05'), '2028-03-01')).toBe(false);
    expect(isStillPlanned('yearBuilt', built(2028, '2028-05'), '2028-05-01')).toBe(false);
  });

  it('UI-20 the answer changes on the next completion day, and not before', () => {
    const day = fc
      .date({ min: new Date('2020-01-01'), max: new Date('2032-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    const month = day.map((text) => text.slice(0, 7));
    const year = fc.option(fc.integer({ min: 2019, max: 2033 }), { nil: undefined });
    const fields = fc.tuple(year, fc.option(month, { nil: undefined })).map(([y, m]) => built(y, m));
    const answers = (of: ReturnType<typeof built>, today: string) =>
      JSON.stringify([isStillPlanned('yearBuilt', of, today), isStillPlanned('completionMonth', of, today)]);
    fc.assert(
      fc.property(fields, day, day, (of, today, later) => {
        const next = nextCompletionDay(of, today);
        if (next !== undefined) expect(answers(of, next)).not.toBe(answers(of, today));
        if (later >= today && (next === undefined || later < next)) expect(answers(of, later)).toBe(answers(of, today));
      }),
    );
  });
});
