import { parseBody } from '../../../registry/records.ts';
import type { Registry } from '../../../registry/registry.ts';
import { formatAssetId } from '../../../vocabulary/asset-id.ts';
import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { FIELDS, type FieldScalar, isField, SCALAR_FIELDS, type ScalarField } from '../../../vocabulary/fields.ts';
import { fail, ok, type Result } from '../../../vocabulary/result.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { FIELD_LABELS } from '../catalogue/labels.ts';
import { isObject, parseObject } from './read-batch.ts';

const MAX_EXTENDED = 1_000;

interface ExtendQuery {
  ids: string[];
  fields: ScalarField[];
}

/** RCN-09 */
export function readExtendQuery(text: string): Result<ExtendQuery, string> {
  const query = parseObject(text);
  if (query === undefined || !Array.isArray(query.ids) || !Array.isArray(query.properties)) {
    return fail('extend must be a JSON object with ids and properties');
  }
  const { ids, properties } = query as { ids: unknown[]; properties: unknown[] };
  if (ids.length > MAX_EXTENDED) return fail(`extend has at most ${MAX_EXTENDED} ids`);
  if (!ids.every((id) => typeof id === 'string')) return fail('each id must be a string');
  const fields = properties.map((property) => (isObject(property) ? property.id : undefined));
  if (!fields.every(isScalarField))
    return fail(`each property must have one of these ids: ${SCALAR_FIELDS.join(', ')}`);
  return ok({ ids: [...new Set(ids)], fields: [...new Set(fields)] });
}

const isScalarField = (name: unknown): name is ScalarField =>
  typeof name === 'string' && isField(name) && (SCALAR_FIELDS as readonly string[]).includes(name);

/** RCN-09: published values; an ID that was merged has those of its survivor, an unknown one none. */
export async function extend(registry: Registry, { ids, fields }: ExtendQuery, t: Text): Promise<object> {
  const rows: [string, object][] = [];
  for (const id of ids) {
    const page = await findPage(registry, id);
    const cells = fields.map((field) => [field, page === undefined ? [] : valuesOf(page, field)] as const);
    rows.push([id, Object.fromEntries(cells)]);
    // Reading is synchronous with SQLite; other requests go between.
    if (rows.length % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return { meta: fields.map((field) => ({ id: field, name: fieldName(field, t) })), rows: Object.fromEntries(rows) };
}

export async function findPage(registry: Registry, id: string): Promise<BuildingPage | undefined> {
  const found = await registry.getPage(id);
  if (found.ok) return parseBody<BuildingPage>(found.value.body);
  if (found.failure.kind !== 'movedBuilding') return undefined;
  const survivor = await registry.getPage(formatAssetId(found.failure.survivor));
  return survivor.ok ? parseBody<BuildingPage>(survivor.value.body) : undefined;
}

function valuesOf({ fields }: BuildingPage, field: ScalarField): object[] {
  const value: FieldScalar | undefined = fields[field]?.value;
  if (value === undefined) return [];
  if (typeof value === 'string') return [{ str: value }];
  return [isSmallInteger(value) ? { int: value } : { float: value }];
}

/** OpenRefine reads `int` as 32 bits, which prices exceed. */
const isSmallInteger = (value: number) => Number.isInteger(value) && Math.abs(value) < 2 ** 31;

/** The label of a field, with its unit. */
export function fieldName(field: ScalarField, { lang }: Text): string {
  const { unit } = FIELDS[field];
  const label = FIELD_LABELS[field][lang];
  return unit === null ? label : lang === 'ja' ? `${label}（${unit}）` : `${label} (${unit})`;
}
