import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PermittedSurface } from '../../reit/life/permissions.ts';
import { type Reit, readPublication, type Served } from '../../reit/life/reit.ts';
import { joinEnvelope } from '../../reit/publication/envelope.ts';
import { projectCsv } from '../../reit/publication/project-csv.ts';
import { projectJsonLd } from '../../reit/publication/project-json-ld.ts';
import { endpoint } from '../http/endpoint.ts';
import { originOf } from '../http/origin.ts';
import { type Kind, NO_STORE, sendOnce } from '../http/send-finished.ts';
import { API_ROOT } from '../http/surface.ts';
import { idOf, sendFailure } from './assets.ts';

const CSV: Kind = { type: 'text/csv; charset=utf-8; header=present', caching: NO_STORE };
const JSON_LD: Kind = { type: 'application/json; charset=utf-8', caching: NO_STORE };

/** Contract 4.3: each form asks for its own permission. That nothing of it may be kept is said by the gate (REIT-05). */
export function reitRoutes(app: FastifyInstance, reit: Reit, baseUrl: string | undefined): void {
  const answer = (
    form: string,
    surface: PermittedSurface,
    shape: (id: string, served: Served[], request: FastifyRequest) => Uint8Array,
    kind?: Kind,
  ) =>
    endpoint(app, `${API_ROOT}/assets/:id/${form}`, async (request: FastifyRequest, reply: FastifyReply) => {
      const id = idOf(request);
      const found = await reit.served(id, surface);
      if (!found.ok) return sendFailure(request, reply, found.failure, `/${form}`);
      return sendOnce(request, reply, shape(id, found.value, request), undefined, kind);
    });

  answer('reit', 'rest-json', joinEnvelope);
  answer('reit.csv', 'csv', (id, served) => Buffer.from(projectCsv(id, served.map(readPublication))), CSV);
  answer(
    'reit.jsonld',
    'jsonld',
    (id, served, request) => {
      const inJson = new Set(served.filter(({ surfaces }) => surfaces.includes('rest-json')).map((p) => p.id));
      const origin = originOf(request, baseUrl, app);
      return Buffer.from(JSON.stringify(projectJsonLd(id, served.map(readPublication), origin, inJson)));
    },
    JSON_LD,
  );
}
