import { describe, expect, it } from 'vitest';
import type { Item } from '../../../src/sources/adapter.ts';
import { greenbuilding } from '../../../src/sources/greenbuilding/adapter.ts';
import { PRECEDENCE } from '../../../src/vocabulary/precedence.ts';
import { fileOf, hasRealData, READING, readAll, realFiles } from '../../support/source-files.ts';

const PREAMBLE =
  '検索条件\n"・地域：都内全域"\n"・用途：住宅等"\n\n\n検索結果：2件　CSV出力件数：2件（CSV出力件数は建物の件数です。）\n\n';
const HEADER =
  '建物番号,地域,建物名,所在地,建築主,延べ面積,階数、構造,届出状況,工事完了(予定)年月,用途,UA値,ERR（住宅）,用途,PAL*低減率,みどり\n';

interface Building {
  id?: string;
  name?: string;
  address?: string;
  owner?: string;
  gfa?: string;
  done?: string;
  home?: string;
  other?: string;
}

function row(building: Building = {}): string {
  const { id, name, address, owner, gfa, done, home, other } = {
    ...{
      id: '990001',
      name: '甲乙タワー',
      address: '港区甲町一丁目2番3号',
      owner: '甲乙株式会社　代表取締役　山田太郎',
    },
    ...{ gfa: '2643.02', done: '2026-06-25', home: '賃貸住宅', other: '' },
    ...building,
  };
  const cells = [id, '港区', name, address, owner, gfa, '地上13階、地下1階、RC造', '計画書（完了時）', done];
  return `${[...cells, home, '0.55', '21.6', other, '', '3'].map((cell) => `"${cell}"`).join(',')}\n`;
}

const read = (content: string | Uint8Array, chunk?: number) =>
  readAll(greenbuilding, [fileOf('export.csv', content, chunk)], READING);

function recordsOf(items: readonly Item[]) {
  return items.flatMap((item) => {
    if (item.kind !== 'record') return [];
    const { sourceRecordId, observations } = item.record;
    return [
      { id: sourceRecordId, line: item.at.line, ...Object.fromEntries(observations.map((o) => [o.field, o.value])) },
    ];
  });
}

const reasonsOf = (items: readonly Item[]) =>
  items.flatMap((item) => ('reason' in item ? [`${item.kind}: ${item.reason}`] : []));

describe('greenbuilding', () => {
  it('reads the export below its preamble, by its headers', async () => {
    const items = await read(PREAMBLE + HEADER + row() + row({ id: '990002', home: '分譲住宅' }));
    expect(reasonsOf(items)).toEqual([]);
    expect(recordsOf(items)).toEqual([
      {
        ...{ id: '990001', line: 9, nameJa: '甲乙タワー', addressJa: '東京都港区甲町一丁目2番3号', gfaM2: 2643.02 },
        ...{ completionMonth: '2026-06', yearBuilt: 2026, developer: '甲乙株式会社', tenure: 'rental' },
      },
      expect.objectContaining({ id: '990002', line: 10, tenure: 'sale' }),
    ]);
    const [first] = items.flatMap((item) => (item.kind === 'record' ? [item.record] : []));
    expect(first).toMatchObject({
      sourceUrl: 'https://green-building-pgm.metro.tokyo.lg.jp/',
      extractionMethod: 'disclosure-table',
      whole: false,
    });
  });

  it('CON-16 observes only fields that contract 2.7 lists it for', async () => {
    for (const item of await read(HEADER + row())) {
      const fields = item.kind === 'record' ? item.record.observations.map(({ field }) => field) : [];
      for (const field of fields) expect(PRECEDENCE[field]).toContain('greenbuilding');
    }
  });

  it('CON-08 treats a future completion as a plan', async () => {
    const confidences = async (done: string) => {
      const [item] = await read(HEADER + row({ done }));
      const observations = item?.kind === 'record' ? item.record.observations : [];
      return observations.filter((o) => /^(?:completionMonth|yearBuilt)$/.test(o.field)).map((o) => o.confidence);
    };
    expect(await confidences('2026-08-02')).toEqual([0.6, 0.6]);
    expect(await confidences('2028-03')).toEqual([0.6, 0.6]);
    expect(await confidences('2099-03-31')).toEqual([0.6, 0.6]);
    expect(await confidences('2026-08-01')).toEqual([undefined, undefined]);
    expect(await confidences('2026-06-25')).toEqual([undefined, undefined]);
  });

  it('CON-08 treats a completion as a plan until its day in Japan', async () => {
    const confidences = async (retrievedAt: string) => {
      const file = fileOf('export.csv', HEADER + row({ done: '2026-08-02' }));
      const [item] = await readAll(greenbuilding, [file], { ...READING, retrievedAt });
      const observations = item?.kind === 'record' ? item.record.observations : [];
      return observations.filter((o) => /^(?:completionMonth|yearBuilt)$/.test(o.field)).map((o) => o.confidence);
    };
    expect(await confidences('2026-08-01T14:59:59Z')).toEqual([0.6, 0.6]);
    expect(await confidences('2026-08-01T15:00:00Z')).toEqual([undefined, undefined]);
  });

  it('joins the rows of a building, wherever they are', async () => {
    const rows =
      row() + row() + row({ id: '990002' }) + row({ home: '分譲住宅' }) + row({ home: '', other: '事務所等' });
    const items = await read(HEADER + rows);
    expect(reasonsOf(items)).toEqual([]);
    expect(recordsOf(items)).toMatchObject([
      { id: '990001', line: 2, tenure: 'mixed' },
      { id: '990002', tenure: 'rental' },
    ]);
  });

  it('keeps the first row of a building and notes differences', async () => {
    const items = await read(HEADER + row() + row({ gfa: '99', owner: '山田太郎', name: '' }));
    expect(recordsOf(items)).toMatchObject([{ gfaM2: 2643.02, developer: '甲乙株式会社' }]);
    expect(reasonsOf(items)).toEqual(['note: line 3 has another gfaM2; the first row is kept', 'note: no 建物名']);
  });

  it('reads the newer list, whose second use may be blank, short or repeated', async () => {
    const header =
      '建物番号,地域,建物名,所在地,延べ面積,届出状況,工事完了（予定）年月,用途,UA値・BPI,BEI,基準年度,再エネ合計kW,太陽光kW,EV充電器,段階取得割合,環境性能表示マンション,詳細\n';
    const first =
      '990001,港区,甲乙タワー,甲町1-2-3,"2,643.02",完了,2026-06,賃貸住宅,0.5,0.7,2025,0,0,なし,1,あり,詳細\n';
    const uses = {
      blank: ',,,,,,,分譲住宅,0.5,0.7,2025,0,0,なし,1,あり,\n',
      short: '分譲住宅,0.5,0.7,2025,0,0,なし,1,あり\n',
      repeated: first.replace('賃貸住宅', '分譲住宅'),
    };
    for (const second of Object.values(uses)) {
      const items = await read(header + first + second);
      expect(reasonsOf(items)).toEqual([]);
      expect(recordsOf(items)).toEqual([
        {
          ...{ id: '990001', line: 2, nameJa: '甲乙タワー', addressJa: '東京都港区甲町1-2-3', gfaM2: 2643.02 },
          ...{ completionMonth: '2026-06', yearBuilt: 2026, tenure: 'mixed' },
        },
      ]);
    }
    // A row cut to nine cells must not be read as the second use of the row above.
    const cut = await read(`${header}${first}990002,港区,丙丁,甲町1,99,完了,2026-06,賃貸住宅,0.5`);
    expect(recordsOf(cut)).toHaveLength(1);
    expect(reasonsOf(cut)).toEqual([expect.stringMatching(/^rejected: 9 cells/)]);
  });

  it('reports unusable cells without quoting the owner', async () => {
    const rows = [
      row({ id: '' }),
      row({ id: '1', address: '－' }),
      row({ id: '2', gfa: '山田太郎', done: '未詳' }),
      row({ id: '3', gfa: '0.00', done: '46198', owner: '山田太郎' }),
      '"4","港区"\n',
      `"5",${row().slice(0, -1)}\n`,
    ];
    const items = await read(HEADER + rows.join(''));
    expect(JSON.stringify(items)).not.toContain('山田');
    expect(recordsOf(items).map(({ id }) => id)).toEqual(['2', '3']);
    expect(recordsOf(items)[1]).not.toHaveProperty('developer');
    expect(reasonsOf(items)).toEqual([
      'rejected: no 建物番号: add it, since it identifies the record',
      'rejected: no readable 所在地, so no building can be found for it',
      'rejected: 2 cells, but the header has 15; correct the row',
      'rejected: 16 cells, but the header has 15; correct the row',
      'note: 延べ面積 cannot be read; expected a value like 2643.02',
      'note: 工事完了(予定)年月 cannot be read; expected a value like 2026-06',
      'note: 延べ面積 is 0',
      'note: 工事完了(予定)年月 cannot be read; expected a value like 2026-06',
    ]);
  });

  it('reports a file that is not the export, is cut off or lacks a column', async () => {
    const reasons = async (text: string) => reasonsOf(await read(text));
    expect(await reasons('')).toEqual([expect.stringMatching(/^broken: no row with a header 建物名/)]);
    expect(await reasons(PREAMBLE)).toEqual([expect.stringMatching(/^broken: .*cut off/)]);
    expect(await reasons('建物名,所在地\n')).toEqual([expect.stringMatching(/^broken: no column 建物番号/)]);
    expect(await reasons('建物番号,建物名,建物名,所在地\n')).toEqual([
      expect.stringMatching(/^broken: column 建物名 occurs 2 times/),
    ]);
    expect(await reasons(HEADER.slice(0, -4))).toEqual([expect.stringMatching(/^broken: the file ends in its header/)]);
    expect(await reasons('建物番号,建物名,所在地\n1,甲,港区乙1\n')).toEqual([
      'note: no column 延べ面積: its values are left out',
      'note: no column 工事完了(予定)年月: its values are left out',
      'note: no column 用途: its values are left out',
    ]);
    expect(await reasons(PREAMBLE + HEADER + row())).toEqual([
      'note: 2 buildings stated, 1 found: the file may be cut off or an excerpt',
    ]);
  });

  it('continues with the next file, and cites the URL given by the operator', async () => {
    const files = [fileOf('a.csv', `${HEADER}${row()}"990002,`), fileOf('b.csv', HEADER + row({ id: '990003' }))];
    const items = await readAll(greenbuilding, files, { ...READING, url: 'https://example.org/export' });
    expect(recordsOf(items).map(({ id }) => id)).toEqual(['990001', '990003']);
    expect(items[1]).toMatchObject({ kind: 'broken', file: 'a.csv' });
    expect(items[0]).toMatchObject({ record: { sourceUrl: 'https://example.org/export' } });
  });

  it('reads CSV files', () => {
    const names = ['a.csv', 'x/B.CSV', '._a.csv', 'a.zip/__MACOSX/._a.csv', 'a.html'];
    expect(names.map((name) => greenbuilding.reads(name))).toEqual([true, true, false, false, false]);
  });

  it('releases records of a file larger than any register', async () => {
    const rows = Array.from({ length: 20_500 }, (_, i) => `${i},港区,甲${i},乙1-${i},100,2020-01,賃貸住宅\n`);
    const header = '建物番号,地域,建物名,所在地,延べ面積,工事完了(予定)年月,用途\n';
    const portions: number[] = [];
    for await (const some of greenbuilding.read([fileOf('a.csv', header + rows.join(''), 1 << 16)], READING))
      portions.push(some.length);
    expect(Math.max(...portions)).toBeLessThanOrEqual(500);
    expect(portions.reduce((a, b) => a + b)).toBe(20_500);
  });
});

describe.skipIf(!hasRealData)('greenbuilding, the real export', () => {
  it('yields its 20 buildings without any person’s name', async () => {
    const items = await readAll(greenbuilding, realFiles('greenbuilding'));
    const records = recordsOf(items);
    expect(records).toHaveLength(20);
    expect(reasonsOf(items)).toEqual([expect.stringMatching(/^note: 1224 buildings stated, 20 found/)]);
    expect(records.every((record) => 'developer' in record && 'tenure' in record && 'gfaM2' in record)).toBe(true);
    expect(JSON.stringify(records)).not.toContain('氏名');
    const byId = new Map(records.map((record) => [record.id, record]));
    expect(byId.get('220259')).toMatchObject({
      ...{ nameJa: '中野M-SQUARE・パークシティ中野 ザ タワー エアーズ', addressJa: '東京都中野区中野四丁目14番1号' },
      ...{ gfaM2: 91384.58, completionMonth: '2026-03', developer: '囲町東地区市街地再開発組合', tenure: 'sale' },
    });
    expect(byId.get('240193')).toMatchObject({ tenure: 'mixed' });
    expect(byId.get('230439')).toMatchObject({ nameJa: '豊島区目白３丁目プロジェクト' });
    expect(byId.get('220664')).toMatchObject({
      developer: '旭化成ホームズ株式会社、合同会社ベンチャーF1、合同会社ベンチャーF2',
    });
    expect(byId.get('230148')).toMatchObject({ developer: '相鉄不動産株式会社、三信住建株式会社' });
    expect(byId.get('220648')).toMatchObject({ developer: '三井不動産レジデンシャル株式会社' });
    expect(byId.get('230074')).toMatchObject({ developer: 'MABD合同会社' });
  });
});
