/** What a map shows, and where. */
import type { MapWords } from '../catalogue/map.ts';
import type { PageColours } from './map-colours.ts';

export type Library = typeof import('maplibre-gl');
export type Box = [west: number, south: number, east: number, north: number];

export type View =
  | { kind: 'building'; id: string; lat: number; lon: number; bbox?: Box }
  | { kind: 'list'; query: string; bbox: Box; hasCells: boolean };

export type Scheme = keyof MapWords['schemes'];

export interface MapState {
  view: View;
  words: MapWords;
  scheme: Scheme;
  is3d: boolean;
  colour: PageColours;
}

/** Tiles have outlines of buildings from this zoom on, and counts per grid cell below it. */
export const OUTLINES_FROM = 14;
/** On a narrower map, credits start closed, in pixels. */
export const NARROW = 480;

/** Room for the controls. */
export function paddingOf(place: HTMLElement) {
  return place.clientWidth < NARROW
    ? { top: 32, bottom: 32, left: 32, right: 48 }
    : { top: 48, bottom: 48, left: 48, right: 64 };
}

export function boundsOf(view: View): Box {
  if (view.kind === 'list') return view.bbox;
  const { lat, lon } = view;
  const [west, south, east, north] = view.bbox ?? [lon, lat, lon, lat];
  // Leaves room for neighbouring buildings.
  return [west - 0.0008, south - 0.0006, east + 0.0008, north + 0.0006];
}
