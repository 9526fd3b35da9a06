import type { Metric } from '../../../vocabulary/reit-metrics.ts';
import { type Html, html, raw } from '../html.ts';
import type { Cell, HoldingHistory, MetricRow } from './publication-history.ts';
import { AGREEMENT_LABELS, METRIC_LABELS, shareText, stateText, valueText } from './reit-text.ts';

const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [640, 220, 64, 12, 40];

interface Scale {
  x: (index: number) => number;
  step: number;
  y: (value: number) => number;
  top: number;
}

const rowOf = ({ rows }: HoldingHistory, metric: Metric) => rows.find((row) => row.metric === metric);
const round = (value: number) => Math.round(value * 10) / 10;

/** Only for positions in the drawing; texts always show the exact amount. */
const amountOf = ({ field: { value } }: Cell): number | undefined =>
  value !== null && 'amount' in value ? Number(value.amount) : undefined;

/** Appraisal value, book value and acquisition price by period. */
export function valueChart(history: HoldingHistory): Html | undefined {
  return chart(
    history,
    'Appraisal value, book value and acquisition price',
    ['appraisalValue', 'bookValue', 'acquisitionPrice'],
    steps,
  );
}

export function noiChart(history: HoldingHistory): Html | undefined {
  const metric = rowOf(history, 'noi') === undefined ? 'noiDerived' : 'noi';
  return chart(history, 'Net operating income and operating days', [metric, 'operatingDays'], bars);
}

export function occupancyChart(history: HoldingHistory): Html | undefined {
  return chart(history, 'Occupancy rate', ['occupancyRate'], steps, 1);
}

type Draw = (rows: readonly MetricRow[], scale: Scale) => Html;

/** A drawing with a table of its figures; undefined without any amount. */
function chart(
  history: HoldingHistory,
  title: string,
  metrics: readonly Metric[],
  draw: Draw,
  top?: number,
): Html | undefined {
  const rows = metrics.flatMap((metric) => rowOf(history, metric) ?? []);
  const money = rows.filter(({ metric }) => metric !== 'operatingDays');
  const values = money.flatMap(({ cells }) => cells.flatMap((cell) => amountOf(cell) ?? []));
  if (values.length === 0) return undefined;
  const count = history.periods.length;
  const step = (WIDTH - LEFT - 8) / count;
  const highest = top ?? (Math.max(...values, 0) || 1);
  const lowest = Math.min(...values, 0);
  const room = HEIGHT - TOP - BOTTOM;
  const scale: Scale = {
    x: (index) => round(LEFT + index * step),
    step,
    y: (value) => round(TOP + ((highest - value) / (highest - lowest)) * room),
    top: highest,
  };
  const unit = units(highest, top);
  return html`<figure class="chart"><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}, by period; figures in the table below">
<g class="axis" aria-hidden="true">${[lowest, (lowest + highest) / 2, highest].map(
    (value) =>
      html`<path d="M${LEFT} ${scale.y(value)}H${WIDTH - 8}"/><text x="${LEFT - 6}" y="${round(scale.y(value) + 4)}">${unit(value)}</text>`,
  )}</g>
${draw(rows, scale)}
<g class="periods" aria-hidden="true">${history.periods.map(
    ({ labelJa }, i) =>
      i % Math.ceil(count / 12) === 0 &&
      html`<text x="${round(scale.x(i) + step / 2)}" y="${HEIGHT - 22}">${labelJa.slice(0, 8)}</text>`,
  )}</g></svg>
${legend(money)}
<details><summary>Table</summary>${tableOf(history, rows)}</details></figure>`;
}

function units(highest: number, top: number | undefined): (value: number) => string {
  if (top === 1) return (value) => `${Math.round(value * 100)}%`;
  if (highest >= 1e8) return (value) => `${round(value / 1e8)}億`;
  return highest >= 1e4 ? (value) => `${Math.round(value / 1e4)}万` : (value) => String(Math.round(value));
}

/** A line per row. A gap shows why there is no amount. */
function steps(rows: readonly MetricRow[], scale: Scale): Html {
  return html`${rows.map(({ cells }, series) => {
    let path = '';
    let isDrawing = false;
    for (const [i, cell] of cells.entries()) {
      const value = amountOf(cell);
      if (value === undefined) {
        isDrawing = false;
        continue;
      }
      path += `${isDrawing ? 'L' : 'M'}${scale.x(i)} ${scale.y(value)}H${round(scale.x(i) + scale.step)}`;
      isDrawing = true;
    }
    return html`<path class="line l-${series}" d="${raw(path)}"/>${series === 0 && gaps(cells, scale)}`;
  })}`;
}

function bars(rows: readonly MetricRow[], scale: Scale): Html {
  const [income, days] = rows;
  if (income === undefined) return html``;
  return html`${income.cells.map((cell, i) => {
    const value = amountOf(cell);
    if (value === undefined) return undefined;
    const [from, to] = [scale.y(Math.max(value, 0)), scale.y(Math.min(value, 0))];
    const operatingDays = days?.cells[i];
    return html`<rect class="bar" x="${round(scale.x(i) + scale.step * 0.15)}" y="${from}" width="${round(scale.step * 0.7)}" height="${round(Math.max(to - from, 1))}"/>
${operatingDays !== undefined && html`<text class="days" x="${round(scale.x(i) + scale.step / 2)}" y="${HEIGHT - 6}">${valueText(operatingDays.field.value, operatingDays.field.status).replace(' days', 'd')}</text>`}`;
  })}${gaps(income.cells, scale)}`;
}

function gaps(cells: readonly Cell[], scale: Scale): Html {
  return html`${cells.map((cell, i) => {
    if (amountOf(cell) !== undefined) return undefined;
    const x = round(scale.x(i) + scale.step / 2);
    const text = stateText(cell.field.value?.state ?? cell.field.status);
    return html`<g class="gap"><rect x="${scale.x(i)}" y="${TOP}" width="${round(scale.step)}" height="${HEIGHT - TOP - BOTTOM}"/><text x="${x}" y="${HEIGHT / 2}" transform="rotate(-90 ${x} ${HEIGHT / 2})">${text}</text></g>`;
  })}`;
}

function legend(rows: readonly MetricRow[]): Html | undefined {
  if (rows.length < 2) return undefined;
  return html`<ul class="legend">${rows.map(({ metric }, i) => html`<li class="k-${i}">${METRIC_LABELS[metric].en} <span lang="ja">${METRIC_LABELS[metric].ja}</span></li>`)}</ul>`;
}

function tableOf({ periods }: HoldingHistory, rows: readonly MetricRow[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Figures of this chart"><table class="plain"><thead><tr><th scope="col">Period</th>${rows.map(({ metric }) => html`<th scope="col">${METRIC_LABELS[metric].en}</th>`)}</tr></thead>
<tbody>${periods.map(
    ({ labelJa }, i) =>
      html`<tr><th scope="row" lang="ja">${labelJa}</th>${rows.map(({ cells }) => html`<td class="number">${cells[i] && valueText(cells[i].field.value, cells[i].field.status)}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

const SHARE_HEIGHT = 90;

/** The share of the interest that the REIT holds over time. */
export function shareChart({ ownership, periods }: HoldingHistory): Html | undefined {
  const known = ownership.filter(({ share }) => share !== null).toSorted((a, b) => (a.from < b.from ? -1 : 1));
  const [first] = known;
  const end = periods.at(-1)?.endDate;
  if (first === undefined || end === undefined || end <= first.from) return undefined;
  const [start, stop] = [Date.parse(first.from), Date.parse(end)];
  const x = (day: string) =>
    Math.round(((Math.min(Date.parse(day), stop) - start) / (stop - start)) * (WIDTH - 16)) + 8;
  const bars = known.map(({ from, to, share }) => {
    const part = (share?.numerator ?? 0) / (share?.denominator ?? 1);
    const height = Math.round(part * 50);
    const [left, right] = [x(from), x(to ?? end)];
    return html`<rect class="bar" x="${left}" y="${62 - height}" width="${Math.max(right - left, 1)}" height="${height}"/><text class="start" x="${left}" y="${58 - height}">${shareText(share)}</text>`;
  });
  return html`<figure class="chart"><figcaption>Share held</figcaption>
<svg viewBox="0 0 ${WIDTH} ${SHARE_HEIGHT}" role="img" aria-label="Share held from ${first.from} to ${end}; details in the ownership table">${bars}
${raw('<path class="ground" d="M8 62H632"/>')}<text class="start" x="8" y="80">${first.from}</text><text class="end" x="632" y="80">${end}</text></svg>
<p class="caption">See the ownership table below</p></figure>`;
}

/** The agreement status of every figure, by metric and period. */
export function agreementGrid({ periods, rows }: HoldingHistory): Html {
  return html`<h4>Source agreement</h4>
<p class="legend-line">${Object.values(AGREEMENT_LABELS).map(({ glyph, text }) => html`<span><span aria-hidden="true">${glyph}</span> ${text}</span> `)}</p>
<div class="scroll" tabindex="0" role="region" aria-label="Source agreement by metric and period"><table class="grid"><thead><tr><th scope="col">Metric</th>${periods.map(({ labelJa }) => html`<th scope="col" lang="ja">${labelJa}</th>`)}</tr></thead>
<tbody>${rows.map(
    ({ metric, cells }) =>
      html`<tr><th scope="row">${METRIC_LABELS[metric].en}</th>${cells.map(({ field }) => {
        const { glyph, text } = AGREEMENT_LABELS[field.status];
        return html`<td class="a-${field.status}"><span role="img" aria-label="${text}">${glyph}</span></td>`;
      })}</tr>`,
  )}</tbody></table></div>`;
}
