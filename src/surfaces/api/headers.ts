/** The headers of the answers, as the document describes them. `required` are those that never fail to come. */
export const HEADERS = {
  ETag: {
    description: 'The tag of this very body. Send it back as If-None-Match and an unchanged body is not sent again.',
    required: true,
    schema: { type: 'string', examples: ['"5f0c1d1e8d3b4a77"'] },
  },
  'Cache-Control': {
    description: 'Keep it, but ask again before each use.',
    required: true,
    schema: { type: 'string', examples: ['public, max-age=0, must-revalidate'] },
  },
  'No-Store': {
    description: 'Nothing of it may be kept: what is accepted can be withdrawn at any time.',
    required: true,
    schema: { type: 'string', examples: ['no-store'] },
  },
  Location: {
    description: 'The same question to the building that is left.',
    required: true,
    schema: { type: 'string', examples: ['/japan/api/v1/assets/ASSET-JP-13-00000032'] },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    required: true,
    schema: { type: 'integer', minimum: 0, examples: [17] },
  },
  'X-RateLimit-Limit': {
    description: 'Requests that one client may make in a minute of the clock.',
    required: false,
    schema: { type: 'integer', minimum: 0, examples: [120] },
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in this minute.',
    required: false,
    schema: { type: 'integer', minimum: 0, examples: [119] },
  },
  'X-Request-Id': {
    description: 'Names this request in the log of the service; tell it when you report a fault.',
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

/** Every answer has them while limits are on. */
export const COMMON_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-Request-Id',
] as const satisfies HeaderName[];
