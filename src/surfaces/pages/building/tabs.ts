import type { BuildingPage, SourcesEntry } from '../../../vocabulary/building-page.ts';
import type { Field, ScalarField } from '../../../vocabulary/fields.ts';
import { evidence, sourceChip } from '../evidence.ts';
import { dayOf } from '../format.ts';
import { type Html, html, safeLink } from '../html.ts';
import { FIELD_LABELS, OTHER_CHANGES } from '../labels.ts';
import { shortName } from './names.ts';

/** Shops, restaurants and the like inside the building. */
export function venueList(venues: BuildingPage['venues']): Html {
  return html`<ul class="venues">${venues.map(
    ({
      nameJa,
      nameEn,
      category,
      level,
      provenance,
    }) => html`<li><span class="name">${shortName({ nameJa, nameEn })}</span>
<span class="aside">${nameJa !== null && nameEn !== null && html`${nameEn} · `}${category.replaceAll('_', ' ')}${level !== null && html` · floor ${level}`}</span>
${evidence(provenance)}</li>`,
  )}</ul>`;
}

export function venuesTab({ venues }: BuildingPage): Html {
  return html`<section aria-labelledby="venues"><h2 id="venues">Inside the building <span class="ja" lang="ja">施設</span></h2>
${venues.length === 0 ? html`<p class="unknown">No source names a venue in this building.</p>` : venueList(venues)}</section>`;
}

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
  const won = publishedFrom(entry, building);
  return html`<tr><th scope="row">${sourceChip(source)}</th>
<td class="record">${address === undefined ? sourceRecordId : html`<a href="${address}" rel="nofollow noopener external">${sourceRecordId}</a>`}</td>
<td>${won.length === 0 ? html`<span class="unknown">nothing; others went before</span>` : won.join(', ')}</td></tr>`;
}

/** What is published of a record, in words. */
export function publishedFrom({ source, sourceRecordId, fields }: SourcesEntry, building: BuildingPage): string[] {
  const won = fields.map((field) => {
    const isLent = building.fields[field as ScalarField]?.inheritedFrom !== undefined;
    return `${FIELD_LABELS[field as Field].en}${isLent ? ' (of the complex)' : ''}`;
  });
  const by = building.footprint?.provenance;
  return by?.source === source && by.sourceRecordId === sourceRecordId ? [...won, 'Outline'] : won;
}

/** The versions of a record, the newest first, each with what it changed. */
export function historyTab({ history }: BuildingPage): Html {
  return html`<section aria-labelledby="history"><h2 id="history">History <span class="ja" lang="ja">履歴</span></h2>
<p>A version is made when a value, its evidence or an alternative changes, also where the value itself stays the same.</p>
<ol class="timeline" reversed>${history.map(
    ({
      version,
      recordedAt,
      changedFields,
    }) => html`<li><p><b>Version ${version}</b> <time datetime="${recordedAt}">${dayOf(recordedAt)}</time></p>
<p>${changeText(version, changedFields)}</p></li>`,
  )}</ol></section>`;
}

export function changeText(version: number, changedFields: readonly string[]): string {
  const changed = changedFields
    .map((name) => (FIELD_LABELS[name as Field] ?? OTHER_CHANGES[name])?.en ?? name)
    .join(', ');
  return version === 1 ? `First published${changed === '' ? '' : `: ${changed}`}` : `Changed: ${changed}`;
}
