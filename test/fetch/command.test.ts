import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { IngestPlace } from '../support/ingest-place.ts';
import type { PublishedFile } from '../support/publisher.ts';
import { Publisher } from '../support/publisher.ts';
import { HAKUSAN } from '../support/small-sources.ts';
import {
  filingList,
  publishAddresses,
  publishBoundaries,
  publishCity,
  publishExtract,
  publishFilings,
  publishItems,
  publishOverpass,
} from './publishers.ts';
import { KEY } from './support.ts';

async function open() {
  const publisher = await Publisher.start();
  const place = new IngestPlace();
  onTestFinished(() => {
    publisher.close();
    place.remove();
  });
  Object.assign(place.env, publisher.env, { EDINET_API_KEY: KEY });
  return { publisher, place, into: join(place.dir, 'fetched') };
}

describe('tatemono fetch', () => {
  it('FTC-13 --ingest ingests what was fetched of every source; again it changes nothing', async () => {
    const { publisher, place, into } = await open();
    await Promise.all([publishAddresses(publisher), publishBoundaries(publisher), publishCity(publisher)]);
    await publishFilings(publisher);
    publishExtract(publisher);
    publishOverpass(publisher);
    publishItems(publisher, ['Q901']);
    const all = [
      ...['abr 13', 'estat 13', 'osm kanto', 'osm 139.74,35.71,139.76,35.72', 'plateau 13105', 'wikidata 13'],
      'edinet 2026-05-28',
    ];
    const run = async (each: string) => {
      const [source = '', what = ''] = each.split(' ');
      const { code, stdout, stderr } = await place.run('fetch', source, what, '--into', into, '--ingest');
      expect(code, `${each}: ${stdout}${stderr}`).toBe(0);
      return stdout;
    };
    for (const each of all)
      expect(await run(each)).toMatch(new RegExp(`^${each}: new, cut-off 2026-\\d\\d-\\d\\d$`, 'm'));
    const before = await place.state();
    expect(before).toContain('青葉ビル');
    expect(before).toContain(HAKUSAN);
    for (const each of ['osm kanto', 'edinet 2026-05-28']) {
      expect(await run(each)).toContain(`${each}: unchanged, cut-off 2026-`);
    }
    expect(await place.state()).toBe(before);
    publisher.files.set('/edinet/api/v2/documents.json', { body: JSON.stringify(filingList([])) });
    expect(await run('edinet 2026-05-29')).toContain('edinet 2026-05-29: new, cut-off 2026-05-29');
    const { fetches } = JSON.parse(readFileSync(join(into, 'fetch.json'), 'utf8'));
    expect(Object.keys(fetches).sort()).toEqual([...all, 'edinet 2026-05-29'].sort());
  });

  it('FTC-14 wrong usage is exit code 2 and asks nobody', async () => {
    const { publisher, place, into } = await open();
    for (const [args, reason] of [
      [['mankan', '13'], /Expected one of osm, plateau, abr, estat, wikidata, edinet/],
      [['osm'], /expected a region \(japan, .*\) or a box/],
      [['osm', 'Kanto'], /expected a region/],
      [['osm', '139,35,138,36'], /or a box \(west,south,east,north/],
      [['plateau', '1311'], /five-digit code/],
      [['abr', '48'], /a prefecture by its code, 01 to 47/],
      [['estat', '131'], /a prefecture by its code/],
      [['wikidata', 'Tokyo'], /a prefecture by its code/],
      [['edinet', '2026-02-30'], /a day, such as 2026-05-28/],
      [['abr', '13', '--onto', 'x'], /unknown option/],
    ] as const) {
      const { code, stderr } = await place.run('fetch', ...args, '--into', into);
      expect([code, stderr], args.join(' ')).toEqual([2, expect.stringMatching(reason)]);
    }
    delete place.env.EDINET_API_KEY;
    const { code, stderr } = await place.run('fetch', 'edinet', '2026-05-28', '--into', into);
    expect([code, stderr]).toEqual([2, expect.stringContaining('EDINET_API_KEY: must be set to fetch edinet')]);
    expect(publisher.asked).toEqual([]);
  });

  it('FTC-14, FTC-03 a failure is exit code 1 and one line, and nothing is ingested', async () => {
    const { publisher, place, into } = await open();
    const { code, stdout, stderr } = await place.run('fetch', 'abr', '13', '--into', into, '--ingest');
    expect(code).toBe(1);
    expect(stderr).toBe(
      `tatemono: ${new URL(publisher.url).host}/abr/mt_pref/mt_pref_all.csv.zip: not found (status 404)\n`,
    );
    expect(stdout).toMatch(/^Address Base Registry, published by .*\nterms: .*\ncredit: .*\n$/);
    expect(existsSync(join(place.dir, 'registry.db'))).toBe(false);
    expect(existsSync(join(into, 'fetch.json'))).toBe(false);
  });

  it('FTC-06 a missing contact is noted', async () => {
    const { publisher, place, into } = await open();
    publishExtract(publisher);
    delete place.env.FETCH_CONTACT;
    expect((await place.run('fetch', 'osm', 'kanto', '--into', into)).stderr).toContain('FETCH_CONTACT is not set');
    expect(publisher.asked[0]?.headers['user-agent']).toMatch(/^tatemono\/[\d.]+$/);
  });

  it('FTC-02 a killed command is continued by the next', async () => {
    const { publisher, place, into } = await open();
    const body = publishExtract(publisher);
    const path = '/osm/asia/japan/kanto-latest.osm.pbf';
    const file = publisher.files.get(path) as PublishedFile;
    const { etag = '' } = file;
    publisher.files.set(path, (_, response) => {
      response.writeHead(200, { etag, 'content-length': body.length }).write(body.subarray(0, 100));
    });
    const running = place.start('fetch', 'osm', 'kanto', '--into', into);
    const part = join(into, 'kanto-latest.osm.pbf.part');
    await expect.poll(() => existsSync(part) && readFileSync(part).length, { timeout: 200_000 }).toBe(100);
    running.child.kill('SIGKILL');
    await running.ended;
    publisher.files.set(path, file);
    const { code, stdout } = await place.run('fetch', 'osm', 'kanto', '--into', into);
    expect([code, stdout]).toEqual([0, expect.stringContaining('osm kanto: new, cut-off 2026-05-28')]);
    expect(publisher.asked[1]?.headers).toMatchObject({ range: 'bytes=100-', 'if-range': etag });
    expect(readFileSync(join(into, 'kanto-latest.osm.pbf')).equals(body)).toBe(true);
  });
});
