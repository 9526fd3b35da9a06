/** API-10: the changes from `before` to `after` that break an existing client. */

type Data = Readonly<Record<string, unknown>>;
/** A node of one of the two documents, and the reference that led to it. */
type Side = { document: Data; node: Data; ref?: unknown };

export function findBreakingChanges(before: Data, after: Data): string[] {
  return [
    ...compareNamed(entriesOf(before, 'paths'), entriesOf(after, 'paths'), (path, was, is) =>
      compareNamed(was, is, (method, wasOperation, isOperation) =>
        compareOperation(
          `${method.toUpperCase()} ${path}`,
          { document: before, node: wasOperation },
          { document: after, node: isOperation },
        ),
      ),
    ),
    ...compareNamed(schemasOf(before), schemasOf(after), (name, was, is) =>
      compareSchema(name, { document: before, node: was }, { document: after, node: is }, 'answer'),
    ),
  ];
}

function compareOperation(place: string, was: Side, is: Side): string[] {
  const { operationId } = was.node;
  return [
    ...(operationId === is.node.operationId ? [] : [`${place}: operationId is no longer ${operationId}`]),
    ...compareParameters(place, was, is),
    ...compareNamed(
      entriesOf(was.node, 'responses'),
      entriesOf(is.node, 'responses'),
      (status, wasResponse, isResponse) =>
        compareResponse(
          `${place} ${status}`,
          resolve({ ...was, node: wasResponse }),
          resolve({ ...is, node: isResponse }),
        ),
      `${place} `,
    ),
  ];
}

function compareParameters(place: string, was: Side, is: Side): string[] {
  const byName = ({ document, node }: Side) =>
    Object.fromEntries(
      ((node.parameters ?? []) as Data[])
        .map((parameter) => resolve({ document, node: parameter }).node)
        .map((parameter) => [`${parameter.in} parameter ${parameter.name}`, parameter]),
    );
  const added = Object.entries(byName(is)).filter(([name, { required }]) => required && !(name in byName(was)));
  return [
    ...added.map(([name]) => `${place}: ${name} is new and required`),
    ...compareNamed(
      byName(was),
      byName(is),
      (name, wasOne, isOne) => [
        ...(isOne.required === true && wasOne.required !== true ? [`${place}: ${name} has become required`] : []),
        ...compareSchema(`${place}: ${name}`, schemaIn(was, wasOne), schemaIn(is, isOne), 'question'),
      ],
      `${place}: `,
    ),
  ];
}

function compareResponse(place: string, was: Side, is: Side): string[] {
  return [
    ...compareNamed(
      entriesOf(was.node, 'headers'),
      entriesOf(is.node, 'headers'),
      (name, wasRef, isRef) => {
        const wasHeader = resolve({ ...was, node: wasRef }).node;
        const isHeader = resolve({ ...is, node: isRef }).node;
        return [
          ...(wasHeader.required === true && isHeader.required !== true
            ? [`${place}: ${name} is no longer required`]
            : []),
          ...compareSchema(`${place}: ${name}`, schemaIn(was, wasHeader), schemaIn(is, isHeader), 'answer'),
        ];
      },
      `${place}: header `,
    ),
    ...compareNamed(
      entriesOf(was.node, 'content'),
      entriesOf(is.node, 'content'),
      (_, wasMedia, isMedia) => compareSchema(place, schemaIn(was, wasMedia), schemaIn(is, isMedia), 'answer'),
      `${place}: `,
    ),
  ];
}

function compareSchema(place: string, was: Side, is: Side, use: 'question' | 'answer'): string[] {
  const [wasAlternatives, isAlternatives] = [alternativesOf(was), alternativesOf(is)];
  const [wasTypes, isTypes] = [typesOf(wasAlternatives), typesOf(isAlternatives)];
  if (wasTypes !== isTypes) return [`${place}: the type was ${wasTypes} and is ${isTypes}`];
  if (wasAlternatives.length === 1 && isAlternatives.length === 1) {
    return compareAlternative(place, wasAlternatives[0] as Side, isAlternatives[0] as Side, use);
  }
  return wasAlternatives
    .map((one) => isAlternatives.map((other) => compareAlternative(place, one, other, use)))
    .flatMap((attempts) => attempts.toSorted((a, b) => a.length - b.length)[0] ?? []);
}

function compareAlternative(place: string, was: Side, is: Side, use: 'question' | 'answer'): string[] {
  // A named schema that both refer to is compared once, under its own name.
  if (was.ref !== undefined && was.ref === is.ref && use === 'answer') return [];
  const required = (side: Side) => (side.node.required ?? []) as string[];
  const [wasTypes, isTypes] = [typesOf([was]), typesOf([is])];
  return [
    ...(wasTypes === isTypes ? [] : [`${place}: the type was ${wasTypes} and is ${isTypes}`]),
    ...['format', 'pattern']
      .filter((keyword) => was.node[keyword] !== is.node[keyword])
      .filter((keyword) => was.node[keyword] !== undefined || use === 'question')
      .map((keyword) => `${place}: the ${keyword} is another`),
    ...compareValues(place, was.node, is.node, use),
    ...required(was)
      .filter((name) => use === 'answer' && name in entriesOf(is.node, 'properties') && !required(is).includes(name))
      .map((name) => `${place}.${name} is no longer required`),
    ...compareNamed(
      entriesOf(was.node, 'properties'),
      entriesOf(is.node, 'properties'),
      (name, wasOne, isOne) => compareSchema(`${place}.${name}`, { ...was, node: wasOne }, { ...is, node: isOne }, use),
      `${place}.`,
    ),
    ...(was.node.items === undefined
      ? []
      : compareSchema(
          `${place}[]`,
          { ...was, node: was.node.items as Data },
          { ...is, node: (is.node.items ?? {}) as Data },
          use,
        )),
  ];
}

function compareValues(place: string, was: Data, is: Data, use: 'question' | 'answer'): string[] {
  const valuesOf = ({ enum: values, const: one }: Data) =>
    one === undefined ? (values as unknown[] | undefined) : [one];
  const [wasValues, isValues] = [valuesOf(was), valuesOf(is)];
  if (wasValues === undefined) {
    return isValues !== undefined && use === 'question' ? [`${place}: only some values are allowed now`] : [];
  }
  if (isValues === undefined) return use === 'answer' ? [`${place}: its values are no longer listed`] : [];
  return wasValues.filter((value) => !isValues.includes(value)).map((value) => `${place}: ${value} has disappeared`);
}

function compareNamed<T>(
  was: Readonly<Record<string, T>>,
  is: Readonly<Record<string, T>>,
  compare: (name: string, was: T, is: T) => string[],
  place = '',
): string[] {
  return Object.entries(was).flatMap(([name, one]) => {
    const other = is[name];
    return other === undefined ? [`${place}${name} has disappeared`] : compare(name, one, other);
  });
}

function alternativesOf(side: Side): Side[] {
  const { document, node, ref } = resolve(side);
  const members = (node.anyOf ?? node.oneOf) as Data[] | undefined;
  return members === undefined
    ? [{ document, node, ref }]
    : members.flatMap((member) => alternativesOf({ document, node: member }));
}

function typesOf(alternatives: readonly Side[]): string {
  return [...new Set(alternatives.flatMap(({ node }) => node.type ?? 'anything'))].sort().join(' or ');
}

function schemaIn(side: Side, { schema }: Data): Side {
  return { ...side, node: schema as Data };
}

function schemasOf(document: Data): Record<string, Data> {
  return entriesOf((document.components ?? {}) as Data, 'schemas');
}

function entriesOf(node: Data, key: string): Record<string, Data> & Record<string, Record<string, Data>> {
  return (node[key] ?? {}) as Record<string, Data> & Record<string, Record<string, Data>>;
}

function resolve({ document, node, ref }: Side): Side {
  if (typeof node.$ref !== 'string') return { document, node, ref };
  const keys = node.$ref.split('/').slice(1);
  const found = keys.reduce<unknown>((place, key) => (place as Data | undefined)?.[key], document);
  return resolve({ document, node: (found ?? {}) as Data, ref: node.$ref });
}
