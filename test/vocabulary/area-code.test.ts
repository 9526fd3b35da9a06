import { expect, it } from 'vitest';
import { areaCodeOf, areaRecordId } from '../../src/vocabulary/area-code.ts';

it('REF-03 codes of areas have the check digit of JIS X 0402', () => {
  // Published codes of municipalities, with check digits from 0 to 9.
  const published = [
    '011002',
    '130001',
    '131016',
    '131059',
    '141003',
    '232009',
    '261041',
    '271004',
    '401307',
    '472018',
  ];
  for (const lgCode of [...published, '221309', '342025', '012025', '432024']) {
    const code = lgCode.slice(2, 5) === '000' ? lgCode.slice(0, 2) : lgCode.slice(0, 5);
    expect([lgCode, areaCodeOf(lgCode)]).toEqual([lgCode, code]);
    expect(areaRecordId(code)).toBe(lgCode);
  }
  expect(areaCodeOf('131016-0039001')).toBe('131010039001');
  expect(areaRecordId('131010039001')).toBe('131016-0039001');
  for (const other of ['131017', '131016-039001', '131016--0039001', '', '13101600390011', '１３１０１６']) {
    expect(areaCodeOf(other)).toBeUndefined();
  }
});
