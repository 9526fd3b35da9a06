import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { GetFailure } from '../../../registry/registry.ts';
import { formatAssetId } from '../../../vocabulary/asset-id.ts';
import { DisagreementSchema, EstimatedSchema, TierSchema } from '../../../vocabulary/building-page.ts';
import { fail, ok, type Result } from '../../../vocabulary/result.ts';
import { NAMED_SCHEMAS, type PublishedSchema, schemaPublisher } from '../../http/published-schemas.ts';

/** The JSON of a tool's result: all there, in parts, or on its way. */
export type ToolAnswer =
  | { kind: 'whole'; parts: readonly Uint8Array[] }
  | { kind: 'stream'; parts: AsyncIterable<Uint8Array>; release: () => void };

export interface Tool {
  /** As tools/list has it. */
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
  output: TSchema;
  answer(args: Static<S>): Promise<ToolAnswer>;
}

/** Hears of a fault, which the client is told only that it was. */
export type OnFault = (error: unknown) => void;

export function defineTool<S extends TObject>(definition: ToolDefinition<S>, onFault: OnFault): Tool {
  const { name, title, description, input, output, answer } = definition;
  const schema = Compile(Type.Object(input.properties, CLOSED));
  const known = Object.keys(input.properties);
  return {
    listed: {
      name,
      title,
      description,
      inputSchema: { ...schemaPublisher({}, '').publishInline(input as object as Record<string, unknown>), ...CLOSED },
      outputSchema: publishOutput(output),
      annotations: ANNOTATIONS,
    },
    async call(given) {
      const args = withoutNulls(given, input.required);
      if (!schema.Check(args)) {
        const faults = schema.Errors(args).map(({ instancePath, keyword, message }) => {
          const [name = ''] = instancePath.split('/').slice(1);
          if (keyword === 'additionalProperties' || (name !== '' && !known.includes(name))) {
            return `the arguments are ${known.join(', ')}, and no others`;
          }
          return `${name === '' ? 'the arguments' : name} ${message}`;
        });
        return toolError(`invalid_input: ${[...new Set(faults)].join('; ')}.`);
      }
      try {
        return await answer(args as Static<S>);
      } catch (error) {
        onFault(error);
        return toolError('internal_error: the service failed to answer; the fault has been logged. Try again later.');
      }
    },
  };
}

/** Some models write null for everything that they do not ask for. */
function withoutNulls(given: object, required: readonly string[] = []): object {
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => value !== null || required.includes(name)));
}

const CLOSED = { additionalProperties: false } as const;

/** A field has these thirty times. */
const NAMED = { ...NAMED_SCHEMAS, Tier: TierSchema, Disagreement: DisagreementSchema, Estimated: EstimatedSchema };

/** What is named is said once, so that the list of the tools stays short. */
function publishOutput(output: TSchema): PublishedSchema {
  const { publishInline, components } = schemaPublisher(NAMED, '#/$defs/');
  const schema = publishInline(output as object as Record<string, unknown>);
  return { ...schema, $defs: components };
}

/** An answer that the model is to read and mend, rather than an error of the protocol. */
export function toolError(text: string): ToolAnswer {
  return { kind: 'whole', parts: [Buffer.from(JSON.stringify({ content: [{ type: 'text', text }], isError: true }))] };
}

/** MCP-11: the bytes of the REST answer, and beside them a text for a model that is shown nothing else. */
export function wholeAnswer(text: string, ...structured: readonly Uint8Array[]): ToolAnswer {
  return withContent(contentOf(text), ...structured);
}

/** What stands before the structured content. */
export function contentOf(text: string): Uint8Array {
  return Buffer.from(`{"content":[${JSON.stringify({ type: 'text', text })}],"structuredContent":`);
}

export function withContent(content: Uint8Array, ...structured: readonly Uint8Array[]): ToolAnswer {
  return { kind: 'whole', parts: [content, ...structured, CLOSE] };
}
const CLOSE = Buffer.from('}');

/** The same on its way: its text is known when the rest has been sent. */
export function streamedAnswer(
  structured: AsyncIterable<Uint8Array>,
  release: () => void,
  text: () => string,
): ToolAnswer {
  async function* parts() {
    yield Buffer.from('{"structuredContent":');
    yield* structured;
    yield Buffer.from(`,"content":[${JSON.stringify({ type: 'text', text: text() })}]}`);
  }
  return { kind: 'stream', parts: parts(), release };
}

type NoBuilding = Exclude<GetFailure, { kind: 'movedBuilding' }>;

/** MCP-13, ID-02: why there is no building, and what to do about it. */
export function explainFailure(failure: NoBuilding): ToolAnswer {
  switch (failure.kind) {
    case 'malformedId':
      return toolError('invalid_input: id must have the form ASSET-JP-NN-NNNNNNNN.');
    case 'unknownBuilding':
      return toolError(
        'not_found: no building has this id. Look the building up with search_assets, by a part of its Japanese or ' +
          'English name or of its Japanese address (q), and use the id of a result; ids cannot be guessed.',
      );
  }
}

interface Followed<T> {
  value: T;
  /** Of the building that answers. */
  id: string;
  /** Whether the ID asked for was merged into, or replaced by, that of the answer. */
  moved: boolean;
}

/** ID-04: asks again by the ID of the building that is left. */
export async function followMoves<T>(
  id: string,
  ask: (id: string) => Promise<Result<T, GetFailure>>,
): Promise<Result<Followed<T>, NoBuilding>> {
  let at = id;
  // Merges have no cycles and are followed to their end; one that happens between two questions makes another step.
  for (let moves = 0; moves < MOST_MOVES; moves++) {
    const found = await ask(at);
    if (found.ok) return ok({ value: found.value, id: at, moved: moves > 0 });
    if (found.failure.kind !== 'movedBuilding') return fail(found.failure);
    at = formatAssetId(found.failure.survivor);
  }
  throw new Error('a building moves on for ever');
}
const MOST_MOVES = 100;
