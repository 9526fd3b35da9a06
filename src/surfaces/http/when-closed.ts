import type { FastifyReply } from 'fastify';

/** Does a work when the answer is over, however it ends: a client may have gone while it was still being looked for. */
export function whenClosed(reply: FastifyReply, work: () => void): void {
  if (reply.raw.destroyed) work();
  else reply.raw.once('close', work);
}
