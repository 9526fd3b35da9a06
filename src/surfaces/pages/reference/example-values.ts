import type { Registry } from '../../../registry/registry.ts';
import type { SearchEnvelope } from '../../../vocabulary/api-shapes.ts';
import { type ApiDocument, endpointsOf } from './api-document.ts';
import type { Values } from './code-examples.ts';

/** The parameters of a search that its example sends; the others are optional. */
const SEARCHED = 'q';

/**
 * Values for the examples and the try-it forms, so that they find something here: those of a building of this registry,
 * preferably one with an owner. An empty registry gets the examples of the document.
 */
export async function exampleValues(registry: Registry, document: ApiDocument): Promise<ExampleValues> {
  const { body, release } = await registry.search({});
  const { items } = JSON.parse(Buffer.from(body).toString()) as SearchEnvelope;
  release?.();
  const building = items.find(({ fields }) => fields.ownerPublic !== undefined && fields.nameJa) ?? items[0];
  if (building === undefined) return { shared: documented(document), own: ownExamples(document) };
  const { id, fields, location, sources } = building;
  const [record] = sources;
  const shared = {
    ...documented(document),
    id,
    [SEARCHED]: String(fields.nameJa?.value ?? id),
    prefecture: location.prefecture.slug,
    ward: location.ward.slug,
    machiAza: location.machiAza.slug,
    ...(fields.ownerPublic && { name: String(fields.ownerPublic.value) }),
  };
  const own = ownExamples(document);
  if (record !== undefined) own.getSourceRecord = { source: record.source, id: record.sourceRecordId };
  if (fields.nameJa !== undefined) own.matchBuilding = { name: String(fields.nameJa.value) };
  return { shared, own };
}

/** Values by the name of the parameter, and those of operations that name other things with the same words. */
interface ExampleValues {
  shared: Values;
  own: Record<string, Values>;
}

/** The operations that answer only with some of their query parameters, and these parameters. */
const OWN_PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  getSourceRecord: ['source', 'id'],
  matchBuilding: ['name'],
};

function ownExamples(document: ApiDocument): Record<string, Values> {
  const own: Record<string, Values> = {};
  for (const { operation } of endpointsOf(document)) {
    const names = OWN_PARAMETERS[operation.operationId] ?? [];
    const sent = (operation.parameters ?? []).filter(({ name }) => names.includes(name));
    if (sent.length > 0) own[operation.operationId] = Object.fromEntries(sent.map((p) => [p.name, String(p.example)]));
  }
  return own;
}

/** The example of each parameter in a path, and of the words of a search. */
function documented(document: ApiDocument): Values {
  const parameters = endpointsOf(document).flatMap(({ operation }) => operation.parameters ?? []);
  const examples = parameters.filter(({ in: place, name, example }) => {
    return example !== undefined && (place === 'path' || name === SEARCHED);
  });
  return Object.fromEntries(examples.map(({ name, example }) => [name, String(example)]));
}

/** Only what the example of an operation sends: its path, and the words of a search. */
export function valuesFor(document: ApiDocument, operationId: string, { shared, own }: ExampleValues): Values {
  if (own[operationId] !== undefined) return own[operationId];
  const found = endpointsOf(document).find(({ operation }) => operation.operationId === operationId);
  const sent = (found?.operation.parameters ?? []).filter(
    ({ in: place, name }) => place === 'path' || name === SEARCHED,
  );
  return Object.fromEntries(sent.flatMap(({ name }) => (shared[name] === undefined ? [] : [[name, shared[name]]])));
}
