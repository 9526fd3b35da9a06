import { isUtf8 } from 'node:buffer';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { fail, ok, type Result } from '../../vocabulary/result.ts';
import { RPC, type RpcCode } from './rpc-error.ts';

/** Messages in one batch. */
const MAX_BATCH = 50;

interface Messages {
  isBatch: boolean;
  /** Only requests: notifications and responses change nothing here. */
  requests: JSONRPCRequest[];
}

interface MessageFault {
  code: RpcCode;
  message: string;
}

const unreadable = () => fail({ code: RPC.unreadable, message: 'the body is not JSON in UTF-8' });

export function parseMessageBody(body: Buffer): Result<unknown, MessageFault> {
  if (!isUtf8(body)) return unreadable();
  try {
    return ok(JSON.parse(body.toString().replace(/^\ufeff/, '')));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return unreadable();
  }
}

/** The JSON-RPC messages in a parsed body. */
export function readMessages(body: unknown): Result<Messages, MessageFault> {
  const isBatch = Array.isArray(body);
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  const invalid = (message: string) => fail({ code: RPC.invalidRequest, message });
  if (messages.length === 0) return invalid('the batch is empty');
  if (messages.length > MAX_BATCH) return invalid(`a batch has at most ${MAX_BATCH} messages`);
  const requests: JSONRPCRequest[] = [];
  for (const message of messages) {
    const request = readRequest(message);
    if (request !== undefined) requests.push(request);
    else if (!isNotificationOrResponse(message)) {
      return invalid('the body is not a JSON-RPC 2.0 message; the id of a request is a string or an integer');
    }
  }
  return ok({ isBatch, requests });
}

type Members = Readonly<Record<string, unknown>>;

const isMessage = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && (value as Members).jsonrpc === '2.0';

/** Drops unknown members, and params that are null. The method checks the params. */
function readRequest(message: unknown): JSONRPCRequest | undefined {
  if (!isMessage(message)) return undefined;
  const { id, method, params } = message;
  // Integers too large to be sent back exactly are not valid IDs.
  if (typeof method !== 'string' || (typeof id !== 'string' && !Number.isSafeInteger(id))) return undefined;
  return { jsonrpc: '2.0', id, method, ...(params == null ? {} : { params }) } as JSONRPCRequest;
}

function isNotificationOrResponse(message: unknown): boolean {
  if (!isMessage(message)) return false;
  if (typeof message.method === 'string') return !('id' in message);
  return 'id' in message && ('result' in message || 'error' in message);
}
