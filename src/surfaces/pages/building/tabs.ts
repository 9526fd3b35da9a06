import type { BuildingPage, SourcesEntry } from '../../../vocabulary/building-page.ts';
import type { Field, ScalarField } from '../../../vocabulary/fields.ts';
import { FIELD_LABELS, OTHER_CHANGES } from '../catalogue/labels.ts';
import { evidence, sourceChip } from '../evidence.ts';
import { dayOf } from '../format.ts';
import { type Html, html, safeLink } from '../html.ts';
import { shortName } from './names.ts';

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
  return html`<section aria-labelledby="venues"><h2 id="venues">Venues <span class="ja" lang="ja">施設</span></h2>
${venues.length === 0 ? html`<p class="unknown">No venues recorded</p>` : venueList(venues)}</section>`;
}

/** Every source record that was consulted, with the fields that it won (SRC-01, SRC-02, SRC-03, SRC-04). */
export function sourcesTab(building: BuildingPage): Html {
  return html`<section aria-labelledby="sources"><h2 id="sources">Sources <span class="ja" lang="ja">出典</span></h2>
<p>All source records consulted for this building. A fixed <a href="/japan/about#precedence">source precedence</a> decides each field; other values are kept,
and the best one that differs is shown as a conflict.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Sources">
<table class="plain"><thead><tr><th scope="col">Source</th><th scope="col">Record</th><th scope="col">Published fields</th></tr></thead>
<tbody>${building.sources.map((entry) => sourceRow(entry, building))}</tbody></table></div>
</section>`;
}

function sourceRow(entry: SourcesEntry, building: BuildingPage): Html {
  const { source, sourceRecordId, sourceUrl } = entry;
  const url = safeLink(sourceUrl);
  const won = publishedFrom(entry, building);
  return html`<tr><th scope="row">${sourceChip(source)}</th>
<td class="record">${url === undefined ? sourceRecordId : html`<a href="${url}" rel="nofollow noopener external">${sourceRecordId}</a>`}</td>
<td>${won.length === 0 ? html`<span class="unknown">${NO_PUBLISHED_VALUES}</span>` : won.join(', ')}</td></tr>`;
}

export const NO_PUBLISHED_VALUES = 'no published values (outranked)';

/** The labels of everything published from a source record. */
export function publishedFrom({ source, sourceRecordId, fields }: SourcesEntry, building: BuildingPage): string[] {
  const won = fields.map((field) => {
    const isInherited = building.fields[field as ScalarField]?.inheritedFrom !== undefined;
    return `${FIELD_LABELS[field as Field].en}${isInherited ? ' (inherited from the complex)' : ''}`;
  });
  const outline = building.footprint?.provenance;
  const hasOutline = outline?.source === source && outline.sourceRecordId === sourceRecordId;
  return hasOutline ? [...won, OTHER_CHANGES.geometry.en] : won;
}

export function historyTab({ history }: BuildingPage): Html {
  return html`<section aria-labelledby="history"><h2 id="history">History <span class="ja" lang="ja">履歴</span></h2>
<p>A new version is created when a value, its evidence or an alternative value changes, even if the published value stays the same.</p>
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
    .map((name) => (FIELD_LABELS[name as Field] ?? OTHER_CHANGES[name as keyof typeof OTHER_CHANGES])?.en ?? name)
    .join(', ');
  return version === 1 ? `First published${changed === '' ? '' : `: ${changed}`}` : `Changed: ${changed}`;
}
