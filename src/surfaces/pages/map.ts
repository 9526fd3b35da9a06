import type { MapPoints } from '../../registry/map-points/map-points.ts';
import { boxOf, type Measures, metresPerDegree, type Position, type Ring } from '../../vocabulary/geometry.ts';
import { prefectureOutlines } from '../../vocabulary/prefecture-outlines.ts';
import type { Text } from './catalogue/catalogue.ts';
import { type Html, html, raw } from './html.ts';
import { MAP_WORDS_PATHS } from './static-files.ts';

type Box = Measures['bbox'];

/** What a map shows; client/map-view.ts reads it. */
type MapView =
  | { kind: 'building'; id: string; lat: number; lon: number; bbox?: readonly number[] | undefined }
  | {
      kind: 'list';
      /** Whether some of its points stand for many buildings. */
      hasCells: boolean;
      /** The query of /japan/map-points. */
      query: string;
      bbox: Box;
    };

/** UI-85, UI-86: the static drawing stays in the page, for print and for browsers without WebGL. */
export function mapFrame(t: Text, view: MapView, drawing: Html | undefined): Html {
  return html`<div class="map" data-map="${JSON.stringify(view)}" data-map-words="${MAP_WORDS_PATHS[t.lang]}">${drawing ?? html`<p class="unknown">${t.map.noOutline}</p>`}</div>`;
}

/** UI-84: all buildings of a list. `query` is that of /japan/map-points, with its question mark; undefined if none is located. */
export function listMap(t: Text, points: MapPoints, query: string): Html | undefined {
  if (points.bbox === null) return undefined;
  const hasCells = points.features.some(({ properties }) => 'count' in properties);
  return mapFrame(t, { kind: 'list', query, bbox: points.bbox, hasCells }, positionsDrawing(t, points, points.bbox));
}

const [WIDTH, HEIGHT, MARGIN] = [640, 320, 24];
/** Below this width, the outlines of prefectures are too coarse to be shown, in metres. */
const COARSE_M = 15_000;
/** The smallest stretch that is drawn, in metres. */
const SMALLEST_M = 400;

/** UI-80, UI-86: where the buildings are, in the outlines of the prefectures. */
function positionsDrawing(t: Text, { features }: MapPoints, [west, south, east, north]: Box): Html {
  const metres = metresPerDegree((south + north) / 2);
  const [width, height] = [(east - west) * metres.lon, (north - south) * metres.lat];
  const scale = Math.min(
    (WIDTH - 2 * MARGIN) / Math.max(width, SMALLEST_M),
    (HEIGHT - 2 * MARGIN) / Math.max(height, SMALLEST_M),
  );
  const [left, top] = [(WIDTH - width * scale) / 2, (HEIGHT - height * scale) / 2];
  const project = ([lon, lat]: Position): Position => [
    left + (lon - west) * metres.lon * scale,
    top + (north - lat) * metres.lat * scale,
  ];
  // The largest first, so that no circle is hidden.
  const circles = features
    .map(({ geometry, properties }) => ({
      at: project(geometry.coordinates),
      radius: 'count' in properties ? Math.min(14, 4 + Math.log2(properties.count)) : 4,
    }))
    .sort((a, b) => b.radius - a.radius);
  const land = WIDTH / scale < COARSE_M ? '' : landAround([west, south, east, north].join(), project);
  return html`<svg class="dots${land === '' ? ' inland' : ''}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${t.map.positions}">${land !== '' && raw(`<path class="land" d="${land}"/>`)}${scaleBar(t, scale)}${circles.map(
    ({ at: [x, y], radius }) => raw(`<circle cx="${Math.round(x)}" cy="${Math.round(y)}" r="${Math.round(radius)}"/>`),
  )}</svg>`;
}

/** The longest round length that is at most a quarter of the drawing. */
function scaleBar(t: Text, scale: number): Html {
  const most = WIDTH / 4 / scale;
  const unit = 10 ** Math.floor(Math.log10(most));
  const length = ([5, 2, 1].find((each) => each * unit <= most) ?? 1) * unit;
  const bar = Math.round(length * scale);
  const text = length < 1_000 ? t.map.metres(length) : t.map.kilometres(length / 1_000);
  return html`<g class="scale" aria-hidden="true"><path d="M16 302v4h${bar}v-4"/><text x="${16 + bar / 2}" y="296">${text}</text></g>`;
}

/** How far outside the drawing outlines are cut: frames may be higher than the drawing. */
const BEYOND = 96;

/** Lists in several orders and pages have the same box. */
const RECENT_BOXES = 64;
const recentLand = new Map<string, string>();

function landAround(box: string, project: (position: Position) => Position): string {
  let path = recentLand.get(box);
  if (path === undefined) {
    path = landPath(project);
    if (recentLand.size >= RECENT_BOXES) recentLand.clear();
    recentLand.set(box, path);
  }
  return path;
}

interface Outline {
  box: Box;
  rings: readonly { ring: Ring; box: Box }[];
}

let outlines: readonly Outline[] | undefined;

/** The prefectures, with their boxes. */
function landOutlines(): readonly Outline[] {
  outlines ??= prefectureOutlines().areas.map((area) => ({
    box: boxOf(area),
    rings: area.coordinates.flat().map((ring) => ({ ring, box: boxOf({ type: 'Polygon', coordinates: [ring] }) })),
  }));
  return outlines;
}

/** The prefectures around, rounded to units of the drawing. */
function landPath(project: (position: Position) => Position): string {
  let path = '';
  for (const { box, rings } of landOutlines()) {
    if (overlap(box, project) === 'none') continue;
    for (const { ring, box } of rings) {
      const seen = overlap(box, project);
      if (seen === 'none') continue;
      path += seen === 'all' ? ringPath(ring, project) : ringPath(clip(ring.map(project)), asItIs);
    }
  }
  return path;
}

const asItIs = (position: Position) => position;

/** How much of a box can be seen in the drawing. */
function overlap([west, south, east, north]: Box, project: (position: Position) => Position): 'all' | 'some' | 'none' {
  const [left, bottom] = project([west, south]);
  const [right, top] = project([east, north]);
  if (left > WIDTH + BEYOND || right < -BEYOND || top > HEIGHT + BEYOND || bottom < -BEYOND) return 'none';
  const isInside = left >= -BEYOND && right <= WIDTH + BEYOND && top >= -BEYOND && bottom <= HEIGHT + BEYOND;
  return isInside ? 'all' : 'some';
}

/** Without what is too small to be seen, in steps from point to point, which take less room than the points. */
function ringPath(ring: readonly Position[], project: (position: Position) => Position): string {
  let path = '';
  let count = 0;
  let [lastX, lastY] = [0, 0];
  for (const point of ring) {
    const at = project(point);
    const [x, y] = [Math.round(at[0]), Math.round(at[1])];
    if (count > 0 && Math.abs(x - lastX) + Math.abs(y - lastY) < FINEST) continue;
    path += count === 0 ? `M${x} ${y}l` : `${x - lastX} ${y - lastY} `;
    [lastX, lastY] = [x, y];
    count += 1;
  }
  return count < 4 ? '' : `${path.trimEnd().replaceAll(' -', '-')}z`;
}

/** The shortest step, in units of the drawing. */
const FINEST = 3;

/** Sutherland-Hodgman: cuts a ring at the four edges of the drawing. */
function clip(ring: readonly Position[]): readonly Position[] {
  let points = ring;
  for (const [axis, edge, sign] of EDGES) {
    const isIn = (point: Position) => (point[axis] - edge) * sign <= 0;
    const cut: Position[] = [];
    for (const [i, point] of points.entries()) {
      const before = points[(i || points.length) - 1] as Position;
      if (isIn(point) !== isIn(before)) {
        const part = (edge - before[axis]) / (point[axis] - before[axis]);
        cut.push([before[0] + part * (point[0] - before[0]), before[1] + part * (point[1] - before[1])]);
      }
      if (isIn(point)) cut.push(point);
    }
    points = cut;
  }
  return points;
}

const EDGES: readonly (readonly [axis: 0 | 1, edge: number, sign: 1 | -1])[] = [
  [0, -BEYOND, -1],
  [0, WIDTH + BEYOND, 1],
  [1, -BEYOND, -1],
  [1, HEIGHT + BEYOND, 1],
];
