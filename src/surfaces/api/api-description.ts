import type { Tag } from './api-endpoint.ts';

/** The response headers, as the document describes them. `required` headers are always sent. */
export const HEADERS = {
  ETag: {
    description: 'The ETag of this body. Send it as If-None-Match to get 304 if the body has not changed.',
    required: true,
    schema: { type: 'string', examples: ['"5f0c1d1e8d3b4a77"'] },
  },
  'Cache-Control': {
    description: 'The response may be stored, but must be revalidated before each use.',
    required: true,
    schema: { type: 'string', examples: ['public, max-age=0, must-revalidate'] },
  },
  'No-Store': {
    description: 'The response must not be stored, because a publication can be withdrawn at any time.',
    required: true,
    schema: { type: 'string', examples: ['no-store'] },
  },
  Location: {
    description: 'The same resource of the building that has replaced the requested one.',
    required: true,
    schema: { type: 'string', examples: ['/japan/api/v1/assets/ASSET-JP-13-00000032'] },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    required: true,
    schema: { type: 'integer', minimum: 0, examples: [17] },
  },
  'X-RateLimit-Limit': {
    description: 'Requests that one client may make in one clock minute.',
    required: false,
    schema: { type: 'integer', minimum: 0, examples: [120] },
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in this minute.',
    required: false,
    schema: { type: 'integer', minimum: 0, examples: [119] },
  },
  'X-Request-Id': {
    description: 'Identifies this request in the log of the service; quote it when you report an error.',
    required: false,
    schema: { type: 'string' },
  },
  Vary: {
    description: 'The request headers that the bytes depend on.',
    required: false,
    schema: { type: 'string', examples: ['Accept-Encoding'] },
  },
} as const;
export type HeaderName = keyof typeof HEADERS;

/** Headers of every response while rate limits are on. */
export const COMMON_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-Request-Id',
] as const satisfies HeaderName[];

/** The first text of the document. */
export const introduction = (limit: number) =>
  `
Records of buildings in Japan. Each record is consolidated from several public sources; each field says where its value
came from, how it was read, and which source disagrees.

**Start here.** \`GET /japan/api/v1/assets?q=%E6%9D%B1%E4%BA%AC%E9%A7%85\` finds buildings (here 東京駅),
\`GET /japan/api/v1/assets/{id}\` reads one. There are no accounts and no keys. The API is read-only: every operation is a
GET, HEAD works wherever GET does, and any other method gets 405 with \`Allow: GET, HEAD\`. Pages of any origin may call it.

**Reading a field.** \`fields.heightM\` is \`{value, unit, tier, provenance, conflict, estimated}\`. \`provenance\` cites the
winning source, \`conflict\` is null or the best losing value that differs, \`estimated\` is true if the service computed
the value or inherited it from the complex of the building. A field that no source supplies is absent.

**Errors** have one shape, ApiProblem, as \`application/problem+json\`: \`status\`, \`title\` and a \`detail\` that names the part
of the request that failed. An unknown path gets 404; a request that HTTP itself does not allow (too many
headers, an unknown expectation, an incomplete request) gets a 4xx of the same shape.

**Limits.** ${limit === 0 ? 'None here.' : `${limit} requests per client and clock minute.`} \`X-RateLimit-Remaining\` is the
number of requests left; over the limit the response is 429 with \`Retry-After\` in seconds. Send \`If-None-Match\` with the
\`ETag\` you have: an unchanged record then gives 304 without a body.

**Versions.** The version is the path segment \`v1\`. Fields, endpoints and values of enumerations are added without
changing it, so ignore what you do not know; nothing published is removed.
`.trim();

export const TAGS: Readonly<Record<Tag, string>> = {
  Buildings: 'Search buildings; read their records and the sources behind them.',
  'REIT histories': 'What REITs disclose about their interests in a building, reviewed and cited.',
  Areas: 'The tree of prefectures, wards and machi-aza, with counts.',
  Owners: 'The buildings of one owner.',
  'This API': 'The description of the API for programs.',
};
