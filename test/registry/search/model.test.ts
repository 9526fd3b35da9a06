import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  ATTRIBUTES,
  type EntryContent,
  type EntryPlace,
  hasAttribute,
  UNPUBLISHED,
  wordKeysOf,
} from '../../../src/registry/search/format/entry.ts';
import { readTerms } from '../../../src/registry/search/format/grams.ts';
import { loadSegments, SORTS, type SortedMeasure } from '../../../src/registry/search/format/segments.ts';
import { encodeSite } from '../../../src/registry/search/format/site.ts';
import { SegmentCache } from '../../../src/registry/search/read/index-reads.ts';
import { type ListedEntries, listEntries } from '../../../src/registry/search/read/list-page.ts';
import type { ListEntryQuery } from '../../../src/registry/search/read/list-query.ts';
import { type EntryQuery, findEntries } from '../../../src/registry/search/read/search.ts';
import type { Near } from '../../../src/registry/search/read/site-filter.ts';
import { changeEntries, type EntryChange } from '../../../src/registry/search/write/change-entries.ts';
import { indexEntries, type SegmentSizes } from '../../../src/registry/search/write/index-entries.ts';
import type { Storage, Tx } from '../../../src/storage/storage.ts';
import { type AssetKey, formatAssetId } from '../../../src/vocabulary/asset-id.ts';
import type { Provenance } from '../../../src/vocabulary/canonical.ts';
import { CATEGORIES } from '../../../src/vocabulary/categories.ts';
import {
  type AreaGeometry,
  boxOf,
  centroidOf,
  contains,
  metresPerDegree,
  type Position,
  polygonsOf,
  type Ring,
  round7,
} from '../../../src/vocabulary/geometry.ts';
import { onBothEngines, openContext } from '../../support/engines.ts';

/** So small that a few dozen entries exercise everything that millions would. */
const TINY: SegmentSizes = { most: 32, grades: [4, 16], fanIn: 3 };
const BUILDINGS = 40;

/** What the index is compared with: a plain list, scanned from end to end. */
class Model {
  #entries: { building: AssetKey; place: EntryPlace; content: EntryContent; where: Where }[] = [];

  change(batch: readonly Change[]): void {
    const fresh = [];
    for (const { building, place, content, where } of batch) {
      const known = this.#entries.find((entry) => entry.building === building);
      if (content === null) {
        if (known !== undefined) Object.assign(known, { place, where: where ?? known.where });
        continue;
      }
      this.#entries = this.#entries.filter((entry) => entry !== known);
      fresh.push({ building, place, content, where: where ?? NOWHERE });
    }
    this.#entries.unshift(...fresh.sort((a, b) => a.building - b.building));
  }

  find({ terms, areas, use, word }: EntryQuery): AssetKey[] {
    return this.#entries
      .filter(({ building, place, content }) => {
        if (place.area === null || (areas !== undefined && !areas.codes.includes(place[areas.level] as string))) {
          return false;
        }
        if (use !== undefined && (content.uses & (1 << use)) === 0) return false;
        if (word !== undefined && !wordKeysOf(content).includes(word)) return false;
        const values = [formatAssetId(building).toLowerCase(), ...content.text.split('\n')];
        return terms.length === 0 || values.some((value) => terms.every((term) => value.includes(term)));
      })
      .map(({ building }) => building);
  }

  list(question: ListEntryQuery): Pick<ListedEntries, 'total' | 'byUse' | 'buildings'> {
    const { terms, areas, uses, words, has, ranges, postcode, among, near, bbox, sort } = question;
    const contentOf = new Map(this.#entries.map(({ building, content }) => [building, content]));
    const whereOf = new Map(this.#entries.map(({ building, where }) => [building, where]));
    const metresTo = (building: AssetKey) =>
      near === undefined ? Number.NaN : plainDistance(near, whereOf.get(building) as Where);
    const of = (building: AssetKey) => contentOf.get(building) as EntryContent;
    const all = this.find({ terms, areas, use: undefined }).filter((building) => {
      const content = of(building);
      const inRanges = Object.entries(ranges).every(([name, { min = -Infinity, max = Infinity }]) => {
        const value = content[name as SortedMeasure];
        return value !== null && value >= min && value <= max;
      });
      if (postcode !== undefined && content.postcode !== postcode) return false;
      if (among?.includes(building) === false) return false;
      if (near !== undefined && !(metresTo(building) <= near.radius)) return false;
      if (bbox !== undefined && !plainlyMeets(bbox, whereOf.get(building) as Where)) return false;
      return inRanges && has.every((what) => hasAttribute(content, what));
    });
    const found = all.filter((building) => {
      if (uses.length + words.length === 0 || uses.some((use) => of(building).uses & (1 << use))) return true;
      return wordKeysOf(of(building)).some((word) => words.includes(word));
    });
    const keyOf = (building: AssetKey) => {
      const { text, ...content } = of(building);
      const [ja, en] = text.split('\n') as [string, string];
      if (sort === 'distance') return -Math.round(metresTo(building) * 10);
      return sort === 'name' ? ja || en || null : sort === undefined ? null : content[sort];
    };
    if (sort !== undefined) {
      found.sort((a, b) => {
        const [x, y] = [keyOf(a), keyOf(b)];
        if (x === null || y === null || x === y) return Number(x === null) - Number(y === null) || a - b;
        return (x < y ? -1 : 1) * (sort === 'name' ? 1 : -1);
      });
    }
    const byUse = CATEGORIES.map((_, use) => all.filter((building) => of(building).uses & (1 << use)).length);
    return { total: found.length, byUse, buildings: found };
  }
}

/** Where a building is: a point, and a footprint if it has one. */
interface Where {
  point: Position | null;
  geometry: AreaGeometry | null;
}
const NOWHERE: Where = { point: null, geometry: null };

interface Change {
  building: AssetKey;
  place: EntryPlace;
  content: EntryContent | null;
  where: Where | undefined;
}

const toEntryChange = ({ where, ...change }: Change): EntryChange => {
  const { point, geometry } = where ?? NOWHERE;
  const footprint = geometry && { geometry, provenance: {} as Provenance, alternatives: [] };
  const isSame = where === undefined && change.content === null;
  return { ...change, description: isSame ? undefined : { site: encodeSite({ point, footprint }), summary: null } };
};

/** By many points along every edge, without the arithmetic of the index. */
function plainDistance({ lat, lon }: Near, { point, geometry }: Where): number {
  if (point === null) return Number.POSITIVE_INFINITY;
  const scale = metresPerDegree((lat + point[1]) / 2);
  const metresTo = (x: number, y: number) => Math.hypot((x - lon) * scale.lon, (y - lat) * scale.lat);
  if (geometry === null) return metresTo(...point);
  if (contains(geometry, [lon, lat])) return 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [ring] of polygonsOf(geometry) as [Ring][]) {
    for (let i = 1; i < ring.length; i++) {
      const [[ax, ay], [bx, by]] = [ring[i - 1] as Position, ring[i] as Position];
      // The nearest point of an edge, by halving: the distance along a line first falls and then rises.
      let [low, high] = [0, 1];
      const at = (t: number) => metresTo(ax + (bx - ax) * t, ay + (by - ay) * t);
      for (let step = 0; step < 60; step++) {
        const [a, b] = [low + (high - low) / 3, high - (high - low) / 3];
        if (at(a) < at(b)) high = b;
        else low = a;
      }
      least = Math.min(least, at(low), at(high), at(0), at(1));
    }
  }
  return least;
}

function plainlyMeets([west, south, east, north]: readonly number[], { point, geometry }: Where): boolean {
  if (point === null) return false;
  const [w, s, e, n] = geometry === null ? [...point, ...point] : boxOf(geometry);
  return (
    (w as number) <= (east as number) &&
    (s as number) <= (north as number) &&
    (e as number) >= (west as number) &&
    (n as number) >= (south as number)
  );
}

const UNMEASURED = { footprint: null, height: null, floors: null, built: null, flags: 0, words: null, postcode: null };
const PLAIN = { uses: 0, fields: 0, owner: null, ...UNMEASURED };

const place = fc.constantFrom<EntryPlace>(
  UNPUBLISHED,
  { prefecture: '13', ward: '13101', area: '131010001001' },
  { prefecture: '13', ward: '13101', area: '131010001002' },
  { prefecture: '13', ward: '13102', area: '131020001001' },
  { prefecture: '27', ward: '27102', area: '271020001001' },
);
/** Few characters, so that words share grams and parts of words. */
const word = fc.string({ unit: fc.constantFrom('東', '京', 'ビ', 'ル', 'a', '1', '3', '-', '𠮷'), maxLength: 7 });
const shortWord = word.map((text) => text.slice(0, 2).toWellFormed());
const line = fc.array(word, { maxLength: 3, size: 'max' }).map((words) => words.join(' ').trim());
const measure = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 3 });
const content = fc.record<EntryContent>({
  uses: fc.nat(7),
  fields: fc.nat((1 << 29) - 1),
  owner: fc.constant(null),
  text: fc.array(line, { minLength: 3, maxLength: 6, size: 'max' }).map((lines) => lines.join('\n')),
  ...{ footprint: measure(fc.nat(50).map((n) => n / 4)), height: measure(fc.double({ min: 0, max: 9, noNaN: true })) },
  ...{ floors: measure(fc.nat(5)), built: measure(fc.integer({ min: 1900, max: 1905 })), flags: fc.nat(3) },
  words: fc.option(fc.constantFrom('k1', 'k2', 'k1 k2'), { freq: 2 }),
  postcode: fc.option(fc.constantFrom('100-0005', '530-0001'), { freq: 2 }),
});
/** Within some hundred metres of a corner, so that distances, boxes and bands of the index are close to each other. */
const CORNER: Position = [139.76, 35.68];
const metres = fc.integer({ min: -9_000, max: 9_000 });
const position = fc
  .tuple(metres, metres)
  .map(([x, y]): Position => [round7(CORNER[0] + x / 1e7), round7(CORNER[1] + y / 1e7)]);
const ringFrom = ([lon, lat]: Position, width: number, height: number): Ring => {
  const [east, north] = [round7(lon + width), round7(lat + height)];
  return [
    [lon, lat],
    [east, lat],
    [east, north],
    [lon, north],
    [lon, lat],
  ];
};
const rectangle = fc
  .tuple(position, fc.nat(4_000), fc.nat(4_000))
  .map(([corner, width, height]) => ringFrom(corner, (width + 1) / 1e7, (height + 1) / 1e7));
/** Half of a rectangle: its box is larger than it is. */
const triangle = rectangle.map((ring) => [ring[0], ring[1], ring[2], ring[0]] as Ring);
/** Longer than the index stores beside a point. */
const giant = position.map((corner) => ringFrom(corner, 0.02, 0.0002));
const geometry = fc.oneof(
  fc
    .oneof({ weight: 3, arbitrary: rectangle }, { weight: 3, arbitrary: triangle }, giant)
    .map((ring): AreaGeometry => ({ type: 'Polygon', coordinates: [ring] })),
  fc.tuple(rectangle, triangle).map(
    (rings): AreaGeometry => ({
      type: 'MultiPolygon',
      coordinates: rings.map((ring) => [ring]),
    }),
  ),
);
const anywhere: fc.Arbitrary<Where> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(NOWHERE) },
  { weight: 2, arbitrary: position.map((point) => ({ point, geometry: null })) },
  { weight: 6, arbitrary: geometry.map((drawn) => ({ point: centroidOf(drawn), geometry: drawn })) },
);

const anyBuilding = fc.nat(BUILDINGS).map((n) => (n % 2 ? 1_300_000_000 : 2_700_012_300) + n);
const change = fc.record<Change>({
  building: anyBuilding,
  place,
  content: fc.option(content, { freq: 4 }),
  where: fc.option(anywhere, { nil: undefined, freq: 4 }),
});
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.uniqueArray(change, { selector: ({ building }) => building, maxLength: 12, size: 'max' }),
  },
  { weight: 2, arbitrary: fc.constant('index' as const) },
);
const partOfId = fc.tuple(fc.nat(BUILDINGS), fc.nat(19), fc.integer({ min: 1, max: 20 })).map(([n, from, length]) =>
  formatAssetId(1_300_000_000 + n)
    .toLowerCase()
    .slice(from, from + length),
);
const question = fc.record<EntryQuery>({
  terms: fc
    .array(fc.oneof({ weight: 2, arbitrary: word }, { weight: 4, arbitrary: shortWord }, partOfId), { maxLength: 3 })
    .map((words) => readTerms(words.join(' '))),
  areas: fc.option(
    fc.constantFrom<EntryQuery['areas']>(
      { level: 'prefecture', codes: ['13'] },
      { level: 'ward', codes: ['13101', '27102'] },
      { level: 'area', codes: ['131010001002'] },
      { level: 'area', codes: ['nowhere'] },
    ),
    { nil: undefined, freq: 2 },
  ),
  use: fc.option(fc.nat(3), { nil: undefined, freq: 2 }),
  word: fc.option(fc.constantFrom('k1', 'k2', 'k3'), { nil: undefined, freq: 1 }),
});

const bounds = (low: number, high: number) =>
  fc.record(
    { min: fc.integer({ min: low, max: high }), max: fc.integer({ min: low, max: high }) },
    { requiredKeys: [] },
  );
const listQuestion = fc
  .record({
    question,
    uses: fc.uniqueArray(fc.nat(3), { maxLength: 2 }),
    words: fc.subarray(['k1', 'k2', 'k3']),
    has: fc.oneof(fc.constant([]), fc.subarray([...ATTRIBUTES], { minLength: 1 })),
    ranges: fc.oneof(
      fc.constant({}),
      fc.record({ floors: bounds(0, 5), height: bounds(0, 9), built: bounds(1900, 1905) }, { requiredKeys: [] }),
    ),
    postcode: fc.option(fc.constantFrom('100-0005', '999-9999'), { nil: undefined, freq: 1 }),
    among: fc.option(fc.array(anyBuilding, { maxLength: 20, size: 'max' }), { nil: undefined, freq: 1 }),
    near: fc.option(
      fc
        .record({ at: position, radius: fc.oneof(fc.integer({ min: 1, max: 150 }), fc.constant(5_000)) })
        .map(({ at: [lon, lat], radius }) => ({ lon, lat, radius })),
      { nil: undefined, freq: 2 },
    ),
    bbox: fc.option(
      fc
        .tuple(position, position)
        .map(
          ([a, b]): [number, number, number, number] =>
            [...[Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[0], b[0]), Math.max(a[1], b[1])]] as [
              number,
              number,
              number,
              number,
            ],
        ),
      { nil: undefined, freq: 1 },
    ),
    sort: fc.option(fc.constantFrom(...SORTS, 'distance' as const), { nil: undefined }),
  })
  .map(({ question: { terms, areas }, sort, ...rest }): ListEntryQuery => {
    return { terms, areas, ...rest, sort: sort === 'distance' && rest.near === undefined ? 'name' : sort };
  });

onBothEngines('the search index', (fresh, engine) => {
  const withStorage = async (work: (storage: Storage) => Promise<void>) => {
    const { storage } = await openContext(await fresh());
    try {
      await work(storage);
    } finally {
      await storage.close();
    }
  };
  const clear = async (tx: Tx) => {
    for (const table of [
      'search_entry',
      'search_segment',
      'search_posting',
      'search_filter',
      'search_sort',
      'search_site',
      'stale_area',
    ] as const) {
      await tx.db.deleteFrom(table).execute();
    }
  };

  it('SEA-03 SEA-08 SEA-09 SEA-11 PAG-02 PAG-07 UI-44 UI-48 FIT-04 FIT-05 FIT-06 finds and lists the same entries in the same order as a scan, after any changes', () =>
    withStorage(async (storage) => {
      let merged = 0;
      const kept = new SegmentCache();
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 1, maxLength: 30, size: 'max' }),
          fc.array(question, { minLength: 10, maxLength: 20, size: 'max' }),
          fc.array(listQuestion, { minLength: 10, maxLength: 20, size: 'max' }),
          fc.nat(5),
          async (steps, questions, lists, offset) => {
            const model = new Model();
            await storage.transaction(clear);
            for (const change of steps) {
              await storage.transaction(async (tx) => {
                if (change === 'index') await indexEntries(tx, 1, TINY);
                else await changeEntries(tx, change.map(toEntryChange));
              });
              if (change !== 'index') model.change(change);
              // What is cached now must not be returned after later changes.
              const [list] = lists as [ListEntryQuery];
              const all = () => ({ offset: 0, limit: 1_000 });
              const listed = await storage.snapshot((reads) => listEntries(reads, list, all, kept));
              expect(listed).toEqual(model.list(list));
            }
            await storage.snapshot(async (reads) => {
              const segments = await loadSegments(reads);
              merged = Math.max(merged, ...segments.map(({ size }) => size));
              for (const [i, segment] of segments.entries()) {
                expect(segment.first).toBeGreaterThanOrEqual(i === 0 ? 1 : endOf(segments[i - 1] as never));
              }
              for (const question of questions) {
                const expected = model.find(question);
                const all = await findEntries(reads, question, { offset: 0, limit: 1_000, cap: 1_000 });
                expect(all).toEqual({ total: expected.length, buildings: expected });
                const some = await findEntries(reads, question, { offset, limit: 3, cap: 1_000 });
                expect(some).toEqual({ total: expected.length, buildings: expected.slice(offset, offset + 3) });
                const capped = await findEntries(reads, question, { offset: 0, limit: 2, cap: 2 });
                expect(Math.min(capped.total, 3)).toBe(Math.min(expected.length, 3));
                expect(capped.buildings).toEqual(expected.slice(0, 2));
              }
              for (const list of lists) {
                const expected = model.list(list);
                expect(await listEntries(reads, list, () => ({ offset: 0, limit: 1_000 }), kept)).toEqual(expected);
                const some = await listEntries(reads, list, () => ({ offset, limit: 3 }), kept);
                expect(some).toEqual({ ...expected, buildings: expected.buildings.slice(offset, offset + 3) });
              }
            });
          },
        ),
        { numRuns: engine === 'sqlite' ? 60 : 10 },
      );
      expect(merged).toBeGreaterThan(TINY.grades[0]);
    }));

  it('SEA-03 entries that have every gram, but not in one value or not consecutively, are not found', () =>
    withStorage(async (storage) => {
      const spread = { ...PLAIN, text: '甲\nname\n住所\n東\n京\nab bc cd' };
      const here = { prefecture: '13', ward: '13101', area: '131010001001' };
      // IDs of prefecture 01 with a number that begins with 13.
      const changes = Array.from({ length: 100 }, (_, n) => ({
        building: 113_000_000 + n,
        place: here,
        content: spread,
      }));
      await storage.transaction(async (tx) => {
        await changeEntries(tx, changes);
        await indexEntries(tx, 1);
      });
      await storage.snapshot(async (reads) => {
        const count = async (q: string) => {
          const question = { terms: readTerms(q), areas: undefined, use: undefined };
          return (await findEntries(reads, question, { offset: 0, limit: 0, cap: 1_000 })).total;
        };
        for (const q of ['東 京', '東京', '甲 住所', '甲 name', 'jp-13', 'asset-jp-13', 'abcd', 'a 東']) {
          expect([q, await count(q)]).toEqual([q, 0]);
        }
        for (const q of [
          '東',
          '住所',
          'a d',
          'ab cd',
          'jp-01',
          'asset-jp-01-13',
          '-13',
          'asset',
          '-',
          'JP-',
          '01-13000',
        ]) {
          expect([q, await count(q)]).toEqual([q, 100]);
        }
        expect(await count('13000042')).toBe(1);
      });
    }));

  it('SEA-03 a term of any length is found anywhere in a value', () =>
    withStorage(async (storage) => {
      const long = Array.from({ length: 400 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('');
      const twice = `${'ab'.repeat(200)}c`;
      const here = { prefecture: '13', ward: '13101', area: '131010001001' };
      const content = { ...PLAIN, text: `${long}\n${twice}\n住所\n${long.slice(390)}\nabab` };
      await storage.transaction(async (tx) => {
        await changeEntries(
          tx,
          Array.from({ length: 60 }, (_, n) => ({ building: 1_300_000_000 + n, place: here, content })),
        );
        await indexEntries(tx, 1);
      });
      await storage.snapshot(async (reads) => {
        const count = async (term: string) => {
          const question = { terms: [term], areas: undefined, use: undefined };
          return (await findEntries(reads, question, { offset: 0, limit: 0, cap: 1_000 })).total;
        };
        for (const length of [4, 5, 100, 254, 255, 256, 257, 258, 300, 399]) {
          for (const from of [0, 1, 100, 253, 254, 255, 256, 300, 396]) {
            const term = long.slice(from, from + length);
            expect([from, length, await count(term)]).toEqual([from, length, 60]);
            expect([from, length, await count(`${term.slice(0, -1)}${long[0]}`)]).toEqual([from, length, 0]);
          }
        }
        expect(await count(twice)).toBe(60);
        expect(await count(`b${twice}`)).toBe(0);
        expect(await count('babab')).toBe(60);
        expect(await count('abba')).toBe(0);
      });
    }));
});

const endOf = ({ first, size }: { first: number; size: number }) => first + size;
