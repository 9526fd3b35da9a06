import { describe, expect, it } from 'vitest';
import type { Item } from '../../../src/sources/adapter.ts';
import { mankan } from '../../../src/sources/mankan/adapter.ts';
import { PRECEDENCE } from '../../../src/vocabulary/precedence.ts';
import { fileOf, READING, readAll } from '../../support/source-files.ts';

const HEADER = '認定コード,マンション名,所在地,認定日,竣工年月,構造,地上階数,地下階数,総戸数,URL';
const ROW = '13-0001,甲乙マンション,大阪府大阪市北区甲1-2-3,令和5年4月1日,昭和63年3月,RC造,１１階,なし,"1,120戸",－';

const read = (content: string | Uint8Array, url?: string) =>
  readAll(mankan, [fileOf('mankan.csv', content)], { ...READING, url });
const valuesOf = (items: readonly Item[]) =>
  items.flatMap((item) =>
    item.kind === 'record' ? [Object.fromEntries(item.record.observations.map((o) => [o.field, o.value]))] : [],
  );
const reasonsOf = (items: readonly Item[]) =>
  items.flatMap((item) => ('reason' in item ? [`${item.kind}: ${item.reason}`] : []));

const FACTS = {
  ...{ nameJa: '甲乙マンション', addressJa: '大阪府大阪市北区甲1-2-3', managementPlanCertifiedOn: '2023-04-01' },
  ...{
    completionMonth: '1988-03',
    yearBuilt: 1988,
    structure: 'RC造',
    floorsAbove: 11,
    floorsBelow: 0,
    unitCount: 1120,
  },
};

describe('mankan', () => {
  it('reads its table', async () => {
    const items = await read(`${HEADER}\r\n${ROW}\r\n`);
    expect(reasonsOf(items)).toEqual([]);
    expect(valuesOf(items)).toEqual([FACTS]);
    expect(items[0]).toMatchObject({
      at: { line: 2 },
      record: {
        sourceRecordId: '13-0001',
        sourceUrl: 'https://www.mankan.or.jp/',
        extractionMethod: 'disclosure-table',
      },
    });
    for (const field of Object.keys(FACTS)) expect(PRECEDENCE[field as 'nameJa']).toContain('mankan');
  });

  it('needs only four columns, in Japanese or in English', async () => {
    const facts = { nameJa: '甲', addressJa: '港区乙1', managementPlanCertifiedOn: '2024-02-29' };
    expect(valuesOf(await read('認定コード,マンション名,所在地,認定日\n1,甲,港区乙1,2024-02-29\n'))).toEqual([facts]);
    const english = 'managementPlanCertifiedOn,ID,Name,address\n2024/2/29,1,甲,港区乙1\n';
    const items = await read(english, 'https://example.org/list');
    expect(valuesOf(items)).toEqual([facts]);
    expect(items[0]).toMatchObject({ record: { sourceUrl: 'https://example.org/list' } });
  });

  it('refuses unknown headers and tables without required ones', async () => {
    expect(reasonsOf(await read('認定コード,マンション名,所在地,認定日,管理者\n'))).toEqual([
      expect.stringMatching(/^broken: unknown header "管理者"; expected 認定コード, .*総戸数, URL$/),
    ]);
    expect(reasonsOf(await read('認定コード,マンション名,所在地\n'))).toEqual([
      expect.stringMatching(/^broken: no column 認定日; expected /),
    ]);
  });

  it('reports unusable cells and keeps the rest', async () => {
    const rows = [
      ',甲,港区乙1,2023-04-01',
      '2,,港区乙1,2023-04-01',
      '3,甲,－,2023-04-01',
      '4,甲,港区乙1,2023年4月',
      '5,甲,港区乙1,2026-08-02',
      '6,甲,港区乙1,2023-02-30',
      '7,甲,港区乙1,－',
    ];
    const items = await read(`認定コード,マンション名,所在地,認定日\n${rows.join('\n')}\n`);
    expect(valuesOf(items)).toEqual(Array(4).fill({ nameJa: '甲', addressJa: '港区乙1' }));
    expect(reasonsOf(items)).toEqual([
      'rejected: no 認定コード: add it, since it identifies the record',
      'rejected: no マンション名: add it as on the certificate',
      'rejected: no readable 所在地, so no building can be found for it',
      'note: 認定日 cannot be read; expected a value like 2026-06-25',
      'note: 認定日 is in the future',
      'note: 認定日 cannot be read; expected a value like 2026-06-25',
    ]);
  });
});
