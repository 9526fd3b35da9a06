import {
  addDefinitions,
  groupNames,
  hostOf,
  isEqual,
  keepNames,
  mapParts,
  type Node,
  type Nodes,
  namesIn,
  partsOf,
  referTo,
} from './schema-node.ts';

const TYPES = 't';

/**
 * A name mostly means the same wherever it is in a result. The types of such names are written once, in a definition that
 * applies to every object inside the result; the objects themselves say which members they require.
 */
export function describeByName(root: Node): Node {
  const host = hostOf(root);
  const everywhere = referTo(host, TYPES);
  const alike = findAlike(root);
  const strip = (node: Node): Node => {
    const { properties, ...rest } = mapParts(node, strip);
    const own = keepNames(properties ?? {}, (name) => !isEqual(node.properties?.[name], alike[name]));
    return Object.keys(own).length === 0 ? rest : { ...rest, properties: own };
  };
  const described = Object.entries(alike).map(([name, node]): [string, Node] => [
    name,
    isLeaf(node) ? node : { allOf: [everywhere], ...strip(node) },
  ]);
  // The names in a map are not those of members.
  const maps = mapsWith(root, alike).map((name): [string, Node] => [name, { additionalProperties: everywhere }]);
  const types: Node = {
    patternProperties: groupNames(Object.fromEntries([...described, ...maps])),
    additionalProperties: everywhere,
    items: everywhere,
  };
  return addDefinitions({ ...mapParts(root, strip), allOf: [everywhere] }, host, { [TYPES]: types });
}

/** Names whose every use has one schema, or a narrower one: single values, and objects that are repeated. */
function findAlike(root: Node): Nodes {
  const uses = new Map<string, Node[]>();
  const times = new Map<string, number>();
  const visit = (node: Node): void => {
    for (const [name, member] of node === root ? [] : Object.entries(node.properties ?? {})) {
      uses.set(name, [...(uses.get(name) ?? []), member]);
      times.set(JSON.stringify(member), (times.get(JSON.stringify(member)) ?? 0) + 1);
    }
    for (const part of partsOf(node)) visit(part);
  };
  visit(root);
  const isRepeated = (node: Node) => node.type === 'object' && (times.get(JSON.stringify(node)) ?? 0) > 2;
  const alike = [...uses].map(([name, nodes]): [string, Node | undefined] => [
    name,
    nodes.find((node) => (isLeaf(node) || isRepeated(node)) && nodes.every((other) => includes(node, other))),
  ]);
  return Object.fromEntries(alike.filter((entry): entry is [string, Node] => entry[1] !== undefined));
}

const isLeaf = ({ properties, patternProperties, additionalProperties, anyOf, items = {} }: Node): boolean =>
  [properties, patternProperties, additionalProperties, anyOf].every((part) => part === undefined) &&
  Object.keys(items).every((keyword) => keyword === 'type');

/** Whether whatever fits `narrow` also fits `wide`. */
const includes = (wide: Node, narrow: Node): boolean =>
  isEqual(wide, narrow) ||
  (Object.keys(wide).join() === 'type' &&
    isLeaf(narrow) &&
    typesOf(narrow).every(
      (type) => typesOf(wide).includes(type) || (type === 'integer' && wide.type?.includes('number')),
    ));

const typesOf = ({ type, const: only, enum: words = [only] }: Node): readonly string[] =>
  type === undefined ? words.map((word) => typeof word) : [type].flat();

/** The names of maps in which one of these names is a key. */
function mapsWith(root: Node, names: Nodes): string[] {
  const maps = new Set<string>();
  const visit = (node: Node): void => {
    for (const [name, member] of Object.entries(node.properties ?? {})) {
      const keys = [
        ...Object.keys(member.patternProperties ?? {}).flatMap(namesIn),
        ...(member.additionalProperties === undefined ? [] : (member.required ?? [])),
      ];
      if (keys.some((key) => Object.hasOwn(names, key))) maps.add(name);
    }
    for (const part of partsOf(node)) visit(part);
  };
  visit(root);
  return [...maps];
}
