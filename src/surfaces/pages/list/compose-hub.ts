import type { AreaSummary } from '../../../vocabulary/api-shapes.ts';
import { hubCrumbs } from '../breadcrumbs.ts';
import { dayOf, many } from '../format.ts';
import { html } from '../html.ts';
import type { Page } from '../layout.ts';
import { areaLinks, INSIDE } from './area-links.ts';
import { listColumns } from './compose-list.ts';
import { coverageChart } from './coverage.ts';
import { fromStart, toQuery } from './filters.ts';
import type { ListView } from './view.ts';

/** The page of an area: what it is, the areas inside, its buildings, and how much is known of them. */
export function composeHub(view: ListView, here: AreaSummary): Page {
  const { area, buildingCount, latestRecordedAt, children } = here;
  const query = toQuery(fromStart(view.filters));
  const name = area.nameEn === null ? area.nameJa : `${area.nameJa} ${area.nameEn}`;
  return {
    title: `Buildings in ${name}`,
    description: `${many(buildingCount, 'building')} in ${name}: names, addresses, uses, heights and years, each with its source.`,
    canonical: area.path,
    markdown: `${area.path}.md`,
    json: `/japan/api/v1/areas${area.path.slice('/japan'.length)}`,
    section: 'buildings',
    hasMap: true,
    main: html`${hubCrumbs(
      view.way.map((each) => each.area),
      true,
      query,
    )}
<h1><span lang="ja">${area.nameJa}</span>${area.nameEn !== null && html` <span class="en">${area.nameEn}</span>`}</h1>
<p class="lead">${many(buildingCount, 'building')} · last recorded <time datetime="${latestRecordedAt}">${dayOf(latestRecordedAt)}</time> · area code <code>${area.code}</code>
${query !== '' && html`· <a href="/japan/areas${query}">Search all of Japan by these filters</a>`}</p>
${listColumns(
  view,
  areaLinks(children, INSIDE[area.level], ({ path }) => `${path}${query}`),
)}
${coverageChart(here)}`,
  };
}
