import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { type Html, html, raw } from '../html.ts';

const WIDTH = 220;
const HEIGHT = 260;
const LEFT = 44;
const TOP = 18;
const BOTTOM = 14;
/** Of a floor whose height nobody knows. */
const USUAL_FLOOR_M = 3.5;
const MOST_LINES = 80;

/** The building seen from the side, to scale: its height, its floors above and below the ground. Nothing where neither is known. */
export function pictogram({ fields, footprint }: BuildingPage): Html | undefined {
  const height = numberOf(fields.heightM?.value);
  const above = numberOf(fields.floorsAbove?.value);
  const below = numberOf(fields.floorsBelow?.value) ?? 0;
  if (!height && !above) return undefined;
  const metres = height || (above as number) * USUAL_FLOOR_M;
  const floor = above ? metres / above : USUAL_FLOOR_M;
  const depth = below * Math.min(floor, 6);
  const broad = Math.sqrt(footprint?.areaM2 ?? (metres * metres) / 9);
  const room = WIDTH - LEFT - 8;
  const scale = Math.min((HEIGHT - TOP - BOTTOM) / (metres + depth), room / Math.max(broad, metres / 8));
  const ground = round(TOP + (HEIGHT - TOP - BOTTOM - (metres + depth) * scale) + metres * scale);
  const width = Math.max(3, round(broad * scale));
  const x = round(LEFT + (room - width) / 2);
  const top = round(ground - metres * scale);
  const lines: string[] = [];
  if (above && above <= MOST_LINES) {
    for (let i = 1; i < above; i++) lines.push(`M${x} ${round(ground - i * floor * scale)}h${width}`);
  }
  const foot = round(depth * scale);
  for (let i = 1; i < below && below <= MOST_LINES; i++) {
    lines.push(`M${x} ${round(ground + (i * foot) / below)}h${width}`);
  }
  const label = [
    height ? `${height} m high` : 'height not known, drawn by its floors',
    above === undefined ? undefined : `${above} floors above ground`,
    below > 0 ? `${below} below` : undefined,
  ].filter((part) => part !== undefined);
  return html`<svg class="pictogram${height ? '' : ' unsure'}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Drawing to scale: ${label.join(', ')}">
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
  return html`<g class="ruler" aria-hidden="true">${ticks}<text x="${LEFT - 18}" y="${TOP - 8}">m</text></g>`;
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
const round = (value: number) => Math.round(value * 10) / 10;
