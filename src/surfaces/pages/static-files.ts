import { readdirSync, readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type FinishedResponse, tagOf } from '../../registry/records.ts';
import { endpoint } from '../http/endpoint.ts';
import { sendFinished } from '../http/send-finished.ts';
import { CATALOGUE } from './catalogue/catalogue.ts';
import { LANGUAGES, type Language } from './catalogue/language.ts';
import { type BaseMap, contentSecurityPolicy } from './page-settings.ts';

const ASSETS = '/japan/assets';
const HERE = import.meta.dirname;
const JAVASCRIPT = 'text/javascript';
/** `.ts`, or `.js` in the published package, whose types are stripped. */
const EXTENSION = extname(import.meta.filename);
const MAP_LIBRARY = join(dirname(createRequire(import.meta.url).resolve('maplibre-gl/package.json')), 'dist');

const files: StaticFile[] = [];

function addFile(name: string, type: string, content: string | Buffer): string {
  const file = makeStaticFile(name, type, content);
  files.push(file);
  return `${ASSETS}/${file.name}`;
}

/** The files of style/ in the order of their names, as one stylesheet. */
const stylesheet = readdirSync(join(HERE, 'style'))
  .sort()
  .map((part) => readFileSync(join(HERE, 'style', part), 'utf8'))
  .join('\n');

/** Strips the types from a client module and the blank space that they leave. */
function clientModule(name: string, imports: Readonly<Record<string, string>> = {}): string {
  const source = readFileSync(join(HERE, 'client', `${name}${EXTENSION}`), 'utf8');
  let code = withoutWarning(() => stripTypeScriptTypes(source));
  for (const [from, to] of Object.entries(imports)) code = code.replaceAll(`'${from}'`, `'${to}'`);
  return addFile(`${name}.js`, JAVASCRIPT, code.replace(/(?<![ \t])[ \t]+$/gm, '').replace(/\n{2,}/g, '\n'));
}

/** Suppresses Node's warning that type stripping is experimental. */
function withoutWarning<T>(work: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}

const mapLibrary = (name: string, type: string, hint = '') =>
  addFile(name, type, hint + readFileSync(join(MAP_LIBRARY, name), 'utf8'));

/** UI-88: makes Chromium compile every function while the file loads, in the background, not one by one when called. */
const COMPILE_AHEAD = '//# allFunctionsCalledOnLoad\n';

/** The modules of maps, each after those that it imports; client/map.ts loads them when a map comes into view. */
function mapModules(): string {
  const paths: Record<string, string> = {
    'maplibre-gl': mapLibrary('maplibre-gl.mjs', JAVASCRIPT, COMPILE_AHEAD),
    'maplibre-gl/worker': mapLibrary('maplibre-gl-worker.mjs', JAVASCRIPT),
    'maplibre-gl/style': mapLibrary('maplibre-gl.css', 'text/css'),
  };
  for (const name of MAP_MODULES) paths[`./${name}${EXTENSION}`] = clientModule(name, paths);
  return clientModule('map', paths);
}

const MAP_MODULES = [
  ...['map-view', 'map-colours', 'map-list', 'map-loading', 'map-style'],
  ...['map-controls', 'map-panel', 'map-popups', 'draw-map'],
];

/** Each name contains a hash of the content, so that browsers may cache the file for ever. */
export const STATIC_PATHS = {
  stylesheet: addFile('tatemono.css', 'text/css', stylesheet),
  suggest: clientModule('suggest'),
  enhance: clientModule('enhance'),
  map: mapModules(),
  reference: clientModule('reference'),
} as const;

/** UI-87: the words of maps, which few visitors need, are not part of the pages. */
export const MAP_WORDS_PATHS = Object.fromEntries(
  LANGUAGES.map((lang) => [
    lang,
    addFile(`map-words-${lang}.json`, 'application/json', JSON.stringify(CATALOGUE[lang].map.words)),
  ]),
) as Readonly<Record<Language, string>>;

export function fileRoutes(app: FastifyInstance, baseMap: BaseMap | undefined): void {
  for (const file of files) {
    endpoint(app, `${ASSETS}/${file.name}`, async (request, reply) => {
      // A worker follows the policy of its own response, not the policy of its page.
      reply.header('content-security-policy', contentSecurityPolicy(baseMap));
      return sendFinished(request, reply, file, { type: file.type, caching: IMMUTABLE });
    });
  }
}

/** Caching of a file whose name changes with its content. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** A static file, read once at startup. */
interface StaticFile extends FinishedResponse {
  /** Contains the tag of the content. */
  name: string;
  type: string;
}

export function makeStaticFile(name: string, type: string, content: string | Buffer): StaticFile {
  const body = Buffer.from(content as string);
  const tag = tagOf(body);
  const extension = extname(name);
  return {
    name: `${name.slice(0, name.length - extension.length)}-${tag}${extension}`,
    type: `${type}; charset=utf-8`,
    etag: `"${tag}"`,
    body,
  };
}
