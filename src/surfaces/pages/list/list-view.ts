import type { FastifyRequest } from 'fastify';
import type { FormerBuilding } from '../../../registry/identity.ts';
import { parseBody } from '../../../registry/records.ts';
import type { Registry } from '../../../registry/registry.ts';
import type { SuggestedArea } from '../../../registry/search/read/area-finder.ts';
import type { ListPage } from '../../../registry/search/read/list-page.ts';
import type { ListQuery } from '../../../registry/search/read/list-query.ts';
import type { Offer } from '../../../registry/search/read/offers.ts';
import type { PermittedSurface } from '../../../reit/life/permissions.ts';
import { toListQuery } from '../../../reit/life/require-reit.ts';
import type { AreaSummary } from '../../../vocabulary/api-shapes.ts';
import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import type { Text } from '../catalogue/catalogue.ts';
import type { Html } from '../html.ts';
import { listMap } from '../map.ts';
import { ownerPath } from '../owner/owner-path.ts';
import type { PageSettings } from '../page-settings.ts';
import { type PageBody, type PageContext, toFinished } from '../send-page.ts';
import type { CardOptions } from './card.ts';
import { activeFilters, shownText } from './filter-labels.ts';
import {
  AREA_LEVELS,
  type AreaSlugs,
  type Correction,
  type Filters,
  NO_FILTERS,
  onFirstPage,
  readAreaSlugs,
  readCorrections,
  readFilters,
  toQuery,
} from './filters.ts';

/** What a list page shows, on /japan/areas or on a hub. */
export interface ListView {
  t: Text;
  path: string;
  /** The area in the query; empty on a hub, whose path names the area. */
  slugs: AreaSlugs;
  filters: Filters;
  list: ListPage;
  /** Of all its buildings; undefined if none is located. */
  map: Html | undefined;
  /** From the prefecture down to the area shown; empty for all of Japan. */
  areas: readonly AreaSummary[];
  /** The merged or retired building whose ID is the search text, and the one that it leads to. */
  former: FormerBuilding | undefined;
  survivor: BuildingPage | undefined;
  /** UI-50 */
  corrections: readonly Correction[];
  /** UI-42: the areas that the search text names. */
  named: readonly SuggestedArea[];
  /** Searches that find something, if this one does not (UI-43, UI-44, UI-45). */
  leads: readonly Lead[];
  cards: CardOptions;
}

/** A link to a list or page with buildings, and how many they are. */
export interface Lead {
  kind: Offer['kind'] | 'removal' | 'everywhere';
  text: string;
  url: string;
  count: number;
  /** Whether it leaves the area and the filters behind. */
  everywhere: boolean;
}

/** The query of the list's map: the area, the filters and the owner, but neither order nor page. */
export function mapQuery(
  { slugs, areas, filters }: Pick<ListView, 'slugs' | 'areas' | 'filters'>,
  owner?: string,
): string {
  const [prefecture, ward, machiAza] = areas.map(({ area }) => area.slug);
  const named = areas.length === 0 ? slugs : { prefecture, ward, machiAza };
  const query = toQuery({ ...filters, sort: undefined, page: 1, view: undefined, columns: undefined }, named);
  if (owner === undefined) return query;
  return `${query}${query === '' ? '?' : '&'}owner=${encodeURIComponent(owner)}`;
}

/** The same list with other filters. */
export const listUrl = ({ path, slugs }: Pick<ListView, 'path' | 'slugs'>, filters: Filters): string =>
  `${path}${toQuery(filters, slugs)}`;

interface ListPlace {
  path: string;
  /** In the query string. */
  slugs: AreaSlugs;
  /** All that restrict the list. */
  within: AreaSlugs & Pick<ListQuery, 'owner'>;
  areas: readonly AreaSummary[];
}

/** Reads the list of a request, with everything that the page says about it. */
export async function readListView(
  { registry, reit }: Pick<PageContext, 'registry' | 'reit'>,
  request: FastifyRequest,
  { t, today }: Pick<PageSettings, 't' | 'today'>,
  { path, slugs, within, areas }: ListPlace,
  surface: PermittedSurface = 'page',
): Promise<ListView> {
  const filters = readFilters(request);
  const toQueryOf = (other: Filters): Promise<ListQuery> =>
    toListQuery(reit, withoutDisplay({ ...other, ...within }), surface);
  const query = await toQueryOf(filters);
  const q = filters.q ?? '';
  // Together, because each may take a thread of its own.
  const [list, former, named, points] = await Promise.all([
    registry.list(query),
    registry.findFormer(q),
    q === '' ? [] : registry.findAreas(q),
    surface === 'markdown' ? undefined : registry.readMapPoints({ list: query }),
  ]);
  const view: ListView = {
    ...{ t, path, slugs, filters, list, areas, former },
    survivor: await readSurvivor(registry, former),
    corrections: [...readCorrections(request), ...(await correctionsOf(registry, filters, list))],
    named,
    leads: [],
    map: undefined,
    cards: { today, withReit: new Set() },
  };
  const shown = [...list.items, ...(view.survivor === undefined ? [] : [view.survivor])];
  const cards = {
    today,
    withReit: await reit.servedBuildings(
      surface,
      shown.map(({ id }) => id),
    ),
  };
  if (list.total === 0) return { ...view, cards, leads: await findLeads(registry, view, query, toQueryOf) };
  if (points === undefined) return { ...view, cards };
  const map = listMap(t, points, mapQuery(view, within.owner));
  return { ...view, cards, map };
}

/** The query of /japan/areas, and the area in it. */
export async function readListQuery(
  { registry, reit }: Pick<PageContext, 'registry' | 'reit'>,
  request: FastifyRequest,
): Promise<{ query: ListQuery; slugs: AreaSlugs }> {
  const { slugs } = await resolveArea(registry, readAreaSlugs(request));
  return { query: await toListQuery(reit, withoutDisplay({ ...readFilters(request), ...slugs }), 'page'), slugs };
}

/** REIT-05: whether a page shows which buildings have a REIT history, so that it must not be stored. */
export const showsReit = ({ cards, filters }: Pick<ListView, 'cards' | 'filters'>): boolean =>
  cards.withReit.size > 0 || filters.has.includes('reit');

/** The response of a page with a list, which is not stored if it shows REIT histories. */
export const toBody = (text: string, view: ListView): PageBody =>
  showsReit(view) ? { body: Buffer.from(text) } : toFinished(text);

/** A query of the registry does not know how its list is shown. */
function withoutDisplay<T extends Filters>({ view: _view, columns: _columns, ...query }: T) {
  return query;
}

async function readSurvivor(registry: Registry, former: FormerBuilding | undefined): Promise<BuildingPage | undefined> {
  if (former?.survivor == null) return undefined;
  const found = await registry.getPage(former.survivor.id);
  return found.ok ? parseBody<BuildingPage>(found.value.body) : undefined;
}

/** Corrections that depend on the registry: pages that do not exist, uses that no building records. */
async function correctionsOf(registry: Registry, { page, words }: Filters, list: ListPage): Promise<Correction[]> {
  const corrections: Correction[] = [];
  if (words.length > 0) {
    const others = words.map((word): ListQuery => ({ types: [], words: [word], has: [], ranges: {}, page: 1 }));
    const query: ListQuery = { types: [], words: [], has: [], ranges: {}, page: 1 };
    const { counts } = await registry.findOffers({ query, others });
    for (const [i, word] of words.entries()) if (counts[i] === 0) corrections.push({ kind: 'unknownUse', word });
  }
  if (page > list.page) corrections.push({ kind: 'pageBeyond', last: list.page });
  return corrections;
}

async function findLeads(
  registry: Registry,
  view: ListView,
  query: ListQuery,
  toQueryOf: (filters: Filters) => Promise<ListQuery>,
): Promise<Lead[]> {
  const { t, filters } = view;
  const active = activeFilters(t, filters);
  const isNarrow = view.areas.length > 0 || Object.keys(view.slugs).length > 0;
  const everywhere = { ...(await toQueryOf(filters)), prefecture: undefined, ward: undefined, machiAza: undefined };
  const others = await Promise.all(active.map(({ without }) => toQueryOf(without)));
  const { offers, counts } = await registry.findOffers({ query, others: isNarrow ? [everywhere, ...others] : others });
  const removals = isNarrow ? counts.slice(1) : counts;
  const leads = offers.flatMap((offer) => toLead(view, offer) ?? []);
  const allOfJapan = { path: '/japan/areas', slugs: {} };
  if (isNarrow && counts[0]) {
    const url = listUrl(allOfJapan, onFirstPage(filters));
    leads.push({ kind: 'everywhere', text: t.list.searchAllOfJapan, url, count: counts[0], everywhere: false });
  }
  for (const [i, { text, without }] of active.entries()) {
    const count = removals[i];
    const label = t.list.searchWithout(text);
    if (count) leads.push({ kind: 'removal', text: label, url: listUrl(view, without), count, everywhere: false });
  }
  return leads;
}

function toLead(view: ListView, offer: Offer): Lead | undefined {
  const { kind, count } = offer;
  if (kind === 'owner') {
    const url = ownerPath(offer.owner);
    return url === undefined ? undefined : { kind, text: offer.owner, url, count, everywhere: false };
  }
  const { everywhere } = offer;
  const from = everywhere ? { path: '/japan/areas', slugs: {} } : view;
  const base = everywhere ? NO_FILTERS : onFirstPage(view.filters);
  const changed = kind === 'postcode' ? { q: undefined, postcode: offer.postcode } : { q: offer.q };
  const text = kind === 'postcode' ? offer.postcode : shownText(offer.q);
  return { kind, text, url: listUrl(from, { ...base, ...changed }), count, everywhere };
}

/** The areas of a path of slugs, from the prefecture down to the last one that exists. */
export async function findAreas(registry: Registry, slugs: readonly string[]): Promise<AreaSummary[]> {
  const areas: AreaSummary[] = [];
  for (let depth = 1; depth <= slugs.length; depth++) {
    const found = await registry.getArea(slugs.slice(0, depth));
    if (!found.ok) break;
    areas.push(JSON.parse(Buffer.from(found.value.body).toString()) as AreaSummary);
  }
  return areas;
}

/** The requested area, cut at the first level that names no area; `isUnknown` says that it was cut. */
export async function resolveArea(registry: Registry, requested: AreaSlugs) {
  const valid = AREA_LEVELS.filter((level) => isSlug(requested[level]));
  const hasInvalid = valid.length < AREA_LEVELS.filter((level) => requested[level] !== undefined).length;
  const gap = AREA_LEVELS.findIndex((level) => !valid.includes(level));
  const path = gap === -1 ? valid : AREA_LEVELS.slice(0, gap);
  if (path.length < valid.length) {
    // A ward without a prefecture matches that slug in any prefecture.
    const slugs = pickLevels(requested, valid);
    const { total } = await registry.list({ ...withoutDisplay(NO_FILTERS), has: [], ...slugs });
    if (total > 0) return { slugs, areas: [], isUnknown: hasInvalid };
  }
  const areas = await findAreas(
    registry,
    path.map((level) => requested[level] as string),
  );
  const slugs = pickLevels(requested, AREA_LEVELS.slice(0, areas.length));
  return { slugs, areas, isUnknown: hasInvalid || areas.length < valid.length };
}

const pickLevels = (slugs: AreaSlugs, levels: readonly (keyof AreaSlugs)[]): AreaSlugs =>
  Object.fromEntries(levels.map((level) => [level, slugs[level]]));

const isSlug = (text: string | undefined): text is string => text !== undefined && /^[a-z0-9-]{1,200}$/.test(text);
