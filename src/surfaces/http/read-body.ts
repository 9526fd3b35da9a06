import type { IncomingMessage } from 'node:http';
import { fail, ok, type Result } from '../../vocabulary/result.ts';

/** `gone`: the client closed the connection, and there is nobody to answer. */
export type BodyFault = 'tooLarge' | 'tooSlow' | 'gone';

interface BodyLimits {
  bodyBytes: number;
  /** How long a client may take to send it. */
  bodyMs: number;
}

/** MCP-08, MCP-09, RCN-10: reads a whole body, unless it is too large or arrives too slowly. */
export function readBody(
  request: IncomingMessage,
  { bodyBytes, bodyMs }: BodyLimits,
): Promise<Result<Buffer, BodyFault>> {
  if (Number(request.headers['content-length'] ?? 0) > bodyBytes) return Promise.resolve(fail('tooLarge'));
  if (request.destroyed) return Promise.resolve(fail('gone'));
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const end = (result: Result<Buffer, BodyFault>) => {
      clearTimeout(late);
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      resolve(result);
    };
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > bodyBytes) end(fail('tooLarge'));
    };
    const onEnd = () => end(ok(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    const onClose = () => end(fail('gone'));
    const late = setTimeout(() => end(fail('tooSlow')), bodyMs);
    request.on('data', onData).once('end', onEnd).once('close', onClose).once('error', onClose);
  });
}
