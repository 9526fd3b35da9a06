/** What a map needs besides the library, and pauses between its steps. */
import type { MapWords } from '../catalogue/map.ts';

export async function loadWords(place: HTMLElement): Promise<MapWords> {
  const response = await fetch(place.dataset.mapWords ?? '');
  return (await response.json()) as MapWords;
}

export function loadStylesheet(): Promise<void> {
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

/** UI-88: lets the browser answer the visitor between two steps. */
export const otherWork = () => new Promise<void>((resolve) => setTimeout(resolve));

/** UI-88: lets the browser lay the page out in a task of its own, so that reading sizes does not force it. */
export const nextFrame = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
  });
