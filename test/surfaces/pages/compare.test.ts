import { afterAll, beforeAll, expect, it } from 'vitest';
import { onSqlite } from '../../support/engines.ts';
import { attributeOf, linksOf, readHtml, select, selectOne, textOf } from '../../support/html-tree.ts';
import { markdownWords } from '../../support/markdown-tree.ts';
import { expectPageConventions, expectStrictPolicy } from '../../support/page-answers.ts';
import { openPageTown, TOWN } from '../../support/page-town.ts';
import { id } from '../../support/records.ts';
import type { ServedRegistry } from '../../support/served-registry.ts';

const compare = (...ids: readonly string[]) =>
  `/japan/compare?${ids.map((each) => `id=${encodeURIComponent(each)}`).join('&')}`;

onSqlite('a comparison', (fresh) => {
  let town: ServedRegistry;
  beforeAll(async () => {
    town = await openPageTown(await fresh());
  });
  afterAll(() => town.close());
  const read = async (url: string) => {
    const { status, body } = await town.get(url);
    expect([url, status]).toEqual([url, 200]);
    return readHtml(body);
  };
  const shownIds = (page: ReturnType<typeof readHtml>) => select(page, '.compare thead code').map(textOf);
  const notices = (page: ReturnType<typeof readHtml>) => select(page, '.notices li').map(textOf);

  it('UI-66 UI-67 shows every known value of each building with its source, and marks differences', async () => {
    const page = await read(compare(TOWN.everything, TOWN.inheriting));
    expect(shownIds(page)).toEqual([TOWN.everything, TOWN.inheriting]);
    const rows = new Map(select(page, '.compare tbody tr').map((row) => [textOf(selectOne(row, 'th')), row]));
    const floors = rows.get('Floors above ground differs');
    expect(floors && attributeOf(floors, 'class')).toBe('differs');
    expect(select(floors as never, 'td .figure').map(textOf)).toEqual(['11', '3']);
    expect(select(floors as never, 'td .chip').map(textOf)).toEqual(['J-REIT disclosure', 'OpenStreetMap']);
    const year = rows.get('Year built differs');
    expect(textOf(select(year as never, 'td')[1] as never)).toContain('from Otsu City (complex)');
    const postcode = rows.get('Postcode');
    expect(textOf(select(postcode as never, 'td')[1] as never)).toContain('not available');
    const area = rows.get('Gross floor area differs');
    expect(textOf(select(area as never, 'td')[1] as never)).toContain('about 400 m²');
  });

  it('UI-67 can show only the rows that differ', async () => {
    const page = await read(`${compare(TOWN.everything, TOWN.inheriting)}&only=differences`);
    const rows = select(page, '.compare tbody tr').filter((row) => attributeOf(row, 'class') !== 'group');
    expect(rows.length).toBeGreaterThan(3);
    expect(rows.every((row) => attributeOf(row, 'class') === 'differs')).toBe(true);
    const same = await read(`${compare(TOWN.everything)}&only=differences`);
    expect(textOf(selectOne(same, 'main'))).toContain('No known values differ.');
  });

  it('UI-67 a merged ID is its survivor; unknown, retired, repeated and malformed IDs are said', async () => {
    const page = await read(
      compare(TOWN.chain[0], TOWN.chain[2], TOWN.retired, TOWN.unknown, 'zz<script>', TOWN.everything, TOWN.everything),
    );
    expect(shownIds(page)).toEqual([TOWN.chain[2], TOWN.everything]);
    expect(notices(page)).toEqual([
      'One entry is not a building ID.',
      `${TOWN.chain[0]} is now ${TOWN.chain[2]}, which is shown instead.`,
      `${TOWN.retired} was retired and has no successor.`,
      `${TOWN.unknown} is not in the registry.`,
      `${TOWN.chain[2]} was requested more than once and is shown once.`,
      `${TOWN.everything} was requested more than once and is shown once.`,
    ]);
  });

  it('UI-67 of more than four the first four are shown, with a notice', async () => {
    const many = Array.from({ length: 6 }, (_, i) => id(100 + i));
    const page = await read(compare(many.join(',')));
    expect(shownIds(page)).toEqual(many.slice(0, 4));
    expect(notices(page)).toEqual(['Only four buildings can be compared; the first four are shown and 2 left out.']);
    expect(select(page, '.choose')).toEqual([]);
    expect((await town.get(compare(...Array.from({ length: 200 }, () => id(100))))).status).toBe(200);
  });

  it('UI-67 without buildings explains how to choose them, with a form', async () => {
    const page = await read('/japan/compare');
    expect(select(page, '.choose input').map((input) => attributeOf(input, 'name'))).toEqual(['id', 'id', 'id', 'id']);
    expect(attributeOf(selectOne(page, '.choose form'), 'action')).toBe('/japan/compare');
    expect(shownIds(await read('/japan/compare?id=&id=&id=%20'))).toEqual([]);
  });

  it('UI-67 each building can be removed by a link', async () => {
    const page = await read(compare(TOWN.everything, TOWN.inheriting));
    expect(linksOf(page, '.compare .remove')).toEqual([compare(TOWN.inheriting), compare(TOWN.everything)]);
  });

  it('UI-67 has a Markdown twin with the same values', async () => {
    const url = compare(TOWN.everything, TOWN.inheriting);
    const { body, headers } = await town.get(url.replace('compare?', 'compare.md?'));
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect((await town.get(url, { accept: 'text/markdown' })).body).toBe(body);
    const words = markdownWords(body);
    for (const text of ['Floors above ground (differs) 11 (J-REIT disclosure)', '甲ビルディング', '乙タワー']) {
      expect(words).toContain(text);
    }
  });

  it('UI-01, UI-67 in Japanese', async () => {
    const { body } = await town.get(`${compare(TOWN.everything, TOWN.retired)}&lang=ja`);
    const page = readHtml(body);
    expect(textOf(selectOne(page, 'h1'))).toBe('建物の比較');
    expect(notices(page)).toEqual([`${TOWN.retired}は廃止されました。後継の建物はありません。`]);
  });

  it('PAG-10: is answered like every page', async () => {
    const { headers } = await expectPageConventions(town, compare(TOWN.everything));
    expectStrictPolicy(headers);
  });
});
