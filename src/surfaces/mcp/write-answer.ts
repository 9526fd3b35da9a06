import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import type { Protocol, RpcAnswer } from './protocol.ts';

/** An answer as JSON: all of it, or on its way. */
export type Writable =
  | { kind: 'whole'; body: Buffer }
  | { kind: 'stream'; parts: AsyncIterable<Uint8Array>; release: () => void };

const CLOSE = Buffer.from('}');

export function writeAnswer({ response, result }: RpcAnswer): Writable {
  if (result === undefined || 'error' in response) {
    return { kind: 'whole', body: Buffer.from(JSON.stringify(response)) };
  }
  const head = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(response.id)},"result":`);
  if (result.kind === 'whole') return { kind: 'whole', body: Buffer.concat([head, ...result.parts, CLOSE]) };
  const { parts, release } = result;
  async function* whole() {
    yield head;
    yield* parts;
    yield CLOSE;
  }
  return { kind: 'stream', parts: whole(), release };
}

/** One request after the other, so that no more than one answer is ever held. */
export async function* batchParts(protocol: Protocol, requests: readonly JSONRPCRequest[]): AsyncGenerator<Uint8Array> {
  let before = '[';
  for (const request of requests) {
    const answer = writeAnswer(await protocol.ask(request));
    try {
      yield Buffer.from(before);
      before = ',';
      if (answer.kind === 'whole') yield answer.body;
      else yield* answer.parts;
    } finally {
      if (answer.kind === 'stream') answer.release();
    }
  }
  yield Buffer.from(']');
}
