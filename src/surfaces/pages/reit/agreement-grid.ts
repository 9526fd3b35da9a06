import { type Html, html } from '../html.ts';
import type { HoldingHistory } from './history.ts';
import { AGREEMENT_LABELS, METRIC_LABELS } from './words.ts';

/** Which figure how many sources stand for, as a sign and in words. */
export function agreementGrid({ periods, rows }: HoldingHistory): Html {
  return html`<h4>Agreement of the sources</h4>
<p class="legend-line">${Object.values(AGREEMENT_LABELS).map(({ glyph, text }) => html`<span><span aria-hidden="true">${glyph}</span> ${text}</span> `)}</p>
<div class="scroll" tabindex="0" role="region" aria-label="Agreement of the sources by metric and period"><table class="grid"><thead><tr><th scope="col">Metric</th>${periods.map(({ labelJa }) => html`<th scope="col" lang="ja">${labelJa}</th>`)}</tr></thead>
<tbody>${rows.map(
    ({ metric, cells }) =>
      html`<tr><th scope="row">${METRIC_LABELS[metric].en}</th>${cells.map(({ field }) => {
        const { glyph, text } = AGREEMENT_LABELS[field.status];
        return html`<td class="a-${field.status}"><span role="img" aria-label="${text}">${glyph}</span></td>`;
      })}</tr>`,
  )}</tbody></table></div>`;
}
