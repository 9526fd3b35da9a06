import { expect } from 'vitest';
import type { ServedRegistry } from './served-registry.ts';
import { lastingHeaders } from './serving.ts';

const REVALIDATE = 'public, max-age=0, must-revalidate';

/** Checks ETag, caching, HEAD and refused methods, which are the same on every page. */
export async function expectPageConventions(
  { app, get }: ServedRegistry,
  url: string,
  headers: Record<string, string> = {},
  allowed: readonly string[] = [],
) {
  const got = await get(url, headers);
  expect([url, got.status, got.headers['cache-control']]).toEqual([url, 200, REVALIDATE]);
  const etag = String(got.headers.etag);
  expect(etag).toMatch(/^"[^"]+"$/);
  expect(got.headers['x-ratelimit-limit']).toBeUndefined();

  const head = await app.inject({ method: 'HEAD', url, headers });
  expect(head.statusCode).toBe(200);
  expect(lastingHeaders(head.headers)).toEqual(lastingHeaders(got.headers));

  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await get(url, { ...headers, 'if-none-match': known });
    expect([again.status, again.body, again.headers.etag]).toEqual([304, '', etag]);
    expect([again.headers.vary, again.headers['cache-control']]).toEqual([got.headers.vary, REVALIDATE]);
  }
  expect((await get(url, { ...headers, 'if-none-match': '"other"' })).status).toBe(200);

  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const) {
    if (allowed.includes(method)) continue;
    const refused = await app.inject({ method, url, headers });
    expect([method, refused.statusCode, refused.headers.allow]).toEqual([method, 405, 'GET, HEAD']);
  }
  return got;
}

/** Checks that a page may load and run only what this service serves. */
export function expectStrictPolicy(headers: Readonly<Record<string, unknown>>): void {
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toMatch(/unsafe|https?:/);
  expect(headers['x-content-type-options']).toBe('nosniff');
}
