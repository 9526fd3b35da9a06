import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseBody, tagOf } from '../../../registry/records.ts';
import type { Finished, GetFailure, Registry } from '../../../registry/registry.ts';
import type { PermittedSurface } from '../../../reit/life/permissions.ts';
import { readPublication } from '../../../reit/life/reit.ts';
import { formatAssetId } from '../../../vocabulary/asset-id.ts';
import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import type { Result } from '../../../vocabulary/result.ts';
import { endpoint } from '../../http/endpoint.ts';
import { prefersMarkdown } from '../../http/negotiation.ts';
import { refuse } from '../../http/problem.ts';
import { redirectCaching } from '../../http/send-finished.ts';
import { renderPage } from '../layout.ts';
import type { PageSettings } from '../page-settings.ts';
import type { ReitHistories } from '../reit/publication-history.ts';
import { Rendered } from '../rendered.ts';
import { readParameters, splitMarkdownSuffix } from '../request-target.ts';
import { type PageBody, type PageContext, sendMarkdown, sendNegotiated } from '../send-page.ts';
import { buildingMarkdown } from './building-markdown.ts';
import { composeBuilding } from './compose-building.ts';
import { TABS, type Tab } from './header.ts';

type Params = Record<'prefecture' | 'ward' | 'machiAza' | 'id', string>;

/** A page, and the path at which it is to be asked for. */
interface Placed<P extends PageBody = PageBody> {
  path: string;
  page: P;
}

/** About 40 MB of them. */
const KEPT_PAGES = 1_000;
const NO_RECORD = 'the path names no record';

/** PAG-09, PAG-12, MD-01: a building by its path, and by its ID alone. */
export function buildingRoutes(app: FastifyInstance, { registry, reit, settingsOf }: PageContext): void {
  const rendered = new Rendered<Placed<Finished>>(KEPT_PAGES);

  /** REIT-08: what cannot be read is missing from its section, and from nothing else. */
  const readHistories = async (id: string, view: View): Promise<ReitHistories> => {
    const surface = REIT_SURFACES[view];
    if (surface === undefined) return [];
    try {
      const served = await reit.served(id, surface);
      // Whoever asks has the building: one that went meanwhile is no reason to say that it has none.
      return served.ok ? served.value.map(readPublication) : 'unavailable';
    } catch (error) {
      app.log.error({ err: error }, 'the REIT section of a page could not be read');
      return 'unavailable';
    }
  };

  endpoint(app, '/japan/:prefecture/:ward/:machiAza/:id', async (request, reply) => {
    const { prefecture, ward, machiAza, id: last } = request.params as Params;
    const { name: id, isMarkdown } = splitMarkdownSuffix(last);
    const found = await survivorOf(registry, id);
    if (!found.ok) return refuse(reply, 404, NO_RECORD);
    const setting = settingsOf(request);
    const view: View = isMarkdown || prefersMarkdown(request.headers.accept) ? 'markdown' : readTab(request);
    const histories = await readHistories(id, view);
    const isLasting = view !== 'reit' && histories.length === 0;
    const { path, page }: Placed = isLasting
      ? rendered.of(`${setting.origin} ${view} ${id}`, found.value.etag, () => {
          const { path, page } = render(found.value, view, setting, []);
          return { path, page: { ...page, etag: pageTag(found.value.etag, setting, view) } };
        })
      : render(found.value, view, setting, histories);
    if (path !== `/japan/${prefecture}/${ward}/${machiAza}/${id}`) return lead(request, reply, path, isMarkdown);
    if (view === 'markdown') return sendMarkdown(request, reply, page, `${setting.origin}${path}`);
    return sendNegotiated(request, reply, page, setting);
  });

  endpoint(app, '/japan/id/:id', async (request, reply) => {
    const { name: id, isMarkdown } = splitMarkdownSuffix((request.params as Params).id);
    const found = await survivorOf(registry, id);
    if (!found.ok) return refuse(reply, 404, NO_RECORD);
    return lead(request, reply, readRecord(found.value).path, isMarkdown);
  });
}

/** A tab, or the Markdown twin of all of them. */
type View = Tab | 'markdown';
/** REIT-04: the views that show REIT histories, by the permission that each needs. */
const REIT_SURFACES: Readonly<Partial<Record<View, PermittedSurface>>> = { reit: 'page', markdown: 'markdown' };

function render(record: Finished, view: View, setting: PageSettings, histories: ReitHistories) {
  const building = readRecord(record);
  const text =
    view === 'markdown'
      ? buildingMarkdown(building, setting.origin, histories)
      : renderPage(composeBuilding(building, view, setting.origin, histories), setting);
  return { path: building.path, page: { body: Buffer.from(text) } };
}

/** The record of an ID, or of the one that it was merged into or retired for (ID-04). */
async function survivorOf(registry: Registry, id: string): Promise<Result<Finished, GetFailure>> {
  const found = await registry.getPage(id);
  if (found.ok || found.failure.kind !== 'movedBuilding') return found;
  return registry.getPage(formatAssetId(found.failure.survivor));
}

function lead(request: FastifyRequest, reply: FastifyReply, path: string, isMarkdown: boolean): FastifyReply {
  const query = readParameters(request).toString();
  const target = `${path}${isMarkdown ? '.md' : ''}${query === '' ? '' : `?${query}`}`;
  return reply.header('cache-control', redirectCaching(reply)).header('content-length', 0).redirect(target, 301);
}

/** A page changes with its record, with how pages are made, and with what it is asked as: its bytes need not be looked at. */
function pageTag(recordTag: string, { origin, baseMap }: PageSettings, view: string): string {
  const made = tagOf(Buffer.from(JSON.stringify([RELEASE, origin, baseMap, view])));
  return `"${recordTag.replaceAll('"', '')}${made}"`;
}

const readRecord = ({ body }: Finished) => parseBody<BuildingPage>(body);

function readTab(request: FastifyRequest): Tab {
  const asked = readParameters(request).get('tab');
  return TABS.find((tab) => tab === asked) ?? 'overview';
}

/** Of everything that makes pages: with another, the same record is another page. */
const RELEASE = tagOfFolder(join(import.meta.dirname, '..', '..', '..'));

function tagOfFolder(folder: string): string {
  const hash = createHash('sha256');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(ts|css)$/.test(name));
  for (const name of names.sort()) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest('base64url').slice(0, 22);
}
