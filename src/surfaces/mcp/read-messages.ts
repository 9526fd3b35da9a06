import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCRequest,
} from '@modelcontextprotocol/server';
import { fail, ok, type Result } from '../../vocabulary/result.ts';
import { RPC, type RpcCode } from '../rpc-error.ts';
import { LONGEST_BATCH } from './limits.ts';

export interface Messages {
  isBatch: boolean;
  /** Those that want an answer. What a client only tells the service changes nothing here. */
  requests: JSONRPCRequest[];
}

export interface MessageFault {
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
    if (isRequest(message)) requests.push(message);
    else if (!isJSONRPCNotification(message) && !isJSONRPCResponse(message)) {
      return invalid(
        'the body is no JSON-RPC 2.0 message: a request has a method, an id that is a string or an integer, and params that are an object',
      );
    }
  }
  return ok({ isBatch, requests });
}

/** Whole numbers that are too large to come back as they were are no IDs. */
function isRequest(message: unknown): message is JSONRPCRequest {
  return isJSONRPCRequest(message) && (typeof message.id === 'string' || Number.isSafeInteger(message.id));
}

function parse(body: Buffer): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(utf8.decode(body)) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}
