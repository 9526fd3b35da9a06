import type { FastifyRequest } from 'fastify';
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { ASSET_ID_PATTERN, ASSET_PREFIX } from '../../vocabulary/asset-id.ts';
import { fail, ok, type Result } from '../../vocabulary/result.ts';
import { NO_ENDPOINT, UNDECODABLE_PATH } from '../http/refuse.ts';

/** The values of a request's parameters. Integers of a query may have any size (SEA-06). */
export type Parameters<P extends TProperties, Q extends TProperties> = Static<TObject<P>> & {
  [K in keyof Static<TObject<Q>>]: Q[K] extends IntegerSchema ? number | bigint : Static<TObject<Q>>[K];
};

interface IntegerSchema {
  type: 'integer';
}

interface ParameterSchemas {
  path: string;
  pathParameters?: TProperties;
  queryParameters?: TProperties;
}

interface ParameterRefusal {
  status: 400 | 404;
  detail: string;
}

type Read<From> = (from: From) => Result<Record<string, never>, ParameterRefusal>;

const refuse = (place: 'path' | 'query', what: string) =>
  fail<ParameterRefusal>({ status: 400, detail: `${place} parameters: ${what}` });

/** What a refusal says about a value that its schema does not allow; it never repeats the value (API-05). */
function requirementOf(schema: TSchema): string | undefined {
  const { type, pattern, minimum, maximum, ...rest } = schema as SchemaBounds;
  if (pattern === ASSET_ID_PATTERN) return `must have the form ${ASSET_PREFIX}-JP-NN-NNNNNNNN`;
  if (rest.enum !== undefined) return `must be one of ${rest.enum.join(', ')}`;
  if (maximum !== undefined)
    return `must be ${type === 'integer' ? 'an integer' : 'a decimal number'} from ${minimum} to ${maximum}`;
  if (rest.minLength === 1) return 'must not be empty';
  if (type === 'number' && minimum === 0) return 'must be a decimal number, not below 0';
  return type === 'integer' && minimum === 1 ? 'must be a positive integer' : undefined;
}

interface SchemaBounds {
  type?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  enum?: readonly string[];
  minLength?: number;
}

/** An example of how a request to an endpoint is refused with 400. */
export function exampleRefusal({ pathParameters = {}, queryParameters = {} }: ParameterSchemas): string {
  for (const [place, schemas] of Object.entries({ path: pathParameters, query: queryParameters })) {
    for (const [name, schema] of Object.entries(schemas)) {
      const requirement = requirementOf(schema);
      if (requirement !== undefined) return `${place} parameters: ${name} ${requirement}`;
    }
  }
  return UNDECODABLE_PATH;
}

/** Reads and validates the parameters of a request with their schemas (API-04, API-05). */
export function parameterReader({ path, pathParameters, queryParameters }: ParameterSchemas): Read<FastifyRequest> {
  const readPath = pathReader(path, pathParameters ?? {});
  if (queryParameters === undefined) return ({ params }) => readPath(params);
  const readQuery = queryReader(queryParameters);
  return ({ params, raw }) => {
    const inPath = readPath(params);
    const inQuery = inPath.ok ? readQuery(raw.url ?? '') : inPath;
    return inQuery.ok && pathParameters !== undefined ? ok({ ...(params as object), ...inQuery.value }) : inQuery;
  };
}

function pathReader(path: string, schemas: TProperties): Read<unknown> {
  const parameters = Object.entries(schemas).map(([name, schema]) => {
    const validator = Compile(schema);
    // The router also matches an empty segment. It names no endpoint at the end of a path or where any text is allowed.
    const isEndpointWithout = !path.endsWith(`{${name}}`) && !validator.Check('');
    return { name, validator, isEndpointWithout, refusal: refuse('path', `${name} ${requirementOf(schema)}`) };
  });
  return (given) => {
    const values = given as Record<string, never>;
    for (const { name, validator, isEndpointWithout, refusal } of parameters) {
      if (values[name] === '' && !isEndpointWithout) return fail({ status: 404, detail: NO_ENDPOINT });
      if (!validator.Check(values[name])) return refusal;
    }
    return ok(values);
  };
}

function queryReader(schemas: TProperties): Read<string> {
  const parameters = Object.entries(schemas).map(([name, schema]) => ({
    name,
    isRequired: !Type.IsOptional(schema),
    read: valueReader(schema),
    refusal: refuse('query', `${name} ${requirementOf(schema)}`),
  }));
  return (url) => {
    const given = splitQuery(url);
    if (given === undefined) return refuse('query', 'a percent-escape cannot be decoded');
    const values: Record<string, unknown> = {};
    for (const { name, isRequired, read, refusal } of parameters) {
      const texts = given.get(name);
      if (texts === undefined && isRequired) return refuse('query', `${name} is required`);
      if (texts === undefined) continue;
      if (texts.length > 1) return refuse('query', `${name} is given more than once`);
      values[name] = read(texts[0] as string);
      if (values[name] === undefined) return refusal;
    }
    return ok(values as Record<string, never>);
  };
}

/** Returns undefined for text that the schema does not allow. */
function valueReader(schema: TSchema): (text: string) => string | number | bigint | undefined {
  const validator = Compile(schema);
  const { type } = schema as SchemaBounds;
  if (type === 'number') {
    return (text) => (/^-?\d+(\.\d+)?$/.test(text) && validator.Check(Number(text)) ? Number(text) : undefined);
  }
  if (type !== 'integer') return (text) => (validator.Check(text) ? text : undefined);
  return (text) => {
    if (!/^-?\d+$/.test(text)) return undefined;
    const number = Number(text);
    if (Number.isSafeInteger(number)) return validator.Check(number) ? number : undefined;
    // Schemas cannot check a bigint; their bounds are safe integers, so the nearest one decides.
    return validator.Check(Math.sign(number) * Number.MAX_SAFE_INTEGER) ? BigInt(text) : undefined;
  };
}

/** Returns undefined if a name or a value cannot be decoded. */
function splitQuery(url: string): Map<string, string[]> | undefined {
  const given = new Map<string, string[]>();
  const start = url.indexOf('?');
  if (start === -1) return given;
  for (const part of url.slice(start + 1).split('&')) {
    const equals = part.indexOf('=');
    const name = decode(equals === -1 ? part : part.slice(0, equals));
    const value = decode(equals === -1 ? '' : part.slice(equals + 1));
    if (name === undefined || value === undefined) return undefined;
    const values = given.get(name);
    if (values === undefined) given.set(name, [value]);
    else values.push(value);
  }
  return given;
}

function decode(text: string): string | undefined {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
