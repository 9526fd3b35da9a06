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
import { RPC } from './rpc-error.ts';
import { INSTRUCTIONS, SERVER_INFO } from './server-info.ts';
import type { Tool, ToolAnswer } from './tools/tool.ts';
import { VERSIONS } from './versions.ts';

/** The answer to one request: JSON whose result may be bytes that are finished, or too many to be held. */
export interface RpcAnswer {
  /** What the protocol says; its result is to be replaced by `result` where that is there. */
  response: JSONRPCResponse;
  result: ToolAnswer | undefined;
}

interface ProtocolOptions {
  tools: readonly Tool[];
  onFault: (error: unknown) => void;
}

/** What is said of an error of the protocol: never what the client sent. */
const MESSAGES: Readonly<Record<number, string>> = {
  [RPC.unknownMethod]: 'there is no such method; this server has initialize, ping, tools/list and tools/call',
  [RPC.invalidParameters]: 'the params do not fit the method',
  [RPC.fault]: 'the service failed to answer; the fault has been logged',
};

/** The SDK takes params that do not fit these methods for a fault of its own. */
const FITS: Readonly<Record<string, (request: unknown) => boolean>> = {
  initialize: isSpecType.InitializeRequest,
  ping: isSpecType.PingRequest,
  'tools/list': isSpecType.ListToolsRequest,
};

function fits(request: JSONRPCRequest): boolean {
  if (!isJSONRPCRequest(request)) return false;
  return !Object.hasOwn(FITS, request.method) || FITS[request.method]?.(request) === true;
}

interface Call {
  id: JSONRPCRequest['id'];
  result: ToolAnswer | undefined;
  /** Says more of an error than its code. */
  message: string | undefined;
  resolve: (answer: RpcAnswer) => void;
}

/**
 * MCP-01: one server of the SDK for all sessions; their state is at the edge. Each request goes in under an ID of our
 * own, so that two with the same ID, of two clients or of one, never meet. Results that are finished bytes go around
 * the SDK, which would parse, check and write them again.
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
    this.#list = Buffer.from(JSON.stringify({ tools: tools.map(({ listed }) => listed) }));
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
      if (params?.cursor !== undefined) throw this.#error(mcpReq.id, 'the list has one page, and no cursor leads on');
      this.#callOf(mcpReq.id).result = { kind: 'whole', parts: [this.#list] };
      return { tools: [] };
    });
    this.#server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const tool = this.#tools.get(params.name);
      if (tool === undefined) throw this.#error(mcpReq.id, 'there is no such tool; tools/list names them');
      this.#callOf(mcpReq.id).result = await tool.call(params.arguments ?? {});
      return { content: [] };
    });
  }

  connect(): Promise<void> {
    return this.#server.connect(this.#transport);
  }

  ask(request: JSONRPCRequest): Promise<RpcAnswer> {
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
    if (call === undefined) throw new Error('an answer to no request');
    return call;
  }

  #error(id: JSONRPCRequest['id'], message: string): ProtocolError {
    this.#callOf(id).message = message;
    return new ProtocolError(RPC.invalidParameters, message);
  }

  #settle(message: JSONRPCMessage): void {
    // This server answers, and asks or tells its clients nothing of itself.
    if ('method' in message) throw new Error(`a message that no client listens to: ${message.method}`);
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
