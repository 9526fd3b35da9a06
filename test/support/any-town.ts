import fc from 'fast-check';
import { metresPerDegree, type Position } from '../../src/vocabulary/geometry.ts';
import { AREAS, id, type Json, record } from './records.ts';

/** The corner of four tiles. Towns are built around it, on a grid with steps of about a metre. */
const CORNER: Position = [139.7625, 35.675];
const STEP = 1e-5;

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What a source states about one object at one time. A point has no width. */
export interface Said {
  source: string;
  key: string;
  /** The number of the building that the record names. */
  pin: number | null;
  revision: number;
  place: Box | null;
  name: string | null;
  /** A house number in one of the two machi-aza. */
  address: { area: 1 | 2; number: number } | null;
}

const position = (x: number, y: number): Position => [
  Math.round((CORNER[0] + x * STEP) * 1e7) / 1e7,
  Math.round((CORNER[1] + y * STEP) * 1e7) / 1e7,
];

function boxOf(west: number, south: number, east: number, north: number): Json {
  const ring = [position(west, south), position(east, south), position(east, north), position(west, north)];
  return { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
}

/** The first machi-aza is west of the line, the second east of it. */
const LINE = 0.25;

export const TOWN_AREAS: Json[] = [
  ...AREAS.slice(0, 2),
  { ...AREAS[2], boundary: boxOf(-500, -500, LINE, 500) },
  { ...AREAS[3], boundary: boxOf(LINE, -500, 500, 500) },
];

export function toLine({ source, key, pin, revision, place, name, address }: Said): Json {
  const fields: Json = {};
  if (name !== null) fields.nameJa = name;
  if (address !== null) fields.addressJa = `東京都千代田区丸の内${address.area}丁目${address.number}番1号`;
  const geometry =
    place === null
      ? {}
      : place.width === 0
        ? { geometry: { type: 'Point', coordinates: position(place.x, place.y) } }
        : { geometry: boxOf(place.x, place.y, place.x + place.width, place.y + place.height) };
  return record(source, key, fields, {
    retrievedAt: `2026-0${revision + 1}-01T00:00:00Z`,
    rawPayloadRef: `sha256:0${revision}`,
    ...(pin === null ? {} : { building: id(pin) }),
    ...geometry,
  });
}

const coordinate = fc.integer({ min: -16, max: 12 });
const size = fc.integer({ min: 3, max: 12 });
const anyBox: fc.Arbitrary<Box> = fc.record({ x: coordinate, y: coordinate, width: size, height: size });
const anyPlace: fc.Arbitrary<Box> = fc.record({
  x: coordinate.map((x) => x + 0.5),
  y: coordinate.map((y) => y + 0.5),
  width: fc.constant(0),
  height: fc.constant(0),
});
const seldom = <T>(value: fc.Arbitrary<T>, weight: number): fc.Arbitrary<T | null> =>
  fc.oneof({ arbitrary: value, weight }, { arbitrary: fc.constant(null), weight: 10 - weight });
const anyName = seldom(fc.constantFrom('東館', '西 館', '西館', '（仮称）東館'), 6);
const anyAddress = seldom(fc.record({ area: fc.constantFrom<1 | 2>(1, 2), number: fc.constantFrom(1, 2, 3) }), 5);
const anyPin = seldom(fc.constantFrom(90, 91), 1);

const said = (source: string, place: fc.Arbitrary<Box | null>, pin: fc.Arbitrary<number | null> = fc.constant(null)) =>
  fc.record({ source: fc.constant(source), pin, place, name: anyName, address: anyAddress });

/** The same footprint as another source would draw it, slightly changed. */
const jittered = (box: Box): fc.Arbitrary<Box> => {
  const jitter = fc.integer({ min: -4, max: 4 });
  return fc.record({ x: jitter, y: jitter, width: jitter, height: jitter }).map((by) => ({
    x: box.x + by.x,
    y: box.y + by.y,
    width: Math.max(1, box.width + by.width),
    height: Math.max(1, box.height + by.height),
  }));
};

type Draft = Omit<Said, 'key' | 'revision'>;

const REGISTER_SOURCES = ['greenbuilding', 'greenarchive', 'mankan', 'jreit', 'edinet'];

/** Houses of a street that one source draws with a common offset from the other. */
const anyStreet: fc.Arbitrary<Draft[]> = fc
  .record({
    houses: fc.array(fc.record({ y: fc.nat(4), width: size, height: size, x: fc.nat(2), by: fc.nat(1) }), {
      minLength: 4,
      maxLength: 6,
    }),
    x: fc.integer({ min: -7, max: 7 }),
    y: fc.integer({ min: -7, max: 7 }),
  })
  .chain(({ houses, x, y }) =>
    fc.tuple(
      ...houses.flatMap(({ by, ...house }, i) => {
        const box = { ...house, x: 2 + i * 16 + house.x, y: 12 + house.y };
        const beside = { ...box, x: box.x + x + by, y: box.y + y };
        return [said('plateau', fc.constant(box)), said('osm', fc.constant(beside))];
      }),
    ),
  );

/** Some objects with one statement each. */
const anyThings: fc.Arbitrary<Draft[]> = fc
  .array(said('osm', anyBox, anyPin), { maxLength: 6 })
  .chain((osm) =>
    fc.tuple(
      fc.constant(osm),
      fc.tuple(...osm.map(({ place }) => fc.array(said('plateau', jittered(place as Box), anyPin), { maxLength: 2 }))),
      fc.array(said('plateau', anyBox, anyPin), { maxLength: 3 }),
      fc.array(said('osm', anyPlace), { maxLength: 3 }),
      fc.array(said('wikidata', anyPlace), { maxLength: 3 }),
      fc.array(said('nominatim', anyPlace), { maxLength: 3 }),
      fc.array(
        fc.constantFrom(...REGISTER_SOURCES).chain((source) => said(source, fc.constant(null))),
        { maxLength: 5 },
      ),
    ),
  )
  .map((parts) => parts.flat(2) as Draft[]);

const anyDrafts = fc.tuple(anyThings, seldom(anyStreet, 4)).map(([things, street]) => [...things, ...(street ?? [])]);

/** One revision of each object, and later ones of some that moved or changed. */
export function anyTown(revised: boolean): fc.Arbitrary<Said[]> {
  const later = (draft: Draft): fc.Arbitrary<Draft[]> => {
    const place =
      draft.place === null
        ? fc.constant(null)
        : draft.place.width === 0
          ? anyPlace
          : fc.oneof(anyBox, jittered(draft.place));
    const next = said(draft.source, place).map((change) => ({ ...change, pin: draft.pin }));
    return seldom(fc.array(next, { minLength: 1, maxLength: 2 }), 4).map((more) => [draft, ...(more ?? [])]);
  };
  return anyDrafts.chain((drafts) => {
    const histories = revised ? fc.tuple(...drafts.map(later)) : fc.constant(drafts.map((draft) => [draft]));
    return histories.map((all) =>
      all.flatMap((history, i) => history.map((draft, revision) => ({ ...draft, key: `r${i}`, revision }))),
    );
  });
}

/** The records of each building, and why the others have none. */
export interface Partition {
  buildings: string[][];
  leftOut: string[];
}

/** The matching rules of docs/decisions/matching.md, written as simply as possible and applied to all records at once. */
export function matchNaively(all: readonly Said[]): Partition {
  const things = currentOf(all);
  const footprints = things.filter(isFootprint);
  const keyOf = (thing: Said) => `${thing.source}:${thing.key}`;

  const size = (thing: Said) => cells(thing);
  const isOverHalf = (a: Said, b: Said, shared: number) => shared > 0 && shared * 2 >= Math.min(size(a), size(b));
  /** Records of one source. Those that name a building are separated by it. */
  const related = (a: Said, b: Said) =>
    a !== b && a.source === b.source && a.pin === null && b.pin === null && isOverHalf(a, b, sharedBy(a, b));
  const isAlike = (a: Said, b: Said) => related(a, b) && sharedBy(a, b) * 3 >= size(a) + size(b);
  const isPartOf = (a: Said, b: Said) =>
    related(a, b) && !isAlike(a, b) && (size(a) < size(b) || (size(a) === size(b) && keyOf(a) > keyOf(b)));
  const drawingsOf = (thing: Said): Said[] => {
    const found = [thing];
    for (const one of found) found.push(...footprints.filter((two) => isAlike(one, two) && !found.includes(two)));
    return found.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  };
  const firstOf = (thing: Said) => keyOf(drawingsOf(thing)[0] as Said);

  const offsets = new Map(footprints.map((thing) => [thing, offsetAround(thing, footprints)]));
  /** In hundredths of a square metre, as drawn or with the offset of the neighbourhood corrected. */
  const sharedMost = (a: Said, b: Said): number => {
    const [plateau, osm] = a.source === 'plateau' ? [a, b] : [b, a];
    const offset = isInTileOf(plateau, osm) ? offsets.get(plateau) : undefined;
    return Math.max(
      ...[sharedBy(osm, plateau), offset === undefined ? 0 : sharedBy(osm, plateau, offset)].map((shared) =>
        isOverHalf(a, b, shared) && shared * 6 >= size(a) + size(b) ? toHundredths(shared) : 0,
      ),
    );
  };
  const bestOf = (thing: Said): { own: Said; other: Said } | undefined =>
    drawingsOf(thing)
      .flatMap((own) => footprints.map((other) => ({ own, other })))
      .filter(({ own, other }) => other.source !== own.source && !(own.pin !== null && other.pin !== null))
      .map(({ own, other }) => ({ own, other, shared: sharedMost(own, other) }))
      .filter(({ shared }) => shared > 0)
      .sort((a, b) => {
        const keys = ({ own, other }: { own: Said; other: Said }) => [firstOf(other), keyOf(other), keyOf(own)].join();
        return b.shared - a.shared || (keys(a) < keys(b) ? -1 : 1);
      })[0];

  /** Naming never merges: an unnamed footprint joins a named building only if that has no other location. */
  const mayJoin = (a: Said, b: Said): boolean => {
    const [named, other] = a.pin === null ? [b, a] : [a, b];
    if (named.pin === null) return true;
    return footprints
      .filter((one) => one.pin === named.pin && one !== named)
      .every((one) => [named, other].some((two) => (isFootprint(two) ? sharesGround(one, two) : holds(one, two))));
  };

  let buildings = footprints.map((thing) => [thing]);
  const join = (a: Said, b: Said) => {
    const [one, two] = [a, b].map((thing) => buildings.find((building) => building.includes(thing)) ?? [thing]);
    if (one === two) return;
    buildings = [
      ...buildings.filter((building) => building !== one && building !== two),
      [...(one ?? []), ...(two ?? [])],
    ];
  };
  for (const a of footprints) for (const b of footprints) if (a.pin !== null && a.pin === b.pin) join(a, b);
  for (const a of footprints) for (const b of footprints) if (isAlike(a, b)) join(a, b);
  for (const thing of footprints) {
    const best = bestOf(thing);
    if (best === undefined || firstOf(best.other) < firstOf(thing)) continue;
    const back = bestOf(best.other);
    if (back !== undefined && firstOf(back.other) === firstOf(thing) && mayJoin(best.own, best.other)) {
      join(best.own, best.other);
    }
  }
  const isPart = (building: readonly Said[]) =>
    building.every(
      (thing) =>
        thing.source === building[0]?.source &&
        footprints.some((other) => !building.includes(other) && isPartOf(thing, other)),
    );
  const parts = buildings.filter(isPart).flat();
  buildings = buildings.filter((building) => !isPart(building));
  const around = (thing: Said, isOpenTo: (other: Said, thing: Said) => boolean = () => true) =>
    buildings.filter((building) =>
      building.some(
        (other) => isFootprint(other) && other.source !== thing.source && holds(other, thing) && isOpenTo(other, thing),
      ),
    );
  const joining: [Said, Said[]][] = [];
  const alone: Said[][] = [];
  for (const thing of things) {
    if (thing.source !== 'osm' || isFootprint(thing)) continue;
    const [only, another] = around(thing, mayJoin);
    if (only !== undefined && another === undefined) joining.push([thing, only]);
    else alone.push([thing]);
  }
  for (const [thing, building] of joining) building.push(thing);
  buildings.push(...alone);

  const leftOut = parts.map((thing) => `${keyOf(thing)} ambiguous`);
  const attach = (thing: Said, candidates: Said[][]) => {
    const [only, another] = candidates;
    if (only !== undefined && another === undefined) attached.push([thing, only]);
    else leftOut.push(`${keyOf(thing)} ${only === undefined ? 'unmatched' : 'ambiguous'}`);
  };
  let attached: [Said, Said[]][] = [];
  const settle = () => {
    for (const [thing, building] of attached) building.push(thing);
    attached = [];
  };
  for (const thing of things) if (thing.source === 'nominatim') attach(thing, around(thing));
  for (const thing of things) {
    if (thing.source !== 'wikidata') continue;
    const places = around(thing);
    if (places.length !== 1) attach(thing, places);
    else
      attach(
        thing,
        places.filter((building) => building.some((other) => CREATING.includes(other.source) && isNamed(other, thing))),
      );
  }
  settle();
  for (const thing of things) if (REGISTER_SOURCES.includes(thing.source)) attach(thing, findEntered(thing, buildings));
  settle();
  return {
    buildings: buildings
      .map((building) => building.map(keyOf).sort())
      .sort((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1)),
    leftOut: leftOut.sort(),
  };
}

const CREATING = ['osm', 'plateau'];

/** The value of each field in the last revision that has it. */
function currentOf(all: readonly Said[]): Said[] {
  const current = new Map<string, Said>();
  for (const next of [...all].sort((a, b) => a.revision - b.revision)) {
    const name = `${next.source}:${next.key}`;
    const before = current.get(name);
    current.set(name, {
      ...next,
      place: next.place ?? before?.place ?? null,
      name: next.name ?? before?.name ?? null,
      address: next.address ?? before?.address ?? null,
    });
  }
  return [...current.values()];
}

function isFootprint({ source, place }: Said): boolean {
  return CREATING.includes(source) && place !== null && place.width > 0;
}

/** Areas are counted in squares of a hundredth of a step, so that they stay integers when something is moved. */
const FINE = 100;

function cells({ place }: Said): number {
  return (place as Box).width * (place as Box).height * FINE ** 2;
}

function sharedBy(a: Said, b: Said, by: Moved = { x: 0, y: 0 }): number {
  const [one, two] = [a.place as Box, b.place as Box];
  const along = (at: 'x' | 'y', size: 'width' | 'height') => {
    const start = one[at] * FINE + by[at];
    const end = start + one[size] * FINE;
    return Math.max(0, Math.min(end, (two[at] + two[size]) * FINE) - Math.max(start, two[at] * FINE));
  };
  return along('x', 'width') * along('y', 'height');
}

/** Metres per step at the latitude of the town. */
const METRES = { x: metresPerDegree(CORNER[1]).lon * STEP, y: metresPerDegree(CORNER[1]).lat * STEP };

function toHundredths(shared: number): number {
  return Math.max(1, Math.round((shared / FINE ** 2) * METRES.x * METRES.y * 100));
}

/** In hundredths of a step. */
interface Moved {
  x: number;
  y: number;
}

/** Towns stay within the four quarters around the corner, each in its own tile. A boundary belongs to the quarter east or north of it. */
const isEast = ({ place }: Said) => (place as Box).x + (place as Box).width / 2 >= 0;
const isNorth = ({ place }: Said) => (place as Box).y + (place as Box).height / 2 >= 0;

/** Whether a footprint touches the tile that contains the centre of another. */
function isInTileOf(centre: Said, { place }: Said): boolean {
  const { x, y, width, height } = place as Box;
  const side = (isHigh: boolean, low: number, high: number) => (isHigh ? high >= 0 : low < 0);
  return side(isEast(centre), x, x + width) && side(isNorth(centre), y, y + height);
}

/** The offset of osm from plateau in the quarter of a tile that contains the centre of a plateau footprint. */
function offsetAround(thing: Said, footprints: readonly Said[]): Moved | undefined {
  const middle = ({ place }: Said): Moved => {
    const { x, y, width, height } = place as Box;
    return { x: (x + width / 2) * FINE, y: (y + height / 2) * FINE };
  };
  const metres = ({ x, y }: Moved) => ({ x: (x / FINE) * METRES.x, y: (y / FINE) * METRES.y });
  const votes: Moved[] = [];
  for (const plateau of footprints) {
    if (plateau.source !== 'plateau' || isEast(plateau) !== isEast(thing) || isNorth(plateau) !== isNorth(thing))
      continue;
    for (const osm of footprints) {
      if (osm.source === 'plateau' || !isInTileOf(thing, osm)) continue;
      const [a, b] = [osm.place as Box, plateau.place as Box];
      const sides = metres({ x: (b.width - a.width) * FINE, y: (b.height - a.height) * FINE });
      const by = { x: middle(plateau).x - middle(osm).x, y: middle(plateau).y - middle(osm).y };
      const isLike = Math.min(cells(osm), cells(plateau)) >= 0.8 * Math.max(cells(osm), cells(plateau));
      const far = metres(by);
      if (isLike && Math.max(Math.abs(sides.x), Math.abs(sides.y)) <= 2 && Math.hypot(far.x, far.y) <= 8)
        votes.push(by);
    }
  }
  const near = (x: number, y: number) =>
    votes.filter((by) => {
      const far = metres(by);
      return Math.abs(Math.round(far.x) - x) <= 1 && Math.abs(Math.round(far.y) - y) <= 1;
    });
  const windows: { x: number; y: number; count: number }[] = [];
  for (let x = -9; x <= 9; x++) for (let y = -9; y <= 9; y++) windows.push({ x, y, count: near(x, y).length });
  windows.sort((a, b) => b.count - a.count || a.x ** 2 + a.y ** 2 - b.x ** 2 - b.y ** 2 || a.x - b.x || a.y - b.y);
  const [best] = windows as [(typeof windows)[number]];
  if (best.count < 4) return undefined;
  if (
    windows.some(
      ({ x, y, count }) => Math.max(Math.abs(x - best.x), Math.abs(y - best.y)) > 2 && 2 * count > best.count,
    )
  )
    return undefined;
  const agreeing = near(best.x, best.y);
  const mean = (at: 'x' | 'y') => Math.round(agreeing.reduce((sum, by) => sum + by[at], 0) / agreeing.length);
  const offset = { x: mean('x'), y: mean('y') };
  const far = metres(offset);
  return Math.hypot(far.x, far.y) < 1 ? undefined : offset;
}

function sharesGround(a: Said, b: Said): boolean {
  return sharedBy(a, b) > 0;
}

function holds({ place: box }: Said, { place: point }: Said): boolean {
  if (box === null || point === null) return false;
  return point.x > box.x && point.x < box.x + box.width && point.y > box.y && point.y < box.y + box.height;
}

const plainName = (name: string) => name.replace('（仮称）', '').replaceAll(' ', '');

function isNamed(a: Said, b: Said): boolean {
  return a.name !== null && b.name !== null && plainName(a.name) === plainName(b.name);
}

/** CON-09: matches by address and name among the buildings of the machi-aza in the address. */
function findEntered(thing: Said, buildings: readonly Said[][]): Said[][] {
  const { address } = thing;
  if (address === null) return [];
  const there = buildings.filter((building) => areaOf(building) === address.area);
  const numbersOf = (building: Said[]) =>
    building.flatMap((other) => (other.address?.area === address.area ? other.address.number : []));
  const isCalled = (building: Said[]) => building.some((other) => isNamed(other, thing));
  const addressed = there.filter((building) => numbersOf(building).includes(address.number));
  if (addressed.length > 1) {
    const called = addressed.filter(isCalled);
    return called.length === 1 ? called : addressed;
  }
  if (addressed.length === 1) return addressed;
  return there.filter((building) => isCalled(building) && numbersOf(building).length === 0);
}

/** By the centre of the published footprint: PLATEAU before OSM, the newest first. */
function areaOf(building: readonly Said[]): number {
  const rank = (thing: Said) => [
    isFootprint(thing) ? 0 : 1,
    thing.source === 'plateau' ? 0 : 1,
    9 - thing.revision,
    thing.key,
  ];
  const [shown] = building
    .filter((thing) => CREATING.includes(thing.source))
    .sort((a, b) => (JSON.stringify(rank(a)) < JSON.stringify(rank(b)) ? -1 : 1));
  const { x, width } = (shown as Said).place as Box;
  return x + width / 2 < LINE ? 1 : 2;
}
