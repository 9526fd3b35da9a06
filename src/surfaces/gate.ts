import type { FastifyInstance } from 'fastify';
import type { constantHeaders } from './headers.ts';
import type { Admit } from './limits/rate-limiter.ts';
import { type Surface, surfaceOf } from './surface.ts';

declare module 'fastify' {
  interface FastifyRequest {
    surface: Surface;
  }
}

/** What every request passes first, whatever becomes of it: its surface, its ID, the constant headers, the limit. */
export function openGate(app: FastifyInstance, headers: ReturnType<typeof constantHeaders>, admit: Admit): void {
  app.decorateRequest('surface', 'other');
  app.addHook('onRequest', (request, reply, done) => {
    const surface = surfaceOf(request.raw.url ?? '');
    request.surface = surface;
    reply.headers(headers[surface]).header('x-request-id', request.id);
    const admitted = admit(request, reply);
    if (admitted === true) done();
    else if (admitted !== false) admitted.then((goesOn) => goesOn && done());
  });
}
