import type { TSchema } from 'typebox';
import type { PublishedSchema } from '../../http/published-schemas.ts';
import { describeByName } from './describe-by-name.ts';
import { groupNames, isEqual, keepNames, mapValues, type Node, type Nodes } from './schema-node.ts';
import { shareRepeatedParts } from './share-repeated-parts.ts';

/**
 * AGT-03: the schema of a tool's result, one for all of its views. It has the type of every member and which members are
 * required, in few bytes; descriptions, bounds and lists of words are in the OpenAPI document.
 */
export function publishOutput(...views: readonly TSchema[]): PublishedSchema {
  const root = joinViews(views.map((view) => shorten(view as Node)));
  const [plain, byName] = [root, describeByName(root)].map(shareRepeatedParts) as [Node, Node];
  return { ...(JSON.stringify(byName).length < JSON.stringify(plain).length ? byName : plain) };
}

/** `keepsWords` says for which members lists of words are kept. */
function shorten(schema: Node, keepsWords: (name: string) => boolean = () => false): Node {
  const { type, const: only, enum: words, required, properties = {}, patternProperties, items, anyOf } = schema;
  if (anyOf !== undefined) {
    // The words of a member that all have, such as a state, tell the members of a union apart.
    const objects = anyOf.filter((member) => member.properties !== undefined);
    const isTag = (name: string) =>
      objects.length > 1 && objects.every((member) => member.properties?.[name] !== undefined);
    return shortenUnion(anyOf.map((member) => shorten(member, isTag)));
  }
  if (only !== undefined) return { const: only };
  if (words?.length === 1) return { const: words[0] };
  const shortened = Object.entries(properties).map(([name, member]): [string, Node] => [
    name,
    keepsWords(name) && member.enum !== undefined ? { enum: member.enum } : shorten(member),
  ]);
  return {
    ...(type !== undefined && { type }),
    ...(required !== undefined && { required }),
    ...(shortened.length > 0 && shortenMembers(Object.fromEntries(shortened), required)),
    // Only maps whose names are not known have patterns, and they have one.
    ...(patternProperties !== undefined && {
      additionalProperties: shorten(Object.values(patternProperties)[0] as Node),
    }),
    ...(items !== undefined && { items: shorten(items) }),
  };
}

/** Types become a list of types, and so does what may be null. */
function shortenUnion(members: readonly Node[]): Node {
  if (members.every(isPlain)) return { type: members.flatMap(({ type }) => type ?? []) };
  const [first = {}, second = {}] = members;
  const isNullable = members.length === 2 && isEqual(second, { type: 'null' }) && typeof first.type === 'string';
  return isNullable ? { ...first, type: [first.type as string, 'null'] } : { anyOf: members };
}

const isPlain = (node: Node) => Object.keys(node).join() === 'type';

/** The members of a map, all optional or all counts, are described together. */
function shortenMembers(members: Nodes, required: readonly string[] = []): Node {
  const names = Object.keys(members);
  const [first = {}, ...others] = Object.values(members);
  const isCounts = first.type === 'integer' && required.length === names.length;
  if (names.length <= 3 || (required.length > 0 && !isCounts)) return { properties: members };
  if (others.every((other) => isEqual(other, first))) {
    return isCounts || names.length > MAX_NAMES
      ? { additionalProperties: first }
      : { patternProperties: groupNames(members) };
  }
  if (isCounts) return { properties: members };
  const isShared = (name: string) =>
    others.every((other) => isEqual(other.properties?.[name], first.properties?.[name]));
  const common = { ...first, properties: keepNames(first.properties ?? {}, isShared) };
  const own = mapValues(members, ({ properties = {} }) => ({
    properties: keepNames(properties, (name) => !isShared(name)),
  }));
  return { patternProperties: { '.': common, ...groupNames(own) } };
}
/** The names of a larger map of equal values are not listed again; the full view has them. */
const MAX_NAMES = 10;

/** What all views have is at the root, because some clients drop `anyOf` there. */
function joinViews(views: readonly Node[]): Node {
  const [first = {}, ...others] = views;
  if (others.length === 0) return first;
  const isCommon = (name: string) =>
    others.every(({ properties }) => isEqual(properties?.[name], first.properties?.[name]));
  const properties = keepNames(first.properties ?? {}, isCommon);
  return {
    type: 'object',
    required: Object.keys(properties),
    properties,
    anyOf: views.map((view) => ({
      required: (view.required ?? []).filter((name) => !isCommon(name)),
      properties: keepNames(view.properties ?? {}, (name) => !isCommon(name)),
    })),
  };
}
