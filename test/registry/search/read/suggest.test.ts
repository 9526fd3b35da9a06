import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRegistry, type Registry } from '../../../../src/registry/registry.ts';
import { startSearchThreads } from '../../../../src/registry/search/read/search-threads.ts';
import type { SuggestRow } from '../../../../src/registry/search/read/suggest.ts';
import { indexEntries } from '../../../../src/registry/search/write/index-entries.ts';
import type { BuildingPage } from '../../../../src/vocabulary/building-page.ts';
import { normaliseSearchText } from '../../../../src/vocabulary/text.ts';
import { onBothEngines } from '../../../support/engines.ts';
import { Random } from '../../../support/random.ts';
import { record } from '../../../support/records.ts';
import { openServedRegistry, type ServedRegistry } from '../../../support/served-registry.ts';
import { cutPiece, retype, TRAPS } from '../../../support/trap-texts.ts';
import { variedRegistry } from '../../../support/varied-registry.ts';

const plain = (text: unknown) => normaliseSearchText(String(text)).replace(/\s+/gu, ' ');
const textsOf = ({ fields, aliases }: BuildingPage) =>
  [fields.nameJa?.value, fields.nameEn?.value, ...aliases.map(({ value }) => value)]
    .filter((value) => value !== undefined)
    .map(plain);

const englishName = ({ nameJa, nameEn }: { nameJa: string; nameEn: string | null }) => nameEn ?? nameJa;

/** SUG-01, SUG-02, SUG-03, computed from the records. */
function naiveSuggest(pages: readonly BuildingPage[], q: string): SuggestRow[] {
  const full = plain(q).trim();
  if (full === '' || full.includes('\0')) return [];
  const terms = full.split(' ');
  const has = (value: string) => terms.every((term) => value.includes(term));
  const byId = pages.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const exact = byId.filter(({ id }) => id.toLowerCase() === full);
  const beginning = byId.filter((page) => textsOf(page).some((text) => text.startsWith(full)));
  const having = byId.filter((page) =>
    [page.id.toLowerCase(), plain(page.fields.addressJa?.value ?? ''), ...textsOf(page)].some(has),
  );
  const buildings = [...new Set([...exact, ...beginning, ...having])].slice(0, 5);

  const areas = new Map<string, SuggestRow>();
  for (const { location } of pages) {
    const around = [location.prefecture, location.ward, location.machiAza];
    for (const [depth, { nameJa, nameEn }] of around.entries()) {
      const above = around.slice(0, depth);
      const path = `/japan/${around
        .slice(0, depth + 1)
        .map(({ slug }) => slug)
        .join('/')}`;
      const known = areas.get(path);
      const detail = above.map((area) => area.nameJa).join('');
      const english = nameEn !== null && { labelEn: nameEn, detailEn: above.map(englishName).reverse().join(', ') };
      areas.set(path, { kind: 'area', label: nameJa, detail, path, count: (known?.count ?? 0) + 1, ...english });
    }
  }
  const matching = [...areas.values()].filter(({ label }) => has(plain(label)));
  matching.sort((a, b) => (a.path < b.path ? -1 : 1));
  const starting = matching.filter(({ label }) => plain(label).startsWith(full));
  const others = matching.filter((area) => !starting.includes(area));
  const rowOf = (page: BuildingPage): SuggestRow => {
    const { nameJa, nameEn, addressJa } = page.fields;
    const { prefecture, ward, machiAza } = page.location;
    const place = `${prefecture.nameJa}${ward.nameJa}${machiAza.nameJa}`;
    const label = String(nameJa?.value ?? nameEn?.value ?? page.id);
    const values = [nameJa, nameEn, ...page.aliases].flatMap((named) => (named ? [String(named.value)] : []));
    const named = values.find((value) => plain(value).startsWith(full)) ?? values.find((value) => has(plain(value)));
    const matched = named ?? (has(plain(addressJa?.value ?? '')) ? label : page.id);
    return {
      ...{ kind: 'building', label, detail: String(addressJa?.value ?? place), path: page.path },
      ...(matched !== label && { matched }),
    };
  };
  const first = buildings.filter((page) => beginning.includes(page) && !exact.includes(page));
  const rest = buildings.filter((page) => !exact.includes(page) && !first.includes(page));
  const above = starting.slice(0, first.length > 0 ? 2 : 5);
  const rows = [
    ...exact.map(rowOf),
    ...above,
    ...first.map(rowOf),
    ...starting.slice(above.length),
    ...rest.map(rowOf),
  ];
  return [...rows, ...others].slice(0, 5);
}

onBothEngines('suggestions', (fresh, engine) => {
  let served: ServedRegistry;
  let registry: Registry;
  let threads: ReturnType<typeof startSearchThreads>;
  let pages: BuildingPage[];
  beforeAll(async () => {
    const database = await fresh();
    served = await openServedRegistry(database);
    const varied = variedRegistry(11);
    for (const stage of varied.stages) await stage.run(served);
    // Most are indexed, some are not.
    await served.context.storage.transaction((tx) => indexEntries(tx, 1));
    pages = (await served.readAll(varied.ids)).map(({ page }) => page);
    registry = openRegistry(served.context.storage);
    threads = startSearchThreads(database.url);
  });
  afterAll(async () => {
    await threads.close();
    await served.close();
  });

  const query = fc.nat().map((seed) => {
    const random = new Random(seed);
    const page = random.pick(pages);
    const texts = [...textsOf(page), page.id, page.location.ward.nameJa, page.location.machiAza.nameJa];
    const text = random.pick(texts);
    const kinds = [
      () => text.slice(0, 1 + random.below(6)),
      () => text,
      () => cutPiece(random, text),
      () => retype(random, text.slice(0, 4)),
      () => random.pick(TRAPS),
      () => `${text.slice(0, 2)} ${random.pick(texts).slice(0, 2)}`,
    ];
    return random.pick(kinds)();
  });

  it('SUG-01 SUG-02 SUG-03 UI-40 equal those computed from every record', async () => {
    let [buildings, areas] = [0, 0];
    await fc.assert(
      fc.asyncProperty(query, async (q) => {
        const rows = await registry.suggest(q);
        buildings += rows.filter(({ kind }) => kind === 'building').length;
        areas += rows.filter(({ kind }) => kind === 'area').length;
        expect(rows).toEqual(naiveSuggest(pages, q));
      }),
      { numRuns: engine === 'sqlite' ? 400 : 60, endOnFailure: true },
    );
    expect(Math.min(buildings, areas)).toBeGreaterThan(10);
  });

  it('SUG-02 are the same from a worker thread', async () => {
    for (const q of ['a', '東', 'asset-jp-13', 'chuo-ku', '', '\0']) {
      expect(await threads.suggest(q)).toEqual(await registry.suggest(q));
    }
  });

  it('SUG-03 are updated when areas and their counts change', async () => {
    const [before] = (await registry.suggest('chuo-ku-13101')).filter(({ kind }) => kind === 'area');
    expect(before?.count).toBeGreaterThan(0);
    const place = { building: 'ASSET-JP-13-00990001', area: '131010001' };
    await served.ingest([record('osm', 'way/990001', { nameJa: '新しい塔' }, place)]);
    const [after] = (await registry.suggest('chuo-ku-13101')).filter(({ kind }) => kind === 'area');
    expect(after?.count).toBe((before?.count ?? 0) + 1);
    expect(await registry.suggest('新しい')).toMatchObject([{ kind: 'building', label: '新しい塔' }]);
  });
});
