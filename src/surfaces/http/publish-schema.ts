/** A JSON Schema as published: plain data. */
export type PublishedSchema = Readonly<Record<string, unknown>>;

type Node = Readonly<Record<string, unknown>>;

/**
 * Turns the schemas that the service validates with into published ones. A schema that has a name becomes a component
 * and is referred to, at `root`, wherever it stands; it is known by identity, so that nothing is described twice.
 */
export function schemaPublisher(named: Readonly<Record<string, object>>, root: string) {
  const nameOf = new Map(Object.entries(named).map(([name, schema]) => [identityOf(schema), name]));
  const components: Record<string, PublishedSchema> = {};

  const publish = (schema: object): PublishedSchema => {
    const name = nameOf.get(identityOf(schema));
    if (name === undefined) return publishInline(schema as Node);
    if (components[name] === undefined) {
      components[name] = {};
      components[name] = publishInline(schema as Node);
    }
    return { $ref: `${root}${name}` };
  };

  const publishInline = (schema: Node): PublishedSchema => {
    // VER-01: the service sends nothing undescribed, but v1 may grow; a closed schema would forbid that to clients.
    const { additionalProperties: _, properties, patternProperties, items, anyOf, ...rest } = schema;
    if (Array.isArray(anyOf)) return publishUnion(anyOf, rest);
    return {
      ...rest,
      ...(properties === undefined ? {} : { properties: mapValues(properties as Record<string, object>, publish) }),
      ...(patternProperties === undefined
        ? {}
        : { patternProperties: mapValues(patternProperties as Record<string, object>, publish) }),
      ...(items === undefined ? {} : { items: publish(items as object) }),
    };
  };

  /** `anyOf` of a plain schema and null is a schema of two types; generators read that best. */
  const publishUnion = (members: readonly Node[], rest: Node): PublishedSchema => {
    const [first, second, ...more] = members.map(publish);
    const isNullable = second?.type === 'null' && more.length === 0;
    if (isNullable && typeof first?.type === 'string' && first.enum === undefined) {
      return { ...first, ...rest, type: [first.type, 'null'] };
    }
    return { ...rest, anyOf: [first, second, ...more] };
  };

  return { publish, publishInline, components };
}

/** Type.Optional copies a schema, but not the properties inside. */
function identityOf(schema: object): unknown {
  return (schema as { properties?: object }).properties ?? schema;
}

function mapValues<V, W>(object: Readonly<Record<string, V>>, change: (value: V) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
