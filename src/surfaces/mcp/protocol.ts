import {
  isJSONRPCRequest,
  isSpecType,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type JSONRPCResponse,
  ProtocolError,
  Server,
  type Transport,
} from '@modelcontextprotocol/server';
import { SERVER_FAULT } from '../http/refuse.ts';
import { RPC } from './rpc-error.ts';
import { INSTRUCTIONS, SERVER_INFO } from './server-info.ts';
import { type Tool, type ToolAnswer, toolError, type Unavailable } from './tools/tool.ts';
import { VERSIONS } from './versions.ts';

/** The response to one request. Its result may be finished bytes, or too long to be held in memory. */
interface RpcAnswer {
  /** As the SDK made it; `result` replaces its result, if present. */
  response: JSONRPCResponse;
  result: ToolAnswer | undefined;
}

/** The result of tools/list, without the braces. */
export const listMembers = (tools: readonly Tool[]): Buffer =>
  Buffer.from(`"tools":${JSON.stringify(tools.map(({ listed }) => listed))}`);

export interface ProtocolOptions {
  tools: readonly Tool[];
  onFault: (error: unknown) => void;
}

/** The messages of protocol errors, which never repeat what the client sent. */
const MESSAGES: Readonly<Record<number, string>> = {
  [RPC.unknownMethod]: 'unknown method; this server has initialize, ping, tools/list and tools/call',
  [RPC.invalidParameters]: 'the params do not fit the method',
  [RPC.fault]: SERVER_FAULT,
};

export const UNKNOWN_TOOL = 'unknown tool; tools/list lists the tools';
export const LIST_HAS_ONE_PAGE = 'the list has one page, and takes no cursor';

/** The SDK would treat invalid params of these methods as its own fault. */
const FITS: Readonly<Record<string, (request: unknown) => boolean>> = {
  initialize: isSpecType.InitializeRequest,
  ping: isSpecType.PingRequest,
  'tools/list': isSpecType.ListToolsRequest,
};

export function fits(request: JSONRPCRequest): boolean {
  if (!isJSONRPCRequest(request)) return false;
  return !Object.hasOwn(FITS, request.method) || FITS[request.method]?.(request) === true;
}

const CALL_KEYS: readonly string[] = ['name', 'arguments', '_meta'];

/** The call of a known tool with valid params, to which the SDK would only add time; undefined for anything else. */
export function findCall(params: unknown, tools: ReadonlyMap<string, Tool>): (() => Promise<ToolAnswer>) | undefined {
  if (typeof params !== 'object' || params === null) return undefined;
  if (!Object.keys(params).every((key) => CALL_KEYS.includes(key))) return undefined;
  const { name, arguments: args = {}, _meta = {} } = params as Record<string, unknown>;
  const tool = typeof name === 'string' ? tools.get(name) : undefined;
  // The SDK drops a member of this name.
  if (tool === undefined || !isObject(args) || Object.hasOwn(args, '__proto__') || !isObject(_meta)) return undefined;
  return () => tool.call(args);
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Call {
  id: JSONRPCRequest['id'];
  result: ToolAnswer | undefined;
  /** A more precise message than that of the error code. */
  message: string | undefined;
  resolve: (answer: RpcAnswer) => void;
}

/**
 * MCP-01: one server of the SDK for all sessions; HttpTransport holds their state. Each request is passed on with an ID
 * of our own, so that equal IDs of several requests do not clash. Valid calls of tools go to the tool, and results that are
 * finished bytes bypass the SDK, which would parse, check and write them again.
 */
export class Protocol {
  readonly #calls = new Map<number, Call>();
  readonly #transport: Transport;
  readonly #server: Server;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #list: Buffer;
  readonly #onFault: ProtocolOptions['onFault'];
  #lastId = 0;

  constructor({ tools, onFault }: ProtocolOptions) {
    this.#onFault = onFault;
    this.#tools = new Map(tools.map((tool) => [tool.listed.name, tool]));
    this.#list = listMembers(tools);
    this.#transport = {
      start: async () => {},
      close: async () => this.#transport.onclose?.(),
      send: async (message) => this.#settle(message),
    };
    this.#server = new Server(SERVER_INFO, {
      capabilities: { tools: { listChanged: false } },
      instructions: INSTRUCTIONS,
      supportedProtocolVersions: [...VERSIONS],
    });
    this.#server.onerror = onFault;
    this.#server.setRequestHandler('tools/list', ({ params }, { mcpReq }) => {
      if (params?.cursor !== undefined) throw this.#error(mcpReq.id, LIST_HAS_ONE_PAGE);
      this.#callOf(mcpReq.id).result = { kind: 'whole', members: [this.#list] };
      return { tools: [] };
    });
    this.#server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const tool = this.#tools.get(params.name);
      if (tool === undefined) throw this.#error(mcpReq.id, UNKNOWN_TOOL);
      this.#callOf(mcpReq.id).result = await tool.call(params.arguments ?? {});
      return { content: [] };
    });
  }

  connect(): Promise<void> {
    return this.#server.connect(this.#transport);
  }

  async ask(request: JSONRPCRequest): Promise<RpcAnswer> {
    const call = findCall(request.params, this.#tools);
    if (call === undefined || request.method !== 'tools/call') return this.#pass(request);
    return { response: { jsonrpc: '2.0', id: request.id, result: {} }, result: await call() };
  }

  #pass(request: JSONRPCRequest): Promise<RpcAnswer> {
    return new Promise((resolve) => {
      const id = ++this.#lastId;
      this.#calls.set(id, { id: request.id, result: undefined, message: undefined, resolve });
      if (!fits(request)) {
        this.#settle({ jsonrpc: '2.0', id, error: { code: RPC.invalidParameters, message: '' } });
      } else this.#transport.onmessage?.({ ...request, id });
    });
  }

  #callOf(id: JSONRPCRequest['id']): Call {
    const call = this.#calls.get(id as number);
    if (call === undefined) throw new Error('a response without a request');
    return call;
  }

  #error(id: JSONRPCRequest['id'], message: string): ProtocolError {
    this.#callOf(id).message = message;
    return new ProtocolError(RPC.invalidParameters, message);
  }

  #settle(message: JSONRPCMessage): void {
    // This server sends its clients neither requests nor notifications.
    if ('method' in message) throw new Error(`unexpected message to a client: ${message.method}`);
    const call = this.#callOf(message.id as number);
    this.#calls.delete(message.id as number);
    const response = { ...message, id: call.id };
    if ('error' in response) {
      const { code } = response.error;
      if (code === RPC.fault) this.#onFault(new Error(response.error.message));
      response.error = { code, message: call.message ?? MESSAGES[code] ?? 'the request cannot be answered' };
    }
    call.resolve({ response, result: call.result });
  }
}

/** A response as JSON: in one piece, or streamed. */
export type RpcBody =
  | { kind: 'whole'; body: Buffer }
  | { kind: 'stream'; parts: AsyncIterable<Uint8Array>; release: () => void }
  | Unavailable;

const CLOSE = Buffer.from('}}');

/** `more` are members that follow those of the tool. */
export function writeResult(id: JSONRPCRequest['id'], result: ToolAnswer, more = ''): RpcBody {
  const head = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{`);
  const tail = more === '' ? CLOSE : Buffer.from(`,${more}}}`);
  if (result.kind === 'unavailable') return result;
  if (result.kind === 'whole') return { kind: 'whole', body: Buffer.concat([head, ...result.members, tail]) };
  const { members, release } = result;
  async function* whole() {
    yield head;
    yield* members;
    yield tail;
  }
  return { kind: 'stream', parts: whole(), release };
}

export function writeAnswer({ response, result }: RpcAnswer): RpcBody {
  return result === undefined || 'error' in response
    ? { kind: 'whole', body: Buffer.from(JSON.stringify(response)) }
    : writeResult(response.id, result);
}

/** The other answers of a batch are already being sent. */
function unlessUnavailable(answer: RpcAnswer): RpcAnswer {
  const { result } = answer;
  return result?.kind === 'unavailable' ? { ...answer, result: toolError(`unavailable: ${result.why}`) } : answer;
}

/** Answers the requests of a batch one after the other, so that only one response is held in memory. */
export async function* batchParts(protocol: Protocol, requests: readonly JSONRPCRequest[]): AsyncGenerator<Uint8Array> {
  let before = '[';
  for (const request of requests) {
    const answer = writeAnswer(unlessUnavailable(await protocol.ask(request)));
    try {
      yield Buffer.from(before);
      before = ',';
      if (answer.kind === 'whole') yield answer.body;
      else if (answer.kind === 'stream') yield* answer.parts;
    } finally {
      if (answer.kind === 'stream') answer.release();
    }
  }
  yield Buffer.from(']');
}
