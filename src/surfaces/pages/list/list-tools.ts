import type { Text } from '../catalogue/catalogue.ts';
import { type Html, html, raw } from '../html.ts';
import type { Page } from '../layout.ts';
import { EXPORT_FORMS, EXPORT_LIMIT, EXPORT_TYPES, type ExportForm } from './export-list.ts';
import { AREA_LEVELS, onFirstPage, toQuery } from './filters.ts';
import { type ListView, listUrl } from './list-view.ts';

type Listed = Pick<ListView, 'path' | 'slugs' | 'filters' | 'areas'>;

/** UI-61: the file with the buildings of a list. Hubs are lists of /japan/areas; an owner has files of its own. */
export function exportPath({ path, slugs, filters, areas }: Listed, form: ExportForm): string {
  const query = { ...onFirstPage(filters), view: undefined, columns: undefined };
  if (path.startsWith('/japan/owners/')) return `${path}.${form}${toQuery(query, slugs)}`;
  const named = Object.fromEntries(areas.map(({ area }, i) => [AREA_LEVELS[i], area.slug]));
  return `/japan/areas.${form}${toQuery(query, { ...named, ...slugs })}`;
}

/** For `<link rel="alternate">`. */
export const listFiles = (view: Listed): NonNullable<Page['files']> =>
  EXPORT_FORMS.map((form) => ({ type: EXPORT_TYPES[form], path: exportPath(view, form) }));

/** UI-61, UI-65: the choice between cards and a table, and the files of the list. */
export function listTools(t: Text, view: ListView): Html | undefined {
  const { filters, list } = view;
  if (list.total === 0) return undefined;
  const choice = (text: string, as: 'table' | undefined) =>
    html`<li><a href="${listUrl(view, { ...filters, view: as })}"${raw(filters.view === as ? ' aria-current="true"' : '')}>${text}</a></li>`;
  return html`<div class="list-tools"><nav class="switch" aria-label="${t.table.view}"><ul>${choice(t.table.cards, undefined)}${choice(t.table.table, 'table')}</ul></nav>
<p class="downloads">${t.export.download}${t.export.colon}${EXPORT_FORMS.map((form) => html`<a href="${exportPath(view, form)}" rel="nofollow" download>${t.export[form]}</a> `)}</p>
${list.total > EXPORT_LIMIT && html`<p class="aside">${t.export.cut(EXPORT_LIMIT, list.total)}</p>`}</div>`;
}
