import type { Metric } from '../../../vocabulary/reit-metrics.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { formatDay, langAttribute, run } from '../format.ts';
import { type Html, html, raw } from '../html.ts';
import { labelledTable } from '../labelled-table.ts';
import type { Cell, HoldingHistory, MetricRow } from './publication-history.ts';
import { AGREEMENTS, agreementGlyph, metricLabel, shareText, stateText, valueText } from './reit-text.ts';

/** UI-94: about as wide as the column of a phone, so that text keeps its size there; style/3-reit.css makes it smaller on wide screens. */
const [WIDTH, LEFT, RIGHT, TOP, GROUND_LINE] = [360, 62, 6, 10, 150];
/** Below the ground line: the periods, and the operating days below them. */
const [PERIODS_Y, DAYS_Y, LABEL_DEPTH] = [GROUND_LINE + 16, GROUND_LINE + 32, 8];
/** Periods whose label fits below the axis. */
const MOST_LABELS = 5;
/** A narrower gap has no text; the table says why. */
const NARROWEST_LABELLED_GAP = 14;

interface Scale {
  x: (index: number) => number;
  step: number;
  y: (value: number) => number;
  /** Whether the label of a period is shown. */
  isLabelled: (index: number) => boolean;
}

const rowOf = ({ rows }: HoldingHistory, metric: Metric) => rows.find((row) => row.metric === metric);
const round = (value: number) => Math.round(value * 10) / 10;

/** Only for positions in the drawing; texts always show the exact amount. */
const amountOf = ({ field: { value } }: Cell): number | undefined =>
  value !== null && 'amount' in value ? Number(value.amount) : undefined;

/** Appraisal value, book value and acquisition price by period. */
export function valueChart(t: Text, history: HoldingHistory): Html | undefined {
  return chart(t, history, t.reit.charts.values, ['appraisalValue', 'bookValue', 'acquisitionPrice'], steps);
}

export function noiChart(t: Text, history: HoldingHistory): Html | undefined {
  const metric = rowOf(history, 'noi') === undefined ? 'noiDerived' : 'noi';
  return chart(t, history, t.reit.charts.income, [metric, 'operatingDays'], bars);
}

export function occupancyChart(t: Text, history: HoldingHistory): Html | undefined {
  return chart(t, history, t.reit.charts.occupancy, ['occupancyRate'], steps, true);
}

type Draw = (t: Text, rows: readonly MetricRow[], scale: Scale) => Html;

/** A drawing with a table of its figures; undefined without any amount. */
function chart(
  t: Text,
  history: HoldingHistory,
  title: string,
  metrics: readonly Metric[],
  draw: Draw,
  isRatio = false,
): Html | undefined {
  const rows = metrics.flatMap((metric) => rowOf(history, metric) ?? []);
  const drawn = rows.filter(({ metric }) => metric !== 'operatingDays');
  const values = drawn.flatMap(({ cells }) => cells.flatMap((cell) => amountOf(cell) ?? []));
  if (values.length === 0) return undefined;
  const count = history.periods.length;
  const step = (WIDTH - LEFT - RIGHT) / count;
  const ticks = isRatio ? [0, 0.5, 1] : roundTicks(Math.min(...values, 0), Math.max(...values, 0));
  const [lowest, highest] = [ticks[0] as number, ticks.at(-1) as number];
  const every = Math.ceil(count / MOST_LABELS);
  const scale: Scale = {
    x: (index) => round(LEFT + index * step),
    step,
    y: (value) => round(TOP + ((highest - value) / (highest - lowest)) * (GROUND_LINE - TOP)),
    isLabelled: (index) => index % every === 0,
  };
  const unit = (value: number) => (isRatio ? `${Math.round(value * 100)}%` : t.reit.yenTick(value, highest));
  return html`<figure class="chart"><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${(drawn.length < rows.length ? DAYS_Y : PERIODS_Y) + LABEL_DEPTH}" role="img" aria-label="${t.reit.chartLabel(title)}">
<g class="axis" aria-hidden="true">${ticks.map(
    (value) =>
      html`<path d="M${LEFT} ${scale.y(value)}H${WIDTH - RIGHT}"/><text x="${LEFT - 5}" y="${round(scale.y(value) + 4)}">${unit(value)}</text>`,
  )}</g>
${draw(t, rows, scale)}
<g class="periods" aria-hidden="true">${history.periods.map((period, i) => {
    if (!scale.isLabelled(i)) return undefined;
    const text = t.reit.periodTick(period);
    return html`<text x="${round(scale.x(i) + step / 2)}" y="${PERIODS_Y}">${text}</text>`;
  })}</g></svg>
${legend(t, drawn)}
<details><summary>${t.reit.table}</summary>${tableOf(t, history, title, rows)}</details></figure>`;
}

/** A few round values that enclose the given ones. */
function roundTicks(lowest: number, highest: number): number[] {
  const rough = (highest - lowest) / 3 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) as number) * power;
  const [first, last] = [Math.floor(lowest / step), Math.ceil(highest / step)];
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

/** A line per row. A gap shows why there is no amount. */
function steps(t: Text, rows: readonly MetricRow[], scale: Scale): Html {
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
    return html`<path class="line l-${series}" d="${raw(path)}"/>${series === 0 && gaps(t, cells, scale)}`;
  })}`;
}

function bars(t: Text, rows: readonly MetricRow[], scale: Scale): Html {
  const [income, days] = rows;
  if (income === undefined) return html``;
  return html`${income.cells.map((cell, i) => {
    const value = amountOf(cell);
    if (value === undefined) return undefined;
    const [from, to] = [scale.y(Math.max(value, 0)), scale.y(Math.min(value, 0))];
    return html`<rect class="bar" x="${round(scale.x(i) + scale.step * 0.15)}" y="${from}" width="${round(scale.step * 0.7)}" height="${round(Math.max(to - from, 1))}"/>
${scale.isLabelled(i) && daysBelow(t, days?.cells[i], round(scale.x(i) + scale.step / 2))}`;
  })}${gaps(t, income.cells, scale)}`;
}

function daysBelow(t: Text, cell: Cell | undefined, x: number): Html | undefined {
  const value = cell?.field.value;
  if (value === undefined || value === null || !('amount' in value)) return undefined;
  return html`<text class="days" x="${x}" y="${DAYS_Y}">${t.reit.daysShort(value.amount)}</text>`;
}

/** Periods without an amount, joined where the reason is the same. */
function gaps(t: Text, cells: readonly Cell[], scale: Scale): Html {
  const joined: { from: number; to: number; text: string }[] = [];
  for (const [i, cell] of cells.entries()) {
    if (amountOf(cell) !== undefined) continue;
    const text = stateText(t, cell.field.value?.state ?? cell.field.status);
    const last = joined.at(-1);
    if (last?.to === i && last.text === text) last.to = i + 1;
    else joined.push({ from: i, to: i + 1, text });
  }
  return html`${joined.map(({ from, to, text }) => {
    const [left, width] = [scale.x(from), round(scale.step * (to - from))];
    const [x, y] = [round(left + width / 2 + 4), (GROUND_LINE + TOP) / 2];
    return html`<g class="gap"><rect x="${left}" y="${TOP}" width="${width}" height="${GROUND_LINE - TOP}"/>${
      width >= NARROWEST_LABELLED_GAP && html`<text x="${x}" y="${y}" transform="rotate(-90 ${x} ${y})">${text}</text>`
    }</g>`;
  })}`;
}

function legend(t: Text, rows: readonly MetricRow[]): Html | undefined {
  if (rows.length < 2) return undefined;
  return html`<ul class="legend">${rows.map(({ metric }, i) => html`<li class="k-${i}">${metricLabel(t, metric)}</li>`)}</ul>`;
}

function tableOf(t: Text, { periods }: HoldingHistory, title: string, rows: readonly MetricRow[]): Html {
  return labelledTable(
    t.reit.figures(title),
    [t.reit.period, ...rows.map(({ metric }) => metricLabel(t, metric))],
    periods.map(({ labelJa }, i) => [
      run(t, labelJa),
      ...rows.map(({ cells }) => {
        const field = cells[i]?.field;
        return html`${field && valueText(t, field.value, field.status)}`;
      }),
    ]),
  );
}

const [SHARE_HEIGHT, GROUND, TALLEST] = [92, 66, 44];

/** The share of the interest that the REIT holds over time. */
export function shareChart(t: Text, { ownership, periods }: HoldingHistory): Html | undefined {
  const known = ownership.filter(({ share }) => share !== null).toSorted((a, b) => (a.from < b.from ? -1 : 1));
  const [first] = known;
  const end = periods.at(-1)?.endDate;
  if (first === undefined || end === undefined || end <= first.from) return undefined;
  const [start, stop] = [Date.parse(first.from), Date.parse(end)];
  const x = (day: string) =>
    Math.round(((Math.min(Date.parse(day), stop) - start) / (stop - start)) * (WIDTH - 16)) + 8;
  const bars = known.map(({ from, to, share }) => {
    const part = (share?.numerator ?? 0) / (share?.denominator ?? 1);
    const height = Math.round(part * TALLEST);
    const [left, right] = [x(from), x(to ?? end)];
    return html`<rect class="bar" x="${left}" y="${GROUND - height}" width="${Math.max(right - left, 1)}" height="${height}"/><text class="start" x="${left}" y="${GROUND - 4 - height}">${shareText(t, share)}</text>`;
  });
  const [from, to] = [formatDay(t, first.from), formatDay(t, end)];
  return html`<figure class="chart"><figcaption>${t.reit.charts.share}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${SHARE_HEIGHT}" role="img" aria-label="${t.reit.shareLabel(from, to)}">${bars}
<path class="ground" d="M8 ${GROUND}H${WIDTH - 8}"/><text class="start" x="8" y="${GROUND + 18}">${from}</text><text class="end" x="${WIDTH - 8}" y="${GROUND + 18}">${to}</text></svg>
<p class="caption">${t.reit.seeOwnership}</p></figure>`;
}

/** The agreement status of every figure, by metric and period. */
export function agreementGrid(t: Text, { periods, rows }: HoldingHistory): Html {
  const { reit } = t;
  return html`<h5>${reit.sourceAgreement}</h5>
<p class="legend-line">${AGREEMENTS.map((status) => html`<span><span aria-hidden="true">${agreementGlyph(status)}</span> ${reit.agreements[status]}</span> `)}</p>
<div class="scroll matrix agreement" tabindex="0" role="region" aria-label="${reit.agreementTable}"><table><thead><tr><th scope="col">${reit.metric}</th>${periods.map(({ labelJa }) => html`<th scope="col"${langAttribute(t, labelJa)}>${labelJa}</th>`)}</tr></thead>
<tbody>${rows.map(
    ({ metric, cells }) =>
      html`<tr><th scope="row">${metricLabel(t, metric)}</th>${cells.map(
        ({ field: { status } }) =>
          html`<td class="a-${status}"><span role="img" aria-label="${reit.agreements[status]}">${agreementGlyph(status)}</span></td>`,
      )}</tr>`,
  )}</tbody></table></div>`;
}
