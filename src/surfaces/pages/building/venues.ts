import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { evidence } from '../evidence.ts';
import { type Html, html } from '../html.ts';
import { eitherName } from './names.ts';

/** Shops, restaurants and the like inside the building. */
export function venueList(venues: BuildingPage['venues']): Html {
  return html`<ul class="venues">${venues.map(
    ({
      nameJa,
      nameEn,
      category,
      level,
      provenance,
    }) => html`<li><span class="name">${eitherName({ nameJa, nameEn })}</span>
<span class="aside">${nameJa !== null && nameEn !== null && html`${nameEn} · `}${category.replaceAll('_', ' ')}${level !== null && html` · floor ${level}`}</span>
${evidence(provenance)}</li>`,
  )}</ul>`;
}

export function venuesTab({ venues }: BuildingPage): Html {
  return html`<section aria-labelledby="venues"><h2 id="venues">Inside the building <span class="ja" lang="ja">施設</span></h2>
${venues.length === 0 ? html`<p class="unknown">No source names a venue in this building.</p>` : venueList(venues)}</section>`;
}
