/** A JSON Schema with the keywords that output schemas use. */
export interface Node {
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  required?: readonly string[];
  properties?: Nodes;
  patternProperties?: Nodes;
  additionalProperties?: Node;
  items?: Node;
  anyOf?: readonly Node[];
  allOf?: readonly Node[];
  $ref?: string;
  $defs?: Nodes;
}
export type Nodes = Readonly<Record<string, Node>>;

export const partsOf = (node: Node): Node[] => [
  ...Object.values(node.properties ?? {}),
  ...Object.values(node.patternProperties ?? {}),
  ...(node.additionalProperties === undefined ? [] : [node.additionalProperties]),
  ...(node.items === undefined ? [] : [node.items]),
  ...(node.anyOf ?? []),
];

export function mapParts(node: Node, change: (part: Node) => Node): Node {
  const { properties, patternProperties, additionalProperties, items, anyOf } = node;
  return {
    ...node,
    ...(properties && { properties: mapValues(properties, change) }),
    ...(patternProperties && { patternProperties: mapValues(patternProperties, change) }),
    ...(additionalProperties && { additionalProperties: change(additionalProperties) }),
    ...(items && { items: change(items) }),
    ...(anyOf && { anyOf: anyOf.map(change) }),
  };
}

export const mapValues = (nodes: Nodes, change: (node: Node) => Node): Nodes =>
  Object.fromEntries(Object.entries(nodes).map(([name, node]) => [name, change(node)]));

export const keepNames = (nodes: Nodes, isKept: (name: string) => boolean): Nodes =>
  Object.fromEntries(Object.entries(nodes).filter(([name]) => isKept(name)));

export const isEqual = (a: Node | undefined, b: Node | undefined) => JSON.stringify(a) === JSON.stringify(b);

/** The schemas of several names, each schema once. */
export function groupNames(nodes: Nodes): Nodes {
  const groups = Map.groupBy(Object.entries(nodes), ([, node]) => JSON.stringify(node));
  return Object.fromEntries(
    [...groups].map(([text, members]) => [`^(${members.map(([name]) => name).join('|')})$`, JSON.parse(text)]),
  );
}

/** The names that a pattern of `groupNames` matches. */
export const namesIn = (pattern: string): string[] => pattern.slice(2, -2).split('|');

/** Parts that several places refer to are inside this property. */
export const hostOf = ({ properties = {} }: Node): string =>
  Object.keys(properties).reduce((shortest, name) => (name.length < shortest.length ? name : shortest));

export const referTo = (host: string, name: string): Node => ({ $ref: `#/properties/${host}/$defs/${name}` });

export function addDefinitions(root: Node, host: string, definitions: Nodes): Node {
  const { [host]: hosting = {}, ...rest } = root.properties ?? {};
  const $defs = { ...hosting.$defs, ...definitions };
  return { ...root, properties: { [host]: { ...hosting, $defs }, ...rest } };
}
