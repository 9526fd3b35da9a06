import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { companyPart } from '../../../src/sources/registers/company-part.ts';

describe('companyPart', () => {
  it.each([
    ['甲乙不動産株式会社　代表取締役社長　山田太郎', '甲乙不動産株式会社'],
    ['株式会社甲乙コーポレーション代表取締役社長　山田　太郎', '株式会社甲乙コーポレーション'],
    ['株式会社 甲乙　代表取締役　山田太郎', '株式会社甲乙'],
    ['株式会社 グリーン エステート　代表取締役　山田太郎', '株式会社グリーン エステート'],
    ['KOTSU 合同会社　代表社員KOTSU 一般社団法人　 職務執行者　山田太郎', 'KOTSU合同会社'],
    ['㈱甲乙　取締役　山田', '株式会社甲乙'],
    ['（有）甲乙　取締役　山田', '有限会社甲乙'],
    ['甲乙 合資会社 代表社員 山田太郎', '甲乙合資会社'],
    ['学校法人　甲乙学園　理事長　山田太郎', '学校法人甲乙学園'],
    ['医療法人社団甲乙会　理事長　山田太郎', '医療法人社団甲乙会'],
    ['宗教法人甲乙寺　代表役員　山田太郎', '宗教法人甲乙寺'],
    ['社会福祉法人甲乙会 理事長 山田太郎', '社会福祉法人甲乙会'],
    ['国立大学法人甲乙大学長　山田太郎', '国立大学法人甲乙大学'],
    ['独立行政法人都市再生機構　東日本都市再生本部　本部長　山田太郎', '独立行政法人都市再生機構'],
    ['都市再生機構 本部長 山田', '都市再生機構'],
    ['甲乙特定目的会社　取締役　山田太郎', '甲乙特定目的会社'],
    ['甲乙リート投資法人 執行役員 山田太郎', '甲乙リート投資法人'],
    ['甲乙信託銀行株式会社（信託口）　支店長　山田太郎', '甲乙信託銀行株式会社'],
    ['甲乙駅前地区市街地再開発組合　理事長　山田太郎', '甲乙駅前地区市街地再開発組合'],
    ['甲乙マンション建替組合理事長　山田太郎', '甲乙マンション建替組合'],
    ['東京都知事　山田太郎', '東京都'],
    ['東京都　財務局長　山田太郎', '東京都'],
    ['東京都財務局長　山田太郎', '東京都'],
    ['東京都住宅供給公社　理事長　山田太郎', '東京都住宅供給公社'],
    ['港区長　山田太郎', '港区'],
    ['府中市　市長　山田太郎', '府中市'],
    ['国（法務省）', '国'],
    ['甲乙株式会社東京支店長　山田太郎', '甲乙株式会社'],
    ['甲乙株式会社　東京本店　常務執行役員本店長　山田太郎', '甲乙株式会社'],
    ['甲乙株式会社　破産管財人　弁護士　山田太郎', '甲乙株式会社'],
    ['甲乙株式会社　清算人　山田太郎', '甲乙株式会社'],
    ['株式会社甲乙　外２名', '株式会社甲乙'],
    ['医療法人社団甲乙会社長山田太郎', '医療法人社団甲乙会'],
    ['甲乙 株式会社　開発部長　山田太郎', '甲乙株式会社'],
    ['甲乙 株式会社東京支店長　山田太郎', undefined],
  ])('of %s is %s', (text, company) => {
    expect(companyPart(text)).toBe(company);
  });

  it('does not read parts of names as titles', () => {
    for (const name of ['株式会社長谷工甲乙', '甲乙管理事業株式会社', '甲乙国大使館', '株式会社内外', '弁護士法人甲乙'])
      expect(companyPart(`${name}　代表取締役　山田太郎`)).toBe(name);
  });

  it.each([
    [
      '甲乙不動産株式会社 取締役　山田太郎 丙丁住建株式会社 代表取締役社長　鈴木一郎',
      ['甲乙不動産株式会社', '丙丁住建株式会社'],
    ],
    ['甲乙株式会社　取締役　山田　太郎　丙丁株式会社　取締役　鈴木　一郎', ['甲乙株式会社', '丙丁株式会社']],
    [
      '　・甲乙株式会社　　代表取締役　山田　・合同会社丙F1　　代表社員　一般社団法人丙　　職務執行者　鈴木　・合同会社丙F2',
      ['甲乙株式会社', '合同会社丙F1', '合同会社丙F2'],
    ],
    ['甲乙株式会社　取締役　山田太郎株式会社丙丁　取締役　鈴木一郎', ['甲乙株式会社', '株式会社丙丁']],
    ['甲乙株式会社丙丁株式会社', ['甲乙株式会社', '丙丁株式会社']],
    ['株式会社甲乙株式会社丙丁', ['株式会社甲乙', '株式会社丙丁']],
    ['甲乙株式会社・丙丁株式会社', ['甲乙株式会社', '丙丁株式会社']],
    ['甲乙株式会社\n代表取締役 山田\n丙丁株式会社\n代表取締役 鈴木', ['甲乙株式会社', '丙丁株式会社']],
    ['甲乙株式会社、甲乙株式会社', ['甲乙株式会社']],
    ['戊己再開発組合会長山田太郎株式会社丙丁会長鈴木一郎', ['戊己再開発組合', '株式会社丙丁']],
    ['戊己協会長　山田太郎　庚辛連合会長　鈴木一郎', ['戊己協会', '庚辛連合会']],
  ])('finds several in %s', (text, companies) => {
    expect(companyPart(text)).toBe(companies.join('、'));
  });

  it('leaves out a company that runs together with a person’s name', () => {
    expect(companyPart('甲乙株式会社　代表取締役　山田太郎丙丁電鉄株式会社　取締役　鈴木')).toBe('甲乙株式会社');
    expect(companyPart('甲乙株式会社　代表取締役　山田　太郎丙丁電鉄株式会社　取締役　鈴木')).toBe('甲乙株式会社');
  });

  it.each([
    '山田太郎',
    '山田　太郎',
    '木村 市太郎',
    '小野寺',
    '国 太郎',
    '代表取締役　山田太郎',
    '',
    '－',
    '株式会社',
    '　・　',
  ])('is undefined for %j', (text) => {
    expect(companyPart(text)).toBeUndefined();
  });

  it('is undefined for a text that is too long', () => {
    expect(companyPart('甲乙株式会社'.repeat(10_000))).toBeUndefined();
  });

  it('never keeps a person’s name after a title', () => {
    const gap = fc.constantFrom('', ' ', '　', '　　', '\n');
    const family = fc.constantFrom('山田', '佐々木', '林', '長谷川', '五十嵐', '服部', '古市', '木村', '国分');
    const given = fc.constantFrom('太郎', '健', '花子', '長七', '市之助', 'ゆかり', '理事子');
    const company = fc.constantFrom(
      ...['甲乙不動産株式会社', '株式会社丙丁', 'ABC合同会社', '戊己地区再開発組合', '学校法人庚辛', '東京都', '港区'],
      ...['株式会社 壬癸', '子丑 株式会社', '独立行政法人都市再生機構', '医療法人社団寅卯会'],
    );
    const title = fc.constantFrom(
      ...['代表取締役', '代表取締役社長', '取締役', '代表理事', '理事長', '支社長', '支店長', '本部長', '所長', '部長'],
      ...['執行役員', '職務執行者', '管理者', '学長', '区長', '知事', '清算人', '常務執行役員', '代表社員', '会長'],
    );
    const inName = fc.constantFrom('', ' ', '　');
    const owner = fc.tuple(company, gap, title, gap, family, inName, given, gap);
    fc.assert(
      fc.property(fc.array(owner, { minLength: 1, maxLength: 4 }), (owners) => {
        const found = companyPart(owners.flat().join('')) ?? '';
        const names = found === '' ? [] : found.split('、');
        const companies = owners.map(([name]) => name.replaceAll(' ', ''));
        // 株式会社甲乙支店長 is 株式会社甲乙支店 and its 長.
        const isKnown = (name: string) =>
          companies.some(
            (c) => name.startsWith(c) && ['', '支店', '支社', '本部', '所', '部'].includes(name.slice(c.length)),
          );
        const strangers = names.filter((name) => !isKnown(name));
        for (const [, , , , surname, , first] of owners) {
          expect(found).not.toContain(first);
          expect(strangers.some((name) => name.includes(surname))).toBe(false);
        }
        expect(strangers).toEqual([]);
      }),
      { numRuns: 5_000 },
    );
  });

  it('never throws', () => {
    const words = fc.constantFrom(
      '株式会社',
      '理事長',
      '山田',
      ' ',
      '・',
      '、',
      '国',
      '東京都',
      '組合',
      '長',
      '(',
      '代表',
      'x',
    );
    fc.assert(fc.property(fc.array(words), (some) => void companyPart(some.join(''))));
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => void companyPart(text)));
  });
});
