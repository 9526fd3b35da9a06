import type { FastifyInstance } from 'fastify';
import type { OwnerSummary } from '../../../registry/owner-summary.ts';
import { toListQuery } from '../../../reit/life/require-reit.ts';
import { CATEGORIES } from '../../../vocabulary/categories.ts';
import { endpoint } from '../../http/endpoint.ts';
import { prefersMarkdown } from '../../http/negotiation.ts';
import { refuse } from '../../http/refuse.ts';
import { areaName } from '../area-navigation.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { CATEGORY_LABELS, FIELD_LABELS } from '../catalogue/labels.ts';
import { dayElement, formatCount, formatField, languageOfWords, run, shorten } from '../format.ts';
import { type Html, html, raw } from '../html.ts';
import { listedBuildings } from '../json-ld.ts';
import { type Page, renderPage } from '../layout.ts';
import { sendListFile } from '../list/export-list.ts';
import { pageTitle } from '../list/filter-labels.ts';
import { type AreaSlugs, onFirstPage, readAreaSlugs, readFilters, toQuery } from '../list/filters.ts';
import { listFiles } from '../list/list-tools.ts';
import { type ListView, listUrl, readListView, toBody } from '../list/list-view.ts';
import { listColumns } from '../list/results.ts';
import type { PageSettings } from '../page-settings.ts';
import { type PageContext, sendMarkdown, sendNegotiated, withSampleNote } from '../send-page.ts';
import { ownerMarkdown } from './owner-markdown.ts';
import { ownerPath, readOwnerSegment } from './owner-path.ts';
import { decadesOf, roundedTotal, yearsOf } from './owner-years.ts';

/** UI-62: the buildings of an owner, by the same rule as the API's portfolio (OWN-01). */
export function ownerRoutes(app: FastifyInstance, context: PageContext): void {
  const { registry, reit, settingsOf, stallMs } = context;
  endpoint(app, '/japan/owners/:name', async (request, reply) => {
    const { name: asked, form } = readOwnerSegment((request.params as { name: string }).name);
    const summary = await registry.getOwner(asked);
    const path = summary && ownerPath(summary.owner);
    if (summary === undefined || path === undefined) return refuse(reply, 404, 'the path names no owner');
    const slugs = knownPrefecture(summary, readAreaSlugs(request));
    const within = { ...slugs, owner: asked };
    if (form === 'csv' || form === 'geojson') {
      const { view: _view, columns: _columns, ...filters } = readFilters(request);
      const query = await toListQuery(reit, { ...filters, ...within }, 'page');
      return sendListFile(request, reply, { registry, stallMs, query, form, name: summary.owner });
    }
    const settings = await settingsOf(request);
    const asMarkdown = form === 'md' || prefersMarkdown(request.headers.accept);
    const place = { path, slugs, within, areas: [] };
    const view = await readListView(context, request, settings, place, asMarkdown ? 'markdown' : 'page');
    if (asMarkdown) {
      const text = withSampleNote(ownerMarkdown(view, summary, settings), settings);
      return sendMarkdown(request, reply, toBody(text, view), `${settings.origin}${path}`);
    }
    const page = composeOwner(view, summary, settings);
    return sendNegotiated(request, reply, toBody(renderPage(page, settings), view), settings);
  });
}

/** The prefecture in the query, if the owner has buildings there. */
function knownPrefecture({ prefectures }: OwnerSummary, { prefecture }: AreaSlugs): AreaSlugs {
  return prefectures.some(({ slug }) => slug === prefecture) ? { prefecture } : {};
}

function composeOwner(view: ListView, summary: OwnerSummary, { t, today }: PageSettings): Page {
  const { owner, buildingCount, latestRecordedAt } = summary;
  const short = shorten(owner, 80);
  return {
    title: pageTitle(t, t.owner.title(short), view.list.page),
    description: t.owner.description(short, t.counts.buildings(buildingCount)),
    canonical: view.path,
    address: listUrl(view, view.filters),
    markdown: `${view.path}.md`,
    json: `/japan/api/v1/owners/${encodeURIComponent(owner)}/assets`,
    jsonLd: (origin) => [listedBuildings(view, origin)],
    files: listFiles(view),
    section: 'buildings',
    hasMap: true,
    main: html`<h1>${t.owner.heading(run(t, owner, languageOfWords(owner)))}</h1>
<p class="lead">${t.owner.lead(t.counts.buildings(buildingCount), dayElement(t, latestRecordedAt))}</p>
<p class="aside">${t.owner.note}</p>
<div class="owned"><section aria-labelledby="owned"><h2 id="owned">${t.owner.buildings}</h2>
${listColumns(view, prefectureLinks(t, view, summary))}</section>
${totals(t, summary, Number(today.slice(0, 4)))}</div>`,
  };
}

function totals(t: Text, summary: OwnerSummary, thisYear: number): Html {
  const { buildingCount, floorArea, byYear, byUse } = summary;
  const { first, last, known, planned, plannedWithArea } = yearsOf(summary, thisYear);
  const uses = CATEGORIES.filter((category) => byUse[category] > 0).map((category) => ({
    label: CATEGORY_LABELS[category][t.lang],
    count: byUse[category],
  }));
  return html`<section class="totals" aria-labelledby="totals"><h2 id="totals">${t.owner.totals}</h2>
<dl class="key"><div><dt>${t.owner.count}</dt><dd>${formatCount(buildingCount)}${planned > 0 && html` <span class="aside">${t.owner.ofWhichPlanned(planned)}</span>`}</dd></div>
<div><dt>${FIELD_LABELS.gfaM2[t.lang]}</dt><dd>${
    floorArea.known === 0
      ? t.owner.noFloorArea
      : html`${areaTotal(t, floorArea)} <span class="aside">${t.owner.floorAreaNote(floorArea.known, buildingCount, floorArea.estimated, plannedWithArea)}</span>`
  }</dd></div>
<div><dt>${FIELD_LABELS.yearBuilt[t.lang]}</dt><dd>${
    first === undefined || last === undefined
      ? t.owner.noYears
      : html`${t.owner.yearRange(first, last)} <span class="aside">${t.owner.yearsNote(known, buildingCount, planned)}</span>`
  }</dd></div></dl>
<div class="charts">${bars(t.owner.uses, uses)}${bars(
    t.owner.prefectures,
    summary.prefectures.map(({ nameJa, nameEn, buildingCount: count }) => ({
      label: t.lang === 'ja' ? nameJa : (nameEn ?? nameJa),
      count,
    })),
  )}${bars(t.owner.decades, decadesOf(t, byYear, thisYear))}</div></section>`;
}

/** UI-22: a sum of estimates is worth few digits; the exact one is its title. */
function areaTotal(t: Text, floorArea: OwnerSummary['floorArea']): Html {
  const { totalM2, estimated } = floorArea;
  const exact = formatField(t, 'gfaM2', totalM2, 'm2');
  if (estimated === 0) return html`${exact}`;
  const rounded = roundedTotal(floorArea);
  return html`<data value="${totalM2}" title="${exact}">${t.building.about(formatField(t, 'gfaM2', rounded, 'm2'))}</data>`;
}

const BAR_WIDTH = 120;

/** Counts with a bar each; the bars repeat the numbers, so they are hidden from screen readers. */
function bars(title: string, rows: readonly { label: string; count: number }[]): Html | undefined {
  if (rows.length === 0) return undefined;
  const most = Math.max(...rows.map(({ count }) => count));
  return html`<section class="bars"><h3>${title}</h3><ul>${rows.map(
    ({ label, count }) =>
      html`<li><span>${label}</span> <svg width="${BAR_WIDTH}" height="8" aria-hidden="true"><rect width="${BAR_WIDTH}" height="8" rx="2"/><rect class="filled" width="${Math.max(2, Math.round((BAR_WIDTH * count) / most))}" height="8" rx="2"/></svg> <span class="amount number">${formatCount(count)}</span></li>`,
  )}</ul></section>`;
}

/** The prefectures with buildings of this owner, as filters of the list. */
function prefectureLinks(t: Text, view: ListView, { prefectures }: OwnerSummary): Html | undefined {
  if (prefectures.length < 2) return undefined;
  const filters = onFirstPage(view.filters);
  const link = (slugs: AreaSlugs, name: Html, count: string) => {
    const current = slugs.prefecture === view.slugs.prefecture ? ' aria-current="true"' : '';
    return html`<li><a href="${view.path}${toQuery(filters, slugs)}"${raw(current)}>${name}</a> <span class="amount">${count}</span></li>`;
  };
  return html`<nav class="inside" aria-label="${t.owner.prefectures}"><details open><summary><h2>${t.owner.prefectures} <span class="amount">${formatCount(prefectures.length)}</span></h2></summary><ul class="areas">${link({}, html`${t.owner.allPrefectures}`, '')}${prefectures.map(
    (area) => link({ prefecture: area.slug }, areaName(t, area), formatCount(area.buildingCount)),
  )}</ul></details></nav>`;
}
