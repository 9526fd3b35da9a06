import type { Text } from './catalogue/catalogue.ts';

/** Raster tiles under the buildings; set by the operator. */
export interface BaseMap {
  /** With {z}, {x} and {y}. */
  url: string;
  attribution: string;
}

export interface PageSettings {
  /** The public origin, for absolute links. */
  origin: string;
  baseMap: BaseMap | undefined;
  /** The day in Japan, YYYY-MM-DD: a completion after it is planned (UI-20). */
  today: string;
  /** UI-01: the words of the page, in its language. */
  t: Text;
  /** UI-04: the address names the language, so links keep it. */
  isLanguageInUrl: boolean;
  /** UI-10: the registry holds the bundled sample. */
  hasSample: boolean;
  /** DWN-01: files are offered. */
  hasDownloads: boolean;
}

/** Pages load nothing from other origins, except the tiles of a configured base map. */
export function contentSecurityPolicy(baseMap: BaseMap | undefined): string {
  const tiles = baseMap === undefined ? '' : ` ${new URL(baseMap.url.replace(/[{}]/g, '')).origin}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob:${tiles}`,
    `connect-src 'self'${tiles}`,
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
