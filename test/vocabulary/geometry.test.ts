import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AreaGeometry,
  centroidOf,
  contains,
  faultInGeometry,
  type Geometry,
  JAPAN,
  measure,
  metresPerDegree,
  type Polygon,
  type Position,
  polygonsOf,
  type Ring,
  roundGeometry,
  windRings,
} from '../../src/vocabulary/geometry.ts';
import { meshCentre, meshCodeOf, meshNeighbourhood, quarterMeshOf } from '../../src/vocabulary/mesh.ts';

const ORIGIN: Position = [139.7, 35.6];
const STEP = 0.001;

/** Places near the origin, in thousandths of a degree. */
const at = ([x, y]: [number, number]): Position => [ORIGIN[0] + x * STEP, ORIGIN[1] + y * STEP];
const ring = (...corners: [number, number][]): Ring => [...corners, corners[0] as [number, number]].map(at);
const box = (west: number, south: number, east: number, north: number): Ring =>
  ring([west, south], [east, south], [east, north], [west, north]);
const polygon = (...rings: Ring[]): Polygon => ({ type: 'Polygon', coordinates: rings });
const multi = (...polygons: Ring[][]): AreaGeometry => ({ type: 'MultiPolygon', coordinates: polygons });
const reversed = (r: Ring): Ring => [...r].reverse();

const L_SHAPE = ring([0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]);
const U_SHAPE = ring([0, 0], [3, 0], [3, 3], [2, 3], [2, 1], [1, 1], [1, 3], [0, 3]);

function expectAt(position: Position, [x, y]: [number, number]): void {
  const [lon, lat] = at([x, y]);
  expect(position[0]).toBeCloseTo(lon, 6);
  expect(position[1]).toBeCloseTo(lat, 6);
}

/** GRS80 by its flattening, with closed or integrated formulas that do not use metres per degree. */
const ellipsoid = {
  a: 6_378_137,
  f: 1 / 298.257222101,
  get e(): number {
    return Math.sqrt(this.f * (2 - this.f));
  },
  radians: (degrees: number) => (degrees * Math.PI) / 180,
  areaBetween(west: number, south: number, east: number, north: number): number {
    const { a, f, e } = this;
    const zone = (lat: number) => {
      const s = Math.sin(this.radians(lat));
      return s / (1 - (e * s) ** 2) + Math.atanh(e * s) / e;
    };
    return ((a * (1 - f)) ** 2 / 2) * this.radians(east - west) * (zone(north) - zone(south));
  },
  alongParallel(lat: number, degrees: number): number {
    // With the reduced latitude β, the radius of the parallel is a cos β.
    const beta = Math.atan((1 - this.f) * Math.tan(this.radians(lat)));
    return this.a * Math.cos(beta) * this.radians(degrees);
  },
  alongMeridian(south: number, north: number): number {
    const steps = 1_000;
    const [from, to] = [south, north].map((lat) => Math.atan((1 - this.f) * Math.tan(this.radians(lat)))) as [
      number,
      number,
    ];
    let length = 0;
    for (let i = 0; i < steps; i++) {
      const beta = from + ((i + 0.5) / steps) * (to - from);
      length += Math.hypot(this.a * Math.sin(beta), this.a * (1 - this.f) * Math.cos(beta)) * ((to - from) / steps);
    }
    return length;
  },
};

describe('metres per degree', () => {
  it.each([
    [0, 110_574, 111_320],
    [15, 110_649, 107_550],
    [30, 110_852, 96_486],
    [45, 111_132, 78_847],
    [60, 111_412, 55_800],
  ])('at latitude %d match published tables', (lat, north, east) => {
    const metres = metresPerDegree(lat);
    expect(Math.abs(metres.lat - north)).toBeLessThan(1);
    expect(Math.abs(metres.lon - east)).toBeLessThan(1);
  });
});

describe('measure', () => {
  it.each([
    ['Naha', 127.68, 26.21],
    ['Tokyo', 139.767, 35.681],
    ['Wakkanai', 141.67, 45.41],
  ])('gives a square of 0.001 degrees in %s its area and perimeter on the ellipsoid', (_, west, south) => {
    const [east, north] = [west + STEP, south + STEP];
    const square = polygon([
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ]);
    const { areaM2, perimeterM, bbox } = measure(square);
    expect(areaM2).toBeGreaterThan(8_000);
    expect(Math.abs(areaM2 - ellipsoid.areaBetween(west, south, east, north))).toBeLessThan(0.02);
    const around =
      2 * ellipsoid.alongMeridian(south, north) +
      ellipsoid.alongParallel(south, STEP) +
      ellipsoid.alongParallel(north, STEP);
    expect(Math.abs(perimeterM - around)).toBeLessThan(0.02);
    expect(bbox).toEqual([west, south, east, north]);
  });

  it('subtracts holes from the area, and ignores them in the perimeter', () => {
    const whole = measure(polygon(box(0, 0, 4, 4)));
    const holed = measure(polygon(box(0, 0, 4, 4), box(1, 1, 3, 3)));
    expect(holed.areaM2 / whole.areaM2).toBeCloseTo(12 / 16, 4);
    expect(holed.perimeterM).toBe(whole.perimeterM);
  });

  it('adds up the parts of a MultiPolygon', () => {
    const one = measure(polygon(box(0, 0, 1, 1)));
    const two = measure(multi([box(0, 0, 1, 1)], [box(2, 0, 3, 1)]));
    expect(two.areaM2 / one.areaM2).toBeCloseTo(2, 4);
    expect(two.perimeterM / one.perimeterM).toBeCloseTo(2, 4);
    expect(two.bbox).toEqual([...at([0, 0]), ...at([3, 1])]);
  });

  it('does not depend on the direction of a ring', () => {
    for (const shape of [L_SHAPE, U_SHAPE]) expect(measure(polygon(reversed(shape)))).toEqual(measure(polygon(shape)));
    expect(measure(polygon(box(0, 0, 4, 4), reversed(box(1, 1, 3, 3))))).toEqual(
      measure(polygon(box(0, 0, 4, 4), box(1, 1, 3, 3))),
    );
  });
});

describe('centroid', () => {
  const cases: [string, Geometry, [number, number]][] = [
    ['a point', { type: 'Point', coordinates: at([1, 2]) }, [1, 2]],
    ['a square', polygon(box(0, 0, 2, 2)), [1, 1]],
    ['a triangle', polygon(ring([0, 0], [3, 0], [0, 3])), [1, 1]],
    ['an L', polygon(L_SHAPE), [2.5 / 3, 2.5 / 3]],
    ['a U, outside its shape', polygon(U_SHAPE), [1.5, (3 * 0.5 + 4 * 2) / 7]],
    ['a square with a hole', polygon(box(0, 0, 4, 4), box(1, 1, 2, 2)), [30.5 / 15, 30.5 / 15]],
    ['a square with two holes', polygon(box(0, 0, 4, 4), box(1, 1, 2, 2), box(2, 2, 3, 3)), [2, 2]],
    ['two squares', multi([box(0, 0, 1, 1)], [box(3, 0, 4, 1)]), [2, 0.5]],
    ['a large and a small square', multi([box(0, 0, 2, 2)], [box(3, 0, 4, 1)]), [(4 * 1 + 3.5) / 5, (4 + 0.5) / 5]],
    ['squares with a hole', multi([box(0, 0, 4, 4), box(1, 1, 2, 2)], [box(10, 0, 11, 1)]), [41 / 16, 31 / 16]],
  ];

  it.each(cases)('of %s', (_, geometry, expected) => {
    expectAt(centroidOf(geometry), expected);
  });

  it.each(cases.slice(1))('of %s, with its rings reversed', (_, geometry, expected) => {
    const turned = polygonsOf(geometry as AreaGeometry).map((rings) =>
      rings.map((r, i) => (i % 2 === 0 ? reversed(r) : r)),
    );
    expectAt(centroidOf({ type: 'MultiPolygon', coordinates: turned }), expected);
  });

  it('has seven decimals', () => {
    const [lon, lat] = centroidOf(polygon(L_SHAPE));
    expect([String(lon), String(lat)]).toEqual(['139.7008333', '35.6008333']);
  });
});

describe('point in polygon', () => {
  it.each<[string, AreaGeometry, [number, number], boolean]>([
    ['in a square', polygon(box(0, 0, 2, 2)), [1, 1], true],
    ['east of it', polygon(box(0, 0, 2, 2)), [3, 1], false],
    ['west of it', polygon(box(0, 0, 2, 2)), [-1, 1], false],
    ['north of it', polygon(box(0, 0, 2, 2)), [1, 3], false],
    ['in the foot of an L', polygon(L_SHAPE), [1.5, 0.5], true],
    ['in the notch of an L', polygon(L_SHAPE), [1.5, 1.5], false],
    ['in the gap of a U', polygon(U_SHAPE), [1.5, 2], false],
    ['in the right arm of a U', polygon(U_SHAPE), [2.5, 2], true],
    ['beside a hole', polygon(box(0, 0, 4, 4), box(1, 1, 2, 2)), [3, 3], true],
    ['in a hole', polygon(box(0, 0, 4, 4), box(1, 1, 2, 2)), [1.5, 1.5], false],
    ['in the second part', multi([box(0, 0, 1, 1)], [box(2, 0, 3, 1)]), [2.5, 0.5], true],
    ['between the parts', multi([box(0, 0, 1, 1)], [box(2, 0, 3, 1)]), [1.5, 0.5], false],
    ['in parts that overlap', multi([box(0, 0, 2, 2)], [box(1, 0, 3, 2)]), [1.5, 1], true],
    ['inside, at the latitude of a corner', polygon(ring([0, 0], [2, 1], [0, 2])), [1, 1], true],
    ['outside, at the latitude of a corner', polygon(ring([0, 0], [2, 1], [0, 2])), [-1, 1], false],
  ])('%s', (_, geometry, point, inside) => {
    expect(contains(geometry, at(point))).toBe(inside);
  });

  it('inside a convex polygon is on the inner side of every edge', () => {
    const corners = fc
      .uniqueArray(fc.integer({ min: 0, max: 359 }), { minLength: 3, maxLength: 8 })
      .map((angles) => angles.sort((a, b) => a - b).map((d) => (d * Math.PI) / 180))
      .map((angles) => angles.map((t): [number, number] => [Math.cos(t), Math.sin(t)]));
    const coordinate = fc.double({ min: -1.2, max: 1.2, noNaN: true });
    fc.assert(
      fc.property(corners, coordinate, coordinate, (points, x, y) => {
        const sides = points.map(([ax, ay], i) => {
          const [bx, by] = points[(i + 1) % points.length] as [number, number];
          return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
        });
        fc.pre(sides.every((side) => Math.abs(side) > 1e-6));
        const inside = sides.every((side) => side > 0);
        expect(contains(polygon(ring(...points)), at([x, y]))).toBe(inside);
      }),
      { numRuns: 300 },
    );
  });

  it('every point of a square is in exactly one of its halves', () => {
    const unit = fc.double({ min: 0.001, max: 1.999, noNaN: true });
    fc.assert(
      fc.property(unit, unit, (x, y) => {
        const halves = [ring([0, 0], [2, 0], [2, 2]), ring([0, 0], [2, 2], [0, 2])];
        fc.pre(Math.abs(x - y) > 1e-6);
        expect(halves.filter((half) => contains(polygon(half), at([x, y])))).toHaveLength(1);
      }),
    );
  });
});

describe('mesh code', () => {
  it.each<[string, number, number, string]>([
    ['Tokyo Station', 35.681236, 139.767125, '53394611'],
    ['Tokyo Tower', 35.658581, 139.745433, '53393599'],
    ['the west edge of mesh 5339', 35.34, 139.001, '53390000'],
    ['the last cell of mesh 5339', 35.9999, 139.9999, '53397799'],
    ['Osaka Castle', 34.687315, 135.526201, '52350422'],
    ['Sapporo Clock Tower', 43.062553, 141.353645, '64414278'],
    ['Shuri Castle', 26.217, 127.7194, '39272567'],
    ['Minamitorishima', 24.2833, 153.9833, '36533738'],
  ])('of %s', (_, lat, lon, code) => {
    expect(meshCodeOf([lon, lat])).toBe(code);
  });

  /** A cell by its index in the grid: 80 cells per degree of longitude, 120 per degree of latitude. */
  const codeOfCell = (x: number, y: number) => {
    const digit = (n: number) => String(Math.floor(n));
    return `${digit(y / 80)}${digit(x / 80)}${digit((y % 80) / 10)}${digit((x % 80) / 10)}${y % 10}${x % 10}`;
  };
  const WEST = (JAPAN.west - 100) * 80;
  const EAST = (JAPAN.east - 100) * 80;
  const SOUTH = JAPAN.south * 120;
  const NORTH = JAPAN.north * 120;
  const cell = fc.tuple(fc.integer({ min: WEST, max: EAST - 1 }), fc.integer({ min: SOUTH, max: NORTH - 1 }));
  const within = fc.double({ min: 0.01, max: 0.99, noNaN: true });
  const neighboursOf = (x: number, y: number) =>
    [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => codeOfCell(x + dx, y + dy))).sort();

  it('is the same for every position in a cell', () => {
    fc.assert(
      fc.property(cell, within, within, ([x, y], dx, dy) => {
        expect(meshCodeOf([100 + (x + dx) / 80, (y + dy) / 120])).toBe(codeOfCell(x, y));
      }),
      { numRuns: 300 },
    );
  });

  it('continues with the quarters of the cell, south-west, south-east, north-west, north-east', () => {
    expect(quarterMeshOf([139.767125, 35.681236])).toBe('5339461132');
    fc.assert(
      fc.property(cell, within, within, ([x, y], dx, dy) => {
        fc.pre([dx, dy].every((part) => Math.abs((part * 4) % 1) > 0.001 && Math.abs((part * 4) % 1) < 0.999));
        const quarter = (east: number, north: number) => 1 + (east % 1 < 0.5 ? 0 : 1) + (north % 1 < 0.5 ? 0 : 2);
        const expected = `${codeOfCell(x, y)}${quarter(dx, dy)}${quarter(dx * 2, dy * 2)}`;
        expect(quarterMeshOf([100 + (x + dx) / 80, (y + dy) / 120])).toBe(expected);
      }),
    );
  });

  it('of the centre of a cell is that of the cell', () => {
    fc.assert(
      fc.property(cell, ([x, y]) => {
        const code = codeOfCell(x, y);
        expect(meshCodeOf(meshCentre(code))).toBe(code);
        expect(meshCentre(code)[0]).toBeCloseTo(100 + (x + 0.5) / 80, 9);
        expect(meshCentre(code)[1]).toBeCloseTo((y + 0.5) / 120, 9);
      }),
    );
  });

  it('of a position on the western edge of a cell is that of the cell', () => {
    const wrong: number[] = [];
    for (let x = WEST; x < EAST; x++) {
      const lon = Number((100 + x / 80).toFixed(7));
      if (meshCodeOf([lon, 35.001]) !== codeOfCell(x, 35 * 120)) wrong.push(lon);
    }
    expect(wrong.slice(0, 5)).toEqual([]);
  });

  it('of a position on the southern edge of a cell is that of the cell', () => {
    const wrong: number[] = [];
    // Every third edge has a latitude of at most seven decimals.
    for (let y = SOUTH; y < NORTH; y += 3) {
      const lat = Number((y / 120).toFixed(7));
      if (meshCodeOf([139.001, lat]) !== codeOfCell(39 * 80, y)) wrong.push(lat);
    }
    expect(wrong.slice(0, 5)).toEqual([]);
  });

  it('has eight neighbours: the neighbourhood is nine different cells', () => {
    expect(meshNeighbourhood([139.767125, 35.681236])).toEqual([
      ...['53394600', '53394601', '53394602'],
      ...['53394610', '53394611', '53394612'],
      ...['53394620', '53394621', '53394622'],
    ]);
    fc.assert(
      fc.property(cell, within, within, ([x, y], dx, dy) => {
        expect(meshNeighbourhood([100 + (x + dx) / 80, (y + dy) / 120]).sort()).toEqual(neighboursOf(x, y));
      }),
    );
  });

  it('has eight neighbours across the edge of a first-order mesh', () => {
    expect(meshNeighbourhood([139.99999, 35.33334])).toEqual([
      ...['52397798', '52397799', '52407090'],
      ...['53390708', '53390709', '53400000'],
      ...['53390718', '53390719', '53400010'],
    ]);
  });

  it('has eight neighbours even if the position is on an edge', () => {
    const wrong: Position[] = [];
    for (let x = WEST + 1; x < EAST - 1; x += 7) {
      const place: Position = [Number((100 + x / 80).toFixed(7)), 35.675];
      if (new Set(meshNeighbourhood(place)).size !== 9) wrong.push(place);
    }
    expect(wrong.slice(0, 5)).toEqual([]);
  });
});

describe('geometry from a source', () => {
  const zigzag = Array.from({ length: 1_000 }, (_, i): [number, number] => [i, i % 2]);

  it.each<[string, unknown]>([
    ['a point', { type: 'Point', coordinates: [139.7, 35.6] }],
    ['a point with its height', { type: 'Point', coordinates: [139.7, 35.6, 12.5] }],
    ['a polygon', polygon(box(0, 0, 1, 1))],
    ['a triangle', polygon(ring([0, 0], [1, 0], [0, 1]))],
    ['a reversed polygon', polygon(reversed(box(0, 0, 1, 1)))],
    ['a polygon with a hole', polygon(box(0, 0, 4, 4), box(1, 1, 2, 2))],
    ['a ring that touches itself', polygon(ring([0, 0], [2, 0], [1, 1], [2, 2], [0, 2], [1, 1]))],
    ['a ring that runs along itself', polygon(ring([0, 0], [2, 0], [2, 2], [1, 2], [1, 1], [1, 2], [0, 2]))],
    ['a ring of many corners', polygon(ring(...zigzag, [1_001, -9], [-1, -9]))],
    ['a MultiPolygon', multi([box(0, 0, 1, 1)], [box(2, 0, 3, 1)])],
    ['Okinotorishima', { type: 'Point', coordinates: [136.0814, 20.4255] }],
    ['Minamitorishima', { type: 'Point', coordinates: [153.9833, 24.2833] }],
    ['Yonaguni', { type: 'Point', coordinates: [122.9333, 24.45] }],
    ['Etorofu', { type: 'Point', coordinates: [148.75, 45.557] }],
  ])('%s is accepted', (_, value) => {
    expect(faultInGeometry(value)).toBeUndefined();
  });

  const square = box(0, 0, 1, 1);
  const withCorner = (corner: unknown) => ({
    type: 'Polygon',
    coordinates: [[corner, ...square.slice(1, -1), corner]],
  });

  it.each<[string, unknown, RegExp]>([
    ['null', null, /GeoJSON object/],
    ['a string', 'POINT(139.7 35.6)', /GeoJSON object/],
    ['a list', [139.7, 35.6], /GeoJSON object/],
    ['no type', { coordinates: [139.7, 35.6] }, /must be a Point, Polygon or MultiPolygon/],
    ['a line', { type: 'LineString', coordinates: square }, /must be a Point, Polygon or MultiPolygon/],
    ['a feature', { type: 'Feature', geometry: polygon(square) }, /unknown key/],
    ['an extra key', { ...polygon(square), crs: 'EPSG:4326' }, /unknown key/],
    ['a bbox', { ...polygon(square), bbox: [139, 35, 140, 36] }, /unknown key/],
    ['a name of the prototype for a type', { type: 'toString', coordinates: square }, /must be a Point/],
    ['a Point without coordinates', { type: 'Point' }, /not \[lon, lat\]/],
    ['a Polygon without coordinates', { type: 'Polygon' }, /without rings/],
    ['a MultiPolygon without coordinates', { type: 'MultiPolygon' }, /no polygon/],
    ['a Polygon without rings', { type: 'Polygon', coordinates: [] }, /without rings/],
    ['a MultiPolygon without polygons', { type: 'MultiPolygon', coordinates: [] }, /no polygon/],
    ['a MultiPolygon with an empty polygon', { type: 'MultiPolygon', coordinates: [[square], []] }, /without rings/],
    ['an empty ring', polygon([]), /fewer than four/],
    ['a ring of three positions', polygon([...square.slice(0, 2), square[0] as Position]), /fewer than four/],
    ['a hole of three positions', polygon(square, [...square.slice(0, 2), square[0] as Position]), /fewer than four/],
    ['a ring that is not closed', polygon(square.slice(0, 4)), /not closed/],
    ['a hole that is not closed', polygon(box(0, 0, 4, 4), box(1, 1, 2, 2).slice(0, 4)), /not closed/],
    ['a ring that crosses itself', polygon(ring([0, 0], [2, 2], [2, 0], [0, 1])), /crosses itself/],
    ['a hole that crosses itself', polygon(box(-9, -9, 9, 9), ring([0, 0], [2, 2], [2, 0], [0, 1])), /crosses itself/],
    [
      'a ring that crosses itself after many corners',
      polygon(ring(...zigzag, [700.5, 9], [700.5, -9], [-1, -9])),
      /crosses itself/,
    ],
    ['a Polygon nested like a MultiPolygon', { type: 'Polygon', coordinates: [[square]] }, /fewer than four|not \[lon/],
    ['a MultiPolygon nested like a Polygon', { type: 'MultiPolygon', coordinates: [square] }, /fewer than four/],
    ['a Polygon nested like a line', { type: 'Polygon', coordinates: square }, /fewer than four/],
    ['a Point nested like a line', { type: 'Point', coordinates: [[139.7, 35.6]] }, /not \[lon/],
    ['a Point whose numbers are lists', { type: 'Point', coordinates: [[139.7], [35.6]] }, /not a pair of numbers/],
    ['swapped axes', { type: 'Point', coordinates: [35.6, 139.7] }, /outside Japan/],
    ['swapped axes in a polygon', polygon(square.map(([x, y]) => [y, x] as Position)), /outside Japan/],
    ['a place in Seoul', { type: 'Point', coordinates: [126.978, 47.5665] }, /outside Japan/],
    ['a place in Taipei', { type: 'Point', coordinates: [121.5654, 25.033] }, /outside Japan/],
    ['null island', { type: 'Point', coordinates: [0, 0] }, /outside Japan/],
    ['a ring with one position outside', withCorner([139.7, 60]), /outside Japan/],
    ['NaN', withCorner([Number.NaN, 35.6]), /outside Japan/],
    ['a latitude of NaN', { type: 'Point', coordinates: [139.7, Number.NaN] }, /outside Japan/],
    ['Infinity', { type: 'Point', coordinates: [Number.POSITIVE_INFINITY, 35.6] }, /outside Japan/],
    ['numbers as strings', withCorner(['139.7', '35.6']), /not a pair of numbers/],
    ['null for a number', { type: 'Point', coordinates: [139.7, null] }, /not a pair of numbers/],
    ['a position of one number', withCorner([139.7]), /not \[lon, lat\]/],
    ['a position of four numbers', { type: 'Point', coordinates: [139.7, 35.6, 0, 0] }, /not \[lon, lat\]/],
    ['a position that is an object', withCorner({ lon: 139.7, lat: 35.6 }), /not \[lon, lat\]/],
    ['four times the same position', polygon([ORIGIN, ORIGIN, ORIGIN, ORIGIN]), /without area/],
    ['a line there and back', polygon([at([0, 0]), at([1, 0]), at([0, 0]), at([1, 0]), at([0, 0])]), /without area/],
  ])('%s is refused', (_, value, reason) => {
    expect(faultInGeometry(value)).toMatch(reason);
  });

  it.each<[string, unknown]>([
    ['text', [139.7, 35.6, 'high']],
    ['null', [139.7, 35.6, null]],
    ['an object', [139.7, 35.6, {}]],
  ])('a height that is %s is refused', (_, coordinates) => {
    expect(faultInGeometry({ type: 'Point', coordinates })).toBeDefined();
  });

  it('more positions than any building has are refused', () => {
    const many = Array.from({ length: 200_001 }, (_, i) => at([Math.cos(i), Math.sin(i)]));
    expect(faultInGeometry(polygon(many))).toMatch(/more than 200000 positions/);
    const parts = Array.from({ length: 50_000 }, () => [box(0, 0, 1, 1)]);
    expect(faultInGeometry(multi(...parts.slice(0, 40_000)))).toBeUndefined();
    expect(faultInGeometry(multi(...parts))).toMatch(/more than 200000 positions/);
  });

  const slanted = (step: number): Position[] => [
    [139.1, 35.1],
    [139.1 + step, 35.1 + step],
    [139.1 + 2 * step, 35.1 + 2 * step],
    [139.1, 35.1],
  ];

  // A building is located by its centroid, which must not be NaN or kilometres away.
  it.each<[string, AreaGeometry]>([
    ['a ring that is a point in seven decimals', polygon(box(0, 0, 1e-6, 1e-6))],
    ['a slanted line, there and back, of 0.02 degrees', polygon(slanted(0.01))],
    ['a slanted line, there and back, of 0.002 degrees', polygon(slanted(0.001))],
    ['a slanted line, there and back, of 0.0006 degrees', polygon(slanted(0.0003))],
    ['a hole as large as its polygon', polygon(box(0, 0, 1, 1), box(0, 0, 1, 1))],
    ['a hole larger than its polygon', polygon(box(1, 0, 2, 1), box(0, 0, 1.2, 1))],
    ['a figure of eight', polygon(ring([0, 0], [2, 2.002], [2, 0], [0, 2]))],
    ['a figure of eight with unequal loops', polygon(ring([0, 0], [3, 3], [3, 0], [0, 2]))],
  ])('%s is refused, or has its centroid within its bounds', (_, geometry) => {
    if (faultInGeometry(geometry) !== undefined) return;
    const kept = roundGeometry(geometry);
    const [lon, lat] = centroidOf(kept);
    const [west, south, east, north] = measure(kept).bbox;
    expect(lon >= west && lon <= east && lat >= south && lat <= north, `centroid ${lon}, ${lat}`).toBe(true);
  });

  it('any value is a geometry or has an error message', () => {
    const type = fc.constantFrom('Point', 'Polygon', 'MultiPolygon', 'LineString');
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.record({ type, coordinates: fc.jsonValue() })), (value) => {
        expect(faultInGeometry(value) ?? 'none').toMatch(/^[\w ]/);
      }),
    );
  });
});

describe('rounding', () => {
  it('keeps seven decimals and drops heights, on every level', () => {
    const raw = [
      [139.123456789, 35.987654321, 5],
      [139.2, 35.98, 6],
      [139.2, 35.99, 7],
      [139.123456789, 35.987654321, 5],
    ] as unknown as Ring;
    const rounded = [
      [139.1234568, 35.9876543],
      [139.2, 35.98],
      [139.2, 35.99],
      [139.1234568, 35.9876543],
    ];
    expect(roundGeometry({ type: 'Point', coordinates: raw[0] as Position })).toEqual({
      type: 'Point',
      coordinates: rounded[0],
    });
    expect(roundGeometry(polygon(raw))).toEqual({ type: 'Polygon', coordinates: [rounded] });
    expect(roundGeometry(multi([raw], [raw]))).toEqual({ type: 'MultiPolygon', coordinates: [[rounded], [rounded]] });
  });

  it('is idempotent', () => {
    const lon = fc.double({ min: JAPAN.west, max: JAPAN.east, noNaN: true });
    const lat = fc.double({ min: JAPAN.south, max: JAPAN.north, noNaN: true });
    fc.assert(
      fc.property(lon, lat, (x, y) => {
        const once = roundGeometry({ type: 'Point', coordinates: [x, y] });
        expect(roundGeometry(once)).toEqual(once);
        expect(Math.abs(once.coordinates[0] - x)).toBeLessThan(5.1e-8);
        expect(faultInGeometry(once)).toBeUndefined();
      }),
    );
  });
});

describe('winding', () => {
  /** Twice the signed area in whole units of the seventh decimal, by the plain shoelace formula. */
  const turn = (r: Ring): bigint => {
    const points = r.map(([lon, lat]) => [BigInt(Math.round(lon * 1e7)), BigInt(Math.round(lat * 1e7))] as const);
    return points.slice(1).reduce((sum, [x, y], i) => {
      const [px, py] = points[i] as readonly [bigint, bigint];
      return sum + px * y - x * py;
    }, 0n);
  };
  /** Star-shaped, so that it never crosses itself; some rings are as thin as seven decimals allow. */
  const anyRing = fc
    .tuple(
      fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 3, maxLength: 12 }),
      fc.constantFrom(1e-7, 1e-6, 1e-4, 1e-2),
      fc.boolean(),
    )
    .map(([radii, unit, backwards]): Ring => {
      const corners = radii.map((radius, i): Position => {
        const angle = (2 * Math.PI * i) / radii.length;
        return [139.7 + Math.cos(angle) * radius * unit, 35.6 + Math.sin(angle) * radius * unit];
      });
      const closed = [...corners, corners[0] as Position].map(
        ([lon, lat]): Position => [Math.round(lon * 1e7) / 1e7, Math.round(lat * 1e7) / 1e7],
      );
      return backwards ? reversed(closed) : closed;
    });
  const anyShape = fc.oneof(
    fc.array(anyRing, { minLength: 1, maxLength: 4 }).map((rings): AreaGeometry => polygon(...rings)),
    fc
      .array(fc.array(anyRing, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
      .map((polygons) => multi(...polygons)),
  );

  it('makes exterior rings counter-clockwise and holes clockwise, however they were drawn', () => {
    fc.assert(
      fc.property(anyShape, (shape) => {
        const before = structuredClone(shape);
        const wound = windRings(shape);
        expect(shape).toEqual(before);
        expect(wound.type).toBe(shape.type);
        expect(windRings(wound)).toEqual(wound);
        const [were, are] = [polygonsOf(shape), polygonsOf(wound)];
        expect(are.map((rings) => rings.length)).toEqual(were.map((rings) => rings.length));
        for (const [i, rings] of are.entries()) {
          for (const [j, r] of rings.entries()) {
            const was = were[i]?.[j] as Ring;
            expect([was, reversed(was)]).toContainEqual(r);
            expect(r[0]).toEqual(was[0]);
            if (turn(was) !== 0n) expect(turn(r) > 0n).toBe(j === 0);
          }
        }
      }),
    );
  });
});
