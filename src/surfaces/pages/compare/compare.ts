import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ASSET_PREFIX } from '../../../vocabulary/asset-id.ts';
import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import type { ScalarField } from '../../../vocabulary/fields.ts';
import { endpoint } from '../../http/endpoint.ts';
import { prefersMarkdown } from '../../http/negotiation.ts';
import { footprintThumbnail } from '../building/drawings.ts';
import { statedLanguage } from '../building/figures.ts';
import { displayAddress, displayName } from '../building/names.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { CATEGORY_LABELS, FIELD_GROUPS, FIELD_LABELS, SOURCE_NAMES } from '../catalogue/labels.ts';
import { langAttribute, run, shorten } from '../format.ts';
import { type Html, html, raw } from '../html.ts';
import { type Page, renderPage } from '../layout.ts';
import { ownerLink } from '../owner/owner-link.ts';
import type { PageSettings } from '../page-settings.ts';
import { readParameters } from '../request-target.ts';
import { type PageContext, sendMarkdown, sendNegotiated, toFinished, withSampleNote } from '../send-page.ts';
import { shownValue } from '../shown-value.ts';
import { compareMarkdown } from './compare-markdown.ts';
import {
  type Compared,
  type ComparedRow,
  categoriesDiffer,
  compareFields,
  comparePath,
  MAX_COMPARED,
  readCompared,
} from './compared.ts';

/** UI-67: /japan/compare, up to four buildings side by side. */
export function compareRoutes(app: FastifyInstance, { registry, settingsOf }: PageContext): void {
  const answer = (isMarkdown: boolean) => async (request: FastifyRequest, reply: FastifyReply) => {
    const settings = await settingsOf(request);
    const compared = await readCompared(registry, readParameters(request), settings.t);
    if (isMarkdown || prefersMarkdown(request.headers.accept)) {
      const text = withSampleNote(compareMarkdown(compared, settings), settings);
      return sendMarkdown(request, reply, toFinished(text), `${settings.origin}${pathOf(compared)}`);
    }
    return sendNegotiated(request, reply, toFinished(renderPage(compose(compared, settings), settings)), settings);
  };
  endpoint(app, '/japan/compare', answer(false));
  endpoint(app, '/japan/compare.md', answer(true));
}

const pathOf = ({ buildings, onlyDifferences }: Compared, path?: string) =>
  comparePath(
    buildings.map(({ id }) => id),
    onlyDifferences,
    path,
  );

function compose(compared: Compared, { t, today }: PageSettings): Page {
  const { buildings, notices } = compared;
  const names = buildings.map((building) => shorten(nameOf(t, building), 30));
  return {
    title: names.length === 0 ? t.compare.title : t.compare.titleOf(names),
    description: t.compare.description,
    address: pathOf(compared),
    markdown: pathOf(compared, '/japan/compare.md'),
    section: 'buildings',
    main: html`<h1>${t.compare.title}</h1>
<p class="lead">${t.compare.lead}</p>
${notices.length > 0 && html`<div class="notice" role="status"><ul class="notices" aria-label="${t.compare.notices}">${notices.map((text) => html`<li>${text}</li>`)}</ul></div>`}
${buildings.length > 0 && html`${rowSwitch(t, compared)}${table(t, compared, today)}${missing(t, buildings)}`}
${buildings.length < MAX_COMPARED && chooseForm(t, buildings)}`,
  };
}

const nameOf = (t: Text, building: BuildingPage): string => {
  const { text, isKnown } = displayName(building, t);
  return isKnown ? text : t.building.unnamed;
};

/** A link and not a script, so that the choice is in the address. */
function rowSwitch(t: Text, { buildings, onlyDifferences }: Compared): Html | undefined {
  if (buildings.length < 2) return undefined;
  const ids = buildings.map(({ id }) => id);
  const choice = (text: string, isDifferences: boolean) =>
    html`<li><a href="${comparePath(ids, isDifferences)}"${raw(isDifferences === onlyDifferences ? ' aria-current="true"' : '')}>${text}</a></li>`;
  return html`<nav class="switch" aria-label="${t.compare.rows}"><ul>${choice(t.compare.allRows, false)}${choice(t.compare.onlyDifferences, true)}</ul></nav>`;
}

function table(t: Text, { buildings, onlyDifferences }: Compared, today: string): Html {
  const groups = compareFields(buildings)
    .map((group) => ({ ...group, rows: group.rows.filter(({ differs }) => differs || !onlyDifferences) }))
    .filter(({ rows }) => rows.length > 0);
  const usesDiffer = categoriesDiffer(buildings);
  const hasUses = usesDiffer || !onlyDifferences;
  if (groups.length === 0 && !hasUses) return html`<p class="unknown">${t.compare.noDifferences}</p>`;
  const names = buildings.map((building) => nameOf(t, building));
  const [span, ids] = [buildings.length + 1, buildings.map(({ id }) => id)];
  return html`<div class="scroll comparison" tabindex="0" role="region" aria-label="${t.compare.buildings}">
<table class="compare field-table">
<thead><tr><th scope="col">${t.compare.field}</th>${buildings.map((building, i) => head(t, building, ids.toSpliced(i, 1), onlyDifferences))}</tr></thead>
${
  hasUses &&
  html`<tbody>${row(
    t,
    FIELD_LABELS.assetTypes[t.lang],
    usesDiffer,
    buildings.map(
      ({ assetTypes }) =>
        html`${assetTypes.map(({ category }) => html`<span class="use c-${category}">${CATEGORY_LABELS[category][t.lang]}</span> `)}`,
    ),
    names,
  )}</tbody>`
}
${groups.map(
  ({ title, rows }) =>
    html`<tbody><tr class="group"><th scope="rowgroup" colspan="${span}">${title[t.lang]}</th></tr>${rows.map(
      ({ field, differs }: ComparedRow) =>
        row(
          t,
          FIELD_LABELS[field][t.lang],
          differs,
          buildings.map((building) => cell(t, field, building, today)),
          names,
        ),
    )}</tbody>`,
)}
</table></div>`;
}

function head(t: Text, building: BuildingPage, others: readonly string[], onlyDifferences: boolean): Html {
  const [name, { also }] = [nameOf(t, building), displayName(building, t)];
  const address = displayAddress(building);
  return html`<th scope="col">${footprintThumbnail(building)}
<a class="name" href="${building.path}"${langAttribute(t, name, 'en')}>${name}</a>
${also !== undefined && html`<span class="also"${langAttribute(t, also, 'en')}>${also}</span>`}
<span class="place"${langAttribute(t, address)}>${address}</span>
<code>${building.id}</code>
<a class="remove" href="${comparePath(others, onlyDifferences)}">${t.compare.remove(run(t, name, 'en'))}</a></th>`;
}

function row(t: Text, label: string, differs: boolean, cells: readonly (Html | undefined)[], names: readonly string[]) {
  return html`<tr${raw(differs ? ' class="differs"' : '')}><th scope="row">${label}${differs && html` <span class="flag">${t.compare.differs}</span>`}</th>${cells.map(
    (content, i) =>
      html`<td><span class="label" aria-hidden="true">${run(t, names[i] as string, 'en')}</span>${content ?? html`<span class="unknown">${t.compare.notAvailable}</span>`}</td>`,
  )}</tr>`;
}

function cell(t: Text, field: ScalarField, building: BuildingPage, today: string): Html | undefined {
  const shown = shownValue(t, field, building, today);
  const found = building.fields[field];
  if (shown === undefined || found === undefined) return undefined;
  const { text, exact, marks, conflict } = shown;
  const value = field === 'ownerPublic' ? ownerLink(t, text) : run(t, text, statedLanguage(field, text));
  const { source } = found.provenance;
  return html`<span class="figure"${exact !== undefined && html` title="${exact}"`}>${value}</span> <span class="chip s-${source}">${SOURCE_NAMES[source][t.lang]}</span>${marks.map((mark) => html` <span class="flag">${run(t, mark)}</span>`)}${
    conflict !== undefined &&
    html` <span class="flag conflicting">${conflict.text}</span> <span class="aside">${t.building.also(run(t, conflict.value, statedLanguage(field, conflict.value)), html`${SOURCE_NAMES[conflict.source][t.lang]}`)}</span>`
  }`;
}

function missing(t: Text, buildings: readonly BuildingPage[]): Html | undefined {
  const fields = FIELD_GROUPS.flatMap((group) => group.fields).filter((field) =>
    buildings.every((building) => building.fields[field] === undefined),
  );
  if (fields.length === 0) return undefined;
  return html`<p class="unknown">${t.compare.missingEverywhere(fields.map((field) => FIELD_LABELS[field][t.lang]).join(t.building.comma))}</p>`;
}

/** Short enough for a phone, where the form of an ID in words is cut off. */
const EXAMPLE_ID = `${ASSET_PREFIX}-JP-13-00000001`;

/** Works without scripts: a GET form whose empty fields are ignored. */
function chooseForm(t: Text, buildings: readonly BuildingPage[]): Html {
  const isFirst = buildings.length === 0;
  const input = (id: string, label: string) =>
    html`<div class="field"><label for="${id}">${label}</label><input id="${id}" name="id" type="text" autocomplete="off" spellcheck="false" placeholder="${EXAMPLE_ID}"></div>`;
  return html`<section class="choose" aria-labelledby="choose"><h2 id="choose">${isFirst ? t.compare.how : t.compare.add}</h2>
<p>${t.compare.howText}</p>
<form action="/japan/compare" method="get">${buildings.map(({ id }) => html`<input type="hidden" name="id" value="${id}">`)}
${isFirst ? [1, 2, 3, 4].map((number) => input(`id-${number}`, t.compare.idLabel(number))) : input('id-more', t.compare.addLabel)}
<p class="actions"><button type="submit">${isFirst ? t.compare.compare : t.compare.addButton}</button> <a href="/japan/areas">${t.compare.toList}</a></p></form></section>`;
}
