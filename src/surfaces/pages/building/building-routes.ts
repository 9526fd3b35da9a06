import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseBody, tagOf } from '../../../registry/records.ts';
import type { Finished, GetFailure, Registry } from '../../../registry/registry.ts';
import type { PermittedSurface } from '../../../reit/life/permissions.ts';
import { readPublication } from '../../../reit/life/reit.ts';
import { formatAssetId } from '../../../vocabulary/asset-id.ts';
import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import type { Result } from '../../../vocabulary/result.ts';
import { encodeText } from '../../http/encode-text.ts';
import { endpoint } from '../../http/endpoint.ts';
import { prefersMarkdown } from '../../http/negotiation.ts';
import { refuse } from '../../http/refuse.ts';
import { redirectCaching } from '../../http/send-finished.ts';
import { renderPage } from '../layout.ts';
import type { PageSettings } from '../page-settings.ts';
import type { ReitHistories } from '../reit/publication-history.ts';
import { RELEASE } from '../release.ts';
import { RenderCache } from '../render-cache.ts';
import { readParameters, splitMarkdownSuffix } from '../request-target.ts';
import { type PageBody, type PageContext, sendMarkdown, sendNegotiated } from '../send-page.ts';
import { buildingMarkdown } from './building-markdown.ts';
import { composeBuilding } from './compose-building.ts';
import { TABS, type Tab } from './header.ts';

type Params = Record<'prefecture' | 'ward' | 'machiAza' | 'id', string>;

/** A rendered page with the building's canonical path. */
interface RenderedBuilding<P extends PageBody = PageBody> {
  path: string;
  page: P;
}

/** About 40 MB. */
const CACHED_PAGES = 1_000;
/** ID-03 */
const NO_RECORD = 'the path names no record';

/** PAG-09, PAG-12, MD-01: building pages, and redirects from an ID. */
export function buildingRoutes(app: FastifyInstance, { registry, reit, settingsOf }: PageContext): void {
  const cache = new RenderCache<RenderedBuilding<Finished>>(CACHED_PAGES);

  /** REIT-08: a failed read affects only the REIT section. */
  const readHistories = async (id: string, view: View): Promise<ReitHistories> => {
    const surface = REIT_SURFACES[view];
    if (surface === undefined) return [];
    try {
      const served = await reit.served(id, surface);
      // The building was just read; if it has disappeared since, an empty list would be wrong.
      if (!served.ok) return 'unavailable';
      return served.value.map((each) => ({ ...readPublication(each), surfaces: each.surfaces }));
    } catch (error) {
      app.log.error({ err: error }, 'reading the REIT section of a page failed');
      return 'unavailable';
    }
  };

  endpoint(app, '/japan/:prefecture/:ward/:machiAza/:id', async (request, reply) => {
    const { prefecture, ward, machiAza, id: last } = request.params as Params;
    const { name: id, isMarkdown } = splitMarkdownSuffix(last);
    const found = await survivorOf(registry, id);
    if (!found.ok) return refuse(reply, 404, NO_RECORD);
    const settings = await settingsOf(request);
    const view: View = isMarkdown || prefersMarkdown(request.headers.accept) ? 'markdown' : readTab(request);
    const histories = await readHistories(id, view);
    const isCacheable = view !== 'reit' && histories.length === 0;
    const { path, page }: RenderedBuilding = isCacheable
      ? cache.get(`${id} ${renderingKey(settings, view)}`, found.value.etag, () => {
          const { path, page } = render(found.value, view, settings, []);
          return { path, page: { ...page, etag: pageTag(found.value.etag, settings, view) } };
        })
      : render(found.value, view, settings, histories);
    if (path !== `/japan/${prefecture}/${ward}/${machiAza}/${id}`) return redirectTo(request, reply, path, isMarkdown);
    if (view === 'markdown') return sendMarkdown(request, reply, page, `${settings.origin}${path}`);
    return sendNegotiated(request, reply, page, settings);
  });

  endpoint(app, '/japan/id/:id', async (request, reply) => {
    const { name: id, isMarkdown } = splitMarkdownSuffix((request.params as Params).id);
    const found = await survivorOf(registry, id);
    if (!found.ok) return refuse(reply, 404, NO_RECORD);
    return redirectTo(request, reply, readRecord(found.value).path, isMarkdown);
  });
}

/** A tab, or the Markdown twin of all of them. */
type View = Tab | 'markdown';
/** REIT-04: the views that show REIT histories, by the permission that each needs. */
const REIT_SURFACES: Readonly<Partial<Record<View, PermittedSurface>>> = { reit: 'page', markdown: 'markdown' };

function render(record: Finished, view: View, settings: PageSettings, histories: ReitHistories) {
  const building = readRecord(record);
  const text =
    view === 'markdown'
      ? buildingMarkdown(settings.t, building, settings.origin, histories)
      : renderPage(composeBuilding(settings.t, building, view, settings.origin, histories), settings);
  return { path: building.path, page: { body: encodeText(text) } };
}

/** ID-04: the record of an ID, or of the building that replaced it. */
async function survivorOf(registry: Registry, id: string): Promise<Result<Finished, GetFailure>> {
  const found = await registry.getPage(id);
  if (found.ok || found.failure.kind !== 'movedBuilding') return found;
  return registry.getPage(formatAssetId(found.failure.survivor));
}

function redirectTo(request: FastifyRequest, reply: FastifyReply, path: string, isMarkdown: boolean): FastifyReply {
  const query = readParameters(request).toString();
  const target = `${path}${isMarkdown ? '.md' : ''}${query === '' ? '' : `?${query}`}`;
  return reply.header('cache-control', redirectCaching(reply)).header('content-length', 0).redirect(target, 301);
}

/** What a rendering depends on besides its record and the release. */
const renderingKey = ({ origin, baseMap, t, isLanguageInUrl, hasSample }: PageSettings, view: string): string =>
  JSON.stringify([origin, baseMap, t.lang, isLanguageInUrl, hasSample, view]);

/** A page depends only on its record, the release, the settings and the view, so its ETag needs no hash of its bytes. */
function pageTag(recordTag: string, settings: PageSettings, view: string): string {
  const rendering = tagOf(Buffer.from(`${RELEASE} ${renderingKey(settings, view)}`));
  return `"${recordTag.replaceAll('"', '')}${rendering}"`;
}

/** REC-13: pages render the record that the API serves. */
const readRecord = ({ body }: Finished) => parseBody<BuildingPage>(body);

function readTab(request: FastifyRequest): Tab {
  const requested = readParameters(request).get('tab');
  return TABS.find((tab) => tab === requested) ?? 'overview';
}
