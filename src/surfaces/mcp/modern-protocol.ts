import type { IncomingHttpHeaders } from 'node:http';
import {
  createMcpHandler,
  type JSONRPCErrorResponse,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type McpHttpHandler,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { LRUCache } from 'lru-cache';
import { SERVER_FAULT } from '../http/refuse.ts';
import { MCP_ROOT } from '../http/surface.ts';
import {
  findCall,
  fits,
  LIST_HAS_ONE_PAGE,
  listMembers,
  type ProtocolOptions,
  type RpcBody,
  UNKNOWN_TOOL,
  writeResult,
} from './protocol.ts';
import { RPC } from './rpc-error.ts';
import { INSTRUCTIONS, SERVER_INFO } from './server-info.ts';
import type { Tool, ToolAnswer } from './tools/tool.ts';
import { MODERN_VERSION } from './versions.ts';

/** The code of the newer protocol for headers that contradict the message. */
const HEADERS_DIFFER = -32_020;

/** Headers that name what a request contains; the SDK compares them with its body. */
const COMPARED_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;
interface ModernAnswer {
  status: number;
  type: string | undefined;
  body: RpcBody;
}

/** ERA-02: a message that carries the envelope, or one without a session under the newer version. */
export function isModern(body: unknown, headers: IncomingHttpHeaders): boolean {
  if (Array.isArray(body) ? body.some(hasEnvelope) : hasEnvelope(body)) return true;
  return headers['mcp-protocol-version'] === MODERN_VERSION && headers['mcp-session-id'] === undefined;
}

function hasEnvelope(message: unknown): boolean {
  const meta = (message as { params?: { _meta?: unknown } } | null)?.params?._meta;
  return typeof meta === 'object' && meta !== null && PROTOCOL_VERSION_META_KEY in meta;
}

/** The list of tools and the instructions change only with the program. */
const LASTING = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/**
 * ERA-01: the newer protocol, by the SDK's own handler: it checks headers and envelope and answers each request with a
 * server of its own, so that any process can answer any request. Results of tools are finished bytes, as in Protocol: the
 * SDK answers with an empty result, whose other members follow those of the tool. A further call with an envelope that the
 * SDK has accepted goes straight to the tool.
 */
export class ModernProtocol {
  readonly #results = new WeakMap<Request, ToolAnswer>();
  /** What the SDK answered to a call with the same envelope and headers, besides the result of the tool. */
  readonly #accepted = new LRUCache<string, Omit<ModernAnswer, 'body'> & { more: string }>({ max: 1_000 });
  readonly #handler: McpHttpHandler;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #list: ToolAnswer;
  readonly #onFault: ProtocolOptions['onFault'];
  #lastError: Error | undefined;

  constructor({ tools, onFault }: ProtocolOptions) {
    this.#onFault = onFault;
    this.#tools = new Map(tools.map((tool) => [tool.listed.name, tool]));
    this.#list = { kind: 'whole', members: [listMembers(tools)] };
    this.#handler = createMcpHandler(() => this.#createServer(), {
      legacy: 'reject',
      onerror: (error) => {
        this.#lastError = error;
      },
    });
  }

  async ask(body: unknown, headers: IncomingHttpHeaders): Promise<ModernAnswer> {
    const key = envelopeKey(body, headers);
    const known = key === undefined ? undefined : this.#accepted.get(key);
    if (known !== undefined) {
      const { id, params } = body as JSONRPCRequest;
      const call = findCall(params, this.#tools);
      if (call !== undefined) return { ...known, body: writeResult(id, await call(), known.more) };
    }
    const request = new Request(`http://localhost${MCP_ROOT}`, { method: 'POST', headers: requestHeaders(headers) });
    const response = await this.#handler.fetch(request, { parsedBody: body });
    const { status } = response;
    // The SDK also reports the faults of clients, which are not logged.
    if (status >= 500) this.#onFault(this.#lastError);
    const type = response.headers.get('content-type') ?? undefined;
    const text = await response.text();
    const result = this.#results.get(request);
    if (result === undefined) {
      const isJson = type?.startsWith('application/json') === true && text !== '';
      return { status, type, body: { kind: 'whole', body: Buffer.from(isJson ? withoutInput(text, body) : text) } };
    }
    const answered = JSON.parse(text) as JSONRPCResponse;
    if ('error' in answered) throw new Error('the SDK refused the result of a tool');
    const { content: _content, tools: _tools, ...more } = answered.result;
    const members = JSON.stringify(more).slice(1, -1);
    if (key !== undefined) this.#accepted.set(key, { status, type, more: members });
    return { status, type, body: writeResult(answered.id, result, members) };
  }

  close(): Promise<void> {
    return this.#handler.close();
  }

  #createServer(): Server {
    const server = new Server(SERVER_INFO, {
      capabilities: { tools: { listChanged: false } },
      instructions: INSTRUCTIONS,
      supportedProtocolVersions: [MODERN_VERSION],
      cacheHints: { 'tools/list': LASTING, 'server/discover': LASTING },
    });
    server.setRequestHandler('tools/list', ({ params }, { http }) => {
      if (params?.cursor !== undefined) throw new ProtocolError(RPC.invalidParameters, LIST_HAS_ONE_PAGE);
      this.#results.set(http?.req as Request, this.#list);
      return { tools: [] };
    });
    server.setRequestHandler('tools/call', async ({ params }, { http }) => {
      const tool = this.#tools.get(params.name);
      if (tool === undefined) throw new ProtocolError(RPC.invalidParameters, UNKNOWN_TOOL);
      this.#results.set(http?.req as Request, await tool.call(params.arguments ?? {}));
      return { content: [] };
    });
    return server;
  }
}

/** The errors of the SDK in our words: its own repeat what the client sent. */
const MESSAGES: Readonly<Record<number, string>> = {
  [RPC.unreadable]: 'the message cannot be read',
  [RPC.invalidRequest]: 'the message is not a valid request',
  [RPC.unknownMethod]: 'unknown method; this server has server/discover, tools/list and tools/call',
  [RPC.invalidParameters]: 'the params do not fit the method, or the envelope is not complete',
  [RPC.fault]: SERVER_FAULT,
  [ProtocolErrorCode.MissingRequiredClientCapability]: 'the client lacks a capability that the request needs',
  [ProtocolErrorCode.UnsupportedProtocolVersion]: 'unsupported protocol version',
  [HEADERS_DIFFER]: 'the headers do not say the same as the message',
};
const OWN_MESSAGES: ReadonlySet<string> = new Set([UNKNOWN_TOOL, LIST_HAS_ONE_PAGE]);
/** The protocol wants an unsupported version back; only what looks like one is repeated. */
const VERSION_FORM = /^v?\d[\d.-]{0,31}$/;

/** ERA-06: an answer of the SDK without what the client sent, except the ID, and a version made of digits. */
function withoutInput(text: string, request: unknown): string {
  const { error, ...answer } = JSON.parse(text) as JSONRPCResponse & { error?: JSONRPCErrorResponse['error'] };
  if (error === undefined) return text;
  const { message } = error;
  // The SDK treats invalid params of some methods as its own fault.
  const isTheirs = error.code === RPC.fault && !fits(request as JSONRPCRequest);
  const code = isTheirs ? RPC.invalidParameters : error.code;
  const { supported, requested } = (error.data ?? {}) as Record<string, unknown>;
  const isVersion = typeof requested === 'string' && VERSION_FORM.test(requested);
  const data = Array.isArray(supported) ? { data: { supported, ...(isVersion && { requested }) } } : {};
  const words = OWN_MESSAGES.has(message) ? message : (MESSAGES[code] ?? 'the request cannot be answered');
  return JSON.stringify({ ...answer, error: { code, message: words, ...data } });
}

/** What the SDK checks of a call of a tool; undefined for other messages, and for envelopes too long to be kept. */
function envelopeKey(body: unknown, headers: IncomingHttpHeaders): string | undefined {
  const { jsonrpc, id, method, params, ...rest } = (body ?? {}) as Record<string, unknown>;
  const isCall = jsonrpc === '2.0' && method === 'tools/call' && Object.keys(rest).length === 0;
  if (!isCall || (typeof id !== 'string' && !Number.isSafeInteger(id))) return undefined;
  const { name, _meta } = (params ?? {}) as Record<string, unknown>;
  const key = JSON.stringify([name, _meta, ...COMPARED_HEADERS.map((header) => headers[header])]);
  return key.length <= MAX_KEY_LENGTH ? key : undefined;
}
const MAX_KEY_LENGTH = 1_000;

function requestHeaders(headers: IncomingHttpHeaders): [string, string][] {
  const given = COMPARED_HEADERS.map((name): [string, unknown] => [name, headers[name]]);
  const named = given.filter((header): header is [string, string] => typeof header[1] === 'string');
  return [['content-type', 'application/json'], ...named];
}
