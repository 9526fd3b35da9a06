import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compose } from '../src/reit/publication/compose.ts';
import { describeFinding } from '../src/reit/publication/findings.ts';
import { parseBundle } from '../src/reit/publication/read-bundle.ts';
import { anchorMap, anchors } from './reit/support.ts';
import { honbun } from './sources/edinet/filing.ts';
import { runHere } from './support/command.ts';
import { rawZip } from './support/raw-zip.ts';
import { AMENDED, AMENDMENT, DOC, type FilingParts, MATCH, only, packageFiles, REPORT } from './support/reit-filing.ts';

const SAMPLE = join(import.meta.dirname, '..', 'sample', 'edinet');
const ONE = only(
  '<table><tr><td>物件番号</td><td>物件名称</td><td>取得価格（円）</td></tr><tr><td>A-01</td><td>見本館</td><td>5</td></tr></table>',
);
const AT = ['--retrieved-at', '2026-05-01T00:00:00Z'];

let place: string;
let made = 0;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'extract-'));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

const folder = () => {
  const path = join(place, String(++made));
  mkdirSync(path);
  return path;
};
function zipOf(parts: FilingParts, into = folder()): string {
  const path = join(into, `${parts.docID ?? DOC}.zip`);
  writeFileSync(path, rawZip(Object.entries(packageFiles(parts)).map(([name, content]) => ({ name, content }))));
  return path;
}
function unpack(parts: FilingParts, into: string): string {
  for (const [name, content] of Object.entries(packageFiles(parts))) {
    mkdirSync(dirname(join(into, name)), { recursive: true });
    writeFileSync(join(into, name), content);
  }
  return into;
}
const extract = (...args: string[]) => runHere({ DATABASE_URL: `file:${place}/none.db` }, 'reit', 'extract', ...args);

/** The bundle as an operator completes it. */
function matched(text: string) {
  const read = parseBundle(JSON.stringify({ ...JSON.parse(text), matches: [MATCH] }));
  if (!read.ok) throw new Error(JSON.stringify(read.failure));
  return read.value;
}

describe('reit extract', () => {
  it('prints one bundle and nothing else, which composes once its building is filled in', async () => {
    const { code, stdout, stderr } = await extract(zipOf(REPORT), '--property', 'A-01', ...AT);
    expect([code, stderr.split('\n')]).toEqual([
      0,
      [
        `${DOC}: 6 tables: 5 used, 1 read as text, 0 not used`,
        'to fill in: /holdings/0: has no match to a building; add a match for it',
        '',
      ],
    ]);
    const drafted = compose(matched(stdout), anchorMap(anchors()));
    if (!drafted.ok) throw new Error(JSON.stringify(drafted.failure));
    const { document, findings } = drafted.value;
    expect(findings.map(describeFinding)).toEqual([]);
    // 652 − 700 + 105 is shown as 58, because every figure is truncated.
    expect(document.financialChecks.find(({ id }) => id === '/A-01/p40/noi-identity')).toMatchObject({
      outcome: 'pass',
      expected: '57000',
      actual: '58000',
    });
    expect(document.sourceRevisions.find(({ id }) => id === DOC)?.fields['/A-01/p40/occupancyRate']).toEqual({
      state: 'recorded',
      amount: '0.985',
      unit: 'ratio',
      scale: -2,
      decimals: 3,
      rounding: 'halfUp',
    });
  });

  it('lists every unused table on standard error, with its position and the reason', async () => {
    const label =
      '<table><tr><td>稼働率（％）</td><td>98.5</td></tr><tr><td>帳簿価額（円）</td><td>5</td></tr></table>';
    const [one = ''] = ONE.bodies;
    const path = zipOf({
      bodies: [`${one}<p>■別\u00ad館&#x1b;[31m\u202e</p>${label}`, `<h3>A-01 見本館</h3>${label}`],
    });
    const { code, stdout, stderr } = await extract(path, ...AT);
    expect([code, JSON.parse(stdout).sourceRevisions[0].fields.length]).toEqual([0, 1]);
    const name = (file: string) => `${file}_honbun_jpsps070300-asr-001_G99999-000_2026-01-31_01_2026-04-28_ixbrl.htm`;
    expect(stderr.split('\n').slice(0, 3)).toEqual([
      `${DOC}: ${name('0101010')} 表2 「■別館[31m」: not used: the nearest heading names a property that the filing does not list`,
      `${DOC}: ${name('0102010')} 表3 「A-01 見本館」: not used: outside the property sections, only results of a period are read`,
      `${DOC}: 3 tables: 1 used, 0 read as text, 2 not used (1: the nearest heading names a property that the filing does not list; ` +
        '1: outside the property sections, only results of a period are read)',
    ]);
    const refused = await extract(zipOf({ bodies: [label] }));
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('表1: not used: neither the table'),
    });
  });

  it('AGR-07 leaves doubtful cells unresolved, which blocks the draft', async () => {
    const { stdout } = await extract(zipOf(REPORT), '--property', 'Ｂ－０１'.normalize('NFKC'), ...AT);
    const text = stdout.replaceAll('B-01', 'A-01');
    const drafted = compose(matched(text), anchorMap(anchors()));
    expect(drafted.ok && drafted.value.findings.map(describeFinding)).toEqual([
      'unresolved /A-01/p40/capex',
      'unresolved /A-01/p40/noi',
      'unresolved /A-01/p40/rentalExpenses',
    ]);
  });

  it('REIT-03 reveals no path on the machine', async () => {
    const { stdout } = await extract(zipOf(REPORT), '--property', 'A-01', ...AT);
    expect(stdout).not.toContain(place);
    expect(stdout).not.toMatch(/\.zip|\.htm/);
  });

  it('gives the same bundle again, and from a folder except for the content hash', async () => {
    const zip = zipOf(REPORT);
    const [first, again] = [await extract(zip, '--property', 'A-01'), await extract(zip, '--property', '見本館')];
    expect(first).toEqual(again);
    expect(await extract(zip, '--property', 'ａ‐０１')).toEqual(first);
    const path = join(folder(), DOC);
    const unpacked = await extract(unpack(REPORT, path), '--property', 'A-01');
    const without = (text: string) => text.replace(/"sha256:[0-9a-f]{64}"/u, '');
    expect(without(unpacked.stdout)).toBe(without(first.stdout));
    expect(unpacked.stdout).not.toBe(first.stdout);
  });

  it('needs no --property if the filing has one property', async () => {
    const { code, stdout } = await extract(zipOf(ONE), ...AT);
    expect([code, JSON.parse(stdout).holdings[0].id]).toEqual([0, 'A-01']);
  });

  it('lists the properties if there are several and none is chosen', async () => {
    const zip = zipOf(REPORT);
    const { code, stdout, stderr } = await extract(zip);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /about one property, and the filing has 3:\nA-01 {2}見本館\nA-02 {2}見本第二ビル\nB-01 {2}見本モール\n/u,
    );
    expect(await extract(zip, '--list')).toMatchObject({
      code: 0,
      stdout: 'A-01  見本館\nA-02  見本第二ビル\nB-01  見本モール\n',
    });
    expect(await extract(zip, '--property', 'Z-9')).toMatchObject({ code: 1, stdout: '' });
  });

  it('REIT-09 a code in the other width or case is the same property, in every filing', async () => {
    const both = folder();
    const coded = (code: string) =>
      only(
        ONE.bodies
          .join()
          .match(/<table>.*<\/table>/)?.[0]
          .replace('A-01', code) ?? '',
      );
    zipOf(coded('1a'), both);
    zipOf({ ...AMENDMENT, bodies: coded('１Ａ').bodies }, both);
    expect((await extract(both, '--list')).stdout).toBe('1A  見本館\n');
    for (const property of ['1a', '１Ａ']) {
      const bundle = JSON.parse((await extract(both, '--property', property, ...AT)).stdout);
      expect(bundle.holdings).toMatchObject([{ propertyCode: '1A' }]);
      expect(bundle.sourceRevisions.map(({ id }: { id: string }) => id)).toEqual([DOC, AMENDED]);
    }
  });

  it('skips files beside the filing', async () => {
    const beside = folder();
    zipOf(ONE, beside);
    writeFileSync(join(beside, 'bundle.json'), '{}');
    expect(await extract(beside)).toMatchObject({ code: 0, stderr: expect.stringContaining('not a document list') });
  });

  it('takes the document ID, the minute of filing and the codes from a document list', async () => {
    const listed = folder();
    unpack(ONE, join(listed, 'package'));
    const row = { docID: DOC, fundCode: 'G99999', periodEnd: '2026-01-31', submitDateTime: '2026-04-28 15:30' };
    writeFileSync(join(listed, 'documents.json'), JSON.stringify({ results: [row] }));
    const { code, stdout } = await extract(listed);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).sourceRevisions[0]).toMatchObject({ id: DOC, publishedAt: '2026-04-28T06:30:00Z' });
  });

  it('writes one bundle per property and never overwrites', async () => {
    const [zip, into] = [zipOf(REPORT), join(folder(), 'bundles')];
    expect((await extract(zip, '--out-dir', into)).code).toBe(0);
    expect(readdirSync(into).sort()).toEqual(['G99999_A-01.json', 'G99999_A-02.json', 'G99999_B-01.json']);
    expect(await extract(zip, '--out-dir', into)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already'),
    });
    const file = join(folder(), 'bundle.json');
    expect(await extract(zip, '--property', 'A-01', '--out', file)).toMatchObject({ code: 0, stdout: '' });
    expect(JSON.parse(readFileSync(file, 'utf8')).matches).toEqual([]);
    expect((await extract(zip, '--property', 'A-01', '--out', file)).code).toBe(1);
  });

  it('combines a report and its correction', async () => {
    const both = folder();
    zipOf(REPORT, both);
    zipOf(AMENDMENT, both);
    const { code, stdout, stderr } = await extract(both, '--property', 'A-01', ...AT);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('corrects')]);
    const drafted = compose(matched(stdout), anchorMap(anchors()));
    expect(drafted.ok && drafted.value.document.revisionHeads).toContainEqual({
      lineageId: 'G99999/2026-01-31',
      revisionId: AMENDED,
    });
    const alone = await extract(zipOf(AMENDMENT), ...AT);
    expect(alone.stderr).toContain(`${AMENDED} corrects ${DOC}`);
  });

  it('lists what the sample does not state as still to fill in', async () => {
    const { code, stdout, stderr } = await extract(join(SAMPLE, 'S100SMP2'), ...AT);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ issuer: { edinetCode: null }, holdings: [{ heldFrom: null }] });
    expect(stderr).toContain('to fill in: /issuer/edinetCode: not stated in the filing');
    expect((await extract(SAMPLE)).stderr).toContain('several funds');
  });
});

describe('reit extract refuses with a reason, and prints nothing', () => {
  const refused = async (path: string, reason: RegExp) => {
    const { code, stdout, stderr } = await extract(path);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(reason);
  };
  const body = (content: string | Buffer, claimedSize?: number) => {
    const [name = ''] = Object.keys(packageFiles(ONE)).slice(1);
    const path = join(folder(), `${DOC}.zip`);
    writeFileSync(path, rawZip([claimedSize === undefined ? { name, content } : { name, content, claimedSize }]));
    return path;
  };

  it('a missing file, and a file that is not a package', async () => {
    await refused(join(place, 'nothing.zip'), /no such file/);
    await refused(folder(), /no annual report of a REIT/);
    const path = join(folder(), `${DOC}.zip`);
    writeFileSync(path, 'PK');
    await refused(path, /not a complete zip/);
  });

  it('a body that is truncated or not text', async () => {
    await refused(body(honbun('<p>x</p>').slice(0, -10)), /0101010_honbun_.*: no <\/html> at the end.*cut off/);
    await refused(body(Buffer.from([0x3c, 0xff, 0xfe, 0x80])), /UTF-8|cut off/);
  });

  it('a damaged zip, or a zip bomb', async () => {
    const zip = readFileSync(zipOf(ONE));
    const path = join(folder(), `${DOC}.zip`);
    writeFileSync(path, zip.subarray(0, zip.length - 30));
    await refused(path, /zip/);
    await refused(body(Buffer.alloc(32 << 20)), /unpacks to far more/);
    await refused(body(honbun(''), 10), /zip is damaged/);
  });

  it('a package without a document ID', async () => {
    const path = join(folder(), 'package.zip');
    writeFileSync(path, readFileSync(zipOf(ONE)));
    await refused(path, /document ID is not known/);
  });

  it('a filing without properties', async () => {
    await refused(zipOf({ bodies: ['<p>本文</p>'] }), /no property table/);
  });
});
