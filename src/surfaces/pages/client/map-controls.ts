import type { Map as MapLibreMap } from 'maplibre-gl';
import type { MapWords } from '../catalogue/map.ts';
import { otherWork } from './map-loading.ts';
import { type Library, NARROW } from './map-view.ts';

/** Zoom buttons, scale and credits. */
export async function addControls(
  library: Library,
  map: MapLibreMap,
  place: HTMLElement,
  words: MapWords,
): Promise<void> {
  const isNarrow = place.clientWidth < NARROW;
  map.addControl(
    new library.AttributionControl({ compact: true, customAttribution: attribution(words) }),
    'bottom-right',
  );
  if (isNarrow) {
    const credits = place.querySelector('.maplibregl-ctrl-attrib');
    credits?.classList.remove('maplibregl-compact-show');
    credits?.removeAttribute('open');
  }
  await otherWork();
  map.addControl(new library.NavigationControl({ visualizePitch: false, showCompass: false }), 'top-right');
  await otherWork();
  map.addControl(new library.ScaleControl({ maxWidth: 96 }), 'bottom-left');
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
