import type { BuildingPage, SourcesEntry } from '../../../vocabulary/building-page.ts';
import type { Field, ScalarField } from '../../../vocabulary/fields.ts';
import { sourceChip } from '../evidence.ts';
import { type Html, html } from '../html.ts';
import { FIELD_LABELS } from '../labels.ts';
import { safeLink } from '../links.ts';

/** Every source record that was consulted, and what each won (SRC-01, SRC-02, SRC-03, SRC-04). */
export function sourcesTab(building: BuildingPage): Html {
  return html`<section aria-labelledby="sources"><h2 id="sources">Sources <span class="ja" lang="ja">出典</span></h2>
<p>Every record that was consulted for this building. For each field a fixed order of sources decides; what lost is kept, and
shown as a conflict where it differs. <a href="/japan/about#precedence">The order</a></p>
<div class="scroll" tabindex="0" role="region" aria-label="Sources">
<table class="plain"><thead><tr><th scope="col">Source</th><th scope="col">Record</th><th scope="col">Published from it</th></tr></thead>
<tbody>${building.sources.map((entry) => row(entry, building))}</tbody></table></div>
</section>`;
}

function row(entry: SourcesEntry, building: BuildingPage): Html {
  const { source, sourceRecordId, sourceUrl } = entry;
  const address = safeLink(sourceUrl);
  const won = wonBy(entry, building);
  return html`<tr><th scope="row">${sourceChip(source)}</th>
<td class="record">${address === undefined ? sourceRecordId : html`<a href="${address}" rel="nofollow noopener external">${sourceRecordId}</a>`}</td>
<td>${won.length === 0 ? html`<span class="unknown">nothing; others went before</span>` : won.join(', ')}</td></tr>`;
}

/** What is published of a record, in words. */
export function wonBy({ source, sourceRecordId, fields }: SourcesEntry, building: BuildingPage): string[] {
  const won = fields.map((field) => {
    const isLent = building.fields[field as ScalarField]?.inheritedFrom !== undefined;
    return `${FIELD_LABELS[field as Field].en}${isLent ? ' (of the complex)' : ''}`;
  });
  const by = building.footprint?.provenance;
  return by?.source === source && by.sourceRecordId === sourceRecordId ? [...won, 'Outline'] : won;
}
