import type { BuildingPage } from '../../vocabulary/building-page.ts';
import { metresPerDegree } from '../../vocabulary/geometry.ts';
import { displayName } from './building/names.ts';
import { shorten } from './format.ts';
import { type Html, html } from './html.ts';

/** What a map is to show; the script `map` reads it. */
type MapView =
  | { kind: 'building'; id: string; lat: number; lon: number; bbox?: readonly number[] | undefined }
  | { kind: 'results'; points: readonly { lat: number; lon: number; name: string; path: string }[] }
  | { kind: 'area'; points: readonly { lat: number; lon: number }[] };

/** A map where the browser can draw one and it comes into view; else the drawing stands there. */
export function mapFrame(view: MapView, drawing: Html | undefined): Html {
  return html`<div class="map" data-map="${JSON.stringify(view)}">${drawing ?? html`<p class="unknown">No outline is known.</p>`}</div>`;
}

const [WIDTH, HEIGHT, MARGIN] = [640, 260, 20];

/** Where the buildings of this page stand. Without a map, as dots that lie to each other as they do. */
export function resultsMap(items: readonly BuildingPage[]): Html | undefined {
  const points = pointsOf(items);
  return points.length === 0 ? undefined : mapFrame({ kind: 'results', points }, dots(points));
}

/** The same without a mark for each, since the map shows all buildings anyway; without a place, of all Japan. */
export function areaMap(items: readonly BuildingPage[], isSomewhere: boolean): Html | undefined {
  const points = pointsOf(items);
  if (points.length === 0) return undefined;
  return mapFrame({ kind: 'area', points: isSomewhere ? points : [] }, dots(points));
}

function pointsOf(items: readonly BuildingPage[]) {
  return items.flatMap((building) => {
    const { lat, lon } = building.location;
    if (lat === null || lon === null) return [];
    return [{ lat, lon, name: shorten(displayName(building).text, 60), path: building.path }];
  });
}

function dots(points: readonly { lat: number; lon: number }[]): Html {
  const [west, east] = [Math.min(...points.map(({ lon }) => lon)), Math.max(...points.map(({ lon }) => lon))];
  const [south, north] = [Math.min(...points.map(({ lat }) => lat)), Math.max(...points.map(({ lat }) => lat))];
  const metres = metresPerDegree((south + north) / 2);
  const [broad, high] = [(east - west) * metres.lon, (north - south) * metres.lat];
  const scale = Math.min((WIDTH - 2 * MARGIN) / Math.max(broad, 100), (HEIGHT - 2 * MARGIN) / Math.max(high, 100));
  const [left, top] = [(WIDTH - broad * scale) / 2, (HEIGHT - high * scale) / 2];
  return html`<svg class="dots" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Where the buildings on this page stand to each other; north is up">${points.map(
    ({ lat, lon }) =>
      html`<circle cx="${Math.round(left + (lon - west) * metres.lon * scale)}" cy="${Math.round(top + (north - lat) * metres.lat * scale)}" r="4"/>`,
  )}</svg>`;
}
