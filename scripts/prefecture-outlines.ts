/**
 * node bin/run.js scripts/prefecture-outlines.ts <natural-earth.geojson> [file]
 *
 * Writes src/vocabulary/prefecture-outlines.json from the features of Japan in Natural Earth's 1:10m states and
 * provinces (public domain), as GeoJSON. Borders are cut into arcs where they meet, and each arc is simplified once, so
 * that neighbours keep one common border. `npx biome format --write` gives the file its final form.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type AreaGeometry, polygonsOf } from '../src/vocabulary/geometry.ts';
import type { EncodedOutlines } from '../src/vocabulary/prefecture-outlines.ts';
import { PREFECTURE_NAMES, prefecturesAround } from '../src/vocabulary/prefectures.ts';

/** Units per degree: one is about 100 m, the error of the source about a kilometre. */
const SCALE = 1_000;
/** How far a simplified border may be from the original, in units. */
const TOLERANCE = 3;
/** Smaller islands are left out, in square units: about half a square kilometre. */
const SMALLEST = 50;

type Point = [x: number, y: number];

export interface NaturalEarthFeature {
  properties: { adm0_a3?: string | null; name_local?: string | null };
  geometry: AreaGeometry;
}

export function encodeOutlines(features: readonly NaturalEarthFeature[]): EncodedOutlines {
  const rings: { code: number; polygon: number; points: Point[] }[] = [];
  let polygons = 0;
  for (const { properties, geometry } of features.filter(isInJapan)) {
    for (const polygon of polygonsOf(geometry)) {
      const code = codeOf(properties.name_local, polygon[0] as Point[]);
      const quantised = polygon.map(quantise);
      if (Math.abs(areaOf(quantised[0] as Point[])) < SMALLEST) continue;
      for (const points of quantised) if (points.length > 3) rings.push({ code, polygon: polygons, points });
      polygons += 1;
    }
  }
  const junctions = findJunctions(rings.map(({ points }) => points));
  const arcs: Point[][] = [];
  const known = new Map<string, number>();
  const arcOf = (points: Point[]): number => {
    const [forward, backward] = [points.join(' '), points.toReversed().join(' ')];
    const same = known.get(forward);
    if (same !== undefined) return same;
    const reverse = known.get(backward);
    if (reverse !== undefined) return ~reverse;
    known.set(forward, arcs.length);
    return arcs.push(simplify(points)) - 1;
  };
  const prefectures: number[][][][] = PREFECTURE_NAMES.map(() => []);
  const placed = new Map<number, number[][]>();
  for (const { code, polygon, points } of rings) {
    let place = placed.get(polygon);
    if (place === undefined) {
      place = [];
      placed.set(polygon, place);
      (prefectures[code - 1] as number[][][]).push(place);
    }
    place.push(cutAt(points, junctions).map(arcOf));
  }
  return { scale: SCALE, arcs: arcs.map((arc) => toDeltas(arc).join(' ')), prefectures };
}

const isInJapan = ({ properties }: NaturalEarthFeature) => properties.adm0_a3 === 'JPN';

/** From 1. A polygon without a known name belongs to the prefecture that most of its points are near. */
function codeOf(name: string | null | undefined, points: readonly Point[]): number {
  const named = PREFECTURE_NAMES.indexOf(name ?? '') + 1;
  if (named > 0) return named;
  const votes = new Map<number, number>();
  for (const code of points.flatMap(prefecturesAround).map(Number)) votes.set(code, (votes.get(code) ?? 0) + 1);
  const [most] = [...votes].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  if (most === undefined) throw new Error(`no prefecture at ${points[0]?.join(', ')}`);
  return most[0];
}

/** In units, without the repeated last point and without points that fall together. */
function quantise(ring: readonly (readonly number[])[]): Point[] {
  const points = ring.map(([lon = 0, lat = 0]): Point => [Math.round(lon * SCALE), Math.round(lat * SCALE)]);
  return points.filter((point, i) => !isSame(point, points[(i || points.length) - 1] as Point));
}

const isSame = (a: Point, b: Point) => a[0] === b[0] && a[1] === b[1];

function areaOf(ring: readonly Point[]): number {
  let sum = 0;
  for (const [i, [x, y]] of ring.entries()) {
    const [nextX, nextY] = ring[(i + 1) % ring.length] as Point;
    sum += x * nextY - nextX * y;
  }
  return sum / 2;
}

/** Points with more than two neighbours, and the ends of coasts where a border begins. */
function findJunctions(rings: readonly Point[][]): Set<string> {
  const neighbours = new Map<string, Set<string>>();
  for (const ring of rings) {
    for (const [i, point] of ring.entries()) {
      const around = neighbours.get(point.join()) ?? new Set<string>();
      neighbours.set(point.join(), around);
      around.add(String(ring[(i || ring.length) - 1])).add(String(ring[(i + 1) % ring.length]));
    }
  }
  return new Set([...neighbours].flatMap(([point, around]) => (around.size > 2 ? [point] : [])));
}

/** The arcs of a ring, in order, each with both of its ends; a ring without junctions is one closed arc. */
function cutAt(ring: readonly Point[], junctions: ReadonlySet<string>): Point[][] {
  const first = Math.max(
    0,
    ring.findIndex((point) => junctions.has(point.join())),
  );
  const turned = [...ring.slice(first), ...ring.slice(0, first + 1)];
  const arcs: Point[][] = [];
  let arc: Point[] = [turned[0] as Point];
  for (const point of turned.slice(1)) {
    arc.push(point);
    if (!junctions.has(point.join())) continue;
    arcs.push(arc);
    arc = [point];
  }
  if (arc.length > 1) arcs.push(arc);
  return arcs;
}

/** Douglas-Peucker. A closed arc is divided at its farthest point, so that it stays a ring. */
function simplify(points: readonly Point[]): Point[] {
  const [start, end] = [points[0] as Point, points.at(-1) as Point];
  let [farthest, distance] = [0, 0];
  for (const [i, point] of points.entries()) {
    const away = distanceTo(point, start, end);
    if (away > distance) [farthest, distance] = [i, away];
  }
  const isClosed = isSame(start, end);
  if (!isClosed && distance <= TOLERANCE) return [start, end];
  if (isClosed && points.length <= 4) return [...points];
  const [before, after] = [points.slice(0, farthest + 1), points.slice(farthest)];
  const simple = [...simplify(before).slice(0, -1), ...simplify(after)];
  // A ring needs three corners.
  return isClosed && simple.length < 4 ? cornersOf(points) : simple;
}

/** A small ring as the triangle of its ends and two more points. */
const cornersOf = (points: readonly Point[]): Point[] =>
  [0, 1 / 3, 2 / 3, 1].map((part) => points[Math.round(part * (points.length - 1))] as Point);

function distanceTo([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const squared = (bx - ax) ** 2 + (by - ay) ** 2;
  const along = squared === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / squared));
  return Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay));
}

/** The first point, then the step to each of the others. */
const toDeltas = (points: readonly Point[]): number[] =>
  points.flatMap(([x, y], i) => {
    const [beforeX, beforeY] = i === 0 ? [0, 0] : (points[i - 1] as Point);
    return [x - beforeX, y - beforeY];
  });

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [source, file = join(import.meta.dirname, '../src/vocabulary/prefecture-outlines.json')] =
    process.argv.slice(2);
  if (source === undefined) throw new Error('usage: scripts/prefecture-outlines.ts <natural-earth.geojson> [file]');
  const { features } = JSON.parse(readFileSync(source, 'utf8')) as { features: NaturalEarthFeature[] };
  writeFileSync(file, JSON.stringify(encodeOutlines(features)));
}
