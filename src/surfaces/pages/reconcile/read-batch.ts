import { DEFAULT_CANDIDATES, MAX_CANDIDATES, type MatchQuestion } from '../../../vocabulary/match-shapes.ts';
import { fail, ok, type Result } from '../../../vocabulary/result.ts';
import { isSource } from '../../../vocabulary/sources.ts';

export const MAX_QUERIES = 1_000;

/** One query of a batch. */
export interface ReconcileQuery {
  key: string;
  /** Undefined if the query says nothing that can be compared. */
  question: MatchQuestion | undefined;
  /** False if a property cannot be read, so that the query is never a certain match. */
  isReadable: boolean;
}

/** The properties that a query may have (beyond.md section 3). */
export const QUERY_PROPERTIES = ['address', 'coordinates', 'sourceRecordId'] as const;

type Members = Readonly<Record<string, unknown>>;

/** RCN-07: the queries of a batch, or why the batch cannot be read. */
export function readBatch(text: string): Result<ReconcileQuery[], string> {
  const batch = parseObject(text);
  if (batch === undefined) return fail('queries must be a JSON object of queries');
  const entries = Object.entries(batch);
  if (entries.length > MAX_QUERIES) return fail(`a batch has at most ${MAX_QUERIES} queries`);
  const queries: ReconcileQuery[] = [];
  for (const [key, value] of entries) {
    const query = isObject(value) ? readQuery(key, value) : undefined;
    if (query === undefined) {
      return fail(
        'each query must be an object with query or properties, in the form of the Reconciliation Service API; a limit ' +
          'must be a positive whole number',
      );
    }
    queries.push(query);
  }
  return ok(queries);
}

export function parseObject(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readQuery(key: string, { query, type, type_strict, limit, properties }: Members): ReconcileQuery | undefined {
  const types = readTypes(type, type_strict);
  if (types === undefined || (query !== undefined && typeof query !== 'string')) return undefined;
  if (limit != null && !(Number.isSafeInteger(limit) && (limit as number) > 0)) return undefined;
  if (properties !== undefined && !Array.isArray(properties)) return undefined;
  const given = new Map<string, string>();
  for (const property of (properties ?? []) as unknown[]) {
    if (!isObject(property) || typeof property.pid !== 'string') return undefined;
    const value = textOf(property.v, property.pid === 'sourceRecordId' ? 'id' : 'name');
    if (value !== '' && !given.has(property.pid)) given.set(property.pid, value);
  }
  const name = (query ?? '').trim();
  const address = given.get('address');
  const point = read(given.get('coordinates'), readCoordinates);
  const record = read(given.get('sourceRecordId'), readRecord);
  const says = name !== '' || address !== undefined || point !== undefined || record !== undefined;
  const question: MatchQuestion = {
    ...(name !== '' && { name }),
    ...{ address, point: point ?? undefined, record: record ?? undefined },
    ...(types.uses.length > 0 && { types }),
    limit: typeof limit === 'number' ? Math.min(limit, MAX_CANDIDATES) : DEFAULT_CANDIDATES,
  };
  const isReadable = point !== null && record !== null;
  return { key, question: says ? question : undefined, isReadable };
}

/** Undefined if the types cannot be read. With `should`, types do not restrict. */
function readTypes(type: unknown, strict: unknown): NonNullable<MatchQuestion['types']> | undefined {
  const uses = typeof type === 'string' ? [type] : (type ?? []);
  if (!Array.isArray(uses) || !uses.every((use) => typeof use === 'string')) return undefined;
  const asked = strict === 'should' ? [] : uses.filter((use) => use !== '').slice(0, MAX_TYPES);
  return { uses: asked, match: strict === 'all' ? 'all' : 'any' };
}

const MAX_TYPES = 32;

/** The text of a property: of several values the first, of a reconciled cell its ID or its name. */
function textOf(v: unknown, meant: 'id' | 'name'): string {
  const first: unknown = Array.isArray(v) ? v[0] : v;
  if (typeof first === 'string') return first.trim();
  if (typeof first === 'number') return String(first);
  if (!isObject(first)) return '';
  const text = [first[meant], first.id, first.name].find((each) => typeof each === 'string');
  return typeof text === 'string' ? text.trim() : '';
}

/** Undefined if not given, null if it cannot be read. */
const read = <T>(text: string | undefined, parse: (text: string) => T | undefined): T | null | undefined =>
  text === undefined ? undefined : (parse(text) ?? null);

function readCoordinates(text: string): MatchQuestion['point'] {
  const [, lat, lon] = /^(-?\d{1,3}(?:\.\d{1,20})?)\s*,\s*(-?\d{1,3}(?:\.\d{1,20})?)$/.exec(text) ?? [];
  if (lat === undefined || Math.abs(Number(lat)) > 90 || Math.abs(Number(lon)) > 180) return undefined;
  return { lat: Number(lat), lon: Number(lon) };
}

function readRecord(text: string): MatchQuestion['record'] {
  const colon = text.indexOf(':');
  const [source, id] = [text.slice(0, colon), text.slice(colon + 1)];
  return isSource(source) && id !== '' ? { source, id } : undefined;
}
