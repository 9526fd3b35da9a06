import type { TSchema } from 'typebox';
import type { PublishedSchema } from '../../http/published-schemas.ts';

interface Node {
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Node>>;
  required?: readonly string[];
  items?: Node;
  anyOf?: readonly Node[];
  [keyword: string]: unknown;
}

/**
 * AGT-03: the schema of a tool's result, one for all of its views, as short as it can be: without descriptions and bounds,
 * and with repeated parts written once. Those parts are inside a property, because clients with version 1.22 of the
 * TypeScript SDK drop `$defs` at the root and then lose every tool.
 */
export function publishOutput(...views: readonly TSchema[]): PublishedSchema {
  const [first = {}, ...others] = views.map((view) => shorten(view as Node, true));
  return share(others.reduce(mergeViews, first));
}

/**
 * Keeps names and types. Lists of words are left out, because they may grow (VER-01). Which members are required is kept for
 * results and for records in them.
 */
function shorten(schema: Node, isResult = false): Node {
  const { type, required, properties, items, anyOf } = schema;
  if (anyOf !== undefined) return shortenUnion(anyOf.map((member) => shorten(member, isResult)));
  const kept: Node = type === undefined ? {} : { type };
  if (required !== undefined && (isResult || required.includes('id'))) kept.required = required;
  if (properties !== undefined) kept.properties = mapValues(properties, (part) => shorten(part));
  // What is inside arrays of arrays (coordinates) is GeoJSON.
  if (items !== undefined && items.type !== 'array') kept.items = shorten(items);
  return kept.properties !== undefined && 'value' in kept.properties && 'unit' in kept.properties
    ? { ...kept, properties: { ...kept.properties, ...anyMeasure(kept.properties) } }
    : kept;
}

/** Fields differ in the bounds of their values and in their units; here only text and numbers do. */
function anyMeasure({ value = {} }: Readonly<Record<string, Node>>): Record<string, Node> {
  const isNumber = value.type === 'number' || value.type === 'integer';
  return {
    value: value.anyOf !== undefined || Array.isArray(value.type) ? value : { type: isNumber ? 'number' : 'string' },
    unit: { type: ['string', 'null'] },
  };
}

function shortenUnion(members: readonly Node[]): Node {
  if (members.every(isPlain)) return { type: [...new Set(members.flatMap(typesOf))] };
  const [first, second] = members;
  const isNullable = members.length === 2 && second?.type === 'null' && typeof first?.type === 'string';
  return isNullable && first.enum === undefined
    ? { ...first, type: [first.type as string, 'null'] }
    : { anyOf: members };
}

const isPlain = (node: Node) => Object.keys(node).join() === 'type';
const typesOf = ({ type }: Node) => (typeof type === 'string' ? [type] : (type ?? []));

/** A schema that fits whatever fits one of two; what both describe as an object is described once. */
function mergeViews(a: Node, b: Node): Node {
  if (JSON.stringify(a) === JSON.stringify(b)) return a;
  const types = [...new Set([...typesOf(a), ...typesOf(b)])];
  const type = types.length === 1 ? (types[0] as string) : types;
  if (a.properties !== undefined && b.properties !== undefined) {
    const names = [...new Set([...Object.keys(a.properties), ...Object.keys(b.properties)])];
    const properties = names.map((name): [string, Node] => {
      const [of, other] = [a.properties?.[name], b.properties?.[name]];
      return [name, of === undefined || other === undefined ? ((of ?? other) as Node) : mergeViews(of, other)];
    });
    const required = a.required?.filter((name) => b.required?.includes(name)) ?? [];
    return { type, ...(required.length > 0 && { required }), properties: Object.fromEntries(properties) };
  }
  if (a.items !== undefined && b.items !== undefined) return { type, items: mergeViews(a.items, b.items) };
  return isPlain(a) && isPlain(b) ? { type } : { anyOf: [a, b] };
}

/** Shorter parts are not worth a reference. */
const WORTH_SHARING = 70;

function share(root: Node): PublishedSchema {
  const counts = new Map<string, number>();
  const count = (node: Node): void => {
    const text = JSON.stringify(node);
    counts.set(text, (counts.get(text) ?? 0) + 1);
    // The parts of a repeated part are counted once.
    if (counts.get(text) === 1) for (const part of partsOf(node)) count(part);
  };
  count(root);

  const [host = ''] = Object.keys(root.properties ?? {}).sort((a, b) => sizeOf(root, b) - sizeOf(root, a));
  const definitions: Record<string, Node> = {};
  const names = new Map<string, string>();
  const refer = (node: Node, key: string): Node => {
    const text = JSON.stringify(node);
    if (text.length < WORTH_SHARING || (counts.get(text) ?? 0) < 2) return mapParts(node, refer, key);
    let name = names.get(text);
    if (name === undefined) {
      name = unusedName(nameOf(node, key), definitions);
      names.set(text, name);
      definitions[name] = {};
      definitions[name] = mapParts(node, refer, key);
    }
    return { $ref: `#/properties/${host}/$defs/${name}` };
  };
  const shared = mapParts(root, refer, '');
  if (Object.keys(definitions).length === 0) return shared;
  const { [host]: large, ...rest } = shared.properties as Record<string, Node>;
  return { ...shared, properties: { [host]: { ...large, $defs: definitions }, ...rest } };
}

const sizeOf = (root: Node, name: string) => JSON.stringify(root.properties?.[name]).length;

function nameOf({ properties }: Node, key: string): string {
  if (properties !== undefined && 'value' in properties && 'estimated' in properties) {
    return properties.value?.type === 'number' ? 'Number' : 'Text';
  }
  return key.charAt(0).toUpperCase() + key.slice(1);
}

function unusedName(name: string, taken: object): string {
  for (let i = 1; ; i++) {
    const numbered = i === 1 ? name : `${name}${i}`;
    if (!Object.hasOwn(taken, numbered)) return numbered;
  }
}

const partsOf = ({ properties = {}, items, anyOf = [] }: Node): Node[] => [
  ...Object.values(properties),
  ...(items === undefined ? [] : [items]),
  ...anyOf,
];

function mapParts(node: Node, change: (part: Node, key: string) => Node, key: string): Node {
  const { properties, items, anyOf, ...rest } = node;
  return {
    ...rest,
    ...(properties && { properties: mapValues(properties, change) }),
    ...(items && { items: change(items, key) }),
    ...(anyOf && { anyOf: anyOf.map((part) => change(part, key)) }),
  };
}

function mapValues(object: Readonly<Record<string, Node>>, change: (value: Node, key: string) => Node) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
