import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addEvents, findPublications } from '../../src/reit/life/store.ts';
import type { Envelope } from '../../src/reit/publication/document.ts';
import { onBothEngines } from '../support/engines.ts';
import { McpClient } from '../support/mcp-inject.ts';
import { id } from '../support/records.ts';
import { bundleFor, openReitPlace, permit, type ReitPlace } from '../support/reit-place.ts';
import { assetUrl } from '../support/serving.ts';
import { amount, bundleWith, days, fieldOf, revision } from './support.ts';

const FORMS = ['reit', 'reit.csv', 'reit.jsonld'] as const;
/** A revision that states one value, cited at these locators. */
const citing = (value: unknown, ...locators: string[]) => ({
  ...revision('r1', {}, { lineageId: 'l1' }),
  fields: locators.map((locator) => ({
    path: '/h1/p21/noi',
    value,
    citations: [{ sourceUrl: 'https://e.example/r1', locator }],
  })),
});

onBothEngines('acceptance cases', (fresh) => {
  let place: ReitPlace;
  beforeAll(async () => {
    place = await openReitPlace(await fresh());
    await permit(place, 'allow', 'all');
    await permit(place, 'allow', 'all', 'jreit');
  });
  afterAll(() => place.close());
  const at = (bundle: object, building = id(1)) => ({ ...bundle, matches: bundleFor(building).matches });

  it('REIT-11 values of different precision conflict and block activation', async () => {
    const bundle = bundleWith([
      revision('r1', { noi: amount('12345000000', { scale: 6, decimals: -6, rounding: 'truncate' }) }),
      revision(
        'r2',
        { noi: amount('12345678000', { scale: 3, decimals: -3, rounding: 'truncate' }) },
        { source: 'jreit' },
      ),
    ]);
    const { id: publication, findings } = await place.compose(bundle);
    expect(findings).toEqual(['conflict /h1/p21/noi']);
    expect(await place.reit('review', 'data', publication, '--pass', '--by', 'a', '--note', 'x')).toMatchObject({
      code: 1,
    });
    expect(await place.reit('activate', publication, '--by', 'b')).toMatchObject({ code: 1 });
    expect(await place.servedAnywhere()).toEqual([]);
  });

  it('AGR-02 one lineage repeating a value is not agreed', async () => {
    const { document } = await place.show((await place.compose(bundleWith([citing(amount('5'), '表3', '表9')]))).id);
    expect(fieldOf(document, 'noi')).toMatchObject({ status: 'singleSource', observations: [{ revisionId: 'r1' }] });
  });

  it('REIT-12 two REITs at 50 % each are never summed; amounts above 2^53 and 1e21 round-trip', async () => {
    const huge = '1234567890123456789012345';
    const issued = (issuer: string, text: string) =>
      at(
        bundleWith([revision('r1', { bookValue: amount(text) })], {
          issuer: { id: issuer, nameJa: issuer, edinetCode: 'E1' },
        }),
        id(2),
      );
    const [a, b] = [
      await place.compose(issued('reit-a', huge)),
      await place.compose(issued('reit-b', '9007199254740993')),
    ];
    await place.accept(a.id);
    await place.accept(b.id);
    expect(await place.served('rest-json', id(2))).toEqual([a.id, b.id]);
    const { body } = await place.get(assetUrl(id(2), '/reit.csv'));
    const rows = (parse(body, { columns: true }) as Record<string, string>[]).filter((r) => r.metric === 'bookValue');
    expect(rows.map(({ value }) => value)).toEqual([huge, '9007199254740993']);
    const served = JSON.parse((await place.get(assetUrl(id(2), '/reit'))).body) as Envelope;
    expect(served.publications.map(({ document }) => fieldOf(document, 'bookValue').value)).toMatchObject([
      { amount: huge },
      { amount: '9007199254740993' },
    ]);
  });

  it('REIT-13 152 days annualise by 152, 0 days give no value', async () => {
    const with_ = (held: string) =>
      bundleWith([revision('r1', { noi: amount('152'), operatingDays: days(held), acquisitionPrice: amount('3650') })]);
    const { document } = await place.show((await place.compose(with_('152'))).id);
    expect(fieldOf(document, 'noiYieldAcquisition').value).toMatchObject({ state: 'derived', amount: '0.1' });
    const none = await place.show((await place.compose(with_('0'))).id);
    expect(fieldOf(none.document, 'noiYieldAcquisition').status).toBe('missing');
  });

  it('REIT-10 a correction changes neither bytes nor ID of an accepted publication', async () => {
    const first = bundleFor(id(3), 'K-01');
    const { id: publication } = await place.compose(first);
    await place.accept(publication);
    const before = (await place.get(assetUrl(id(3), '/reit'))).body;
    const corrected = {
      ...first,
      sourceRevisions: [
        ...first.sourceRevisions,
        revision('r2', { noi: amount('58000000') }, { lineageId: 'l1', supersedes: 'r1' }),
      ],
    };
    const { id: successor } = await place.compose(corrected);
    expect((await place.get(assetUrl(id(3), '/reit'))).body).toBe(before);
    expect(await place.stateOf(publication)).toBe('accepted');
    await place.accept(successor);
    expect(await place.served('rest-json', id(3))).toEqual([successor]);
    expect(JSON.stringify(await place.show(publication))).toContain(JSON.parse(before).publications[0].id);
  });

  it('REIT-09 a correction needs a new review, and a denial a new permission', async () => {
    const issuer = { id: 'reit-h', nameJa: '見本投資法人', edinetCode: 'E1' };
    const first = bundleFor(id(1), 'H-01', { issuer });
    const { id: publication } = await place.compose(first);
    for (const review of ['data', 'match']) {
      await place.reit('review', review, publication, '--pass', '--by', 'alice', '--note', 'x');
    }
    expect(await place.stateOf(publication)).toBe('reviewed');
    await permit(place, 'deny', 'all');
    expect(await place.stateOf(publication)).toBe('inReview');
    expect(await place.reit('activate', publication, '--by', 'bob')).toMatchObject({ code: 1 });
    await permit(place, 'allow', 'mcp');
    expect(await place.stateOf(publication)).toBe('reviewed');
    const correction = revision('r2', { noi: amount('58000000') }, { lineageId: 'l1', supersedes: 'r1' });
    await place.compose({ ...first, sourceRevisions: [...first.sourceRevisions, correction] });
    expect(await place.stateOf(publication)).toBe('inReview');
    expect(await place.reit('activate', publication, '--by', 'bob')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('data review pending'),
    });
    expect(await place.servedAnywhere()).not.toContain(publication);
    await permit(place, 'allow', 'all');
  });

  it('CSV-04 a formula in a name, −5 as a value and a new line in a locator survive the CSV', async () => {
    const example = bundleFor(id(1), 'X-01');
    const { id: publication } = await place.compose({
      ...example,
      holdings: example.holdings.map((h) => ({ ...h, nameJa: '=HYPERLINK("https://e.example","x")' })),
      sourceRevisions: [citing(amount('-5'), '表3\r\n"注1", 2')],
    });
    await place.accept(publication);
    const { body } = await place.get(assetUrl(id(1), '/reit.csv'));
    const rows = parse(body, { columns: true }) as Record<string, string>[];
    const row = rows.find((r) => r.metric === 'noi' && r.publicationId === publication);
    expect(row).toMatchObject({ value: '-5', holdingName: `'=HYPERLINK("https://e.example","x")` });
    expect(JSON.parse(row?.citations ?? '')).toEqual([
      { sourceUrl: 'https://e.example/r1', locator: '表3\r\n"注1", 2' },
    ]);
    await place.reit('withdraw', publication, '--by', 'd', '--reason', 'x');
  });

  it('REIT-03 no surface shows a private location', async () => {
    const secret = '/home/alice/filings/S1.zip';
    const said = revision('r1', { noi: amount('5') }, { lineageId: 'l1', sourceUrl: `file://${secret}` });
    const { id: publication, findings } = await place.compose(bundleFor(id(1), 'P-01', { sourceRevisions: [said] }));
    expect(findings).toContain('privateLocation /sourceRevisions/r1/sourceUrl');
    await expect(place.accept(publication)).rejects.toThrow('findings block it');
    // Even if the rules became stricter after an acceptance, unreviewed documents are not served.
    for (const form of FORMS) expect((await place.get(assetUrl(id(1), `/${form}`))).body).not.toContain(secret);
    const mcp = await McpClient.open(place.app);
    expect(JSON.stringify(await mcp.call('get_asset_reit', { id: id(1) }))).not.toContain(secret);
  });

  it('REIT-09 without reviews no events make a publication accepted', async () => {
    const { id: publication } = await place.compose(bundleFor(id(1), 'Z-01'));
    const { storage } = place.context;
    await storage.transaction(async (tx) => {
      const [kept] = await findPublications(tx, [publication]);
      if (kept) await addEvents(tx, kept, [{ type: 'activated', by: 'nobody', at: '2026-01-01T00:00:00Z' }]);
    });
    expect(await place.servedAnywhere()).not.toContain(publication);
  });
});
