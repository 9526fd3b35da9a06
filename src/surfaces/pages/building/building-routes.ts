import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseBody, tagOf } from '../../../registry/records.ts';
import type { Finished, GetFailure, Registry } from '../../../registry/registry.ts';
import type { PermittedSurface } from '../../../reit/life/permissions.ts';
import { readPublication } from '../../../reit/life/reit.ts';
import { formatAssetId } from '../../../vocabulary/asset-id.ts';
import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { nextCompletionDay } from '../../../vocabulary/completion.ts';
import { encodeText } from '../../../vocabulary/encode-text.ts';
import type { Result } from '../../../vocabulary/result.ts';
import { endpoint } from '../../http/endpoint.ts';
import { prefersMarkdown } from '../../http/negotiation.ts';
import { refuse } from '../../http/refuse.ts';
import { rememberLast } from '../../http/remember-last.ts';
import { redirectCaching } from '../../http/send-finished.ts';
import { renderPage } from '../layout.ts';
import type { PageSettings } from '../page-settings.ts';
import type { ReitHistories } from '../reit/publication-history.ts';
import { RELEASE } from '../release.ts';
import { RenderCache } from '../render-cache.ts';
import { readParameters, splitMarkdownSuffix } from '../request-target.ts';
import { type PageBody, type PageContext, sendMarkdown, sendNegotiated, withSampleNote } from '../send-page.ts';
import { buildingMarkdown } from './building-markdown.ts';
import { composeBuilding } from './compose-building.ts';
import { TABS, type Tab } from './header.ts';
import { type ShownBuilding, VERSIONS_SHOWN } from './shown-building.ts';
import { sendTombstone } from './tombstone-page.ts';

type Params = Record<'prefecture' | 'ward' | 'machiAza' | 'id', string>;

/** A rendered page with the building's canonical path. */
interface RenderedBuilding<P extends PageBody = PageBody> {
  path: string;
  page: P;
  /** UI-20: the day in Japan on which a planned completion is no longer in the future, and the text changes. */
  validUntil: string | undefined;
}

/** About 4,000 pages. */
const CACHED_PAGES = { maxBytes: 100e6, maxSeen: 8_000 };
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

  /** UI-24, UI-25: the stored versions that a view shows, and the current one if the record is not enough. */
  const readVersions = async ({ id, history, counters }: BuildingPage, { view, from }: Requested) => {
    const latest = history[0]?.version ?? 1;
    const start = Math.min(from ?? latest, latest);
    const showsHistory = view === 'history' || view === 'markdown';
    const versions = showsHistory ? await registry.getVersions(id, start, VERSIONS_SHOWN + 1) : [];
    if (versions[0]?.version === latest) return { versions, current: versions[0].canonical };
    const needsCurrent = view === 'sources' || view === 'markdown' || counters.conflictsFlagged > 0;
    const [current] = needsCurrent ? await registry.getVersions(id, latest, 1) : [];
    return { versions, current: current?.version === latest ? current.canonical : undefined };
  };

  const render = async (record: Finished, requested: Requested, settings: PageSettings, reit: ReitHistories) => {
    const building = readRecord(record);
    const { versions, current } = await readVersions(building, requested);
    const { origin, t, today } = settings;
    const shown: ShownBuilding = { building, current, versions, reit, origin, t, today };
    const { view } = requested;
    const text =
      view === 'markdown'
        ? withSampleNote(buildingMarkdown(shown), settings)
        : renderPage(composeBuilding(shown, view), settings);
    return {
      path: building.path,
      page: { body: encodeText(text) },
      validUntil: nextCompletionDay(building.fields, today),
    };
  };

  /** A kept page that is still true today, or a new one. */
  const renderOnce = async (id: string, record: Finished, requested: Requested, settings: PageSettings) => {
    const rendering = renderingKey(settings, requested);
    const key = `${id} ${rendering}`;
    const kept = cache.find(key, record.etag);
    if (kept !== undefined && (kept.validUntil === undefined || settings.today < kept.validUntil)) return kept;
    const { page, ...rendered } = await render(record, requested, settings, []);
    const etag = pageTag(record.etag, rendering, rendered.validUntil);
    const finished = { ...rendered, page: { ...page, etag } };
    cache.keep(key, record.etag, finished);
    return finished;
  };

  endpoint(app, '/japan/:prefecture/:ward/:machiAza/:id', async (request, reply) => {
    const { prefecture, ward, machiAza, id: last } = request.params as Params;
    const { name: id, isMarkdown } = splitMarkdownSuffix(last);
    const found = await survivorOf(registry, id);
    if (!found.ok) return refuseBuilding(request, reply, found.failure, isMarkdown);
    const settings = await settingsOf(request);
    const requested = readRequest(request, isMarkdown);
    const { view } = requested;
    const histories = await readHistories(id, view);
    const isCacheable = view !== 'reit' && histories.length === 0;
    const { path, page }: RenderedBuilding = isCacheable
      ? await renderOnce(id, found.value, requested, settings)
      : await render(found.value, requested, settings, histories);
    if (path !== `/japan/${prefecture}/${ward}/${machiAza}/${id}`) return redirectTo(request, reply, path, isMarkdown);
    if (view === 'markdown') return sendMarkdown(request, reply, page, `${settings.origin}${path}`);
    return sendNegotiated(request, reply, page, settings);
  });

  endpoint(app, '/japan/id/:id', async (request, reply) => {
    const { name: id, isMarkdown } = splitMarkdownSuffix((request.params as Params).id);
    const found = await survivorOf(registry, id);
    if (!found.ok) return refuseBuilding(request, reply, found.failure, isMarkdown);
    return redirectTo(request, reply, readRecord(found.value).path, isMarkdown);
  });

  /** ID-03, UI-26: an ID without a building; a retired one leaves a tombstone. */
  const refuseBuilding = async (
    request: FastifyRequest,
    reply: FastifyReply,
    failure: GetFailure,
    isMarkdown: boolean,
  ) => {
    if (failure.kind !== 'retiredBuilding') return refuse(reply, 404, NO_RECORD);
    const settings = await settingsOf(request);
    const wantsMarkdown = isMarkdown || prefersMarkdown(request.headers.accept);
    return sendTombstone(request, reply, failure.tombstone, settings, wantsMarkdown);
  };
}

/** A tab, or the Markdown twin of all of them. */
type View = Tab | 'markdown';
/** REIT-04: the views that show REIT histories, by the permission that each needs. */
const REIT_SURFACES: Readonly<Partial<Record<View, PermittedSurface>>> = { reit: 'page', markdown: 'markdown' };

/** What a request asks for: a view, and in the history the newest version to show. */
interface Requested {
  view: View;
  from: number | undefined;
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

/** What a rendering depends on besides its record, the release and the day. */
const renderingKey = (settings: PageSettings, { view, from }: Requested): string => {
  const { origin, baseMap, t, isLanguageInUrl, hasSample } = settings;
  return JSON.stringify([origin, baseMap, t.lang, isLanguageInUrl, hasSample, view, from]);
};

/**
 * A page depends only on its record, the release, the settings and the view, so its ETag needs no hash of its bytes. A
 * planned completion adds the day on which it is no longer planned.
 */
function pageTag(recordTag: string, rendering: string, validUntil = ''): string {
  return `${recordTag.slice(0, -1)}${renderingTag(`${rendering} ${validUntil}`)}"`;
}

/** Many pages in a row are rendered alike. */
const renderingTag = rememberLast((rendering: string) => tagOf(Buffer.from(`${RELEASE} ${rendering}`)));

/** REC-13: pages render the record that the API serves. */
const readRecord = ({ body }: Finished) => parseBody<BuildingPage>(body);

function readRequest(request: FastifyRequest, isMarkdown: boolean): Requested {
  if (isMarkdown || prefersMarkdown(request.headers.accept)) return { view: 'markdown', from: undefined };
  const parameters = readParameters(request);
  const tab = parameters.get('tab');
  const view = TABS.find((each) => each === tab) ?? 'overview';
  const from = view === 'history' ? parameters.get('from') : null;
  return { view, from: from !== null && /^[1-9]\d{0,8}$/.test(from) ? Number(from) : undefined };
}
