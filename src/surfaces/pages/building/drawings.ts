import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { metresPerDegree } from '../../../vocabulary/geometry.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { type Html, html, raw } from '../html.ts';

type Outlined = Pick<BuildingPage, 'geometry' | 'footprint'>;

/** The outline from above, with a scale; shown without a map. */
export function footprintDrawing(t: Text, building: Outlined): Html | undefined {
  const drawing = draw(building, 320, 44);
  if (drawing === undefined) return undefined;
  const { path, width, depth, scale } = drawing;
  const length = [5, 10, 20, 50, 100, 200, 500].findLast((each) => each <= Math.max(width, 5)) as number;
  const bar = Math.round(length * scale);
  return html`<svg class="outline" viewBox="0 0 320 320" role="img" aria-label="${t.map.outline(Math.round(width), Math.round(depth))}">
<path class="footprint" fill-rule="evenodd" d="${path}"/>
<g class="scale" aria-hidden="true"><path d="M16 302v4h${bar}v-4"/><text x="${16 + bar / 2}" y="296">${t.map.metres(length)}</text></g>
<g class="north" aria-hidden="true"><path d="M296 34V14m-5 7 5-7 5 7"/><text x="296" y="48">${t.map.north}</text></g>
</svg>`;
}

export function footprintThumbnail(building: Outlined): Html {
  const drawing = draw(building, 56, 6);
  return html`<svg class="thumbnail" viewBox="0 0 56 56" width="56" height="56" aria-hidden="true">${drawing && html`<path class="footprint" fill-rule="evenodd" d="${drawing.path}"/>`}</svg>`;
}

function draw({ geometry, footprint }: Outlined, size: number, margin: number) {
  if (geometry === null || footprint === null) return undefined;
  const [west, south, east, north] = footprint.bbox as [number, number, number, number];
  const metres = metresPerDegree((south + north) / 2);
  const [width, depth] = [(east - west) * metres.lon, (north - south) * metres.lat];
  const scale = (size - 2 * margin) / Math.max(width, depth, 1);
  const [left, top] = [(size - width * scale) / 2, (size - depth * scale) / 2];
  const toPath = (ring: readonly (readonly number[])[]) => {
    const steps: string[] = [];
    for (const [lon = 0, lat = 0] of ring) {
      const [x, y] = [left + (lon - west) * metres.lon * scale, top + (north - lat) * metres.lat * scale];
      const step = `${Math.round(x)} ${Math.round(y)}`;
      // Skip points that fall on the previous one at this scale.
      if (steps.at(-1) !== step) steps.push(step);
    }
    return `M${steps.join('L')}z`;
  };
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  return { path: polygons.flatMap((rings) => rings.map(toPath)).join(''), width, depth, scale };
}

const WIDTH = 220;
const HEIGHT = 260;
const LEFT = 44;
const TOP = 18;
const BOTTOM = 14;
/** Assumed floor height if the height is unknown. */
const USUAL_FLOOR_M = 3.5;
const MAX_LINES = 80;

/** The building from the side, to scale, with its floors; undefined if neither height nor floors are known. */
export function elevationDrawing(t: Text, { fields, footprint }: BuildingPage): Html | undefined {
  const height = numberOf(fields.heightM?.value);
  const above = numberOf(fields.floorsAbove?.value);
  const below = numberOf(fields.floorsBelow?.value) ?? 0;
  if (!height && !above) return undefined;
  const metres = height || (above as number) * USUAL_FLOOR_M;
  const floor = above ? metres / above : USUAL_FLOOR_M;
  const depth = below * Math.min(floor, 6);
  const widthM = Math.sqrt(footprint?.areaM2 ?? (metres * metres) / 9);
  const room = WIDTH - LEFT - 8;
  const scale = Math.min((HEIGHT - TOP - BOTTOM) / (metres + depth), room / Math.max(widthM, metres / 8));
  const ground = round(TOP + (HEIGHT - TOP - BOTTOM - (metres + depth) * scale) + metres * scale);
  const width = Math.max(3, round(widthM * scale));
  const x = round(LEFT + (room - width) / 2);
  const top = round(ground - metres * scale);
  const lines: string[] = [];
  if (above && above <= MAX_LINES) {
    for (let i = 1; i < above; i++) lines.push(`M${x} ${round(ground - i * floor * scale)}h${width}`);
  }
  const foot = round(depth * scale);
  for (let i = 1; i < below && below <= MAX_LINES; i++) {
    lines.push(`M${x} ${round(ground + (i * foot) / below)}h${width}`);
  }
  const label = [
    height ? t.map.high(height) : t.map.heightAssumed,
    above === undefined ? undefined : t.map.floorsAbove(above),
    below > 0 ? t.map.floorsBelow(below) : undefined,
  ].filter((part) => part !== undefined);
  return html`<svg class="pictogram${height ? '' : ' unsure'}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${t.map.elevation(label)}">
<rect class="above" x="${x}" y="${top}" width="${width}" height="${round(ground - top)}"/>
${foot > 0 && html`<rect class="below" x="${x}" y="${ground}" width="${width}" height="${foot}"/>`}
${lines.length > 0 && raw(`<path class="floors" d="${lines.join('')}"/>`)}
${height ? ruler(height, scale, ground) : undefined}
<path class="ground" d="M${LEFT - 8} ${ground}H${WIDTH}"/>
</svg>`;
}

function ruler(height: number, scale: number, ground: number): Html {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((each) => height / each <= 6) ?? 1_000;
  const ticks: Html[] = [];
  for (let at = 0; at <= height; at += step) {
    const y = round(ground - at * scale);
    ticks.push(html`<path d="M${LEFT - 14} ${y}h6"/><text x="${LEFT - 18}" y="${round(y + 3.5)}">${at}</text>`);
  }
  return html`<g class="ruler" aria-hidden="true">${ticks}<text x="${LEFT - 18}" y="${TOP - 7}">m</text></g>`;
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
const round = (value: number) => Math.round(value * 10) / 10;
