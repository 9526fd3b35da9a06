import type { FastifyReply } from 'fastify';
import { drain, type RefusalForm } from '../http/refuse.ts';

/** The codes of JSON-RPC 2.0, and two of the range that it leaves to the service. */
export const RPC = {
  unreadable: -32_700,
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParameters: -32_602,
  fault: -32_603,
  refused: -32_000,
  noSession: -32_001,
} as const;
export type RpcCode = (typeof RPC)[keyof typeof RPC];

/** How shared HTTP code refuses requests to the MCP surface. */
export const rpcForm: RefusalForm = (status, detail) => ({
  headers: RPC_HEADERS,
  body: rpcError(status === 429 ? RPC.refused : status < 500 ? RPC.invalidRequest : RPC.fault, detail),
});

const RPC_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' } as const;

/** Contract 7.3: the body of a refusal when there is no message to answer. */
export function sendRpcError(reply: FastifyReply, status: number, code: RpcCode, message: string): FastifyReply {
  drain(reply);
  return reply.code(status).headers(RPC_HEADERS).send(rpcError(code, message));
}

function rpcError(code: RpcCode, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
}
