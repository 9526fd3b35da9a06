/** The sources and layers of a map. */
import type {
  ExpressionSpecification,
  LayerSpecification,
  StyleSpecification,
  VariableAnchorOffsetCollectionSpecification,
} from 'maplibre-gl';
import { colourOf } from './map-colours.ts';
import { listUrl } from './map-list.ts';
import { type MapState, OUTLINES_FROM } from './map-view.ts';

const MAX_TILE_ZOOM = 16;
const MAX_AREA_ZOOM = 14;
/** The bundled outlines fade out between these zooms, because they are coarse. */
const COAST_FADES = [8, 10.5] as const;

/** Without an address for glyphs, MapLibre draws them with the fonts of the system, so that no service is needed. */
const FONT = ['Hiragino Sans', 'Noto Sans JP', 'Noto Sans CJK JP', 'Yu Gothic UI', 'Meiryo', 'sans-serif'];

/** Where a name may be instead of on its place, if a building of the list is there. More places take longer to try. */
const ASIDE = [
  ...['center', [0, 0]],
  ...['top', [0, 0.5], 'bottom', [0, -0.5], 'left', [0.5, 0], 'right', [-0.5, 0]],
  ...['top', [0, 2], 'bottom', [0, -2], 'left', [2, 0], 'right', [-2, 0]],
  ...['top-left', [1.5, 1.5], 'top-right', [-1.5, 1.5], 'bottom-left', [1.5, -1.5], 'bottom-right', [-1.5, -1.5]],
] as VariableAnchorOffsetCollectionSpecification;

/** UI-80, UI-81, UI-82, UI-85: the base map below, then land, boundaries, buildings, names, and the list on top. */
export function styleOf(state: MapState): StyleSpecification {
  const { view, colour, words } = state;
  const base = document.querySelector<HTMLMetaElement>('meta[name="base-map"]');
  const name: ExpressionSpecification =
    words.lang === 'en' ? ['coalesce', ['get', 'nameEn'], ['get', 'name']] : ['get', 'name'];
  const [sea, land] = [colour('--map-sea'), colour('--map-land')];
  const isBoundary = (level: string): ExpressionSpecification => ['==', ['get', 'level'], level];
  const fading = (full: number): ExpressionSpecification => [
    'interpolate',
    ['linear'],
    ['zoom'],
    COAST_FADES[0],
    full,
    COAST_FADES[1],
    0,
  ];
  const ground: LayerSpecification[] = base
    ? [
        { id: 'paper', type: 'background', paint: { 'background-color': land } },
        { id: 'base', type: 'raster', source: 'base' },
      ]
    : [
        {
          id: 'paper',
          type: 'background',
          // Where the coast is not known well enough, everything is land.
          paint: {
            'background-color': ['interpolate', ['linear'], ['zoom'], COAST_FADES[0], sea, COAST_FADES[1], land],
          },
        },
        {
          id: 'land',
          type: 'fill',
          source: 'areas',
          'source-layer': 'land',
          maxzoom: 11,
          paint: { 'fill-color': land, 'fill-antialias': false },
        },
      ];
  return {
    version: 8,
    sources: {
      ...(base && { base: { type: 'raster', tiles: [base.content], tileSize: 256 } }),
      areas: { type: 'vector', tiles: [`${location.origin}/japan/tiles/areas/{z}/{x}/{y}`], maxzoom: MAX_AREA_ZOOM },
      buildings: { type: 'vector', tiles: [`${location.origin}/japan/tiles/{z}/{x}/{y}`], maxzoom: MAX_TILE_ZOOM },
      ...(view.kind === 'list' && { list: { type: 'geojson', data: listUrl(view) } }),
    },
    layers: [
      ...ground,
      {
        id: 'coast',
        type: 'line',
        source: 'areas',
        'source-layer': 'lines',
        maxzoom: 11,
        paint: { 'line-color': colour('--strong-line'), 'line-width': 0.8, 'line-opacity': fading(1) },
      },
      {
        id: 'machi-aza',
        type: 'line',
        source: 'areas',
        'source-layer': 'boundaries',
        filter: isBoundary('machiAza'),
        minzoom: 12,
        paint: { 'line-color': colour('--strong-line'), 'line-width': 0.8, 'line-dasharray': [3, 2] },
      },
      {
        id: 'wards',
        type: 'line',
        source: 'areas',
        'source-layer': 'boundaries',
        filter: isBoundary('ward'),
        minzoom: 8,
        paint: {
          'line-color': colour('--muted'),
          'line-width': ['interpolate', ['linear'], ['zoom'], 8, 0.4, 14, 1.4],
        },
      },
      ...(view.kind === 'list'
        ? []
        : [
            {
              id: 'density',
              type: 'circle',
              source: 'buildings',
              'source-layer': 'density',
              maxzoom: OUTLINES_FROM,
              paint: circlePaint(colour),
            } as const,
          ]),
      outlinesOf(state),
      {
        id: 'names',
        type: 'symbol',
        source: 'areas',
        'source-layer': 'labels',
        filter: [
          'any',
          ['all', isBoundary('prefecture'), ['<', ['zoom'], 9]],
          ['all', isBoundary('ward'), ['>=', ['zoom'], 9], ['<', ['zoom'], 13.5]],
          ['all', isBoundary('machiAza'), ['>=', ['zoom'], 13]],
        ],
        layout: {
          'text-field': name,
          'text-font': FONT,
          'text-size': ['match', ['get', 'level'], 'prefecture', 12, 'ward', 12, 11],
          'text-max-width': 8,
          'text-padding': 2,
          ...(view.kind === 'list' && { 'text-variable-anchor-offset': ASIDE }),
        },
        paint: { 'text-color': colour('--muted'), 'text-halo-color': land, 'text-halo-width': 1.5 },
      },
      ...(view.kind === 'list' ? [...listLayers(state), ...listTexts(state)] : []),
    ],
  };
}

function circlePaint(colour: MapState['colour']) {
  return {
    'circle-color': colour('--accent'),
    'circle-opacity': 0.5,
    'circle-stroke-color': colour('--surface'),
    'circle-stroke-width': 1,
    'circle-radius': [
      'interpolate',
      ['linear'],
      ['log10', ['max', ['coalesce', ['get', 'count'], 1], 1]],
      0,
      5,
      3,
      14,
      6,
      26,
    ] as ExpressionSpecification,
  };
}

/** UI-84: the buildings of the list: circles for many, with their number on top of all, dots for single ones. */
function listLayers({ colour }: MapState): LayerSpecification[] {
  const isMany: ExpressionSpecification = ['has', 'count'];
  return [
    { id: 'cells', type: 'circle', source: 'list', filter: isMany, paint: circlePaint(colour) },
    {
      id: 'points',
      type: 'circle',
      source: 'list',
      filter: ['!', isMany],
      paint: {
        'circle-color': colour('--accent'),
        // Small enough near by for the outline around it to be seen.
        'circle-radius': ['interpolate', ['linear'], ['zoom'], 14, 5.5, 17, 3.5],
        'circle-stroke-color': colour('--surface'),
        'circle-stroke-width': 2,
      },
    },
  ];
}

/** The last layers, because names make room for the layers above theirs: for the counts, and for dots as if they were text. */
function listTexts({ colour }: MapState): LayerSpecification[] {
  const isMany: ExpressionSpecification = ['has', 'count'];
  return [
    {
      id: 'dots',
      type: 'symbol',
      source: 'list',
      filter: ['!', isMany],
      layout: { 'text-field': '●', 'text-font': FONT, 'text-size': 8, 'text-padding': 0, 'text-allow-overlap': true },
      paint: { 'text-opacity': 0 },
    },
    {
      id: 'counts',
      type: 'symbol',
      source: 'list',
      filter: isMany,
      layout: {
        'text-field': ['to-string', ['get', 'count']],
        'text-font': FONT,
        'text-size': 11,
        'symbol-sort-key': ['-', ['get', 'count']],
      },
      paint: { 'text-color': colour('--ink'), 'text-halo-color': colour('--surface'), 'text-halo-width': 1.2 },
    },
  ];
}

/** The buildings, with the building of the page in its own colour. */
export function outlinesOf(state: MapState): LayerSpecification {
  const own = state.view.kind === 'building' ? state.view.id : '';
  return state.is3d ? extrusion(state, own) : outline(state, own);
}

function outline(state: MapState, own: string): LayerSpecification {
  const isOwn: ExpressionSpecification = ['==', ['get', 'id'], own];
  return {
    id: 'outlines',
    type: 'fill',
    source: 'buildings',
    'source-layer': 'buildings',
    minzoom: OUTLINES_FROM,
    paint: {
      'fill-color': ['case', isOwn, state.colour('--accent'), colourOf(state)],
      'fill-opacity': ['case', isOwn, 0.95, 0.7],
      'fill-outline-color': state.colour('--muted'),
    },
  };
}

/** Three metres per floor where only the floors are known. */
function extrusion(state: MapState, own: string): LayerSpecification {
  return {
    id: 'outlines',
    type: 'fill-extrusion',
    source: 'buildings',
    'source-layer': 'buildings',
    minzoom: OUTLINES_FROM,
    paint: {
      'fill-extrusion-color': ['case', ['==', ['get', 'id'], own], state.colour('--accent'), colourOf(state)],
      'fill-extrusion-height': ['coalesce', ['get', 'height'], ['*', 3, ['coalesce', ['get', 'floors'], 1]]],
      'fill-extrusion-opacity': 0.9,
    },
  };
}
