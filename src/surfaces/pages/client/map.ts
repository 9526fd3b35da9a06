/** Replaces a static drawing with a map when it comes into view, if the browser has WebGL. */
import type { LngLatBoundsLike, Map as MapLibreMap, MapMouseEvent, StyleSpecification } from 'maplibre-gl';

type Library = typeof import('maplibre-gl');

interface Point {
  lat: number;
  lon: number;
  name?: string;
  path?: string;
}

type View =
  | { kind: 'building'; id: string; lat: number; lon: number; bbox?: [number, number, number, number] }
  | { kind: 'results' | 'area'; points: Point[] };

const JAPAN: LngLatBoundsLike = [
  [127, 26],
  [146, 45.6],
];
/** Tiles have outlines from this zoom level on, and counts per grid cell below it. */
const OUTLINES_FROM = 14;
const MAX_TILE_ZOOM = 16;

const observer = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    observer.unobserve(target);
    // If the map fails, the static drawing stays.
    void draw(target as HTMLElement).catch(() => {});
  }
});
if (hasWebGl()) for (const place of document.querySelectorAll<HTMLElement>('[data-map]')) observer.observe(place);

function hasWebGl(): boolean {
  return document.createElement('canvas').getContext('webgl2') !== null;
}

async function draw(place: HTMLElement): Promise<void> {
  const view = JSON.parse(place.dataset.map ?? '') as View;
  loadStyle();
  const library: Library = await import('maplibre-gl');
  library.setWorkerUrl('maplibre-gl/worker');
  const container = document.createElement('div');
  container.className = 'live';
  place.append(container);
  const map = new library.Map({
    container,
    style: styleOf(place, view),
    bounds: boundsOf(view),
    fitBoundsOptions: {
      padding: { top: 40, bottom: 40, left: 40, right: 64 },
      maxZoom: view.kind === 'building' ? 17.5 : 15,
      animate: false,
    },
    cooperativeGestures: true,
    attributionControl: { compact: true, customAttribution: attribution() },
    dragRotate: false,
  });
  map.addControl(new library.NavigationControl({ showCompass: false }), 'top-right');
  map
    .getCanvas()
    .setAttribute(
      'aria-label',
      view.kind === 'building' ? 'Map of the building and its surroundings' : 'Map of buildings',
    );
  // A failed tile leaves a gap; if all tiles fail, the static drawing stays.
  map.on('error', () => {});
  let hasTiles = false;
  map.on('sourcedata', ({ sourceId, tile }) => {
    if (tile && sourceId !== 'results') hasTiles = true;
  });
  map.once('load', () => {
    if (!hasTiles) {
      map.remove();
      container.remove();
      return;
    }
    for (const drawing of place.querySelectorAll(':scope > svg, :scope > p')) drawing.remove();
    place.dataset.drawn = '';
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => map.setStyle(styleOf(place, view)));
    handleClicks(library, map);
  });
}

function loadStyle(): void {
  if (document.querySelector('link[data-map-style]') !== null) return;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = 'maplibre-gl/style';
  link.dataset.mapStyle = '';
  document.head.append(link);
}

function boundsOf(view: View): LngLatBoundsLike {
  if (view.kind === 'building') {
    const { lat, lon } = view;
    const [west, south, east, north] = view.bbox ?? [lon, lat, lon, lat];
    // Leaves room for neighbouring buildings.
    return [west - 0.0008, south - 0.0006, east + 0.0008, north + 0.0006];
  }
  if (view.points.length === 0) return JAPAN;
  const [lons, lats] = [view.points.map(({ lon }) => lon), view.points.map(({ lat }) => lat)];
  return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
}

function styleOf(place: HTMLElement, view: View): StyleSpecification {
  const colour = colours(place);
  const base = document.querySelector<HTMLMetaElement>('meta[name="base-map"]');
  const own = view.kind === 'building' ? view.id : '';
  const points = view.kind === 'results' ? view.points : [];
  return {
    version: 8,
    sources: {
      ...(base && { base: { type: 'raster', tiles: [base.content], tileSize: 256 } }),
      buildings: { type: 'vector', tiles: [`${location.origin}/japan/tiles/{z}/{x}/{y}`], maxzoom: MAX_TILE_ZOOM },
      results: {
        type: 'geojson',
        data: {
          type: 'FeatureCollection',
          features: points.map(({ lat, lon, name, path }) => {
            return {
              type: 'Feature',
              geometry: { type: 'Point', coordinates: [lon, lat] },
              properties: { name, path },
            };
          }),
        },
      },
    },
    layers: [
      { id: 'paper', type: 'background', paint: { 'background-color': colour('--sunken') } },
      ...(base === null ? [] : [{ id: 'base', type: 'raster', source: 'base' } as const]),
      {
        id: 'density',
        type: 'circle',
        source: 'buildings',
        'source-layer': 'density',
        maxzoom: OUTLINES_FROM,
        paint: {
          'circle-color': colour('--accent'),
          'circle-opacity': 0.35,
          'circle-radius': ['interpolate', ['linear'], ['log10', ['max', ['get', 'count'], 1]], 0, 4, 3, 12, 6, 30],
        },
      },
      {
        id: 'outlines',
        type: 'fill',
        source: 'buildings',
        'source-layer': 'buildings',
        minzoom: OUTLINES_FROM,
        paint: {
          'fill-color': ['case', ['==', ['get', 'id'], own], colour('--accent'), colour('--strong-line')],
          'fill-opacity': ['case', ['==', ['get', 'id'], own], 0.75, 0.55],
          'fill-outline-color': colour('--muted'),
        },
      },
      {
        id: 'results',
        type: 'circle',
        source: 'results',
        paint: {
          'circle-color': colour('--accent'),
          'circle-radius': 6,
          'circle-stroke-color': colour('--surface'),
          'circle-stroke-width': 2,
        },
      },
    ],
  };
}

/** The current colours of the page, light or dark. */
function colours(place: HTMLElement): (name: string) => string {
  const probe = document.createElement('span');
  place.append(probe);
  const names = ['--sunken', '--accent', '--strong-line', '--muted', '--surface'];
  const found = new Map(
    names.map((name) => {
      probe.style.color = `var(${name})`;
      return [name, getComputedStyle(probe).color];
    }),
  );
  probe.remove();
  return (name) => found.get(name) ?? '#888';
}

function attribution(): string[] {
  const base = document.querySelector<HTMLMetaElement>('meta[name="base-map"]')?.dataset.attribution;
  const text = document.createElement('span');
  text.textContent = base ?? '';
  const sources = '<a href="/japan/about#sources">© data sources</a>';
  return base === undefined ? [sources] : [sources, text.innerHTML];
}

const CLICKABLE = ['results', 'outlines', 'density'];

function handleClicks(library: Library, map: MapLibreMap): void {
  const featureAt = (event: MapMouseEvent) => map.queryRenderedFeatures(event.point, { layers: CLICKABLE })[0];
  map.on('mousemove', (event) => {
    map.getCanvas().style.cursor = featureAt(event) === undefined ? '' : 'pointer';
  });
  map.on('click', (event) => {
    const feature = featureAt(event);
    if (feature === undefined) return;
    if (feature.layer.id === 'density') {
      map.easeTo({ center: event.lngLat, zoom: map.getZoom() + 2 });
      return;
    }
    const { name, path, id } = feature.properties as { name?: string; path?: string; id?: string };
    const link = document.createElement('a');
    link.href = path ?? `/japan/id/${encodeURIComponent(id ?? '')}`;
    link.textContent = name ?? id ?? '';
    new library.Popup({ closeButton: true }).setLngLat(event.lngLat).setDOMContent(link).addTo(map);
  });
}
