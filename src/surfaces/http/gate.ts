import type { FastifyInstance } from 'fastify';
import type { constantHeaders } from './headers.ts';
import type { Admit } from './limits/rate-limiter.ts';
import { NO_STORE } from './send-finished.ts';
import { asksForReit, type Surface, surfaceOf } from './surface.ts';

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
    if (asksForReit(request.raw.url ?? '', surface)) reply.header('cache-control', NO_STORE);
    const admitted = admit(request, reply);
    if (admitted === true) done();
    else if (admitted !== false) admitted.then((goesOn) => goesOn && done());
  });
}
