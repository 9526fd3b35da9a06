import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { fail, ok, type Result } from '../../vocabulary/result.ts';
import { LONGEST_BATCH } from './limits.ts';
import { RPC, type RpcCode } from './rpc-error.ts';

export interface Messages {
  isBatch: boolean;
  /** Those that want an answer. What a client only tells the service changes nothing here. */
  requests: JSONRPCRequest[];
}

interface MessageFault {
  code: RpcCode;
  message: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The JSON-RPC messages of a body. */
export function readMessages(body: Buffer): Result<Messages, MessageFault> {
  const parsed = parse(body);
  if (parsed === undefined) return fail({ code: RPC.unreadable, message: 'the body is no JSON in UTF-8' });
  const isBatch = Array.isArray(parsed.value);
  const messages: unknown[] = Array.isArray(parsed.value) ? parsed.value : [parsed.value];
  const invalid = (message: string) => fail({ code: RPC.invalidRequest, message });
  if (messages.length === 0) return invalid('the batch is empty');
  if (messages.length > LONGEST_BATCH) return invalid(`a batch has at most ${LONGEST_BATCH} messages`);
  const requests: JSONRPCRequest[] = [];
  for (const message of messages) {
    const request = readRequest(message);
    if (request !== undefined) requests.push(request);
    else if (!isTold(message)) {
      return invalid('the body is no JSON-RPC 2.0 message; the id of a request is a string or an integer');
    }
  }
  return ok({ isBatch, requests });
}

type Members = Readonly<Record<string, unknown>>;

const isMessage = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && (value as Members).jsonrpc === '2.0';

/** What is not of JSON-RPC is left out, and params that are null are none; whether they fit is for the method to say. */
function readRequest(message: unknown): JSONRPCRequest | undefined {
  if (!isMessage(message)) return undefined;
  const { id, method, params } = message;
  // Whole numbers that are too large to come back as they were are no IDs.
  if (typeof method !== 'string' || (typeof id !== 'string' && !Number.isSafeInteger(id))) return undefined;
  return { jsonrpc: '2.0', id, method, ...(params == null ? {} : { params }) } as JSONRPCRequest;
}

/** A notification, or a response to a request that was never made. */
function isTold(message: unknown): boolean {
  if (!isMessage(message)) return false;
  if (typeof message.method === 'string') return !('id' in message);
  return 'id' in message && ('result' in message || 'error' in message);
}

function parse(body: Buffer): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(utf8.decode(body)) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}
