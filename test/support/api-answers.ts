import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Compile as CompileJsonSchema } from 'typebox/schema';
import { ENDPOINTS } from '../../src/surfaces/api/api-routes.ts';
import { composeOpenApi } from '../../src/surfaces/api/openapi.ts';
import { API_ROOT } from '../../src/surfaces/http/surface.ts';
import { ApiProblemSchema } from '../../src/vocabulary/building-page.ts';
import { FAULTS_SENT } from './faults-sent.ts';

/** API-09: checks responses of the API against its document, and against the closed schemas the document is made from. */

type Data = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => string[];

interface Media {
  type: string;
  published: Check;
}
interface Response {
  headers: { name: string; required: boolean; check: Check }[];
  media: Media | undefined;
}
export interface ApiAnswer {
  method: string;
  target: string;
  status: number;
  headers: Readonly<Record<string, unknown>>;
  body: Buffer;
}

const document = composeOpenApi(ENDPOINTS, { baseUrl: undefined, limit: 120 });
const isProblem = closedCheck(ApiProblemSchema);
/** Statuses that are decided before an endpoint is chosen: invalid HTTP, undecodable paths, rate limits. */
const ANYWHERE = [400, 408, 413, 417, 429, 431];
const PROBLEM: Media = { type: 'application/problem+json', published: isProblem };
const BARE_PROBLEM: Response = { headers: [], media: PROBLEM };
const operations = ENDPOINTS.map(({ path, answer }) => ({
  path: `${API_ROOT}${path}`,
  form: new RegExp(`^${`${API_ROOT}${path}`.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  closed: closedCheck(answer.schema),
  responses: new Map(
    Object.entries(document.paths[`${API_ROOT}${path}`]?.get.responses ?? {}).map(([status, response]) => [
      Number(status),
      readResponse(response),
    ]),
  ),
}));

/** The faults of a response; none for one outside the API. */
export function faultsInAnswer(answer: ApiAnswer): string[] {
  const [path = ''] = answer.target.split(/[?#]/);
  if (!path.startsWith(`${API_ROOT}/`)) return [];
  const body = answer.body.length === 0 ? '' : decode(answer.body, answer.headers['content-encoding']).toString();
  const faults = faultsOf(answer, path, body);
  return faults.map((fault) => `${answer.method} ${answer.target.slice(0, 200)} → ${answer.status}: ${fault}`);
}

function faultsOf({ method, status, headers }: ApiAnswer, path: string, body: string): string[] {
  const isRead = method === 'GET' || method === 'HEAD';
  const operation = operations.find(({ form }) => form.test(path));
  if (operation === undefined || !isRead) {
    const expected = [operation === undefined ? 404 : 405, ...ANYWHERE];
    if (!expected.includes(status)) return [`the status must be one of ${expected}`];
    if (status === 405 && headers.allow !== 'GET, HEAD') return ['Allow must be GET, HEAD'];
    if (status === 429 && !/^\d+$/.test(String(headers['retry-after']))) return ['Retry-After is missing'];
    return faultsInBody(body, method, headers, PROBLEM, isProblem);
  }
  const response = operation.responses.get(status) ?? (ANYWHERE.includes(status) ? BARE_PROBLEM : undefined);
  if (response === undefined) return ['the document has no such status'];
  return [
    ...response.headers.flatMap(({ name, required, check }) => {
      const value = headers[name.toLowerCase()];
      if (value === undefined) return required ? [`${name} is missing`] : [];
      return check(/^\d+$/.test(String(value)) ? Number(value) : value).map((fault) => `${name}: ${fault}`);
    }),
    ...faultsInBody(body, method, headers, response.media, status === 200 ? operation.closed : isProblem),
  ];
}

function faultsInBody(body: string, method: string, headers: Data, media: Media | undefined, closed: Check): string[] {
  if (media === undefined) return body === '' ? [] : ['there must be no body'];
  const [type] = String(headers['content-type']).split(';');
  const faults = type === media.type ? [] : [`Content-Type must be ${media.type}`];
  // For HEAD, only node:http drops the body, after this point.
  if (method === 'HEAD') return faults;
  try {
    const value: unknown = media.type.endsWith('json') ? JSON.parse(body) : body;
    return [...faults, ...media.published(value), ...closed(value)];
  } catch {
    return [...faults, 'the body is no JSON'];
  }
}

/** Checks every response of a server against the document, injected or sent over the wire. */
export function checkAnswers(app: FastifyInstance): FastifyInstance {
  const inject = app.inject.bind(app) as (options: InjectOptions | string) => Promise<LightMyRequestResponse>;
  app.inject = (async (options: InjectOptions | string) => {
    const response = await inject(options);
    const { method, url } = response.raw.req as unknown as { method: string; url: string };
    const { statusCode: status, headers, rawPayload: body } = response;
    const faults = faultsInAnswer({ method, target: url, status, headers, body });
    if (faults.length > 0) throw new Error(`a response does not match the OpenAPI document:\n${faults.join('\n')}`);
    return response;
  }) as unknown as FastifyInstance['inject'];
  app.server.prependListener('request', checkWhenSent);
  return app;
}

/** Checks the sent bytes, including streams and compressed bodies; faults are reported when the test ends. */
function checkWhenSent(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string));
  };
  const write = response.write.bind(response) as (...args: unknown[]) => boolean;
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  response.write = ((...args: unknown[]) => {
    keep(args[0]);
    return write(...args);
  }) as typeof response.write;
  response.end = ((...args: unknown[]) => {
    keep(args[0]);
    response.end = end as typeof response.end;
    FAULTS_SENT.push(
      ...faultsInAnswer({
        method: request.method ?? '',
        target: request.url ?? '',
        status: response.statusCode,
        headers: sentHeaders(response),
        body: Buffer.concat(chunks),
      }),
    );
    return end(...args);
  }) as typeof response.end;
}

/** getHeaders does not include headers passed only to writeHead. */
function sentHeaders(response: ServerResponse): Data {
  const { _header: head } = response as unknown as { _header: string | null };
  if (head === null) return response.getHeaders();
  const lines = head.split('\r\n').slice(1);
  return Object.fromEntries(
    lines
      .filter((line) => line.includes(':'))
      .map((line) => [line.split(':')[0]?.toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
}

function decode(body: Buffer, encoding: unknown): Buffer {
  switch (encoding) {
    case 'gzip':
      return gunzipSync(body);
    case 'br':
      return brotliDecompressSync(body);
    case 'zstd':
      return zstdDecompressSync(body);
    case 'deflate':
      return inflateSync(body);
    default:
      return body;
  }
}

function readResponse(given: Data): Response {
  const { headers = {}, content = {} } = resolve(given) as { headers?: Data; content?: Record<string, Data> };
  const [media] = Object.entries(content).map(([type, { schema }]) => ({
    type,
    published: publishedCheck(schema as Data),
  }));
  return {
    media,
    headers: Object.entries(headers).map(([name, header]) => {
      const { required, schema } = resolve(header as Data) as { required: boolean; schema: Data };
      return { name, required, check: publishedCheck(schema) };
    }),
  };
}

function resolve(node: Data): Data {
  if (typeof node.$ref !== 'string') return node;
  const keys = node.$ref.split('/').slice(1);
  return keys.reduce<unknown>((place, key) => (place as Data)[key], document) as Data;
}

function publishedCheck(schema: Data): Check {
  const validator = CompileJsonSchema({ ...schema, components: document.components });
  return (value) =>
    validator.Check(value)
      ? []
      : validator.Errors(value)[1].map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function closedCheck(schema: TSchema): Check {
  const validator = Compile(schema);
  return (value) =>
    validator.Check(value)
      ? []
      : [...validator.Errors(value)].map(({ instancePath, message }) => `closed: ${instancePath} ${message}`);
}
