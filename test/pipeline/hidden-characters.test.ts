import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeBody } from '../../src/observations/statement-codec.ts';
import { republish } from '../../src/pipeline/run.ts';
import { expandText } from '../../src/storage/compact/compact.ts';
import { hiddenIn } from '../../src/vocabulary/text.ts';
import { FORM } from '../sources/edinet/filing.ts';
import { zipOf } from '../sources/jreit/workbook.ts';
import { onBothEngines } from '../support/engines.ts';
import { IngestPlace } from '../support/ingest-place.ts';
import { AREAS, building, id, record } from '../support/records.ts';
import { openServedRegistry } from '../support/served-registry.ts';
import { assetUrl } from '../support/serving.ts';
import { FILING, type Files, smallSources } from '../support/small-sources.ts';

const RETRIEVED = ['--retrieved-at', '2026-01-01T00:00:00Z'];
/** Every name and address of the small files has one of these words. */
const spoil = (text: string) =>
  text.replaceAll('ビル', 'ビ\u202eル').replaceAll('タワー', 'タ\u200bワー').replaceAll('白山', '白\u2066山');
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

describe('hidden characters in the files of sources', () => {
  let place: IngestPlace;
  beforeAll(() => {
    place = new IngestPlace();
  });
  afterAll(() => place.remove());

  it('are removed and reported by every adapter without being shown, and the run succeeds', async () => {
    const sources = await smallSources();
    for (const [source, { files }] of Object.entries(sources)) {
      const spoilt: Files =
        source === 'edinet'
          ? { 'S100ABCD.zip': await zipOf({ [`XBRL/PublicDoc/0101010_honbun_${FORM}`]: spoil(FILING) }) }
          : Object.fromEntries(
              Object.entries(files).map(([name, bytes]) => [name, typeof bytes === 'string' ? spoil(bytes) : bytes]),
            );
      const { code, stdout, stderr } = await place.ingest(source, place.write(source, spoilt), ...RETRIEVED);
      expect([source, code, hiddenIn(stdout + stderr)]).toEqual([source, 0, undefined]);
      // The encoding of the census names has no such character.
      if (source !== 'estat') expect([source, stderr]).toEqual([source, expect.stringMatching(/U\+(202E|200B|2066)/)]);
    }
    const pages = await place.read(({ db }) => db.selectFrom('page').select('body').execute());
    expect(pages.length).toBeGreaterThan(3);
    const text = pages.map(({ body }) => expandText(body)).join(' ');
    expect([hiddenIn(text), text.includes('\\u')]).toEqual([undefined, false]);
    for (const name of ['青葉ビル', '若葉タワー', '白山一丁目']) expect(text).toContain(name);
  });

  it('are removed or rejected by ingest records, each with its line', async () => {
    const lines = [
      ...AREAS,
      building(1, { nameJa: '第\u202e一' }, { sourceUrl: 'https://u:p@osm.example/1?token=abc' }),
      building(2, { nameJa: '第\0二' }),
      building(3, { nameJa: '第三' }, { sourceUrl: 'javascript:alert(1)' }),
      building(4, {}, { venues: [{ nameJa: '店\u200b', category: 'cafe' }] }),
    ];
    const from = AREAS.length + 1;
    const file = place.file('bad.ndjson', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { code, stdout, stderr } = await place.ingest('records', file);
    expect(code).toBe(1);
    expect(hiddenIn(stdout + stderr)).toBeUndefined();
    expect(stderr).toContain(`bad.ndjson:${from}: passed over: observations[0].value: U+202E removed`);
    expect(stderr).toContain(`bad.ndjson:${from}: passed over: sourceUrl: credentials and an access key removed`);
    expect(stderr).toContain(
      `bad.ndjson:${from + 1}: rejected: observations[0].value: nameJa contains a NUL character`,
    );
    expect(stderr).toContain(`bad.ndjson:${from + 2}: rejected: sourceUrl must be an http or https address`);
    expect(stderr).toContain(`bad.ndjson:${from + 3}: passed over: venues[0].nameJa: U+200B removed`);
    expect(stderr + stdout).not.toMatch(/u:p|abc/);
    const good = place.file('good.ndjson', `${JSON.stringify(building(5, { nameJa: '第\u202e五' }))}\n`);
    expect((await place.ingest('records', good)).code).toBe(0);
  });

  it.each(['https://u:p@example.jp/', 'https://example.jp/?Subscription-Key=abc', 'file:///a', 'javascript:1'])(
    '--url %s is wrong usage',
    async (url) => {
      const { code, stderr } = await place.ingest('osm', 'none.osm', '--url', url);
      expect(code).toBe(2);
      expect(stderr).toMatch(/http or https|give it without/);
    },
  );
});

onBothEngines('hidden characters that an earlier version stored', (fresh) => {
  it('are not published after the next republish', async () => {
    const served = await openServedRegistry(await fresh());
    const { storage } = served.context;
    await served.ingest([
      ...AREAS,
      building(
        1,
        { nameJa: '甲ビル', aliases: ['乙', '丙'] },
        { venues: [{ nameJa: '店', category: 'cafe', level: '1' }] },
      ),
      record('wikidata', 'Q1', { yearBuilt: 1999 }, { building: id(1), complex: { nameJa: '街区', nameEn: null } }),
    ]);
    await storage.transaction(async (tx) => {
      const rows = await tx.db.selectFrom('statement').select(['id', 'body']).execute();
      for (const row of rows) {
        const body = expandText(row.body)
          .replace('甲ビル', '甲\u202eビル')
          .replace('"乙"', '"\u200b"')
          .replace('"丙"', '"丙\\u0000"')
          .replace('"店"', '"\u2066店"')
          .replace('街区', '街\u200b区')
          .replace('https://', 'https://u:p@');
        await tx.db
          .updateTable('statement')
          .set({ body: Buffer.from(body) })
          .where('id', '=', row.id)
          .execute();
      }
    });
    await republish(served.context, true);
    const { body } = await served.get(assetUrl(id(1)));
    const page = JSON.parse(body);
    expect(textsIn(page).filter((text) => hiddenIn(text) !== undefined || text.includes('u:p'))).toEqual([]);
    expect(page).toMatchObject({
      fields: { nameJa: { value: '甲ビル' }, yearBuilt: { inheritedFrom: { nameJa: '街区' } } },
      aliases: [{ value: '丙' }],
      venues: [{ nameJa: '店' }],
    });
    await served.close();
  });
});

describe('a stored statement', () => {
  it.each([
    ['https://u:p@a.jp/x', 'https://a.jp/x'],
    ['https:///u:p@a.jp/x', ''],
    ['https://a.jp/\u202ex', 'https://a.jp/x'],
    ['https://a.jp/x?Subscription-Key=k', 'https://a.jp/x'],
  ])('with the address %j is cited as %j', (sourceUrl, cited) => {
    const body = JSON.stringify({ sourceUrl, extractionMethod: 'osm-tag' });
    expect(decodeBody('2026-01-01T00:00:00Z', null, body).sourceUrl).toBe(cited);
  });

  it('with a venue whose name has only hidden characters loses the venue', () => {
    const body = {
      sourceUrl: 'https://a.jp',
      extractionMethod: 'osm-tag',
      venues: [{ nameJa: '\u202e', category: 'x' }],
    };
    expect(decodeBody('2026-01-01T00:00:00Z', null, JSON.stringify(body)).venues).toEqual([]);
  });
});
