import type { AreaSummary } from '../../../vocabulary/api-shapes.ts';
import { FIELD_NAMES } from '../../../vocabulary/fields.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { FIELD_LABELS } from '../catalogue/labels.ts';
import { formatCount } from '../format.ts';
import { type Html, html } from '../html.ts';

type Coverage = Pick<AreaSummary, 'buildingCount' | 'coverage'>;
const WIDTH = 120;

/** How many buildings of an area have each field, most frequent first. */
export function coverageRows({ coverage, buildingCount }: Coverage) {
  return FIELD_NAMES.map((field) => ({
    field,
    have: coverage[field] ?? 0,
    share: share(coverage[field] ?? 0, buildingCount),
  })).sort((a, b) => b.have - a.have);
}

function share(have: number, all: number): string {
  if (have === 0 || all === 0) return '0%';
  const percent = (100 * have) / all;
  // Only exact values are shown as 0% and 100%.
  return percent < 1 ? '<1%' : percent > 99 && percent < 100 ? '>99%' : `${Math.round(percent)}%`;
}

export function coverageChart(t: Text, area: Coverage): Html {
  return html`<section class="coverage" aria-labelledby="coverage"><h2 id="coverage">${t.hub.coverage}</h2>
<p>${t.hub.coverageOf(t.counts.buildings(area.buildingCount))}</p>
<ul>${coverageRows(area).map(
    ({ field, have, share }) =>
      html`<li><span>${FIELD_LABELS[field][t.lang]}</span> <svg width="${WIDTH}" height="8" aria-hidden="true"><rect width="${WIDTH}" height="8" rx="2"/><rect class="filled" width="${area.buildingCount === 0 ? 0 : Math.round((WIDTH * have) / area.buildingCount)}" height="8" rx="2"/></svg> <span class="amount">${share}</span> <span class="amount number">${formatCount(have)}</span></li>`,
  )}</ul></section>`;
}
