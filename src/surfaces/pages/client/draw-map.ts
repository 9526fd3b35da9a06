/** A map with its layers, legend and popups. client/map.ts loads it when a map comes into view. */
import type { LayerSpecification, Map as MapLibreMap, StyleSpecification } from 'maplibre-gl';
import { pageColours } from './map-colours.ts';
import { addControls } from './map-controls.ts';
import { refineList } from './map-list.ts';
import { loadStylesheet, loadWords, nextFrame, otherWork } from './map-loading.ts';
import { addPanel } from './map-panel.ts';
import { showNames } from './map-popups.ts';
import { styleOf } from './map-style.ts';
import { boundsOf, type Library, type MapState, paddingOf, type View } from './map-view.ts';

export async function drawMap(library: Library, place: HTMLElement): Promise<void> {
  const view = JSON.parse(place.dataset.map ?? '') as View;
  library.setWorkerUrl('maplibre-gl/worker');
  const [words] = await Promise.all([loadWords(place), loadStylesheet()]);
  const container = document.createElement('div');
  container.className = 'live';
  place.append(container);
  await nextFrame();
  const state: MapState = { view, words, scheme: 'use', is3d: false, colour: pageColours(place) };
  const map = makeMap(library, container, state);
  // A failed tile leaves a gap; if all tiles fail, the static drawing stays.
  map.on('error', () => {});
  let hasTiles = false;
  map.on('sourcedata', ({ sourceId, tile }) => {
    if (tile && sourceId !== 'list') hasTiles = true;
  });
  await otherWork();
  map.fitBounds(boundsOf(view), {
    padding: paddingOf(place),
    maxZoom: view.kind === 'building' ? 17.5 : 15,
    animate: false,
  });
  await once(map, 'load');
  const style = styleOf(state);
  await addLayers(map, style, ({ type }) => type !== 'symbol');
  await once(map, 'idle');
  if (!hasTiles || !place.isConnected) {
    map.remove();
    container.remove();
    return;
  }
  place.dataset.drawn = '';
  // A browser allows few WebGL contexts at once.
  place.addEventListener('removed', () => map.remove(), { once: true });
  await addControls(library, map, place, words);
  await otherWork();
  addPanel(map, container, state);
  await otherWork();
  showNames(library, map, container, state);
  if (view.kind === 'list') refineList(map, view);
  // Texts come last, because they take longest: those of the list, which are short, then the names of areas.
  await addLayers(map, style, ({ type, id }) => type === 'symbol' && id !== 'names');
  await once(map, 'idle');
  await addLayers(map, style, ({ id }) => id === 'names');
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    state.colour = pageColours(place);
    map.setStyle(styleOf(state));
  });
}

/** A map without any layer. */
function makeMap(library: Library, container: HTMLElement, { view, words }: MapState): MapLibreMap {
  const map = new library.Map({
    container,
    style: { version: 8, sources: {}, layers: [] },
    validateStyle: false,
    cooperativeGestures: true,
    attributionControl: false,
    dragRotate: false,
    locale: words.controls,
    // Fewer frames are drawn again than with a fade of every label.
    fadeDuration: 0,
    maxPitch: 60,
    // More pixels than these are not seen, but take as long to draw as any.
    pixelRatio: Math.min(devicePixelRatio, 2),
  });
  const title = view.kind === 'building' ? words.mapOfBuilding : words.mapOfBuildings;
  map.getCanvas().setAttribute('aria-label', `${title}. ${words.keys}`);
  return map;
}

/** UI-88: adds layers with their sources one at a time, each at its place among those that are there. */
async function addLayers(
  map: MapLibreMap,
  { sources, layers }: StyleSpecification,
  isWanted: (layer: LayerSpecification) => boolean,
): Promise<void> {
  for (const [i, layer] of layers.entries()) {
    if (!isWanted(layer)) continue;
    await otherWork();
    const source = 'source' in layer ? (layer.source as string) : undefined;
    if (source !== undefined && map.getSource(source) === undefined) {
      map.addSource(source, sources[source] as StyleSpecification['sources'][string]);
    }
    const above = layers.slice(i + 1).find(({ id }) => map.getLayer(id) !== undefined);
    map.addLayer(layer, above?.id);
  }
}

/** Asks for a frame, because a map that has nothing to draw would report nothing. */
const once = (map: MapLibreMap, event: 'load' | 'idle') =>
  new Promise<void>((resolve) => {
    map.once(event, () => resolve());
    map.triggerRepaint();
  });
