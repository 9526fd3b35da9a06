import type { Map as MapLibreMap } from 'maplibre-gl';
import { schemeRows } from './map-colours.ts';
import { outlinesOf } from './map-style.ts';
import { type MapState, OUTLINES_FROM, type Scheme } from './map-view.ts';

const PITCH = 50;

/** UI-83: legend, colours and 3D. Closed on small maps, so that the map is seen. */
export function addPanel(map: MapLibreMap, container: HTMLElement, state: MapState): void {
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
    // The names may still be missing; a list has cells.
    map.addLayer(
      outlinesOf(state),
      ['names', 'cells'].find((id) => map.getLayer(id) !== undefined),
    );
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
