import type { BuildingPage } from '../../vocabulary/building-page.ts';
import { metresPerDegree } from '../../vocabulary/geometry.ts';
import { displayName } from './building/names.ts';
import { shorten } from './format.ts';
import { type Html, html } from './html.ts';

/** What a map shows; client/map.ts reads it. */
type MapView =
  | { kind: 'building'; id: string; lat: number; lon: number; bbox?: readonly number[] | undefined }
  | { kind: 'results'; points: readonly { lat: number; lon: number; name: string; path: string }[] }
  | { kind: 'area'; points: readonly { lat: number; lon: number }[] };

/** client/map.ts replaces the static drawing with a map if the browser has WebGL. */
export function mapFrame(view: MapView, drawing: Html | undefined): Html {
  return html`<div class="map" data-map="${JSON.stringify(view)}">${drawing ?? html`<p class="unknown">No outline available</p>`}</div>`;
}

const [WIDTH, HEIGHT, MARGIN] = [640, 260, 20];

/** The buildings of a list page. The static drawing shows their relative positions as dots. */
export function resultsMap(items: readonly BuildingPage[]): Html | undefined {
  const points = pointsOf(items);
  return points.length === 0 ? undefined : mapFrame({ kind: 'results', points }, dots(points));
}

/** Without a marker per building, because the tiles show them all. Without an area, the map shows all of Japan. */
export function areaMap(items: readonly BuildingPage[], hasArea: boolean): Html | undefined {
  const points = pointsOf(items);
  if (points.length === 0) return undefined;
  return mapFrame({ kind: 'area', points: hasArea ? points : [] }, dots(points));
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
  const [width, height] = [(east - west) * metres.lon, (north - south) * metres.lat];
  const scale = Math.min((WIDTH - 2 * MARGIN) / Math.max(width, 100), (HEIGHT - 2 * MARGIN) / Math.max(height, 100));
  const [left, top] = [(WIDTH - width * scale) / 2, (HEIGHT - height * scale) / 2];
  return html`<svg class="dots" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Relative positions of the buildings on this page, north up">${points.map(
    ({ lat, lon }) =>
      html`<circle cx="${Math.round(left + (lon - west) * metres.lon * scale)}" cy="${Math.round(top + (north - lat) * metres.lat * scale)}" r="4"/>`,
  )}</svg>`;
}
