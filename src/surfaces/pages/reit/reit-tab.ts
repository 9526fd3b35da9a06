import { AMOUNT_BASIS } from '../../../reit/publication/describe-interest.ts';
import { type Html, html, safeLink } from '../html.ts';
import { agreementGrid, noiChart, occupancyChart, shareChart, valueChart } from './charts.ts';
import {
  type Cell,
  type HoldingHistory,
  historyForBuilding,
  type PublicationHistory,
  type ReitHistories,
} from './publication-history.ts';
import {
  AGREEMENT_LABELS,
  dayText,
  endText,
  METRIC_LABELS,
  NO_AUDIT,
  NONE_ACCEPTED,
  shareText,
  stateText,
  UNAVAILABLE,
  valueText,
} from './reit-text.ts';

/** REIT-15: the accepted publications of a building, with a citation for every figure. */
export function reitTab(publications: ReitHistories, buildingId: string): Html {
  return html`<section aria-labelledby="reit"><h2 id="reit">REIT history <span class="ja" lang="ja">投資法人による開示</span></h2>
${content(publications, buildingId)}</section>`;
}

function content(publications: ReitHistories, buildingId: string): Html {
  if (publications === 'unavailable') return html`<p class="notice" role="status">${UNAVAILABLE}</p>`;
  if (publications.length === 0) return html`<p class="unknown">${NONE_ACCEPTED}</p>`;
  return html`${publications.map((publication, i) => publicationArticle(historyForBuilding(publication, buildingId), i + 1))}`;
}

function publicationArticle(
  { id, computedAt, issuer, holdings, citations, attributions }: PublicationHistory,
  number: number,
): Html {
  const cite = (citation: number) => `c-${number}-${citation}`;
  return html`<article class="publication"><h3 lang="ja">${issuer.nameJa}</h3>
<p class="aside">Publication <code>${id}</code>, computed <time datetime="${computedAt}">${computedAt.slice(0, 10)}</time></p>
<p class="banner">${NO_AUDIT}</p>
${holdings.map((history) => holdingSection(history, cite))}
<h4>Citations</h4>
<ol class="citations">${citations.map(({ sourceUrl, locator, title }, i) => {
    const url = safeLink(sourceUrl);
    const name = title ?? sourceUrl;
    return html`<li id="${cite(i + 1)}">${url === undefined ? name : html`<a href="${url}" rel="nofollow noopener external" lang="ja">${name}</a>`}, <span lang="ja">${locator}</span></li>`;
  })}</ol>
<p class="aside" lang="ja">${attributions.join('; ')}</p></article>`;
}

type CiteId = (citation: number) => string;

function holdingSection(history: HoldingHistory, cite: CiteId): Html {
  const { holding, interest } = history;
  return html`<section class="holding"><h4><span lang="ja">${holding.nameJa}</span> <span class="aside">${holding.propertyCode}</span></h4>
<p class="interest">${interest}, held from <time>${holding.heldFrom}</time>${holding.heldTo !== null && html` to <time>${holding.heldTo}</time>`}. Amounts are for ${AMOUNT_BASIS[holding.amountBasis]}.</p>
${latestFigures(history, cite)}
<div class="charts">${valueChart(history)}${noiChart(history)}${occupancyChart(history)}${shareChart(history)}</div>
${history.rows.length > 0 && agreementGrid(history)}
${allFigures(history, cite)}
${transactions(history, cite)}${ownership(history, cite)}</section>`;
}

const citationLinks = (cited: readonly number[], cite: CiteId): Html =>
  html`<span class="marks">${cited.map((number) => html` <a href="#${cite(number)}">[${number}]</a>`)}</span>`;

function latestFigures({ rows, latest }: HoldingHistory, cite: CiteId): Html {
  if (latest === undefined) return html`<p class="unknown">No figures published</p>`;
  const figures = rows.flatMap(({ metric, cells }) => {
    const cell = cellIn(cells, latest.id);
    return cell === undefined || cell.field.status === 'missing' ? [] : [{ metric, cell }];
  });
  return html`<h5>Latest figures, <span lang="ja">${latest.labelJa}</span> <span class="aside">${latest.startDate} to ${latest.endDate}</span></h5>
<dl class="current">${figures.map(
    ({
      metric,
      cell: { field, cited },
    }) => html`<div><dt>${METRIC_LABELS[metric].en} <span class="ja" lang="ja">${METRIC_LABELS[metric].ja}</span></dt>
<dd><b>${figure(field)}</b> <span class="aside">${notes(field.value?.state, AGREEMENT_LABELS[field.status].text)}</span>${citationLinks(cited, cite)}</dd></div>`,
  )}</dl>`;
}

/** The formatted amount, with the exact one in the markup. */
function figure({ value, status }: Cell['field']): Html {
  const text = valueText(value, status);
  return value !== null && 'amount' in value ? html`<data value="${value.amount}">${text}</data>` : html`${text}`;
}

const cellIn = (cells: readonly Cell[], periodId: string) => cells.find(({ period }) => period.id === periodId);

const notes = (state: string | undefined, agreement: string): string =>
  state === undefined || state === 'recorded' ? agreement : `${stateText(state)}, ${agreement}`;

/** Marks derived amounts and recorded zeros; agreement is in the grid. */
const stateMark = (state: string | undefined): Html | undefined =>
  state === 'derived' || state === 'zero' ? html` <span class="aside">${state}</span>` : undefined;

function allFigures({ rows, periods }: HoldingHistory, cite: CiteId): Html | undefined {
  if (rows.length === 0) return undefined;
  return html`<details class="all"><summary>All figures for all periods</summary>
<div class="scroll" tabindex="0" role="region" aria-label="All figures"><table class="plain"><thead><tr><th scope="col">Metric</th>${periods.map(({ labelJa }) => html`<th scope="col" lang="ja">${labelJa}</th>`)}</tr></thead>
<tbody>${rows.map(
    ({ metric, cells }) =>
      html`<tr><th scope="row">${METRIC_LABELS[metric].en}</th>${cells.map(
        ({ field, cited }) =>
          html`<td class="number">${figure(field)}${stateMark(field.value?.state)}${citationLinks(cited, cite)}</td>`,
      )}</tr>`,
  )}</tbody></table></div></details>`;
}

function transactions({ transactions }: HoldingHistory, cite: CiteId): Html {
  return html`<h5>Transactions <span class="ja" lang="ja">取引</span></h5>${
    transactions.length === 0
      ? html`<p class="unknown">None recorded</p>`
      : html`<div class="scroll" tabindex="0" role="region" aria-label="Transactions"><table class="plain"><thead><tr><th scope="col">Type</th><th scope="col">Contract date</th><th scope="col">Delivery date</th><th scope="col">Share</th><th scope="col">Price</th><th scope="col">Counterparty</th></tr></thead><tbody>${transactions.map(
          (row) =>
            html`<tr><th scope="row">${row.type}${citationLinks(row.cited, cite)}</th><td>${dayText(row.contractDate)}</td><td>${dayText(row.deliveryDate)}</td><td>${shareText(row.shareDelta)}</td><td class="number">${valueText(row.price, row.price.state)}</td><td lang="ja">${row.counterparty ?? ''}</td></tr>`,
        )}</tbody></table></div>`
  }`;
}

function ownership({ ownership }: HoldingHistory, cite: CiteId): Html {
  return html`<h5>Ownership <span class="ja" lang="ja">保有</span></h5>${
    ownership.length === 0
      ? html`<p class="unknown">None recorded</p>`
      : html`<div class="scroll" tabindex="0" role="region" aria-label="Ownership"><table class="plain"><thead><tr><th scope="col">From</th><th scope="col">To</th><th scope="col">Share</th><th scope="col">Trustee</th><th scope="col">Property manager</th></tr></thead><tbody>${ownership.map(
          (row) =>
            html`<tr><th scope="row">${row.from}${citationLinks(row.cited, cite)}</th><td>${endText(row.to)}</td><td>${shareText(row.share)}</td><td lang="ja">${row.trustee ?? ''}</td><td lang="ja">${row.propertyManager ?? ''}</td></tr>`,
        )}</tbody></table></div>`
  }`;
}
