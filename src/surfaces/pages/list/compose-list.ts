import type { CountrySummary } from '../../../vocabulary/api-shapes.ts';
import { breadcrumbs } from '../breadcrumbs.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../layout.ts';
import { areaLinks, INSIDE } from './area-links.ts';
import { filterForm } from './filter-form.ts';
import { fromStart, LEVELS, outTo, toQuery } from './filters.ts';
import { results } from './results.ts';
import { resultsMap } from './results-map.ts';
import type { ListView } from './view.ts';

/** The page of the list of all buildings, in all of Japan or at a place. */
export function composeList(view: ListView, country: CountrySummary | undefined, wasCut: boolean): Page {
  const here = view.way.at(-1);
  const filters = fromStart(view.filters);
  const children = here?.children ?? country?.children ?? [];
  const level = LEVELS[view.way.length] ?? 'machiAza';
  // A ward alone may be several: it is known by its slug.
  const slug = LEVELS.map((each) => view.place[each]).findLast((each) => each !== undefined);
  const title =
    slug === undefined ? 'Buildings of Japan' : `Buildings in ${here?.area.nameEn ?? here?.area.nameJa ?? slug}`;
  return {
    title,
    description:
      'Every building of the registry: by name, address, use, height, floors and year, each value with its source.',
    canonical: '/japan/areas',
    section: 'buildings',
    hasMap: true,
    main: html`${way(view)}
<h1>${here === undefined ? title : html`Buildings in <span lang="ja">${here.area.nameJa}</span>`}</h1>
${wasCut && html`<p class="notice" role="status">The area in the address is not in the registry: ${here === undefined ? 'all of Japan is shown' : 'the area around it is shown'}.</p>`}
${here !== undefined && html`<p class="lead"><a href="${here.area.path}">About this area</a></p>`}
${listColumns(
  view,
  areaLinks(children, here === undefined ? 'Prefectures' : INSIDE[here.area.level], ({ slug }) => {
    return `/japan/areas${toQuery(filters, { ...view.place, [level]: slug })}`;
  }),
)}`,
  };
}

/** The filters beside the results, on every page that lists. */
export function listColumns(view: ListView, areas: Html | undefined): Html {
  return html`<div class="list-columns">
<aside aria-label="Narrow down">${filterForm(view)}${areas}</aside>
<section aria-labelledby="results-title"><h2 id="results-title" class="sr">Results</h2>
${resultsMap(view.list.items)}
${results(view)}
</section></div>`;
}

/** Up from here, by the same filters (PAG-05). */
function way({ way, filters, place }: ListView): Html {
  const addressOf = (depth: number) => `/japan/areas${toQuery(fromStart(filters), outTo(place, depth))}`;
  const top = { text: 'All of Japan', address: addressOf(0) };
  return breadcrumbs({ top, areas: way.map(({ area }) => area), addressOf, isHere: true });
}
