import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { evidence } from '../evidence.ts';
import { run } from '../format.ts';
import { type Html, html } from '../html.ts';
import { shortName } from './names.ts';
import type { ShownBuilding } from './shown-building.ts';

export function venueList(t: Text, venues: BuildingPage['venues']): Html {
  return html`<ul class="venues">${venues.map(
    ({
      nameJa,
      nameEn,
      category,
      level,
      provenance,
    }) => html`<li><span class="name">${shortName(t, { nameJa, nameEn })}</span>
<span class="aside">${nameJa !== null && nameEn !== null && html`${run(t, nameEn, 'en')} · `}${run(t, t.building.venueKind(category))}${level !== null && html` · ${t.building.onFloor(level)}`}</span>
${evidence(t, provenance)}</li>`,
  )}</ul>`;
}

export function venuesTab({ building: { venues }, t }: ShownBuilding): Html {
  return html`<section aria-labelledby="venues"><h2 id="venues">${t.building.venues}</h2>
${venues.length === 0 ? html`<p class="unknown">${t.building.noVenues}</p>` : venueList(t, venues)}</section>`;
}
