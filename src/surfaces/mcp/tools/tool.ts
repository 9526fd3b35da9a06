import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { GetFailure } from '../../../registry/registry.ts';
import { formatAssetId } from '../../../vocabulary/asset-id.ts';
import { fail, ok, type Result } from '../../../vocabulary/result.ts';
import { describeTombstone } from '../../http/describe-tombstone.ts';
import { markdownText } from '../../http/markdown.ts';
import { type PublishedSchema, schemaPublisher } from '../../http/published-schemas.ts';
import { SERVER_FAULT } from '../../http/refuse.ts';
import { whyUnavailable } from '../../http/unavailable.ts';
import { publishOutput } from './output-schema.ts';

/** The members of a result, as JSON without the braces: in parts that are all there, or streamed. */
export type ToolAnswer =
  | { kind: 'whole'; members: readonly Uint8Array[] }
  | { kind: 'stream'; members: AsyncIterable<Uint8Array>; release: () => void }
  | Unavailable;

/** DLY-01: there is no result, because the database does not answer or too many requests wait. */
export interface Unavailable {
  kind: 'unavailable';
  why: string;
}

export interface Tool {
  /** The entry in tools/list. */
  listed: {
    name: string;
    title: string;
    description: string;
    inputSchema: PublishedSchema;
    outputSchema: PublishedSchema;
    annotations: typeof ANNOTATIONS;
  };
  call(args: object): Promise<ToolAnswer>;
}

/** MCP-11 */
const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

interface ToolDefinition<S extends TObject> {
  name: string;
  title: string;
  description: string;
  input: S;
  /** AGT-02: shorter descriptions of arguments than those of the schema. */
  words?: Readonly<Record<string, string>>;
  /** One schema for each view of the result. */
  output: readonly TSchema[];
  answer(args: Static<S>): Promise<ToolAnswer>;
}

/** Receives the error; clients see a generic message. */
export type OnFault = (error: unknown) => void;

export function defineTool<S extends TObject>(definition: ToolDefinition<S>, onFault: OnFault): Tool {
  const { name, title, description, input, words, output, answer } = definition;
  const schema = Compile(Type.Object(input.properties, CLOSED));
  const known = Object.keys(input.properties);
  return {
    listed: {
      name,
      title,
      description,
      inputSchema: { ...publishInput(input, words), ...CLOSED },
      outputSchema: publishOutput(...output),
      annotations: ANNOTATIONS,
    },
    async call(given) {
      const args = withoutNulls(given, input.required);
      if (!schema.Check(args)) {
        const faults = schema.Errors(args).map(({ instancePath, keyword, message }) => {
          const [name = ''] = instancePath.split('/').slice(1);
          if (keyword === 'additionalProperties' || (name !== '' && !known.includes(name))) {
            return `the only arguments are ${known.join(', ')}`;
          }
          return `${name === '' ? 'the arguments' : name} ${message}`;
        });
        return toolError(`invalid_input: ${[...new Set(faults)].join('; ')}.`);
      }
      try {
        return await answer(args as Static<S>);
      } catch (error) {
        onFault(error);
        const why = whyUnavailable(error);
        if (why !== undefined) return { kind: 'unavailable', why };
        return toolError(`internal_error: ${SERVER_FAULT}. Try again later.`);
      }
    },
  };
}

function publishInput(input: TObject, words: Readonly<Record<string, string>> = {}): PublishedSchema {
  const published = schemaPublisher({}, '').publishInline(input as object as Record<string, unknown>);
  const properties = Object.entries(published.properties as Record<string, PublishedSchema>).map(([name, argument]) => {
    const { description, examples: _examples, default: _default, ...rest } = argument;
    const said = words[name] ?? description;
    return [name, said === '' ? rest : { ...rest, description: said }];
  });
  return { ...published, properties: Object.fromEntries(properties) };
}

/** Some models send null for every argument that they do not use. */
function withoutNulls(given: object, required: readonly string[] = []): object {
  if (!Object.values(given).includes(null)) return given;
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => value !== null || required.includes(name)));
}

const CLOSED = { additionalProperties: false } as const;

/** An error that the model can read and correct, as opposed to a protocol error. */
export function toolError(text: string): Extract<ToolAnswer, { kind: 'whole' }> {
  return {
    kind: 'whole',
    members: [Buffer.from(`"content":[${JSON.stringify({ type: 'text', text })}],"isError":true`)],
  };
}

/** MCP-11, MCP-16: the bytes of the REST response, and a text for models that see no structured content. */
export function wholeAnswer(text: string, ...structured: readonly Uint8Array[]): ToolAnswer {
  return withContent(contentOf(text), ...structured);
}

/** The JSON before the structured content. */
function contentOf(text: string): Uint8Array {
  return Buffer.from(`"content":[${JSON.stringify({ type: 'text', text })}],"structuredContent":`);
}

/** The same for a text that is JSON already, without the quotation marks, one character for each byte of UTF-8. */
export function contentOfJson(text: string): Uint8Array {
  return Buffer.from(`"content":[{"type":"text","text":"${text}"}],"structuredContent":`, 'latin1');
}

export function withContent(content: Uint8Array, ...structured: readonly Uint8Array[]): ToolAnswer {
  return { kind: 'whole', members: [content, ...structured] };
}

/** The same as a stream, whose text is known when the rest has been sent. */
export function streamedAnswer(
  structured: AsyncIterable<Uint8Array>,
  release: () => void,
  text: () => string,
): ToolAnswer {
  async function* members() {
    yield Buffer.from('"structuredContent":');
    yield* structured;
    yield Buffer.from(`,"content":[${JSON.stringify({ type: 'text', text: text() })}]`);
  }
  return { kind: 'stream', members: members(), release };
}

type NoBuilding = Exclude<GetFailure, { kind: 'movedBuilding' }>;

/** MCP-13, ID-02: why there is no building, and what to do. */
export function explainFailure(failure: NoBuilding): ToolAnswer {
  switch (failure.kind) {
    case 'malformedId':
      return toolError('invalid_input: id must have the form ASSET-JP-NN-NNNNNNNN.');
    case 'unknownBuilding':
      return toolError(
        'not_found: no building has this id. Look the building up with search_assets, by a part of its Japanese or ' +
          'English name or of its Japanese address (q), and use the id of a result; ids cannot be guessed.',
      );
    case 'retiredBuilding':
      return toolError(
        `not_found: ${markdownText(describeTombstone(failure.tombstone))} Look for another building with search_assets.`,
      );
  }
}

interface FoundBuilding<T> {
  value: T;
  /** The ID of the building that was found. */
  id: string;
  /** Whether the requested ID was merged into, or replaced by, this one. */
  moved: boolean;
}

/** ID-04: follows merged and replaced IDs. */
export async function followMoves<T>(
  id: string,
  find: (id: string) => Promise<Result<T, GetFailure>>,
): Promise<Result<FoundBuilding<T>, NoBuilding>> {
  let current = id;
  // The registry resolves chains, and merges have no cycles. Only a merge between two reads adds another step.
  for (let moves = 0; moves < MAX_MOVES; moves++) {
    const found = await find(current);
    if (found.ok) return ok({ value: found.value, id: current, moved: moves > 0 });
    if (found.failure.kind !== 'movedBuilding') return fail(found.failure);
    current = formatAssetId(found.failure.survivor);
  }
  throw new Error(`more than ${MAX_MOVES} redirects from ${id}`);
}
const MAX_MOVES = 100;
