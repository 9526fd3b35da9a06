import { SURFACES, type Surface } from './surface.ts';

type Headers = Readonly<Record<string, string>>;

/** What every answer says whatever it holds. A page says what else it may load. */
const EVERYWHERE: Headers = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'strict-origin-when-cross-origin',
};

/** Anyone's page may read the answers, and the headers that it needs to be a polite client. */
const openTo = (exposed: string): Headers => ({
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposed,
  'cross-origin-resource-policy': 'cross-origin',
});

const OF_SURFACE: Readonly<Partial<Record<Surface, Headers>>> = {
  api: openTo('X-RateLimit-Limit, X-RateLimit-Remaining, Retry-After, ETag, X-Request-Id'),
  mcp: openTo('Mcp-Session-Id, Mcp-Protocol-Version, Retry-After, ETag, X-Request-Id'),
};

const HTTPS_ONLY: Headers = { 'strict-transport-security': 'max-age=31536000' };

/** The headers that do not depend on the request, made once. */
export function constantHeaders(baseUrl: string | undefined): Record<Surface, Headers> {
  const common = baseUrl?.startsWith('https:') ? { ...EVERYWHERE, ...HTTPS_ONLY } : EVERYWHERE;
  const headers = SURFACES.map((surface) => [surface, { ...OF_SURFACE[surface], ...common }]);
  return Object.fromEntries(headers) as Record<Surface, Headers>;
}
