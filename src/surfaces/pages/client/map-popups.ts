import type { MapGeoJSONFeature, Map as MapLibreMap, PointLike, Popup } from 'maplibre-gl';
import type { MapWords } from '../catalogue/map.ts';
import type { Library, MapState } from './map-view.ts';

const CLICKABLE = ['points', 'outlines', 'cells', 'density'];
/** How far from a small point a click may be, in pixels. */
const REACH = 4;

/** A label under the pointer, and a popup on a click or on Enter, which opens the building at the cross. */
export function showNames(library: Library, map: MapLibreMap, container: HTMLElement, state: MapState): void {
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
    // Lines break after a dot only.
    figures: figures.map((part) => part.replaceAll(' ', '\u00a0')).join('\u00a0· '),
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
