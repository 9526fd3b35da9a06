import { API_ROOT } from '../../http/surface.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { METRIC_LABELS } from '../catalogue/labels.ts';
import { dayElement, langAttribute, run, runs } from '../format.ts';
import { type Html, html, safeLink } from '../html.ts';
import { labelledTable } from '../labelled-table.ts';
import { agreementGrid, noiChart, occupancyChart, shareChart, valueChart } from './charts.ts';
import {
  type Cell,
  formsOf,
  type HoldingHistory,
  historyForBuilding,
  type PublicationHistory,
  type ReitHistories,
} from './publication-history.ts';
import { creditsText, metricLabel, shareText, stateText, transactionType, valueText } from './reit-text.ts';

/** REIT-15: the accepted publications of a building, with a citation for every figure. */
export function reitTab(t: Text, publications: ReitHistories, buildingId: string): Html {
  return html`<section aria-labelledby="reit"><h2 id="reit">${t.reit.title}</h2>
${content(t, publications, buildingId)}</section>`;
}

function content(t: Text, publications: ReitHistories, buildingId: string): Html {
  if (publications === 'unavailable') return html`<p class="notice" role="status">${t.reit.unavailable}</p>`;
  if (publications.length === 0) return html`<p class="unknown">${t.reit.noneAccepted}</p>`;
  return html`${publications.map((publication, i) =>
    publicationArticle(
      t,
      historyForBuilding(publication, buildingId),
      i + 1,
      downloads(t, buildingId, formsOf(publication)),
    ),
  )}`;
}

/** UI-63: only the forms that the permissions of the publication allow. */
function downloads({ reit }: Text, id: string, forms: ReturnType<typeof formsOf>): Html | undefined {
  if (forms.length === 0) return undefined;
  return html`<p class="downloads">${reit.downloads} ${forms.map(({ name, path }) => html`<a href="${API_ROOT}/assets/${id}/${path}">${reit.forms[name]}</a> `)}</p>`;
}

function publicationArticle(
  t: Text,
  { id, computedAt, issuer, holdings, citations, attributions }: PublicationHistory,
  number: number,
  files: Html | undefined,
): Html {
  const cite = (citation: number) => `c-${number}-${citation}`;
  const credits = creditsText(t, attributions);
  return html`<article class="publication"><h3${langAttribute(t, issuer.nameJa)}>${issuer.nameJa}</h3>
<p class="aside">${t.reit.publication(html`<code>${id}</code>`, dayElement(t, computedAt))}</p>
${files}
<p class="banner">${t.reit.noAudit}</p>
${holdings.map((history) => holdingSection(t, history, cite))}
<h4>${t.reit.citations}</h4>
<ol class="citations">${citations.map(({ sourceUrl, locator, title }, i) => {
    const url = safeLink(sourceUrl);
    const name = title ?? sourceUrl;
    return html`<li id="${cite(i + 1)}">${
      url === undefined
        ? run(t, name)
        : html`<a href="${url}" rel="nofollow noopener external"${langAttribute(t, name)}>${name}</a>`
    }${t.reit.separator}${run(t, locator)}</li>`;
  })}</ol>
<p class="aside">${runs(t, credits)}</p></article>`;
}

type CiteId = (citation: number) => string;

function holdingSection(t: Text, history: HoldingHistory, cite: CiteId): Html {
  const { holding, coverage } = history;
  const { reit } = t;
  const interest = html`${reit.interest(coverage, holding.interest)}`;
  const held = reit.held(
    interest,
    dayElement(t, holding.heldFrom),
    holding.heldTo === null ? undefined : dayElement(t, holding.heldTo),
  );
  return html`<section class="holding"><h4>${run(t, holding.nameJa)} <span class="aside">${holding.propertyCode}</span></h4>
<p class="interest">${held}${t.building.gap}${reit.amounts(holding.amountBasis)}</p>
${latestFigures(t, history, cite)}
<div class="charts">${valueChart(t, history)}${noiChart(t, history)}${occupancyChart(t, history)}${shareChart(t, history)}</div>
${history.rows.length > 0 && agreementGrid(t, history)}
${allFigures(t, history, cite)}
${transactions(t, history, cite)}${ownership(t, history, cite)}</section>`;
}

const citationLinks = (cited: readonly number[], cite: CiteId): Html | undefined =>
  cited.length === 0
    ? undefined
    : html`<small>${cited.map((number) => html` <a href="#${cite(number)}">[${number}]</a>`)}</small>`;

function latestFigures(t: Text, { rows, latest }: HoldingHistory, cite: CiteId): Html {
  const { reit } = t;
  if (latest === undefined) return html`<p class="unknown">${reit.noFigures}</p>`;
  const figures = rows.flatMap(({ metric, cells }) => {
    const cell = cellIn(cells, latest.id);
    return cell === undefined || cell.field.status === 'missing' ? [] : [{ metric, cell }];
  });
  const dates = reit.dates(dayElement(t, latest.startDate), dayElement(t, latest.endDate));
  return html`<h5>${reit.latest(run(t, latest.labelJa), html`<span class="aside">${dates}</span>`)}</h5>
<dl class="current">${figures.map(
    ({ metric, cell: { field, cited } }) => html`<div><dt>${metricLabel(t, metric)}${
      t.lang === 'en' && html` <span class="ja" lang="ja">${METRIC_LABELS[metric].ja}</span>`
    }</dt>
<dd><b>${figure(t, field)}</b> <span class="aside">${notes(t, field)}</span>${citationLinks(cited, cite)}</dd></div>`,
  )}</dl>`;
}

/** The formatted amount, with the exact one in the markup. */
function figure(t: Text, { value, status }: Cell['field']): Html {
  if (value !== null && 'date' in value) return dayElement(t, value.date);
  const text = valueText(t, value, status);
  return value !== null && 'amount' in value ? html`<data value="${value.amount}">${text}</data>` : html`${text}`;
}

const cellIn = (cells: readonly Cell[], periodId: string) => cells.find(({ period }) => period.id === periodId);

function notes(t: Text, { value, status }: Cell['field']): string {
  const agreement = t.reit.agreements[status];
  if (value === null || value.state === 'recorded') return agreement;
  return `${stateText(t, value.state)}${t.reit.separator}${agreement}`;
}

/** Marks derived amounts and recorded zeros; agreement is in the grid. */
const stateMark = (t: Text, state: string | undefined): Html | undefined =>
  state === 'derived' || state === 'zero' ? html` <span class="aside">${stateText(t, state)}</span>` : undefined;

function allFigures(t: Text, { rows, periods }: HoldingHistory, cite: CiteId): Html | undefined {
  if (rows.length === 0) return undefined;
  const { reit } = t;
  return html`<details class="all"><summary>${reit.allFigures}</summary>
<div class="scroll matrix" tabindex="0" role="region" aria-label="${reit.allFiguresTable}"><table><thead><tr><th scope="col">${reit.metric}</th>${periods.map(({ labelJa }) => html`<th scope="col"${langAttribute(t, labelJa)}>${labelJa}</th>`)}</tr></thead>
<tbody>${rows.map(
    ({ metric, cells }) =>
      html`<tr><th scope="row">${metricLabel(t, metric)}</th>${cells.map(
        ({ field, cited }) =>
          html`<td>${figure(t, field)}${stateMark(t, field.value?.state)}${citationLinks(cited, cite)}</td>`,
      )}</tr>`,
  )}</tbody></table></div></details>`;
}

const dayOr = (t: Text, day: string | null, otherwise: string): Html =>
  day === null ? html`${otherwise}` : dayElement(t, day);

function transactions(t: Text, { transactions }: HoldingHistory, cite: CiteId): Html {
  const { reit } = t;
  if (transactions.length === 0) return html`<h5>${reit.transactions}</h5><p class="unknown">${reit.noneRecorded}</p>`;
  return html`<h5>${reit.transactions}</h5>${labelledTable(
    reit.transactions,
    [reit.type, reit.contractDate, reit.deliveryDate, reit.share, reit.price, reit.counterparty],
    transactions.map((row) => [
      html`${transactionType(t, row.type)}${citationLinks(row.cited, cite)}`,
      dayOr(t, row.contractDate, reit.notStated),
      dayOr(t, row.deliveryDate, reit.notStated),
      html`${shareText(t, row.shareDelta)}`,
      html`${valueText(t, row.price, row.price.state)}`,
      row.counterparty === null ? html`${reit.notStated}` : run(t, row.counterparty),
    ]),
  )}`;
}

function ownership(t: Text, { ownership }: HoldingHistory, cite: CiteId): Html {
  const { reit } = t;
  if (ownership.length === 0) return html`<h5>${reit.ownership}</h5><p class="unknown">${reit.noneRecorded}</p>`;
  return html`<h5>${reit.ownership}</h5>${labelledTable(
    reit.ownership,
    [reit.from, reit.to, reit.share, reit.trustee, reit.propertyManager],
    ownership.map((row) => [
      html`${dayElement(t, row.from)}${citationLinks(row.cited, cite)}`,
      dayOr(t, row.to, reit.ongoing),
      html`${shareText(t, row.share)}`,
      row.trustee === null ? html`${reit.notStated}` : run(t, row.trustee),
      row.propertyManager === null ? html`${reit.notStated}` : run(t, row.propertyManager),
    ]),
  )}`;
}
