import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { conditionsOf, readContentRange } from '../../src/fetch/conditions.ts';
import type { PublishedFile } from '../support/publisher.ts';
import { rawZip } from '../support/raw-zip.ts';
import {
  ESTAT_QUERY,
  overpassAnswer,
  publishAddresses,
  publishBoundaries,
  publishExtract,
  publishFilings,
  publishItems,
} from './publishers.ts';
import { KEY, openFetchPlace } from './support.ts';

const PBF = '/osm/asia/japan/kanto-latest.osm.pbf';
const NAME = 'kanto-latest.osm.pbf';

describe('an unchanged file', () => {
  it('FTC-01 is confirmed by its ETag and not sent again', async () => {
    const { publisher, fetch, files } = await openFetchPlace();
    publishExtract(publisher);
    await fetch('osm', 'kanto');
    const before = files();
    publisher.asked.length = 0;
    expect(await fetch('osm', 'kanto')).toMatchObject({ state: 'unchanged', cutOff: '2026-05-28' });
    const { etag } = publisher.files.get(PBF) as PublishedFile;
    expect(publisher.asked.map(({ headers }) => headers['if-none-match'])).toEqual([etag]);
    expect(files()).toEqual(before);
  });

  it('FTC-01 is confirmed by its date if it has no ETag', async () => {
    const { publisher, fetch } = await openFetchPlace();
    publishItems(publisher, ['Q901']);
    await fetch('wikidata', '13');
    expect(await fetch('wikidata', '13')).toMatchObject({ state: 'unchanged' });
    expect(publisher.asked.at(-1)?.headers['if-modified-since']).toBe('Fri, 15 May 2026 03:04:05 GMT');
  });

  it('FTC-04 is fetched again if it no longer has its SHA-256, or is gone', async () => {
    const { publisher, fetch, files, into } = await openFetchPlace();
    publishExtract(publisher);
    await fetch('osm', 'kanto');
    const before = files();
    const bytes = readFileSync(join(into, NAME));
    bytes[9] = (bytes[9] ?? 0) ^ 1;
    writeFileSync(join(into, NAME), bytes);
    expect(await fetch('osm', 'kanto')).toMatchObject({ state: 'new' });
    expect(files()).toEqual(before);
    rmSync(join(into, NAME));
    expect(await fetch('osm', 'kanto')).toMatchObject({ state: 'new' });
    expect(files()).toEqual(before);
  });
});

describe('a changed file', () => {
  it('FTC-01 replaces the earlier one', async () => {
    const place = await openFetchPlace();
    publishExtract(place.publisher);
    await place.fetch('osm', 'kanto');
    const before = place.ledger().fetches['osm kanto'];
    place.now = '2026-06-02T00:00:00.000Z';
    const body = publishExtract(place.publisher, 'kanto', 1_780_272_000);
    expect(await place.fetch('osm', 'kanto')).toMatchObject({ state: 'new', cutOff: '2026-06-01' });
    expect(readFileSync(join(place.into, NAME)).equals(body)).toBe(true);
    expect(before).toMatchObject({ fetchedAt: '2026-06-01T00:00:00.000Z' });
    expect(place.ledger().fetches['osm kanto']).toEqual({
      ...{ cutOff: '2026-06-01', fetchedAt: '2026-06-02T00:00:00.000Z', files: [NAME] },
    });
  });

  it('FTC-01 of a list of items is noticed if an item is gone', async () => {
    const { publisher, fetch } = await openFetchPlace();
    publishItems(publisher, ['Q901']);
    await fetch('wikidata', '13');
    publisher.files.set(
      '/wikidata/wiki/Special:EntityData/Q902.json',
      publisher.files.get('/wikidata/wiki/Special:EntityData/Q901.json') as PublishedFile,
    );
    publishItems(publisher, ['Q901', 'Q902']);
    expect(await fetch('wikidata', '13')).toMatchObject({ state: 'new' });
    publishItems(publisher, ['Q902']);
    expect(await fetch('wikidata', '13')).toMatchObject({ state: 'new', files: [{ isNew: false }] });
  });
});

/** A zip of a few bytes as the only file of a source. */
async function tinyPlace() {
  const place = await openFetchPlace();
  const body = rawZip([{ name: 'a', content: 'b', stored: true }]);
  const path = ESTAT_QUERY;
  place.publisher.files.set(path, { body, etag: '"one"' });
  const name = 'A002005212020DDSWC13.zip';
  const isDone = () =>
    readFileSync(join(place.into, name)).equals(body) && !existsSync(join(place.into, `${name}.part`));
  return { ...place, body, path, name, isDone, part: join(place.into, `${name}.part`) };
}

describe('a file that was interrupted', () => {
  it('FTC-02 continues after any byte at which the connection breaks', async () => {
    const { publisher, fetch, body, name, isDone, into } = await tinyPlace();
    for (let cut = 0; cut < body.length; cut++) {
      publisher.cutAfter = cut;
      await expect(fetch('estat', '13'), `after ${cut}`).rejects.toThrow('the connection broke; run it again');
      expect(existsSync(join(into, name)) || existsSync(join(into, 'fetch.json'))).toBe(false);
      publisher.cutAfter = undefined;
      expect(await fetch('estat', '13')).toMatchObject({ state: 'new' });
      const { range, 'if-range': ifRange } = publisher.asked.at(-1)?.headers ?? {};
      expect([range, ifRange]).toEqual(cut === 0 ? [undefined, undefined] : [`bytes=${cut}-`, '"one"']);
      expect(isDone(), `after ${cut}`).toBe(true);
      rmSync(join(into, name));
      rmSync(join(into, 'fetch.json'));
    }
  });

  it('FTC-02 ends complete whatever a kill left of it and of the notes about it', async () => {
    const { publisher, fetch, body, name, isDone, into, part } = await tinyPlace();
    const journal = join(into, 'fetch.json.part');
    publisher.cutAfter = body.length - 1;
    await expect(fetch('estat', '13')).rejects.toThrow();
    publisher.cutAfter = undefined;
    const notes = readFileSync(journal);
    const states = [
      ...Array.from(body, (_, at) => [body.subarray(0, at), notes] as const),
      [body, notes] as const,
      // Notes are written before the first byte.
      ...Array.from({ length: 50 }, (_, i) => [Buffer.alloc(0), notes.subarray(0, (notes.length * i) / 50)] as const),
    ];
    for (const [bytes, noted] of states) {
      writeFileSync(part, bytes);
      writeFileSync(journal, noted);
      await fetch('estat', '13');
      expect(isDone(), `${bytes.length} bytes, ${noted.length} of notes`).toBe(true);
      expect(existsSync(journal)).toBe(false);
      for (const left of [name, 'fetch.json']) rmSync(join(into, left));
    }
  });

  it('FTC-02 is not sent again if only its final name is missing', async () => {
    const { publisher, fetch, name, isDone, into, part, ledger } = await tinyPlace();
    await fetch('estat', '13');
    const { url, etag, bytes } = ledger().files[name] as { url: string; etag: string; bytes: number };
    renameSync(join(into, name), part);
    const state = { name, url, etag, lastModified: null, total: bytes, isComplete: true, finalName: name };
    writeFileSync(join(into, 'fetch.json.part'), `${JSON.stringify(state)}\n`);
    publisher.cutAfter = 0;
    await fetch('estat', '13');
    expect(isDone()).toBe(true);
  });

  it('FTC-02 starts again if the publisher has another version, or no strong validator', async () => {
    for (const [before, after] of [
      [{ etag: '"one"' }, { etag: '"two"' }],
      [{ etag: 'W/"one"' }, { etag: 'W/"one"' }],
      [{}, {}],
    ]) {
      const { publisher, fetch, path, body, isDone } = await tinyPlace();
      publisher.files.set(path, { body: Buffer.alloc(body.length, 'x'), ...before });
      publisher.cutAfter = 9;
      await expect(fetch('estat', '13')).rejects.toThrow();
      publisher.cutAfter = undefined;
      publisher.files.set(path, { body, ...after });
      await fetch('estat', '13');
      expect(isDone(), JSON.stringify(after)).toBe(true);
    }
  });

  it('FTC-02 starts again if the publisher refuses the range', async () => {
    const { publisher, fetch, body, path, isDone, part, ledger } = await tinyPlace();
    publisher.cutAfter = 9;
    await expect(fetch('estat', '13')).rejects.toThrow();
    publisher.cutAfter = undefined;
    // More than the publisher has, which a kill does not leave.
    writeFileSync(part, Buffer.alloc(body.length + 5));
    await fetch('estat', '13');
    expect(publisher.asked.map(({ headers }) => headers.range)).toEqual([
      undefined,
      `bytes=${body.length + 5}-`,
      undefined,
    ]);
    expect(isDone()).toBe(true);
    publisher.files.set(path, { body, etag: '"two"' });
    publisher.cutAfter = 9;
    await expect(fetch('estat', '13')).rejects.toThrow();
    publisher.files.set(path, (_, response) => {
      response.writeHead(206, { etag: '"two"', 'content-range': `bytes 0-3/${body.length}`, 'content-length': 4 });
      response.end('abcd');
    });
    await expect(fetch('estat', '13')).rejects.toThrow('does not continue the unfinished file');
    expect(Object.values(ledger().files)).toEqual([expect.objectContaining({ etag: '"one"' })]);
    expect(existsSync(part)).toBe(false);
  });

  it('FTC-02, FTC-03 of several files, those that arrived are only confirmed, and none has its name before all have', async () => {
    const { publisher, fetch, files, into } = await openFetchPlace();
    await publishAddresses(publisher);
    const path = '/abr/mt_town_pos/pref/mt_town_pos_pref13.csv.zip';
    const good = publisher.files.get(path) as PublishedFile;
    publisher.files.set(path, { body: 'x', status: 500 });
    await expect(fetch('abr', '13')).rejects.toThrow('mt_town_pos_pref13.csv.zip: unexpected answer (status 500)');
    expect(files()).toEqual({});
    expect(existsSync(join(into, 'fetch.json'))).toBe(false);
    publisher.files.set(path, good);
    publisher.asked.length = 0;
    expect(await fetch('abr', '13')).toMatchObject({ state: 'new' });
    expect(publisher.asked.slice(0, 3).map(({ headers }) => headers['if-none-match'])).not.toContain(undefined);
    expect(Object.keys(files())).toHaveLength(6);
  });
});

describe('a bad answer', () => {
  const page = '<!DOCTYPE html><html><body>Maintenance</body></html>';
  const oneAnswer: [string, PublishedFile, RegExp][] = [
    [
      'an HTML page with its type',
      { body: page, headers: { 'content-type': 'text/html; charset=utf-8' } },
      /an HTML page instead of the file/,
    ],
    [
      'an HTML page as a file',
      { body: page, headers: { 'content-type': 'application/zip' } },
      /an HTML page instead of the file/,
    ],
    ['JSON', { body: '{"statusCode":401}' }, /JSON instead of a zip/],
    ['something else', { body: 'hello' }, /not a zip/],
    ['nothing', { body: '' }, /the answer is empty/],
    ['a status', { body: 'x', status: 418 }, /unexpected answer \(status 418\)/],
    ['a refusal', { body: 'x', status: 403 }, /access refused \(status 403\)/],
    ['too many requests', { body: 'x', status: 429 }, /too many requests or too busy \(status 429\)/],
    ['a long wait', { body: 'x', status: 429, headers: { 'retry-after': '3600' } }, /asks to wait for 3600 s/],
    ['too much', { body: 'x', headers: { 'content-length': '99000000000' } }, /larger than 1,000 MB/],
    ['a compressed file', { body: 'x', headers: { 'content-encoding': 'gzip' } }, /compressed/],
    [
      'another scheme',
      { body: '', status: 302, headers: { location: 'https://x.example/' } },
      /redirects to another scheme \(https:\)/,
    ],
    [
      'a local file',
      { body: '', status: 302, headers: { location: 'file:///etc/passwd' } },
      /redirects to another scheme/,
    ],
    [
      'a private host',
      { body: '', status: 302, headers: { location: 'http://10.0.0.1/' } },
      /10\.0\.0\.1\/: leads to a private network address/,
    ],
    [
      'another port of this host',
      { body: '', status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      /private network/,
    ],
    ['a name of this host', { body: '', status: 302, headers: { location: 'http://localhost:1/' } }, /private network/],
    [
      'an address of version 6',
      { body: '', status: 302, headers: { location: 'http://[::ffff:169.254.169.254]/' } },
      /private network/,
    ],
    ['credentials', { body: '', status: 302, headers: { location: 'http://a:b@x.example/' } }, /credentials/],
    ['a damaged address', { body: '', status: 302, headers: { location: 'http://[' } }, /invalid address/],
    ['itself', { body: '', status: 302, headers: { location: ESTAT_QUERY } }, /redirects in a loop/],
  ];

  it.each(oneAnswer)('FTC-08, FTC-03 %s gives one line and changes nothing', async (_, answer, reason) => {
    const { publisher, fetch, files, ledger, into } = await openFetchPlace();
    await publishBoundaries(publisher);
    await fetch('estat', '13');
    const good = publisher.files.get(ESTAT_QUERY) as PublishedFile;
    const before = [files(), ledger()];
    publisher.files.set(ESTAT_QUERY, answer);
    const error = await fetch('estat', '13').catch((fault: Error) => fault);
    expect((error as Error).message).toMatch(reason);
    expect((error as Error).message).not.toContain('\n');
    expect([files(), ledger()]).toEqual(before);
    expect(existsSync(join(into, 'A002005212020DDSWC13.zip.part'))).toBe(false);
    // The next answer is used.
    publisher.files.set(ESTAT_QUERY, good);
    expect(await fetch('estat', '13')).toMatchObject({ state: 'unchanged' });
  });

  it('FTC-08 a zip that is cut off at any byte is refused', async () => {
    const { publisher, fetch, body, path, into } = await tinyPlace();
    for (let length = 1; length < body.length; length += 7) {
      publisher.files.set(path, { body: body.subarray(0, length) });
      await expect(fetch('estat', '13'), String(length)).rejects.toThrow(/zip/);
      expect(existsSync(join(into, 'fetch.json'))).toBe(false);
    }
  });

  it('FTC-05, FTC-08 an extract without its MD5, or cut off, is refused', async () => {
    const { publisher, fetch, into, told } = await openFetchPlace();
    const body = publishExtract(publisher);
    publisher.files.set(`${PBF}.md5`, { body: `${'0'.repeat(32)}  ${NAME}\n` });
    await expect(fetch('osm', 'kanto')).rejects.toThrow(/checksum \(MD5\) of the publisher does not fit/);
    publisher.files.set(`${PBF}.md5`, { body: 'Service unavailable' });
    await expect(fetch('osm', 'kanto')).rejects.toThrow(/\.md5: not an MD5 checksum/);
    const cut = body.subarray(0, body.length - 5);
    publisher.files.set(PBF, { body: cut });
    publisher.files.set(`${PBF}.md5`, { body: createHash('md5').update(cut).digest('hex') });
    await expect(fetch('osm', 'kanto')).rejects.toThrow(/ends inside a blob/);
    expect(existsSync(join(into, NAME)) || existsSync(join(into, `${NAME}.part`))).toBe(false);
    // A mirror may have no MD5.
    publisher.files.set(PBF, { body });
    publisher.files.delete(`${PBF}.md5`);
    expect(await fetch('osm', 'kanto')).toMatchObject({ state: 'new' });
    expect(told.join()).toMatch(/\.md5: not published/);
  });

  it('FTC-08 an error in the remark of Overpass, or half of its JSON, is refused', async () => {
    const { publisher, fetch, files } = await openFetchPlace();
    const box = '139.74,35.71,139.76,35.72';
    for (const [body, reason] of [
      [overpassAnswer('runtime error: Query timed out in "query" at line 1 after 180 seconds.'), /the query failed/],
      [overpassAnswer().slice(0, -20), /ends too early/],
      ['{"version":0.6}', /no list of elements/],
    ] as const) {
      publisher.files.set('/overpass/api/interpreter', { body });
      await expect(fetch('osm', box)).rejects.toThrow(reason);
    }
    expect(files()).toEqual({});
    publisher.files.set('/overpass/api/interpreter', { body: overpassAnswer('runtime remark: all is well') });
    expect(await fetch('osm', box)).toMatchObject({ state: 'new' });
  });

  it('FTC-08 of the catalogue, the query service, an item or EDINET is refused', async () => {
    const { publisher, fetch, files } = await openFetchPlace();
    const answers: [string, string, string, string, RegExp][] = [
      [
        'plateau',
        '13105',
        '/ckan/api/3/action/package_search',
        '{"success":false,"error":{}}',
        /not an answer of the catalogue/,
      ],
      ['plateau', '13105', '/ckan/api/3/action/package_search', '<html>', /is not JSON/],
      ['wikidata', '13', '/query/sparql', '{"boolean":true}', /not a result of the query service/],
      ['wikidata', '13', '/query/sparql', '{"head":{"vars":["item"]},"results":{"bindings":[]}}', /found no items/],
      [
        'edinet',
        '2026-05-28',
        '/edinet/api/v2/documents.json',
        '{"statusCode":401,"message":"Access denied"}',
        /did not send the list/,
      ],
      [
        'edinet',
        '2026-05-28',
        '/edinet/api/v2/documents.json',
        '{"metadata":{"status":"404"},"results":[]}',
        /did not send the list/,
      ],
      ['edinet', '2026-05-28', '/edinet/api/v2/documents.json', 'nonsense', /not a JSON object/],
    ];
    for (const [source, what, path, body, reason] of answers) {
      publisher.files.set(path, { body });
      await expect(fetch(source as 'osm', what)).rejects.toThrow(reason);
    }
    publishItems(publisher, ['Q901']);
    publisher.files.set('/wikidata/wiki/Special:EntityData/Q901.json', { body: '{"entities":{}}' });
    await expect(fetch('wikidata', '13')).rejects.toThrow('Q901.json: no entity in the answer');
    await publishFilings(publisher);
    publisher.files.set('/edinet/api/v2/documents/S100ABCD', { body: '{"statusCode":404}' });
    await expect(fetch('edinet', '2026-05-28')).rejects.toThrow('S100ABCD: the answer is JSON instead of a zip');
    expect(files()).toEqual({});
  });

  it('FTC-08 more bytes than the limit end the transfer, even without a stated length', async () => {
    const { publisher, fetch, into } = await openFetchPlace();
    publishExtract(publisher);
    publisher.files.set(`${PBF}.md5`, (_, response) => void response.end('a'.repeat(5_000)));
    await expect(fetch('osm', 'kanto')).rejects.toThrow(/\.md5: the answer is larger than/);
    expect(existsSync(join(into, NAME))).toBe(false);
  });

  it('FTC-08 a connection over which nothing arrives is given up', async () => {
    const { publisher, fetch, isDone, path, body } = await tinyPlace();
    publisher.files.set(path, () => {});
    await expect(fetch('estat', '13', { stallMs: 50 })).rejects.toThrow('nothing arrives any more; run it again');
    publisher.files.set(path, (_, response) => {
      response.writeHead(200, { 'content-length': body.length, etag: '"one"' }).write(body.subarray(0, 10));
    });
    await expect(fetch('estat', '13', { stallMs: 50 })).rejects.toThrow('nothing arrives any more; run it again');
    publisher.files.set(path, { body, etag: '"one"' });
    await fetch('estat', '13');
    expect(publisher.asked.at(-1)?.headers.range).toBe('bytes=10-');
    expect(isDone()).toBe(true);
  });

  it('FTC-08 a host that cannot be reached is named', async () => {
    const { publisher, fetch } = await openFetchPlace();
    publisher.close();
    await expect(fetch('abr', '13')).rejects.toThrow(
      /^127\.0\.0\.1:\d+\/abr\/mt_pref\/mt_pref_all\.csv\.zip: the connection was refused$/,
    );
  });
});

describe('politeness', () => {
  it('FTC-06 one connection, and a User-Agent with the contact', async () => {
    const { publisher, fetch } = await openFetchPlace();
    await publishAddresses(publisher);
    await fetch('abr', '13');
    expect(publisher.mostConnections).toBe(1);
    const agents = new Set(publisher.asked.map(({ headers }) => headers['user-agent']));
    expect([...agents]).toEqual([expect.stringMatching(/^tatemono\/\d+\.\d+\.\d+ \(operator@registry\.example\)$/)]);
  });

  it('FTC-06 a short wait that the publisher asks for is kept', async () => {
    const { publisher, fetch, told } = await openFetchPlace();
    await publishBoundaries(publisher);
    const good = publisher.files.get(ESTAT_QUERY) as PublishedFile;
    let asked = 0;
    publisher.files.set(ESTAT_QUERY, (_, response) => {
      asked += 1;
      if (asked === 2) publisher.files.set(ESTAT_QUERY, good);
      response.writeHead(asked === 1 ? 429 : 503, { 'retry-after': '0' }).end();
    });
    expect(await fetch('estat', '13')).toMatchObject({ state: 'new' });
    expect(told.filter((line) => line.includes('asks to wait for 0 s'))).toHaveLength(2);
  });

  it('FTC-06 but not for ever', async () => {
    const { publisher, fetch } = await openFetchPlace();
    publisher.files.set(ESTAT_QUERY, { body: '', status: 503, headers: { 'retry-after': '0' } });
    await expect(fetch('estat', '13')).rejects.toThrow('asks to wait for 0 s (status 503)');
    expect(publisher.asked).toHaveLength(6);
  });

  it('FTC-07 terms and credit are printed before the first fetch of a source', async () => {
    const { publisher, fetch, printed } = await openFetchPlace();
    let seen: string[] = [];
    publisher.files.set(PBF, (_, response) => {
      seen = [...printed];
      response.writeHead(404).end();
    });
    await expect(fetch('osm', 'kanto')).rejects.toThrow('not found');
    expect(seen).toEqual([
      'OpenStreetMap, published by OpenStreetMap contributors',
      'terms: ODbL 1.0, https://opendatacommons.org/licenses/odbl/1-0/',
      'credit: © OpenStreetMap contributors',
    ]);
    publishExtract(publisher);
    await fetch('osm', 'kanto');
    printed.length = 0;
    await fetch('osm', 'kanto');
    expect(printed).toEqual([]);
  });

  it('FTC-03 two fetches into one folder do not run at once', async () => {
    const { publisher, fetch } = await openFetchPlace();
    publishExtract(publisher);
    const first = fetch('osm', 'kanto');
    await expect(fetch('osm', 'kanto')).rejects.toThrow('another fetch into this folder is running');
    await first;
  });

  it('FTC-04 a damaged fetch.json is named', async () => {
    const { publisher, fetch, into } = await openFetchPlace();
    publishExtract(publisher);
    await fetch('osm', 'kanto');
    truncateSync(join(into, 'fetch.json'), 5);
    await expect(fetch('osm', 'kanto')).rejects.toThrow(/fetch\.json: damaged; delete it/);
  });
});

describe('redirects and the access key', () => {
  it('FTC-09 a redirect on the same host is followed', async () => {
    const { publisher, fetch } = await openFetchPlace();
    await publishBoundaries(publisher);
    const good = publisher.files.get(ESTAT_QUERY) as PublishedFile;
    publisher.files.set('/moved', good);
    publisher.files.set(ESTAT_QUERY, { body: '', status: 302, headers: { location: '/moved' } });
    expect(await fetch('estat', '13')).toMatchObject({ state: 'new' });
  });

  it('FTC-09 a long chain, and a redirect of a query, are not', async () => {
    const { publisher, fetch } = await openFetchPlace();
    publisher.files.set(ESTAT_QUERY, { body: '', status: 302, headers: { location: '/1' } });
    for (let i = 1; i < 9; i++)
      publisher.files.set(`/${i}`, { body: '', status: 307, headers: { location: `/${i + 1}` } });
    await expect(fetch('estat', '13')).rejects.toThrow('redirects more than 5 times');
    publisher.files.set('/overpass/api/interpreter', { body: '', status: 302, headers: { location: '/elsewhere' } });
    await expect(fetch('osm', '1,2,3,4')).rejects.toThrow('redirects a query');
  });

  it('FTC-10 the key goes to no other host, and into no file, line or message', async () => {
    const place = await openFetchPlace();
    const { publisher, fetch, into, printed, told } = place;
    const other = (await openFetchPlace()).publisher;
    const messages: string[] = [];
    const attempt = async () =>
      messages.push(String(await fetch('edinet', '2026-05-28').catch((error: Error) => error.stack)));
    const list = '/edinet/api/v2/documents.json';
    for (const answer of [
      { body: '', status: 302, headers: { location: `${other.url}${list}?Subscription-Key=${KEY}` } },
      { body: JSON.stringify({ metadata: { status: '200' }, results: [], asked: KEY }) },
      { body: `<html>${KEY}</html>`, status: 500 },
      { body: `nonsense ${KEY}` },
      { body: KEY, status: 401 },
    ]) {
      publisher.files.set(list, answer);
      await attempt();
    }
    expect(messages[0]).toContain('redirects to another host, which must not receive the access key');
    expect(messages[1]).toContain('the answer repeats the access key');
    expect(other.asked).toEqual([]);
    await publishFilings(publisher);
    publisher.cutAfter = 40;
    await attempt();
    publisher.cutAfter = undefined;
    publisher.files.set('/edinet/api/v2/documents/S100ABCD', () => {});
    messages.push(String(await fetch('edinet', '2026-05-28', { stallMs: 50 }).catch((error: Error) => error.stack)));
    const kept = () => readdirSync(into).map((name) => readFileSync(join(into, name), 'latin1'));
    expect(kept().join()).toContain('documents.json?date=2026-05-28&type=2');
    expect([...kept(), ...messages, ...printed, ...told].join()).not.toContain(KEY);
    await publishFilings(publisher);
    await fetch('edinet', '2026-05-28');
    expect([...kept(), ...printed, ...told].join()).not.toContain(KEY);
  });
});

describe('the headers of a request', () => {
  const part = { url: 'x', total: 9, isComplete: false, finalName: 'x', size: 4 };

  it.each([
    [undefined, undefined, {}],
    [{ etag: '"a"', lastModified: 'd' }, undefined, { 'if-none-match': '"a"' }],
    [{ etag: null, lastModified: 'd' }, undefined, { 'if-modified-since': 'd' }],
    [undefined, { ...part, etag: null, lastModified: 'd' }, { range: 'bytes=4-', 'if-range': 'd' }],
    [undefined, { ...part, etag: 'W/"a"', lastModified: 'd' }, {}],
    [undefined, { ...part, etag: '"a"', lastModified: null, size: 0 }, {}],
    [
      { etag: '"a"', lastModified: null },
      { ...part, etag: '"b"', lastModified: null },
      { 'if-none-match': '"a"', range: 'bytes=4-', 'if-range': '"b"' },
    ],
    [
      { etag: '"a"', lastModified: null },
      { ...part, etag: '"b"', lastModified: null, isComplete: true },
      { 'if-none-match': '"b"' },
    ],
  ])('FTC-01, FTC-02 of %j and %j', (held, unfinished, headers) =>
    expect(conditionsOf(held, unfinished)).toEqual(headers),
  );

  it('FTC-02 a Content-Range is read exactly', () => {
    expect(readContentRange('bytes 4-8/9')).toEqual({ start: 4, end: 8, total: 9 });
    expect(readContentRange('bytes 4-8/*')).toEqual({ start: 4, end: 8, total: null });
    for (const header of [undefined, '', 'bytes */9', 'bytes 4-8', 'items 4-8/9']) {
      expect(readContentRange(header)).toBeUndefined();
    }
  });
});
