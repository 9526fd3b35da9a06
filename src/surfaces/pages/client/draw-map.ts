/** A map with its layers, legend and popups. client/map.ts loads it when a map comes into view. */
import type {
  ExpressionSpecification,
  GeoJSONSource,
  LayerSpecification,
  MapGeoJSONFeature,
  Map as MapLibreMap,
  PointLike,
  Popup,
  StyleSpecification,
} from 'maplibre-gl';
import type { MapWords } from '../catalogue/map.ts';

type Library = typeof import('maplibre-gl');
type Box = [west: number, south: number, east: number, north: number];

type View =
  | { kind: 'building'; id: string; lat: number; lon: number; bbox?: Box }
  | { kind: 'list'; query: string; bbox: Box; hasCells: boolean };

/** Tiles have outlines of buildings from this zoom on, and counts per grid cell below it. */
const OUTLINES_FROM = 14;
const MAX_TILE_ZOOM = 16;
const MAX_AREA_ZOOM = 14;
/** The bundled outlines fade out between these zooms, because they are coarse. */
const COAST_FADES = [8, 10.5] as const;
const PITCH = 50;
/** On a narrower map, credits start closed, in pixels. */
const NARROW = 480;

type Scheme = keyof MapWords['schemes'];

/** Told apart on light and dark ground, and in the order of the legend. */
const USE_COLOURS: Readonly<Record<keyof MapWords['uses'], string>> = {
  residential: '#cf9a1f',
  office: '#3f78c4',
  retail: '#d1495b',
  hotel: '#9b5fc0',
  industry: '#8a6d5b',
  public: '#2f9c98',
  culture: '#c76fa5',
  transport: '#5f7488',
};
const YEAR_COLOURS = ['#7a4fb3', '#4a7fc1', '#2fa39a', '#7fb84a', '#dfb224'];
const HEIGHT_COLOURS = ['#5b8fc7', '#3fa7a0', '#8cbf5a', '#dfb224', '#e2832e', '#c9413a'];

/** Without an address for glyphs, MapLibre draws them with the fonts of the system, so that no service is needed. */
const FONT = ['Hiragino Sans', 'Noto Sans JP', 'Noto Sans CJK JP', 'Yu Gothic UI', 'Meiryo', 'sans-serif'];

export async function drawMap(place: HTMLElement): Promise<void> {
  const view = JSON.parse(place.dataset.map ?? '') as View;
  const [library, words] = await Promise.all([loadLibrary(), loadWords(place), loadStyle()]);
  const container = document.createElement('div');
  container.className = 'live';
  place.append(container);
  const state: MapState = { view, words, scheme: 'use', is3d: false, colour: colours(place) };
  const style = styleOf(state);
  await otherWork();
  const map = new library.Map({
    container,
    style,
    // Checking every property takes longer than reading them.
    validateStyle: false,
    bounds: boundsOf(view),
    fitBoundsOptions: { padding: paddingOf(place), maxZoom: view.kind === 'building' ? 17.5 : 15, animate: false },
    cooperativeGestures: true,
    attributionControl: false,
    dragRotate: false,
    locale: words.controls,
    // Fewer frames are drawn again than with a fade of every label.
    fadeDuration: 0,
    maxPitch: 60,
  });
  // A failed tile leaves a gap; if all tiles fail, the static drawing stays.
  map.on('error', () => {});
  let hasTiles = false;
  map.on('sourcedata', ({ sourceId, tile }) => {
    if (tile && sourceId !== 'list') hasTiles = true;
  });
  const loaded = new Promise<void>((resolve) => {
    map.once('load', () => resolve());
  });
  await otherWork();
  map.addControl(new library.NavigationControl({ visualizePitch: false, showCompass: false }), 'top-right');
  map.addControl(new library.ScaleControl({ maxWidth: 96 }), 'bottom-left');
  map.addControl(
    new library.AttributionControl({ compact: true, customAttribution: attribution(words) }),
    'bottom-right',
  );
  if (place.clientWidth < NARROW) {
    const credits = container.querySelector('.maplibregl-ctrl-attrib');
    credits?.classList.remove('maplibregl-compact-show');
    credits?.removeAttribute('open');
  }
  const canvas = map.getCanvas();
  const title = view.kind === 'building' ? words.mapOfBuilding : words.mapOfBuildings;
  canvas.setAttribute('aria-label', `${title}. ${words.keys}`);
  await loaded;
  if (!hasTiles) {
    map.remove();
    container.remove();
    return;
  }
  place.dataset.drawn = '';
  // A browser allows few WebGL contexts at once.
  place.addEventListener('removed', () => map.remove(), { once: true });
  await otherWork();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    state.colour = colours(place);
    map.setStyle(styleOf(state));
  });
  addPanel(map, container, state);
  showNames(library, map, container, state);
  if (view.kind === 'list') refineList(map, view);
}

/** UI-88: lets the browser answer the visitor between two steps. */
const otherWork = () => new Promise<void>((resolve) => setTimeout(resolve));

interface MapState {
  view: View;
  words: MapWords;
  scheme: Scheme;
  is3d: boolean;
  colour: (name: string) => string;
}

async function loadLibrary(): Promise<Library> {
  const library = await import('maplibre-gl');
  library.setWorkerUrl('maplibre-gl/worker');
  return library;
}

async function loadWords(place: HTMLElement): Promise<MapWords> {
  const response = await fetch(place.dataset.mapWords ?? '');
  return (await response.json()) as MapWords;
}

function loadStyle(): Promise<void> {
  if (document.querySelector('link[data-map-style]') !== null) return Promise.resolve();
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = 'maplibre-gl/style';
  link.dataset.mapStyle = '';
  return new Promise((resolve, reject) => {
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', reject);
    document.head.append(link);
  });
}

/** Room for the controls. */
function paddingOf(place: HTMLElement) {
  return place.clientWidth < NARROW
    ? { top: 32, bottom: 32, left: 32, right: 48 }
    : { top: 48, bottom: 48, left: 48, right: 64 };
}

function boundsOf(view: View): Box {
  if (view.kind === 'list') return view.bbox;
  const { lat, lon } = view;
  const [west, south, east, north] = view.bbox ?? [lon, lat, lon, lat];
  // Leaves room for neighbouring buildings.
  return [west - 0.0008, south - 0.0006, east + 0.0008, north + 0.0006];
}

/** UI-80, UI-81, UI-82, UI-85: the base map below, then land, boundaries, buildings, names, and the list on top. */
function styleOf(state: MapState): StyleSpecification {
  const { view, colour, words } = state;
  const base = document.querySelector<HTMLMetaElement>('meta[name="base-map"]');
  const own = view.kind === 'building' ? view.id : '';
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
      state.is3d ? extrusion(state, own) : outline(state, own),
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
          'text-padding': 6,
        },
        paint: { 'text-color': colour('--muted'), 'text-halo-color': land, 'text-halo-width': 1.5 },
      },
      ...(view.kind === 'list' ? [...listLayers(state), counts(state)] : []),
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

/** The last layer, because names make room for the layers above theirs. */
function counts({ colour }: MapState): LayerSpecification {
  return {
    id: 'counts',
    type: 'symbol',
    source: 'list',
    filter: ['has', 'count'],
    layout: {
      'text-field': ['to-string', ['get', 'count']],
      'text-font': FONT,
      'text-size': 11,
      'symbol-sort-key': ['-', ['get', 'count']],
    },
    paint: { 'text-color': colour('--ink'), 'text-halo-color': colour('--surface'), 'text-halo-width': 1.2 },
  };
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

/** UI-83: by use, year or height; grey if that is not known. */
function colourOf({ scheme, colour, words }: MapState): ExpressionSpecification {
  const unknown = colour('--map-unknown');
  if (scheme === 'use') {
    const pairs = Object.entries(words.useGroups).flatMap(([group, uses]) => [
      uses,
      USE_COLOURS[group as keyof typeof USE_COLOURS],
    ]);
    return ['match', ['get', 'category'], ...pairs, unknown] as unknown as ExpressionSpecification;
  }
  const [property, limits, scale] =
    scheme === 'year'
      ? (['built', words.yearClasses, YEAR_COLOURS] as const)
      : (['height', words.heightClasses, HEIGHT_COLOURS] as const);
  const steps = limits.flatMap((limit, i) => [limit, scale[i + 1] as string]);
  return [
    'case',
    ['has', property],
    ['step', ['get', property], scale[0] as string, ...steps],
    unknown,
  ] as unknown as ExpressionSpecification;
}

/** The current colours of the page, light or dark. */
function colours(place: HTMLElement): (name: string) => string {
  const probe = document.createElement('span');
  place.append(probe);
  const names = [
    '--map-sea',
    '--map-land',
    '--map-unknown',
    '--accent',
    '--strong-line',
    '--muted',
    '--surface',
    '--ink',
  ];
  const found = new Map(
    names.map((name) => {
      probe.style.color = `var(${name})`;
      return [name, getComputedStyle(probe).color];
    }),
  );
  probe.remove();
  return (name) => found.get(name) ?? '#888';
}

function attribution({ sources, outlines }: MapWords): string[] {
  const base = document.querySelector<HTMLMetaElement>('meta[name="base-map"]')?.dataset.attribution;
  const link = document.createElement('a');
  link.href = '/japan/about#sources';
  link.textContent = `© ${sources}`;
  const text = (content: string) => {
    const span = document.createElement('span');
    span.textContent = content;
    return span.innerHTML;
  };
  return [link.outerHTML, text(outlines), ...(base === undefined ? [] : [text(base)])];
}

function listUrl({ query }: { query: string }, box?: Box): string {
  const bbox = box === undefined ? '' : `${query === '' ? '?' : '&'}bbox=${box.join(',')}`;
  return `${location.origin}/japan/map-points${query}${bbox}`;
}

/** UI-84: a part of a long list has smaller cells, then single buildings. */
function refineList(map: MapLibreMap, view: Extract<View, { kind: 'list' }>): void {
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

/** UI-83: legend, colours and 3D. Closed on small maps, so that the map is seen. */
function addPanel(map: MapLibreMap, container: HTMLElement, state: MapState): void {
  const { words, view } = state;
  const panel = document.createElement('details');
  panel.className = 'map-panel';
  panel.open = container.clientWidth >= 600 && container.clientHeight >= 320;
  const summary = document.createElement('summary');
  summary.textContent = words.options;
  const group = document.createElement('fieldset');
  const title = document.createElement('legend');
  title.textContent = words.colourBy;
  group.append(title);
  const name = `map-colour-${Math.random().toString(36).slice(2)}`;
  for (const scheme of Object.keys(words.schemes) as Scheme[]) {
    group.append(
      choice('radio', words.schemes[scheme], state.scheme === scheme, name, () => {
        state.scheme = scheme;
        redraw();
      }),
    );
  }
  const threeD = choice('checkbox', words.inThreeDimensions, false, '', (isOn) => {
    state.is3d = isOn;
    redraw();
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    map.easeTo({ pitch: isOn ? PITCH : 0, bearing: isOn ? -15 : 0, duration: isStill ? 0 : 600 });
  });
  const list = document.createElement('ul');
  list.setAttribute('aria-label', words.legend);
  panel.append(summary, group, threeD, list);
  container.append(panel);
  const redraw = () => {
    map.removeLayer('outlines');
    const own = view.kind === 'building' ? view.id : '';
    map.addLayer(state.is3d ? extrusion(state, own) : outline(state, own), 'names');
    legend();
  };
  const legend = () => {
    const isNear = map.getZoom() >= OUTLINES_FROM;
    panel.dataset.near = String(isNear);
    const rows: [string, string, string][] = isNear ? schemeRows(state) : [];
    if (isNear && view.kind === 'building') rows.unshift(['square', state.colour('--accent'), words.thisBuilding]);
    if (view.kind === 'list') rows.unshift(['dot', state.colour('--accent'), words.inList]);
    if (!isNear && (view.kind === 'building' || view.hasCells))
      rows.push(['circle', state.colour('--accent'), words.circle]);
    list.replaceChildren(...rows.map(legendRow));
  };
  legend();
  let wasNear: boolean | undefined;
  map.on('zoomend', () => {
    const isNear = map.getZoom() >= OUTLINES_FROM;
    if (isNear !== wasNear) legend();
    wasNear = isNear;
  });
  map.on('styledata', legend);
}

function schemeRows({ scheme, words, colour }: MapState): [kind: string, colour: string, text: string][] {
  const rows: [string, string, string][] =
    scheme === 'use'
      ? Object.entries(words.uses).map(([group, text]) => [
          'square',
          USE_COLOURS[group as keyof typeof USE_COLOURS],
          text,
        ])
      : scheme === 'year'
        ? words.years.map((text, i) => ['square', YEAR_COLOURS[i] as string, text])
        : words.heights.map((text, i) => ['square', HEIGHT_COLOURS[i] as string, text]);
  return [...rows, ['square', colour('--map-unknown'), words.unknown]];
}

function legendRow([kind, colour, text]: [string, string, string]): HTMLElement {
  const row = document.createElement('li');
  const swatch = document.createElement('span');
  swatch.className = `swatch ${kind}`;
  swatch.style.background = colour;
  row.append(swatch, text);
  return row;
}

function choice(
  type: 'radio' | 'checkbox',
  text: string,
  isOn: boolean,
  name: string,
  onChange: (isOn: boolean) => void,
): HTMLElement {
  const label = document.createElement('label');
  const input = document.createElement('input');
  input.type = type;
  input.checked = isOn;
  if (name !== '') input.name = name;
  input.addEventListener('change', () => onChange(input.checked));
  label.append(input, text);
  return label;
}

const CLICKABLE = ['points', 'outlines', 'cells', 'density'];
/** How far from a small point a click may be, in pixels. */
const REACH = 4;

/** A label under the pointer, and a popup on a click or on Enter, which opens the building at the cross. */
function showNames(library: Library, map: MapLibreMap, container: HTMLElement, state: MapState): void {
  const { words } = state;
  const hover = document.createElement('div');
  hover.className = 'map-hover';
  hover.hidden = true;
  const cross = document.createElement('div');
  cross.className = 'map-cross';
  container.append(hover, cross);
  const canvas = map.getCanvas();
  const layers = () => CLICKABLE.filter((id) => map.getLayer(id) !== undefined);
  const featureAt = (point: { x: number; y: number }): MapGeoJSONFeature | undefined => {
    const box: [PointLike, PointLike] = [
      [point.x - REACH, point.y - REACH],
      [point.x + REACH, point.y + REACH],
    ];
    return (
      map.queryRenderedFeatures([point.x, point.y], { layers: layers() })[0] ??
      map.queryRenderedFeatures(box, { layers: layers() })[0]
    );
  };
  const show = (feature: MapGeoJSONFeature | undefined, { x, y }: { x: number; y: number }) => {
    hover.hidden = feature === undefined;
    if (feature === undefined) return;
    const { name, lang, figures } = describe(feature, words);
    hover.replaceChildren(named('strong', name, lang), ...(figures === '' ? [] : [named('span', figures)]));
    hover.style.left = `${Math.min(x, container.clientWidth - hover.offsetWidth - 8)}px`;
    hover.style.top = `${y > container.clientHeight / 2 ? y - hover.offsetHeight - 12 : y + 16}px`;
  };
  let isAsked = false;
  map.on('mousemove', ({ point }) => {
    // Once a frame: a mouse reports more often than a map can look.
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      const feature = featureAt(point);
      canvas.style.cursor = feature === undefined ? '' : 'pointer';
      show(feature, point);
    });
  });
  map.on('mouseout', () => {
    hover.hidden = true;
  });
  let popup: Popup | undefined;
  const open = (feature: MapGeoJSONFeature | undefined, at: { x: number; y: number }, isKeyboard: boolean) => {
    if (feature === undefined) return;
    const { id, name, lang, figures, count } = describe(feature, words);
    const lngLat = map.unproject([at.x, at.y]);
    if (count !== undefined) {
      map.easeTo({ center: lngLat, zoom: map.getZoom() + 2 });
      return;
    }
    hover.hidden = true;
    const content = document.createElement('div');
    const link = named('a', name, lang) as HTMLAnchorElement;
    // UI-04: the language that the address names.
    const kept = /[?&](lang=(?:en|ja))(?:&|$)/.exec(location.search)?.[1];
    link.href = `/japan/id/${encodeURIComponent(id ?? '')}${kept === undefined ? '' : `?${kept}`}`;
    content.append(link, ...(figures === '' ? [] : [named('p', figures)]));
    popup?.remove();
    popup = new library.Popup({ focusAfterOpen: isKeyboard, maxWidth: '16rem' })
      .setLngLat(lngLat)
      .setDOMContent(content)
      .addTo(map);
    popup.on('close', () => {
      if (isKeyboard) canvas.focus();
    });
    popup.getElement().addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') popup?.remove();
    });
  };
  map.on('click', ({ point }) => open(featureAt(point), point, false));
  const centre = () => ({ x: container.clientWidth / 2, y: container.clientHeight / 2 });
  const isByKeyboard = () => canvas.matches(':focus-visible');
  canvas.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') open(featureAt(centre()), centre(), true);
  });
  map.on('moveend', () => {
    if (isByKeyboard()) show(featureAt(centre()), centre());
  });
  canvas.addEventListener('focus', () => {
    if (isByKeyboard()) show(featureAt(centre()), centre());
  });
  canvas.addEventListener('blur', () => {
    hover.hidden = true;
  });
}

interface Description {
  id: string | undefined;
  name: string;
  lang: 'en' | 'ja' | undefined;
  figures: string;
  /** Of a cell. */
  count: number | undefined;
}

function describe({ properties }: MapGeoJSONFeature, words: MapWords): Description {
  const { id, name, nameEn, count, category, built, floors, height } = properties as Record<string, string | number>;
  if (typeof count === 'number') {
    const text = plural(words.buildings, count);
    return { id: undefined, name: text, lang: undefined, figures: words.zoomIn, count };
  }
  const shown = String((words.lang === 'en' ? (nameEn ?? name) : (name ?? nameEn)) ?? words.unnamed);
  const isJapanese = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(shown);
  const lang = isJapanese ? 'ja' : nameEn === shown ? 'en' : undefined;
  const figures = [
    category !== undefined && category !== 'unspecified' && words.categories[category as keyof MapWords['categories']],
    built !== undefined && fill(words.builtIn, built),
    floors !== undefined && plural(words.floors, Number(floors)),
    height !== undefined && fill(words.height, height),
  ].filter((part) => typeof part === 'string');
  return {
    id: String(id),
    name: shown,
    lang: lang === words.lang ? undefined : lang,
    figures: figures.join(' · '),
    count: undefined,
  };
}

const fill = (text: string, value: number | string) => text.replace('{n}', String(value));
const plural = ({ one, other }: { one: string; other: string }, value: number) =>
  value === 1 ? one : fill(other, value.toLocaleString('en'));

function named(tag: string, text: string, lang?: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  if (lang !== undefined) element.lang = lang;
  return element;
}
