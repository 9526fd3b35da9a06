import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openStorage } from '../src/storage/open-storage.ts';
import type { BuildingPage } from '../src/vocabulary/building-page.ts';
import { type Place, type Running, runHere, start, tatemono } from './support/command.ts';
import { dumpTables } from './support/dump-tables.ts';
import { onBothEngines } from './support/engines.ts';
import { AREAS, building, id, type Json, record } from './support/records.ts';
import { pageOf } from './support/registry-state.ts';
import { assetUrl } from './support/serving.ts';

/** Characters that colour a terminal, move its cursor or reverse its text. */
const ESC = '\x1b]0;owned\x07\x1b[31m\u202e';
const RAW = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

const ndjson = (lines: readonly (Json | string)[]) =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');

/** A folder with a database, an archive and an empty place to run in. */
function makePlace(databaseUrl?: string) {
  const dir = mkdtempSync(join(tmpdir(), 'tatemono-cli-'));
  const [cwd, input] = [join(dir, 'cwd'), join(dir, 'input')];
  for (const folder of [cwd, input]) mkdirSync(folder);
  const url = databaseUrl ?? `file:${join(dir, 'registry.db')}`;
  const env: Place['env'] = { DATABASE_URL: url, ARCHIVE_DIR: join(dir, 'archive'), LOG_LEVEL: 'silent', PORT: '0' };
  return {
    dir,
    cwd,
    input,
    env,
    write: (name: string, lines: readonly (Json | string)[]) => {
      writeFileSync(join(input, name), ndjson(lines));
      return join(input, name);
    },
    read: async <T>(work: (storage: ReturnType<typeof openStorage>) => Promise<T>): Promise<T> => {
      const storage = openStorage(url, () => {});
      try {
        return await work(storage);
      } finally {
        await storage.close();
      }
    },
  };
}
type TestPlace = ReturnType<typeof makePlace>;

const running: Running[] = [];
const places: TestPlace[] = [];
const fresh = (databaseUrl?: string) => {
  const place = makePlace(databaseUrl);
  places.push(place);
  return place;
};
const launch = (place: Place, ...args: string[]) => {
  const started = start(place, ...args);
  running.push(started);
  return started;
};
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    if (child.exitCode === null) child.kill('SIGKILL');
    await ended;
  }
});
afterAll(() => {
  for (const { dir } of places) rmSync(dir, { recursive: true, force: true });
});

const LINES = [
  ...AREAS,
  ...[1, 2, 3, 4, 5, 6].map((number) => building(number)),
  record('wikidata', 'Q1', { nameEn: 'One' }, { building: id(1) }),
  record('mankan', 'm1', { unitCount: 30 }, { building: id(77) }),
];

onBothEngines('tatemono ingest', (freshDatabase, engine) => {
  let place: TestPlace;
  beforeAll(async () => {
    place = fresh(engine === 'postgres' ? (await freshDatabase()).url : undefined);
  });

  it('prints its counts and ends with 0; repeating it changes nothing', async () => {
    const file = place.write('lines.ndjson', LINES);
    const first = await tatemono(place, 'ingest', 'records', file);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const counts = (changes: string) =>
      `${file}: read 12, ${changes}, matched 7, ambiguous 0, unmatched 1, rejected 0\n`;
    expect(first.stdout).toContain(counts('new 12, changed 0, unchanged 0'));
    const before = await place.read((storage) => dumpTables(storage, ['ingest']));
    expect(Object.values(before).flat().length).toBeGreaterThan(LINES.length);

    const second = await runHere(place.env, 'ingest', 'records', file);
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(second.stdout).toContain(counts('new 0, changed 0, unchanged 12'));
    expect(await place.read((storage) => dumpTables(storage, ['ingest']))).toEqual(before);
    expect(readdirSync(place.cwd)).toEqual([]);
  });

  it('two at once on one database both succeed, and both are published', async () => {
    const both = fresh(engine === 'postgres' ? (await freshDatabase()).url : undefined);
    const [a, b] = [both.write('a.ndjson', LINES), both.write('b.ndjson', [...AREAS, building(1), building(8)])];
    const ended = await Promise.all([a, b].map((file) => tatemono(both, 'ingest', 'records', file)));
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    await both.read(async (storage) => {
      for (const number of [1, 2, 6, 8]) expect(await pageOf(storage, id(number))).toBeDefined();
      const dump = await dumpTables(storage);
      expect([dump.stale_building, dump.stale_place, dump.todo]).toEqual([[], [], []]);
    });
  });

  it('serves, shows what is ingested meanwhile, and ends with 0 when stopped', async () => {
    const server = launch(place, 'serve');
    const [, origin] = await server.says(/tatemono serves (http:\S+)\/japan\n/);
    const ask = async (rest: string) => {
      const response = await fetch(`${origin}${rest}`);
      return { status: response.status, body: (await response.json()) as BuildingPage };
    };
    expect((await ask('/readyz')).status).toBe(200);
    expect((await ask(assetUrl(id(1)))).body.fields.nameEn?.value).toBe('One');
    expect((await ask(assetUrl(id(9)))).status).toBe(404);
    const added = await runHere(place.env, 'ingest', 'records', place.write('more.ndjson', [building(9)]));
    expect(added.code).toBe(0);
    expect((await ask(assetUrl(id(9)))).status).toBe(200);
    server.child.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('tatemono ingest', () => {
  let place: TestPlace;
  beforeAll(() => {
    place = fresh();
  });

  it('prints a rejected line with its position and reason, stores the rest, and ends with 1', async () => {
    const lines = [...AREAS, '{"kind":"record",', building(1), building(2, { heightM: 'tall' }), { kind: 'zz' }];
    const file = place.write('bad.ndjson', lines);
    const { code, stdout, stderr } = await runHere(place.env, 'ingest', 'records', file);
    expect(code).toBe(1);
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringContaining(`${file}:5: rejected: not JSON`),
      expect.stringMatching(`${file}:7: rejected: .*heightM must be a number`),
      expect.stringMatching(`${file}:8: rejected: kind must be`),
    ]);
    expect(stdout).toContain(
      `${file}: read 8, new 5, changed 0, unchanged 0, matched 1, ambiguous 0, unmatched 0, rejected 3\n`,
    );
    await place.read(async (storage) => {
      expect(await pageOf(storage, id(1))).toBeDefined();
      expect(await pageOf(storage, id(2))).toBeUndefined();
    });
  });

  it('lists records that moved to the building that a file names, and records that name several buildings', async () => {
    const file = join(place.dir, 'moves.ndjson');
    const item = (month: number, more: Json) =>
      record('jreit', 'moving', { unitCount: month }, { retrievedAt: `2026-0${month}-01T00:00:00Z`, ...more });
    const ingest = async (...lines: Json[]) => {
      writeFileSync(file, ndjson(lines));
      return runHere(place.env, 'ingest', 'records', file);
    };
    await ingest(...AREAS, building(31), building(32), item(2, { building: id(31) }));
    const moved = await ingest(item(3, { building: id(32) }));
    expect(moved).toMatchObject({ code: 0, stdout: expect.stringContaining('rejected 0, moved 1\n') });
    expect(moved.stderr).toBe(`moved jreit:moving from ${id(31)} to ${id(32)}: a file names its building\n`);
    await ingest(item(4, { building: id(31) }), item(4, { building: id(32) }));
    const { stdout } = await runHere(place.env, 'unmatched', '--source', 'jreit');
    expect(stdout).toContain(`ambiguous\tjreit\tmoving\t${file}:2\tnamed for several buildings\n`);
  });

  it('shows the position of a rejected line completely, however long the path', async () => {
    const folder = join(place.dir, ...Array.from({ length: 8 }, (_, i) => `${i}`.padEnd(40, '-')));
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'bad.ndjson');
    writeFileSync(file, 'zz\n');
    const { code, stderr, stdout } = await runHere(place.env, 'ingest', 'records', file);
    expect(code).toBe(1);
    expect(stdout).toContain(`${file}: read 1`);
    expect(stderr).toContain(`${file}:1: rejected`);
  });

  it('reads every file of the source in a folder, by name, and skips the others', async () => {
    const folder = join(place.dir, 'several');
    mkdirSync(folder);
    writeFileSync(join(folder, 'b.ndjson'), ndjson([building(12)]));
    writeFileSync(join(folder, 'a.ndjson'), ndjson([...AREAS, building(11)]));
    writeFileSync(join(folder, 'notes.txt'), 'zz\n');
    const { code, stdout, stderr } = await runHere(place.env, 'ingest', 'records', folder);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^\S+several: 1 file passed over, .*: notes\.txt;/),
    });
    const files = stdout.split('\n').filter((line) => line.includes(': read '));
    expect(files.map((line) => line.slice(0, line.indexOf(':')))).toEqual([
      join(folder, 'a.ndjson'),
      join(folder, 'b.ndjson'),
    ]);
    await place.read(async (storage) => expect(await pageOf(storage, id(12))).toBeDefined());
  });

  it.each([
    ['a missing file', () => [join(place.dir, 'missing.ndjson')], /missing\.ndjson.*no such file/],
    ['an empty folder', () => [place.cwd], /cwd.*no file of this source; expected \.ndjson/],
  ])('ends with 1 and the reason: %s', async (_, paths, reason) => {
    const { code, stdout, stderr } = await runHere(place.env, 'ingest', 'records', ...paths());
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(reason);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('skips a broken file, publishes the others, and ends with 1', async () => {
    const folder = join(place.dir, 'broken');
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.ndjson'), ndjson([...AREAS, building(21)]));
    writeFileSync(join(folder, 'b.ndjson'), '<!DOCTYPE html><html></html>\n');
    writeFileSync(join(folder, 'c.ndjson'), ndjson([building(23)]));
    const { code, stderr } = await runHere(place.env, 'ingest', 'records', folder);
    expect(code).toBe(1);
    expect(stderr).toContain(join(folder, 'b.ndjson'));
    await place.read(async (storage) => {
      expect(await pageOf(storage, id(21))).toBeDefined();
      expect(await pageOf(storage, id(23))).toBeDefined();
    });
  });
});

describe('text from a source or a file name', () => {
  it('is never printed to the terminal unescaped', async () => {
    const place = fresh();
    const evil = building(1, { nameJa: `甲${ESC}`, aliases: [ESC], nameEn: ESC });
    const lines = [
      ...AREAS,
      evil,
      record('mankan', `m${ESC}`, { unitCount: 3 }, { building: id(88), sourceUrl: 'https://mankan.example/m' }),
      { ...building(2), [`key${ESC}`]: 1 },
      building(3, {}, { area: `13${ESC.slice(0, 10)}` }),
      `{"a${JSON.stringify(ESC).slice(1, -1)}":1,"a${JSON.stringify(ESC).slice(1, -1)}":2}`,
      ESC,
      { kind: 'merge', from: id(1), into: id(99), reason: ESC },
    ];
    const file = place.write(`na${ESC}me.ndjson`, lines);
    const ended = [
      await runHere(place.env, 'ingest', 'records', file),
      await runHere(place.env, 'unmatched'),
      await runHere(place.env, 'status'),
      await runHere(place.env, 'ingest', 'records', join(place.dir, `no${ESC}`)),
    ];
    expect(ended.map(({ code }) => code)).toEqual([1, 0, 0, 1]);
    for (const { stdout, stderr } of ended) expect(`${stdout}${stderr}`).not.toMatch(RAW);
    expect(ended[0]?.stderr.match(/rejected: /g)).toHaveLength(6);
    expect(ended[0]?.stderr).toMatch(/rejected: sourceRecordId contains U\+001B/);
    expect(ended[1]?.stdout).not.toContain('owned');
    expect(ended[3]?.stderr).toContain('no such file');
  });

  it.each([
    ['a command', [ESC]],
    ['a source', ['ingest', ESC, 'x']],
    ['an ID', ['merge', `${id(1)}${ESC}`, id(2)]],
    ['an option', [`--${ESC}`]],
    ['a source to list', ['unmatched', '--source', ESC]],
  ])('is never printed unescaped when it is an argument: %s', async (_, args) => {
    const { code, stdout, stderr } = await runHere(fresh().env, ...args);
    expect(code).toBe(2);
    expect(`${stdout}${stderr}`).not.toMatch(RAW);
  });
});

describe('usage', () => {
  const place = fresh();
  const USAGE: [string, string[], RegExp][] = [
    ['no command', [], /Usage: tatemono/],
    ['an unknown command', ['frobnicate'], /unknown command/],
    ['an unknown source', ['ingest', 'touki', 'x'], /source/],
    ['no file', ['ingest', 'records'], /path/],
    ['no source', ['ingest'], /source/],
    ['a malformed ID to merge', ['merge', 'ASSET-JP-13-1', id(2)], /ASSET-JP-NN-NNNNNNNN/],
    ['a malformed survivor', ['merge', id(1), id(2).toLowerCase()], /ASSET-JP-NN-NNNNNNNN/],
    ['no survivor', ['merge', id(1)], /survivor/],
    ['one ID too many', ['unmerge', id(1), id(2)], /too many arguments/],
    ['a malformed ID to retire', ['retire', `${id(1)}0`], /ASSET-JP-NN-NNNNNNNN/],
    ['a malformed successor', ['retire', id(1), '--into', 'x'], /ASSET-JP-NN-NNNNNNNN/],
    ['an unknown source to list', ['unmatched', '--source', 'touki'], /osm, plateau/],
    ['an unknown option', ['status', '--verbose'], /unknown option/],
    ['an option without its value', ['merge', id(1), id(2), '--reason'], /argument missing/],
  ];

  it.each(USAGE)('ends with 2 and the error: %s', async (_, args, reason) => {
    const { code, stdout, stderr } = await runHere(place.env, ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(reason);
    expect(readdirSync(place.dir).sort()).toEqual(['cwd', 'input']);
  });

  it('help is printed to standard output and ends with 0', async () => {
    for (const args of [['--help'], ['help', 'ingest'], ['merge', '--help']]) {
      expect(await runHere(place.env, ...args)).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringMatching(/Usage:/),
      });
    }
  });

  it('the process ends with the same code', async () => {
    const unknown = await tatemono(place, 'frobnicate');
    expect(unknown).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/unknown command/) });
    const malformed = await tatemono(place, 'retire', 'ASSET-JP-13-1');
    expect(malformed).toMatchObject({ code: 2, stdout: '' });
  });

  it('an invalid setting ends with 2 and names the setting', async () => {
    const { code, stdout, stderr } = await tatemono({ ...place, env: { ...place.env, PORT: 'http' } }, 'serve');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^tatemono: PORT: must be .*\n$/);
  });
});

describe('identity, lists and counts', () => {
  let place: TestPlace;
  const here = (...args: string[]) => runHere(place.env, ...args);
  beforeAll(async () => {
    place = fresh();
    expect((await here('ingest', 'records', place.write('lines.ndjson', LINES))).code).toBe(0);
  });

  it('backs up into a new file and restores from it', async () => {
    const other = fresh();
    const file = join(other.dir, 'backup.db');
    const backup = await here('backup', file);
    expect(backup).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^backed up into .*backup\.db \([\d.]+ MB\)\n$/),
    });
    const again = await here('backup', file);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('there is a file of this name already') });
    expect((await runHere(other.env, 'restore', file)).stdout).toContain('restored from');
    const status = await runHere(other.env, 'status');
    expect(status.stdout).toMatch(/published +[1-9]/);
    expect(status.stdout).toBe(
      (await here('status')).stdout.replace(/^database .*/m, /^database .*/m.exec(status.stdout)?.[0] ?? ''),
    );
    expect(await here('restore', place.write('none.db', ['no backup']))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not a backup of a registry'),
    });
    expect((await here('backup')).code).toBe(2);
  });

  it('ID-04 merges once and reports it, also when repeated', async () => {
    const merge = ['merge', id(2), id(1), '--reason', '同じ建物'];
    expect(await tatemono(place, ...merge)).toEqual({ code: 0, stdout: `merged ${id(2)} into ${id(1)}\n`, stderr: '' });
    expect(await here(...merge)).toMatchObject({ code: 0, stdout: `${id(2)} is already merged into ${id(1)}\n` });
    await place.read(async (storage) => {
      const events = await storage.db.selectFrom('identity_event').select(['kind', 'reason']).execute();
      expect(events).toEqual([{ kind: 'merge', reason: '同じ建物' }]);
    });
  });

  it('ID-04 a refusal ends with 1 and the reason', async () => {
    const { code, stdout, stderr } = await tatemono(place, 'merge', id(1), id(2));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(`tatemono: ${id(2)} already leads to ${id(1)}\n`);
  });

  it.each([
    ['into itself', ['merge', id(3), id(3)], /cannot lead to itself/],
    ['an unknown loser', ['merge', id(90), id(1)], new RegExp(`building ${id(90)} not found`)],
    ['an unknown survivor', ['merge', id(3), id(90)], new RegExp(`building ${id(90)} not found`)],
    [
      'a building merged into another',
      ['merge', id(2), id(3)],
      new RegExp(`already merged into ${id(1)}: unmerge it first`),
    ],
    ['unmerging a building that is not merged', ['unmerge', id(3)], /not merged/],
    ['unmerging an unknown building', ['unmerge', id(90)], /building \S+ not found/],
    ['retiring a merged building', ['retire', id(2)], /already merged/],
    ['retiring an unknown building', ['retire', id(90)], /building \S+ not found/],
    ['retiring into itself', ['retire', id(3), '--into', id(3)], /cannot lead to itself/],
    ['retiring into a cycle', ['retire', id(1), '--into', id(2)], /already leads to/],
    ['retiring into an unknown building', ['retire', id(3), '--into', id(90)], /building \S+ not found/],
  ])('ID-04 refuses and changes nothing: %s', async (_, args, reason) => {
    const before = await place.read((storage) => dumpTables(storage));
    const { code, stdout, stderr } = await here(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^tatemono: .*\n$/);
    expect(stderr).toMatch(reason);
    expect(await place.read((storage) => dumpTables(storage))).toEqual(before);
  });

  it('ID-04 unmerges, and the building has its record again', async () => {
    expect(await here('unmerge', id(2))).toEqual({ code: 0, stdout: `unmerged ${id(2)}\n`, stderr: '' });
    await place.read(async (storage) => expect((await pageOf(storage, id(2)))?.id).toBe(id(2)));
  });

  it('ID-04 retires, with a successor or without', async () => {
    expect(await here('retire', id(5), '--reason', 'demolished')).toMatchObject({
      code: 0,
      stdout: `retired ${id(5)}\n`,
    });
    expect(await here('retire', id(5))).toMatchObject({ code: 0, stdout: `${id(5)} is already retired\n` });
    expect(await here('retire', id(6), '--into', id(4))).toMatchObject({
      code: 0,
      stdout: `retired ${id(6)} into ${id(4)}\n`,
    });
    expect(await here('merge', id(3), id(5))).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('is retired without a successor'),
    });
    await place.read(async (storage) => expect(await pageOf(storage, id(5))).toBeUndefined());
  });

  it('CON-09 lists records that contribute nothing, by source, with file and line', async () => {
    const file = join(place.input, 'lines.ndjson');
    const mankan = `unmatched\tmankan\tm1\t${file}:12\tnames ${id(77)}`;
    const listed = await here('unmatched', '--source', 'mankan');
    expect(listed).toEqual({ code: 0, stdout: `${mankan}\n`, stderr: '1 record contributes nothing\n' });
    const all = await here('unmatched');
    expect(all.stdout.trimEnd().split('\n').sort()).toEqual([
      `retired\tosm\tway/5\t${file}:9\tnames ${id(5)}`,
      `retired\tosm\tway/6\t${file}:10\tnames ${id(6)}`,
      mankan,
    ]);
    expect(await here('unmatched', '--source', 'jreit')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^0 records/),
    });
  });

  it('shows counts, size, migrations and the last ingest', async () => {
    const { code, stdout, stderr } = await here('status');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const shown = Object.fromEntries(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => [line.slice(0, 17).trim(), line.slice(17)]),
    );
    expect(shown).toMatchObject({
      database: expect.stringMatching(/^sqlite, \d+\.\d MB$/),
      migrations: expect.stringMatching(/^[1-9]\d* applied, 0 pending$/),
      areas: '4',
      buildings: '4 live, 0 merged, 2 retired',
      published: '4',
      'source records': '8, in 8 statements',
      'left out': '2 retired, 1 unmatched',
    });
    expect(shown['last ingest']).toContain(`records: ${join(place.input, 'lines.ndjson')}, started `);
    expect(shown['last ingest']).toContain('finished ');
  });

  it('republishes without changing records that are up to date', async () => {
    const before = await place.read((storage) => dumpTables(storage));
    expect(await here('republish')).toMatchObject({
      code: 0,
      stdout: 'consolidated 0, records written 0, nearby lists written 0\n',
    });
    expect(await here('republish', '--all')).toMatchObject({
      code: 0,
      stdout: 'consolidated 4, records written 0, nearby lists written 0\n',
    });
    expect(await place.read((storage) => dumpTables(storage))).toEqual(before);
  });
});

describe('tatemono serve', () => {
  it('loads the sample into an empty database, and stops while a client is connected', async () => {
    const place = fresh();
    const server = launch(place, 'serve');
    const [, origin] = await server.says(/bundled sample has been loaded\n.*tatemono serves (http:\S+)\/japan\n/s);
    const response = await fetch(`${origin}${assetUrl('ASSET-JP-13-00000001')}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id: 'ASSET-JP-13-00000001' });
    server.child.kill('SIGINT');
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(place.cwd)).toEqual([]);
  });

  it('OPS-01 ends with 1 and says what to do if the port is in use', async () => {
    const place = fresh();
    await runHere(place.env, 'ingest', 'records', place.write('lines.ndjson', AREAS));
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { code, stderr } = await tatemono({ ...place, env: { ...place.env, PORT: String(port) } }, 'serve');
    await new Promise((resolve) => other.close(resolve));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^tatemono: port \d+ is in use; set PORT to another, or stop the process that uses it\n$/);
  });

  it.each([
    [
      'an address of another machine',
      '192.0.2.1',
      /^tatemono: 192\.0\.2\.1 is not an address of this machine; correct HOST\n$/,
    ],
    ['an unknown name', 'nowhere.invalid', /^tatemono: nowhere\.invalid is not a known host; correct HOST\n$/],
  ])('OPS-01 ends with 1 and says what to do if HOST is %s', async (_, HOST, message) => {
    const place = fresh();
    await runHere(place.env, 'ingest', 'records', place.write('lines.ndjson', AREAS));
    const { code, stderr } = await tatemono({ ...place, env: { ...place.env, HOST } }, 'serve');
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });

  it('OPS-01 ends with 1 and says what to do if the port is not allowed', async () => {
    const place = fresh();
    await runHere(place.env, 'ingest', 'records', place.write('lines.ndjson', AREAS));
    // The system refuses low ports, but not to every user everywhere.
    const refuse = `import net from 'node:net';
      net.Server.prototype.listen = function () {
        process.nextTick(() => this.emit('error', Object.assign(new Error('listen EACCES'), { code: 'EACCES' })));
        return this;
      };`;
    const env = {
      ...place.env,
      PORT: '80',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(refuse)}`,
    };
    const { code, stderr } = await tatemono({ ...place, env }, 'serve');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^tatemono: port 80 needs the rights of an administrator; set PORT to 1024 or above, [^\n]*\n$/,
    );
  });

  it('OPS-01 every command says what to do if a file cannot be written', async () => {
    const place = fresh();
    const file = place.write('lines.ndjson', AREAS);
    const { code, stderr } = await runHere(
      { ...place.env, ARCHIVE_DIR: join(file, 'archive') },
      'ingest',
      'records',
      file,
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/^tatemono: .*archive[^\n]*: a part of the path is a file, not a folder; check the path\n$/);
    expect(await runHere(place.env, 'backup', join(file, 'backup.db'))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^tatemono: [^\n]*folder[^\n]*\n$/),
    });
  });
});

describe('a closed output pipe', () => {
  it('does not cause an unhandled error', async () => {
    const place = fresh();
    const lines = Array.from({ length: 400 }, (_, i) =>
      record('mankan', `m${i}`, { unitCount: 1 }, { building: id(500 + i) }),
    );
    expect((await runHere(place.env, 'ingest', 'records', place.write('many.ndjson', lines))).code).toBe(0);
    const listing = launch(place, 'unmatched');
    listing.child.stdout?.destroy();
    const { stderr } = await listing.ended;
    expect(stderr).not.toMatch(/Unhandled|^\s+at /m);
  });
});
