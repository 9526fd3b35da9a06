import { describe, expect, it } from 'vitest';
import {
  cutOffOfCkan,
  cutOffOfDay,
  cutOffOfLastModified,
  cutOffOfOverpass,
  cutOffOfReplication,
} from '../../src/fetch/cut-off.ts';
import { retryAfterMs } from '../../src/fetch/retry-after.ts';

describe('the cut-off', () => {
  it('FTC-12 of a PBF is its replication time', () => {
    expect(cutOffOfReplication(1_780_000_000)).toBe('2026-05-28');
    for (const seconds of [undefined, 0, -5, 1e15]) expect(cutOffOfReplication(seconds)).toBeUndefined();
  });

  it('FTC-12 of Overpass is timestamp_osm_base', () => {
    const head =
      '{"version":0.6,"osm3s":{"timestamp_osm_base": "2026-05-29T10:00:00Z","timestamp_areas_base":"2020-01-01T00:00:00Z"}';
    expect(cutOffOfOverpass(head)).toBe('2026-05-29');
    expect(cutOffOfOverpass('{"osm3s":{"timestamp_osm_base":"never, or so"}}')).toBeUndefined();
    expect(cutOffOfOverpass('{}')).toBeUndefined();
  });

  it('FTC-12 of a CKAN resource is last_modified', () => {
    expect(cutOffOfCkan('2026-03-31T04:05:06.123456')).toBe('2026-03-31');
    for (const value of [null, undefined, '', 5, '2026-02-30T00:00:00']) expect(cutOffOfCkan(value)).toBeUndefined();
  });

  it('FTC-12 of EDINET is the day of the list', () => expect(cutOffOfDay('2026-05-28')).toBe('2026-05-28'));

  it('FTC-12 of other files is the latest Last-Modified', () => {
    const headers = ['Fri, 15 May 2026 23:59:59 GMT', null, 'Mon, 01 Jan 2024 00:00:00 GMT', 'nonsense'];
    expect(cutOffOfLastModified(headers)).toBe('2026-05-15');
    expect(cutOffOfLastModified([null, 'nonsense'])).toBeUndefined();
  });
});

describe('Retry-After', () => {
  it.each([
    ['7', 7_000],
    ['Thu, 01 Jan 1970 00:01:00 GMT', 60_000 - 5_000],
    ['Thu, 01 Jan 1970 00:00:01 GMT', 0],
    ['soon', undefined],
    [undefined, undefined],
    ['-5', undefined],
  ])('FTC-06 %j', (header, wait) => expect(retryAfterMs(header, 5_000)).toBe(wait));
});
