import { open } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { REVALIDATE, whenClosed } from '../../http/send-finished.ts';

/** DWN-03: sends a file, or the one range of it that was asked for. Undefined if there is no such file. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  type: string,
): Promise<FastifyReply | undefined> {
  // An export replaces files while they are read; what is open stays as it was.
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  if (file === undefined) return undefined;
  const close = () => void file.close();
  try {
    const { size, mtimeMs, mtime, ino } = await file.stat();
    const etag = `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}-${ino.toString(36)}"`;
    reply
      .type(type)
      .header('accept-ranges', 'bytes')
      .header('etag', etag)
      .header('last-modified', mtime.toUTCString())
      .header('cache-control', REVALIDATE);
    if (knows(request.headers['if-none-match'], etag)) {
      close();
      return reply.code(304).send();
    }
    const range = readRange(request.headers, size, etag);
    if (range === 'none') {
      close();
      return reply.code(416).header('content-range', `bytes */${size}`).type('text/plain; charset=utf-8').send('');
    }
    const { start, end } = range ?? { start: 0, end: size - 1 };
    if (range !== undefined) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
    reply.header('content-length', end - start + 1);
    if (request.method === 'HEAD' || size === 0) {
      close();
      return reply.send(size === 0 ? '' : undefined);
    }
    whenClosed(reply, close);
    return reply.send(file.createReadStream({ start, end, autoClose: false }));
  } catch (error) {
    close();
    throw error;
  }
}

const knows = (header = '', etag: string) =>
  header.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/** Undefined for the whole file, also if several ranges are asked for; 'none' if the range is outside. */
export function readRange(
  { range, 'if-range': ifRange }: { range?: string | undefined; 'if-range'?: string | undefined },
  size: number,
  etag: string,
): { start: number; end: number } | 'none' | undefined {
  const [asked, first, last] = RANGE.exec(range ?? '') ?? [];
  if (asked === undefined || (first === '' && last === '')) return undefined;
  if (ifRange !== undefined && ifRange !== etag) return undefined;
  if (first === '') {
    const length = Number(last);
    return length === 0 || size === 0 ? 'none' : { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'none' : { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
