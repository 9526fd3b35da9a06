import type { GeoJSONSource, Map as MapLibreMap } from 'maplibre-gl';
import type { Box, View } from './map-view.ts';

export function listUrl({ query }: { query: string }, box?: Box): string {
  const bbox = box === undefined ? '' : `${query === '' ? '?' : '&'}bbox=${box.join(',')}`;
  return `${location.origin}/japan/map-points${query}${bbox}`;
}

/** UI-84: a part of a long list has smaller cells, then single buildings. */
export function refineList(map: MapLibreMap, view: Extract<View, { kind: 'list' }>): void {
  let shown = '';
  map.on('moveend', () => {
    const zoom = Math.floor(map.getZoom());
    const bounds = map.getBounds();
    // Whole steps of about a quarter of the map, so that small moves ask for nothing new.
    const step = 90 / 2 ** Math.max(0, zoom);
    const down = (edge: number) => Number((Math.floor(edge / step) * step).toFixed(6));
    const up = (edge: number) => Number((Math.ceil(edge / step) * step).toFixed(6));
    const box: Box = [down(bounds.getWest()), down(bounds.getSouth()), up(bounds.getEast()), up(bounds.getNorth())];
    const [west, south, east, north] = view.bbox;
    const isWhole = box[0] <= west && box[1] <= south && box[2] >= east && box[3] >= north;
    const url = isWhole ? listUrl(view) : listUrl(view, box);
    if (url === shown || (shown === '' && isWhole)) return;
    shown = url;
    map.getSource<GeoJSONSource>('list')?.setData(url);
  });
}
