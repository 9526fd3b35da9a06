import { addDefinitions, hostOf, mapParts, mapValues, type Node, type Nodes, partsOf, referTo } from './schema-node.ts';

/**
 * Writes repeated parts of a schema once. They are inside a property, because clients with version 1.22 of the TypeScript
 * SDK drop `$defs` at the root and then lose every tool.
 */
export function shareRepeatedParts(root: Node): Node {
  const host = hostOf(root);
  const { $defs: given, ...hosting } = root.properties?.[host] ?? {};
  let shared: Node = { ...root, properties: { ...root.properties, [host]: hosting } };
  let definitions: Nodes = given ?? {};
  for (const name of 'abcdefghijklmnopqrs') {
    const reference = referTo(host, name);
    const part = mostRepeated([shared, ...Object.values(definitions)], JSON.stringify(reference).length);
    if (part === undefined) break;
    const refer = (node: Node): Node => (JSON.stringify(node) === part ? reference : mapParts(node, refer));
    shared = mapParts(shared, refer);
    definitions = { ...mapValues(definitions, (definition) => mapParts(definition, refer)), [name]: JSON.parse(part) };
  }
  return Object.keys(definitions).length === 0 ? shared : addDefinitions(shared, host, definitions);
}

/** The part whose repetitions cost most; undefined if references would not be shorter. */
function mostRepeated(nodes: readonly Node[], referenceLength: number): string | undefined {
  const counts = new Map<string, number>();
  const count = (node: Node): void => {
    for (const part of partsOf(node)) {
      const text = JSON.stringify(part);
      counts.set(text, (counts.get(text) ?? 0) + 1);
      count(part);
    }
  };
  for (const node of nodes) count(node);
  const saved = ([text, times]: [string, number]) => (times - 1) * text.length - times * referenceLength;
  const [best] = [...counts].filter((entry) => saved(entry) > 0).sort((a, b) => saved(b) - saved(a));
  return best?.[0];
}
