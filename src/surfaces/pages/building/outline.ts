import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { metresPerDegree } from '../../../vocabulary/geometry.ts';
import { type Html, html } from '../html.ts';

type Outlined = Pick<BuildingPage, 'geometry' | 'footprint'>;

/** The footprint as a drawing, for where there is no map: north is up, with a scale. */
export function outline(building: Outlined): Html | undefined {
  const drawn = draw(building, 320, 44);
  if (drawn === undefined) return undefined;
  const { path, broad, high, scale } = drawn;
  const length = [5, 10, 20, 50, 100, 200, 500].findLast((each) => each <= Math.max(broad, 5)) as number;
  const bar = Math.round(length * scale);
  return html`<svg class="outline" viewBox="0 0 320 320" role="img" aria-label="Outline of the building seen from above, ${Math.round(broad)} by ${Math.round(high)} metres; north is up">
<path class="footprint" fill-rule="evenodd" d="${path}"/>
<g class="scale" aria-hidden="true"><path d="M16 302v4h${bar}v-4"/><text x="${16 + bar / 2}" y="296">${length} m</text></g>
<g class="north" aria-hidden="true"><path d="M296 34V14m-5 7 5-7 5 7"/><text x="296" y="48">N</text></g>
</svg>`;
}

/** The same, small and mute. */
export function thumbnail(building: Outlined): Html {
  const drawn = draw(building, 56, 6);
  return html`<svg class="thumbnail" viewBox="0 0 56 56" width="56" height="56" aria-hidden="true">${drawn && html`<path class="footprint" fill-rule="evenodd" d="${drawn.path}"/>`}</svg>`;
}

function draw({ geometry, footprint }: Outlined, size: number, margin: number) {
  if (geometry === null || footprint === null) return undefined;
  const [west, south, east, north] = footprint.bbox as [number, number, number, number];
  const metres = metresPerDegree((south + north) / 2);
  const [broad, high] = [(east - west) * metres.lon, (north - south) * metres.lat];
  const scale = (size - 2 * margin) / Math.max(broad, high, 1);
  const [left, top] = [(size - broad * scale) / 2, (size - high * scale) / 2];
  const toPath = (ring: readonly (readonly number[])[]) => {
    const steps: string[] = [];
    for (const [lon = 0, lat = 0] of ring) {
      const [x, y] = [left + (lon - west) * metres.lon * scale, top + (north - lat) * metres.lat * scale];
      const step = `${Math.round(x)} ${Math.round(y)}`;
      // Points closer together than the drawing shows are one.
      if (steps.at(-1) !== step) steps.push(step);
    }
    return `M${steps.join('L')}z`;
  };
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  return { path: polygons.flatMap((rings) => rings.map(toPath)).join(''), broad, high, scale };
}
