import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sizeOf } from '../../../src/surfaces/pages/downloads/downloads.ts';
import { readRange } from '../../../src/surfaces/pages/downloads/send-file.ts';
import { emptyRegistry, uncheckedServerOn } from '../../support/serving.ts';

const PARQUET = Buffer.from(Array.from({ length: 5_000 }, (_, i) => i % 251));
const CSV = Buffer.from('﻿id,nameJa\nASSET-JP-13-00000001,第1ビル\n');
const entryOf = (name: string, bytes: Buffer) => ({
  name,
  bytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  count: 1_234,
  licences: ['ODbL 1.0', 'CC BY 4.0'],
});

describe('downloads', () => {
  let folder: string;
  const serve = (exportDir: string | undefined) => uncheckedServerOn(emptyRegistry, undefined, { exportDir });
  const get = (url: string, headers = {}, exportDir: string | undefined = folder) =>
    serve(exportDir).inject({ url, headers });

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tatemono-downloads-'));
    writeFileSync(join(folder, 'buildings-13.parquet'), PARQUET);
    writeFileSync(join(folder, 'buildings-13.csv'), CSV);
    writeFileSync(join(folder, 'private.csv'), 'not in the manifest');
    const files = [
      entryOf('buildings-13.parquet', PARQUET),
      entryOf('buildings-13.csv', CSV),
      entryOf('gone-13.csv', CSV),
      { ...entryOf('../private.csv', CSV) },
      { name: 'buildings-14.csv' },
    ];
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ cursor: '17', files }));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('DWN-01 lists the files of the manifest with count, size and licences, in both languages', async () => {
    const { statusCode, body } = await get('/japan/downloads', { 'accept-language': 'en' });
    expect(statusCode).toBe(200);
    expect(body).toContain('href="/japan/downloads/buildings-13.parquet"');
    expect(body).toContain('1,234');
    expect(body).toContain('5 kB');
    expect(body).toContain('ODbL 1.0, CC BY 4.0');
    expect(body).toContain('read_parquet');
    expect(body).not.toContain('private');
    expect(body).not.toContain('buildings-14');
    expect((await get('/japan/downloads?lang=ja')).body).toContain('ダウンロード');
    expect((await get('/japan/about')).body).toContain('href="/japan/downloads"');
  });

  it('DWN-01 says so while there are no files, and notices them when they come', async () => {
    const later = join(folder, 'later');
    mkdirSync(later);
    const app = serve(later);
    const page = async () => (await app.inject('/japan/downloads?lang=en')).body;
    expect(await page()).toContain('No files have been exported yet.');
    writeFileSync(join(later, 'new'), JSON.stringify({ cursor: '1', files: [entryOf('buildings-01.csv', CSV)] }));
    renameSync(join(later, 'new'), join(later, 'manifest.json'));
    expect(await page()).toContain('buildings-01.csv');
  });

  it('DWN-02 offers nothing without EXPORT_DIR', async () => {
    for (const url of ['/japan/downloads', '/japan/downloads/manifest.json', '/japan/downloads.jsonld']) {
      expect((await serve(undefined).inject(url)).statusCode).toBe(404);
    }
    expect((await serve(undefined).inject('/japan/about')).body).not.toContain('/japan/downloads');
  });

  it('DWN-02 sends the manifest and its files, and nothing else', async () => {
    const { statusCode, headers, rawPayload } = await get('/japan/downloads/buildings-13.parquet');
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/vnd.apache.parquet',
      'content-length': '5000',
      'accept-ranges': 'bytes',
      'access-control-allow-origin': '*',
    });
    expect(rawPayload).toEqual(PARQUET);
    expect((await get('/japan/downloads/manifest.json')).json()).toMatchObject({ cursor: '17' });
    const others = ['private.csv', 'gone-13.csv', '..%2fprivate.csv', '%2e%2e/private.csv', 'later', 'x'.repeat(300)];
    for (const name of others) expect((await get(`/japan/downloads/${name}`)).statusCode).toBe(404);
  });

  it('DWN-02 follows no link to a name outside the manifest', async () => {
    symlinkSync('/etc/passwd', join(folder, 'link.csv'));
    expect((await get('/japan/downloads/link.csv')).statusCode).toBe(404);
  });

  it('DWN-03 sends the range that is asked for', async () => {
    const part = async (range: string, more = {}) => get('/japan/downloads/buildings-13.parquet', { range, ...more });
    const first = await part('bytes=0-99');
    expect(first.statusCode).toBe(206);
    expect(first.headers).toMatchObject({ 'content-range': 'bytes 0-99/5000', 'content-length': '100' });
    expect(first.rawPayload).toEqual(PARQUET.subarray(0, 100));
    expect((await part('bytes=-8')).rawPayload).toEqual(PARQUET.subarray(-8));
    expect((await part('bytes=4990-')).rawPayload).toEqual(PARQUET.subarray(4_990));
    expect((await part('bytes=4990-9999')).headers['content-range']).toBe('bytes 4990-4999/5000');
    const outside = await part('bytes=5000-');
    expect(outside.statusCode).toBe(416);
    expect(outside.headers['content-range']).toBe('bytes */5000');
    const etag = String(first.headers.etag);
    expect((await part('bytes=0-9', { 'if-range': etag })).statusCode).toBe(206);
    expect((await part('bytes=0-9', { 'if-range': '"other"' })).statusCode).toBe(200);
    expect((await part('bytes=0-9', { 'if-none-match': etag })).statusCode).toBe(304);
  });

  it('DWN-03 answers HEAD without a body', async () => {
    const { statusCode, headers, body } = await serve(folder).inject({
      method: 'HEAD',
      url: '/japan/downloads/buildings-13.csv',
    });
    expect([statusCode, headers['content-length'], body]).toEqual([200, String(CSV.length), '']);
  });

  it('DWN-03 any range is within the file, or refused, or ignored', () => {
    const size = fc.nat(100);
    const bound = fc.oneof(fc.constant(''), fc.nat(200).map(String), fc.string({ maxLength: 3 }));
    fc.assert(
      fc.property(size, bound, bound, (bytes, from, to) => {
        const range = readRange({ range: `bytes=${from}-${to}` }, bytes, '"a"');
        if (range === undefined || range === 'none') return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.end).toBeGreaterThanOrEqual(range.start);
        expect(range.end).toBeLessThan(bytes);
      }),
    );
  });

  it('DWN-04 describes the files in the terms of schema.org and of DCAT', async () => {
    const { body } = await get('/japan/downloads?lang=en');
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body) ?? [];
    const { '@graph': graph } = JSON.parse(json);
    expect(graph.map((node: { '@type': string }) => node['@type'])).toEqual(['DataCatalog', 'Dataset']);
    expect(graph[1].distribution[0]).toMatchObject({
      '@type': 'DataDownload',
      encodingFormat: 'application/vnd.apache.parquet',
      contentSize: '5000 B',
    });
    const dcat = (await get('/japan/downloads.jsonld')).json();
    expect(dcat).toMatchObject({ '@type': 'dcat:Catalog', 'dcat:dataset': { '@type': 'dcat:Dataset' } });
    expect(dcat['dcat:dataset']['dcat:distribution']).toHaveLength(3);
  });

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1 kB'],
    [1_234_567, '1.23 MB'],
    [999_999, '1 MB'],
    [5_000_000_000_000, '5 TB'],
  ])('shows the size %i as %s', (bytes, text) => {
    expect(sizeOf(bytes)).toBe(text);
  });
});
