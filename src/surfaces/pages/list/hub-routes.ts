import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { endpoint } from '../../http/endpoint.ts';
import { prefersMarkdown } from '../../http/prefers-markdown.ts';
import { refuse } from '../../http/problem.ts';
import { layOut } from '../layout.ts';
import { withoutSuffix } from '../paths.ts';
import { finish, type PageContext, sendMarkdown, sendNegotiated } from '../send-page.ts';
import { composeHub } from './compose-hub.ts';
import { LEVELS, readFilters } from './filters.ts';
import { findWay } from './find-place.ts';
import { hubMarkdown } from './hub-markdown.ts';
import type { ListView } from './view.ts';

/** PAG-08: the page of a prefecture, a ward or a machi-aza. */
export function hubRoutes(app: FastifyInstance, { registry, settingOf }: PageContext): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const parts = Object.values(request.params as Record<string, string>);
    const { name, isMarkdown } = withoutSuffix(parts.at(-1) as string);
    const slugs = [...parts.slice(0, -1), name];
    const way = await findWay(registry, slugs);
    const here = way.at(-1);
    if (here === undefined || way.length < slugs.length) return refuse(reply, 404, 'the path names no area');
    const filters = readFilters(request);
    const list = await registry.list({ ...filters, ...Object.fromEntries(slugs.map((slug, i) => [LEVELS[i], slug])) });
    const former = await registry.findFormer(filters.q ?? '');
    const view: ListView = { path: here.area.path, place: {}, filters, list, way, former };
    const setting = settingOf(request);
    if (isMarkdown || prefersMarkdown(request.headers.accept)) {
      return sendMarkdown(
        request,
        reply,
        finish(hubMarkdown(view, here, setting.origin)),
        `${setting.origin}${here.area.path}`,
      );
    }
    return sendNegotiated(request, reply, finish(layOut(composeHub(view, here), setting)), setting);
  };
  for (const [i] of LEVELS.entries()) {
    endpoint(
      app,
      `/japan/${LEVELS.slice(0, i + 1)
        .map((level) => `:${level}`)
        .join('/')}`,
      answer,
    );
  }
}
