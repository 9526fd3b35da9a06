import type { Tag } from './endpoints.ts';

/** What a newcomer reads first. */
export const introduction = (limit: number) =>
  `
Records of buildings in Japan. Each is consolidated from several public sources; each field says where its value came
from, how it was read, and which source disagrees.

**Start here.** \`GET /japan/api/v1/assets?q=%E6%9D%B1%E4%BA%AC%E9%A7%85\` finds buildings (it asks for 東京駅),
\`GET /japan/api/v1/assets/{id}\` reads one. There are no accounts and no keys, and nothing can be changed: every operation is a GET, HEAD works wherever GET does, and any
other method gets 405 with \`Allow: GET, HEAD\`. Any origin may call from a browser.

**Reading a field.** \`fields.heightM\` is \`{value, unit, tier, provenance, conflict, estimated}\`. \`provenance\` cites the
winning source, \`conflict\` is null or the best losing value that differs, \`estimated\` is true where the service computed
the value or took it from the complex that the building belongs to. A field that no source supplies is absent.

**Errors** have one shape, ApiProblem, as \`application/problem+json\`: \`status\`, \`title\` and a \`detail\` that names the part
of the request that failed. A path that is no endpoint gets 404; what HTTP itself does not allow (too many headers, an
unknown expectation, a request that never ends) gets 4xx of the same shape.

**Limits.** ${limit === 0 ? 'None here.' : `${limit} requests a client in each minute of the clock.`} \`X-RateLimit-Remaining\` counts
down to a limit; over it comes 429 with \`Retry-After\` in seconds. Send \`If-None-Match\` with the \`ETag\` you have, and an
unchanged record costs 304 and no body.

**Versions.** The version is the path segment \`v1\`. Fields, endpoints and values of enumerations are added without
changing it, so tolerate what you do not know; what is there stays.
`.trim();

export const TAGS: Readonly<Record<Tag, string>> = {
  Buildings: 'Search buildings, read their records and what they rest on.',
  'REIT histories': 'What REITs disclose of their interests in a building, reviewed and cited.',
  Areas: 'The tree of prefectures, wards and machi-aza, with counts.',
  Owners: 'The buildings of one owner.',
  'This API': 'The description of the API for programs.',
};
