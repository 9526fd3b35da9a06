import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

const VERSION = '2025-11-25';
const MODERN_VERSION = '2026-07-28';

export interface Posted {
  status: number;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  bytes: Buffer;
}

export interface McpSession {
  /** The headers of every request of the session. */
  headers: Readonly<Record<string, string>>;
  post(body: string): Promise<Posted>;
  end(): Promise<void>;
}

const COMMON = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const sender =
  (origin: string, agent: Agent) =>
  (method: string, headers: Readonly<Record<string, string>>, body = ''): Promise<Posted> =>
    new Promise((resolve, reject) => {
      const sent = request(`${origin}/japan/mcp`, { method, agent, headers }, (response) => {
        const { statusCode: status = 0, headers: answered, rawHeaders } = response;
        buffer(response).then((bytes) => resolve({ status, headers: answered, rawHeaders, bytes }), reject);
      });
      sent.once('error', reject).end(body);
    });

/** Calls of get_asset in the newer protocol, which has no sessions. */
export function openModern(origin: string): McpSession {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = sender(origin, agent);
  const named = { 'mcp-protocol-version': MODERN_VERSION, 'mcp-method': 'tools/call', 'mcp-name': 'get_asset' };
  const headers = { ...COMMON, ...named };
  return { headers, post: (body) => send('POST', headers, body), end: async () => agent.destroy() };
}

/** What each of its messages carries. */
export const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': MODERN_VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A session of an MCP server, over one connection. */
export async function openSession(origin: string): Promise<McpSession> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = sender(origin, agent);
  const params = { protocolVersion: VERSION, capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
  const opened = await send('POST', COMMON, JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }));
  if (opened.status !== 200) throw new Error(`initialize was answered with ${opened.status}`);
  const id = String(opened.headers['mcp-session-id']);
  const headers = { ...COMMON, 'mcp-session-id': id, 'mcp-protocol-version': VERSION };
  return {
    headers,
    post: (body) => send('POST', headers, body),
    async end() {
      await send('DELETE', headers);
      agent.destroy();
    },
  };
}
