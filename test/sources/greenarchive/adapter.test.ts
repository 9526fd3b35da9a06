import { describe, expect, it } from 'vitest';
import type { Item } from '../../../src/sources/adapter.ts';
import { greenarchive } from '../../../src/sources/greenarchive/adapter.ts';
import { PRECEDENCE } from '../../../src/vocabulary/precedence.ts';
import { fileOf, READING, readAll } from '../../support/source-files.ts';

const HEADER = '管理番号,建物名,所在地,延べ面積,完了年月,届出年度,構造,地上階数,地下階数,建築主,用途,URL';
const ROW =
  'A-2008-0123,甲乙タワー,千代田区甲町1-2-3,"12,345.67",平成20年3月,2005,SRC造、RC造,25,2,甲乙不動産株式会社　代表取締役　山田太郎,賃貸住宅,https://example.org/a/123';

const read = (content: string | Uint8Array) => readAll(greenarchive, [fileOf('archive.csv', content)], READING);
const valuesOf = (items: readonly Item[]) =>
  items.flatMap((item) =>
    item.kind === 'record' ? [Object.fromEntries(item.record.observations.map((o) => [o.field, o.value]))] : [],
  );
const reasonsOf = (items: readonly Item[]) =>
  items.flatMap((item) => ('reason' in item ? [`${item.kind}: ${item.reason}`] : []));

const FACTS = {
  ...{ nameJa: '甲乙タワー', addressJa: '東京都千代田区甲町1-2-3', gfaM2: 12345.67, completionMonth: '2008-03' },
  ...{ yearBuilt: 2008, structure: 'SRC造、RC造', floorsAbove: 25, floorsBelow: 2 },
  ...{ developer: '甲乙不動産株式会社', tenure: 'rental' },
};

describe('greenarchive', () => {
  it('reads its table, with either line end and a byte order mark', async () => {
    for (const text of [`${HEADER}\n${ROW}\n`, `\ufeff${HEADER}\r\n${ROW}\r\n\r\n`]) {
      const items = await read(text);
      expect(reasonsOf(items)).toEqual([]);
      expect(valuesOf(items)).toEqual([FACTS]);
      expect(items[0]).toMatchObject({
        at: { file: 'archive.csv', line: 2 },
        record: {
          ...{ sourceRecordId: 'A-2008-0123', sourceUrl: 'https://example.org/a/123' },
          ...{ extractionMethod: 'disclosure-table', whole: false },
        },
      });
    }
  });

  it('CON-16 observes only fields that contract 2.7 lists it for', async () => {
    const [values] = valuesOf(await read(`${HEADER}\n${ROW}\n`));
    for (const field of Object.keys(values ?? {})) expect(PRECEDENCE[field as 'nameJa']).toContain('greenarchive');
  });

  it('reads headers in English, in any order, and cells in full width or combined', async () => {
    const english = 'developer,tenure,id,name,address,gfaM2,completionMonth,structure,floorsAbove,floorsBelow';
    const row =
      '甲乙不動産株式会社,rental,１２３,甲乙タワー,東京都千代田区甲町1-2-3,１２３４５．６７㎡,2008/3,"地上25階、地下2階、SRC造、RC造",－,';
    const items = await read(`${english}\n${row}\n`);
    expect(reasonsOf(items)).toEqual([]);
    expect(valuesOf(items)).toEqual([FACTS]);
    expect(items[0]).toMatchObject({
      record: { sourceRecordId: '123', sourceUrl: 'http://www7.kankyo.metro.tokyo.jp/building/area_select.html' },
    });
  });

  it('reads CP932', async () => {
    // 管理番号,建物名,所在地 / 1,東京,港区1
    const bytes = Buffer.from('8ac7979d94d48d862c8c9a95a896bc2c8f8a8ddd926e0a312c938c8b9e2c8d608be6310a', 'hex');
    expect(valuesOf(await read(bytes))).toEqual([{ nameJa: '東京', addressJa: '東京都港区1' }]);
  });

  it('CON-08 infers the year from the filing only without a completion date', async () => {
    const filed = async (completed: string, year: string) => {
      const items = await read(`管理番号,建物名,所在地,完了年月,届出年度\n1,甲,港区乙1,${completed},${year}\n`);
      const observations = items.flatMap((item) => (item.kind === 'record' ? item.record.observations : []));
      return observations.slice(2).map(({ field, value, confidence }) => [field, value, confidence]);
    };
    expect(await filed('－', '平成17年度')).toEqual([['yearBuilt', 2005, 0.6]]);
    expect(await filed('2008', '2005')).toEqual([['yearBuilt', 2008, undefined]]);
    expect(await filed('2008-03', '2005')).toEqual([
      ['completionMonth', '2008-03', undefined],
      ['yearBuilt', 2008, undefined],
    ]);
    expect(await filed('', '2027')).toEqual([]);
    expect(await filed('', '')).toEqual([]);
  });

  it('joins rows of one ID', async () => {
    const items = await read(`${HEADER}\n${ROW}\n${ROW.replace('賃貸住宅', '分譲住宅')}\n`);
    expect(valuesOf(items)).toEqual([{ ...FACTS, tenure: 'mixed' }]);
  });

  it('refuses unknown headers and tables without required ones', async () => {
    const reasons = async (header: string) => reasonsOf(await read(`${header}\n1,2,3,4\n`));
    expect(await reasons('管理番号,建物名,所在地,高さ')).toEqual([
      expect.stringMatching(/^broken: unknown header "高さ"; expected 管理番号, 建物名, .*URL$/),
    ]);
    expect(await reasons('管理番号,建物名,延べ面積')).toEqual([
      expect.stringMatching(/^broken: no column 所在地; expected /),
    ]);
    expect(await reasons('管理番号,建物名,所在地,name')).toEqual([
      expect.stringMatching(/^broken: column 建物名 occurs 2 times/),
    ]);
    expect(reasonsOf(await read('\n\n'))).toEqual([expect.stringMatching(/^broken: no row with a header/)]);
  });

  it('reports unusable cells and keeps the rest', async () => {
    const rows = [
      '－,甲,港区乙1,,,,,,,,,',
      '2,甲,,,,,,,,,,',
      '3,,港区乙1,,,,,,,,,',
      '4,甲,港区乙1,約100,春,昔,その他,高層,-1,山田太郎,事務所,ftp://example.org',
      '5,甲,港区乙1,1e999,,,,301,0,,,',
      '6,甲,港区乙1,,,,,0,0,,,',
    ];
    const items = await read(`${HEADER}\n${rows.join('\n')}\n`);
    expect(JSON.stringify(items)).not.toContain('山田');
    expect(valuesOf(items)).toEqual([
      { addressJa: '東京都港区乙1' },
      { nameJa: '甲', addressJa: '東京都港区乙1' },
      { nameJa: '甲', addressJa: '東京都港区乙1', floorsBelow: 0 },
      { nameJa: '甲', addressJa: '東京都港区乙1', floorsBelow: 0 },
    ]);
    expect(reasonsOf(items)).toEqual([
      'rejected: no 管理番号: add it, since it identifies the record',
      'rejected: no readable 所在地, so no building can be found for it',
      'note: no 建物名',
      'note: URL must be an http or https address',
      'note: 延べ面積 cannot be read; expected a value like 2643.02',
      'note: 完了年月 cannot be read; expected a value like 2026-06',
      'note: 届出年度 cannot be read; expected a value like 2008',
      'note: 構造 cannot be read; expected a value like RC造',
      'note: 地上階数 cannot be read; expected a value like 25',
      'note: 地下階数 cannot be read; expected a value like 2',
      'note: 延べ面積 cannot be read; expected a value like 2643.02',
      'note: floorsAbove must be from 0 to 300',
      'note: 地上階数 is 0',
    ]);
  });

  it('treats a last line without a line end as cut off', async () => {
    const items = await read(`${HEADER}\n${ROW}\n${ROW.replace('0123', '0124').slice(0, -1)}`);
    expect(valuesOf(items)).toEqual([FACTS]);
    expect(reasonsOf(items)).toEqual(['rejected: last line without a line end: the file may be cut off; add one']);
  });
});
