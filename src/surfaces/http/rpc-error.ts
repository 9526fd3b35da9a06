import type { FastifyReply } from 'fastify';
import { drain } from './drain.ts';
import type { RefusalForm } from './refusal-form.ts';

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

/** Refusals of the MCP surface before there is a message to answer. */
export const rpcForm: RefusalForm = (status, detail) => ({
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body: rpcError(status < 500 ? RPC.invalidRequest : RPC.fault, detail),
});

/** Contract 7.3: what the MCP surface refuses before there is a message to answer has this body. */
export function sendRpcError(reply: FastifyReply, status: number, code: RpcCode, message: string): FastifyReply {
  drain(reply);
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(rpcError(code, message));
}

function rpcError(code: RpcCode, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
}
