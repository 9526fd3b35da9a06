import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { MCP_ROOT } from '../../src/surfaces/http/surface.ts';
import { POST_HEADERS } from './mcp.ts';

type Headers = Record<string, string>;

/** The headers that a correct client sends with every message. */
export const MCP_HEADERS: Headers = { ...POST_HEADERS, host: 'localhost' };

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a test', version: '1' } },
} as const;

export interface ToolResult {
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** An MCP client that injects requests without a socket. */
export class McpClient {
  readonly #app: FastifyInstance;
  headers: Headers = MCP_HEADERS;

  constructor(app: FastifyInstance) {
    this.#app = app;
  }

  static async open(app: FastifyInstance, protocolVersion = '2025-11-25'): Promise<McpClient> {
    const client = new McpClient(app);
    const { headers } = await client.post({ ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion } });
    client.headers = {
      ...MCP_HEADERS,
      'mcp-session-id': String(headers['mcp-session-id']),
      'mcp-protocol-version': String(headers['mcp-protocol-version']),
    };
    return client;
  }

  send(options: InjectOptions): Promise<LightMyRequestResponse> {
    return this.#app.inject({ url: MCP_ROOT, ...options });
  }

  post(body: unknown, headers: Headers = this.headers): Promise<LightMyRequestResponse> {
    return this.send({ method: 'POST', headers, payload: typeof body === 'string' ? body : JSON.stringify(body) });
  }

  delete(headers: Headers = this.headers): Promise<LightMyRequestResponse> {
    return this.send({ method: 'DELETE', headers });
  }

  async call(name: string, args: unknown, id: string | number = 1): Promise<ToolResult> {
    const body = { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
    const { result } = (await this.post(body)).json() as { result: ToolResult };
    return result;
  }
}

const MODERN = '2026-07-28';

/** The list of tools for clients of the protocol without sessions. */
export function listModernTools(app: FastifyInstance): Promise<LightMyRequestResponse> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const headers = { ...MCP_HEADERS, 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/list' };
  return new McpClient(app).post({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } }, headers);
}
