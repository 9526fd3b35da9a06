import { type Html, html } from './html.ts';

/** What a map is to show; the script `map` reads it. */
type MapView =
  | { kind: 'building'; id: string; lat: number; lon: number; bbox?: readonly number[] | undefined }
  | { kind: 'results'; points: readonly { lat: number; lon: number; name: string; path: string }[] }
  | { kind: 'area'; points: readonly { lat: number; lon: number }[] };

/** A map where the browser can draw one and it comes into view; else the drawing stands there. */
export function mapOf(view: MapView, drawing: Html | undefined): Html {
  return html`<div class="map" data-map="${JSON.stringify(view)}">${drawing ?? html`<p class="unknown">No outline is known.</p>`}</div>`;
}
