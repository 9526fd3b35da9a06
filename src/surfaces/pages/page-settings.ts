/** A map that lies under the buildings, where the operator has set one. */
export interface BaseMap {
  /** Of its tiles, with {z}, {x} and {y}. */
  url: string;
  attribution: string;
}

/** What a page is made with besides its data. */
export interface PageSettings {
  /** Where the service is known to be, for links that leave it. */
  origin: string;
  baseMap: BaseMap | undefined;
}

/** No page loads anything from elsewhere, but for the tiles of a base map that is set. */
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
