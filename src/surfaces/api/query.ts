import type { FastifyRequest } from 'fastify';
import { type SearchQuery, SearchQuerySchema } from '../../vocabulary/api-shapes.ts';
import { fail, ok, type Result } from '../../vocabulary/result.ts';

const NAMES = Object.keys(SearchQuerySchema.properties) as (keyof SearchQuery)[];

/** What a search asks for; the fault names the parameter and never says what was in it (API-04, API-05). */
export function readSearchQuery(request: FastifyRequest): Result<SearchQuery, string> {
  const given = readParameters(request.raw.url ?? '');
  if (given === undefined) return fail('query parameters: a percent-escape cannot be decoded');
  const query: SearchQuery = {};
  for (const name of NAMES) {
    const [value, ...more] = given.get(name) ?? [];
    if (value === undefined) continue;
    if (more.length > 0) return fail(`query parameters: ${name} is given more than once`);
    if (name !== 'page') query[name] = value;
    else if (IS_POSITIVE_INTEGER.test(value)) query.page = readInteger(value);
    else return fail('query parameters: page must be a positive integer');
  }
  return ok(query);
}

/** SEA-06, SEA-07: of any size. Zeros in front do not change the number. */
const IS_POSITIVE_INTEGER = /^0*[1-9]\d*$/;

const readInteger = (digits: string) => (Number.isSafeInteger(Number(digits)) ? Number(digits) : BigInt(digits));

/** Undefined where a name or a value cannot be decoded. */
function readParameters(url: string): Map<string, string[]> | undefined {
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
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
