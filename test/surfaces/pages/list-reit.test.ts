import { afterAll, beforeAll, expect, it } from 'vitest';
import { onBothEngines } from '../../support/engines.ts';
import { linksOf, listedIds, readHtml, select, textOf } from '../../support/html-tree.ts';
import { building, id } from '../../support/records.ts';
import { bundleFor, openReitPlace, permit, type ReitPlace } from '../../support/reit-place.ts';

onBothEngines('lists of buildings with a REIT history', (fresh) => {
  let place: ReitPlace;
  let publication: string;
  beforeAll(async () => {
    place = await openReitPlace(await fresh());
    publication = (await place.compose(bundleFor(id(1)))).id;
  });
  afterAll(() => place.close());

  const listed = async (path: string) => {
    const { status, headers, body } = await place.get(path);
    expect(status).toBe(200);
    const page = readHtml(body);
    const badges = select(page, '.card').flatMap((card) =>
      select(card, '.badge').length > 0 ? linksOf(card, 'h3 a') : [],
    );
    return { page, headers, ids: listedIds(page), badges: badges.map((link) => link.split('/').at(-1)) };
  };
  const HUB = '/japan/tokyo/chiyoda-ku';

  it('UI-47 follow activation, permissions, changed buildings and withdrawal at once', async () => {
    const expectServed = async (onPage: boolean, inMarkdown: boolean) => {
      for (const path of ['/japan/areas', HUB]) {
        const only = await listed(`${path}?has=reit`);
        expect([path, only.ids, only.badges]).toEqual([path, onPage ? [id(1)] : [], onPage ? [id(1)] : []]);
        expect(textOf(select(only.page, '.total')[0] as never)).toMatch(onPage ? /^1 building found/ : /^0 buildings/);
        expect(only.headers['cache-control']).toBe('no-store');
        const all = await listed(path);
        expect([path, all.ids.length, all.badges]).toEqual([path, 3, onPage ? [id(1)] : []]);
        expect(all.headers['cache-control']).toBe(onPage ? 'no-store' : 'public, max-age=0, must-revalidate');
      }
      expect((await listed('/japan')).badges).toEqual(onPage ? [id(1)] : []);
      const twin = await place.get(`${HUB}.md`);
      expect(twin.body.includes('REIT history')).toBe(inMarkdown);
      expect((await place.get(`${HUB}.md?has=reit`)).body.includes(id(1))).toBe(inMarkdown);
      const csv = await place.get('/japan/areas.csv?has=reit');
      expect(csv.body.includes(id(1))).toBe(onPage);
    };
    await expectServed(false, false);
    await place.accept(publication);
    await expectServed(true, true);
    await permit(place, 'deny', 'page');
    await expectServed(false, true);
    await permit(place, 'allow', 'page');
    await permit(place, 'deny', 'markdown');
    await expectServed(true, false);
    await permit(place, 'allow', 'markdown');
    // Another height of the building is no change of its anchors, another number of floors is.
    await place.ingest([
      building(1, { floorsAbove: 12 }, { retrievedAt: '2026-03-01T00:00:00Z', rawPayloadRef: 'sha256:x' }),
    ]);
    await expectServed(false, false);
    await place.reit('review', 'match', publication, '--pass', '--by', 'alice', '--note', 'x');
    await expectServed(true, true);
    await place.reit('withdraw', publication, '--by', 'dave', '--reason', 'x');
    await expectServed(false, false);
  });

  it('UI-47 combine with other filters, with exact totals and counts of uses', async () => {
    const second = (await place.compose(bundleFor(id(2), 'B-02'))).id;
    await place.accept(second);
    const { ids, page } = await listed('/japan/areas?has=reit&q=%E7%AC%AC');
    expect(ids).toEqual([id(2)]);
    expect(select(page, '.active li').map(textOf)).toHaveLength(2);
    expect((await listed(`/japan/areas?has=reit&q=${id(3)}`)).ids).toEqual([]);
    expect(linksOf((await listed('/japan')).page, '.quick a')).toContain('/japan/areas?has=reit');
  });
});
