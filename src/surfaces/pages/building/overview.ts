import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { evidence } from '../evidence.ts';
import { many } from '../format.ts';
import { type Html, html } from '../html.ts';
import { CATEGORY_LABELS } from '../labels.ts';
import { mapOf } from '../map.ts';
import { cite } from './cite.ts';
import { bilingual, facts } from './facts.ts';
import { tabPath } from './header.ts';
import { eitherName } from './names.ts';
import { outline } from './outline.ts';
import { venueList } from './venues.ts';

/** More than these are on the tab of their own. */
const VENUES_SHOWN = 8;

export function overview(building: BuildingPage, origin: string): Html {
  return html`<div class="columns">
<div class="main-column">
<h2 class="sr">What is known of it</h2>
${facts(building)}
${uses(building)}
${aliases(building)}
</div>
<aside class="side-column" aria-label="Around this building">
${map(building)}
${nearby(building)}
${venues(building)}
</aside>
</div>
${cite(building, origin)}`;
}

function uses({ assetTypes }: BuildingPage): Html {
  return html`<section class="facts" aria-labelledby="uses"><h3 id="uses">${bilingual({ en: 'Uses', ja: '用途' })}</h3>
<table><thead class="sr"><tr><th scope="col">Use</th><th scope="col">As recorded</th><th scope="col">Source, date, confidence</th></tr></thead><tbody>${assetTypes.map(
    ({ category, value, provenance }) => html`<tr><th scope="row">${bilingual(CATEGORY_LABELS[category])}</th>
<td>recorded as <q lang="ja">${value}</q></td><td>${evidence(provenance)}</td></tr>`,
  )}</tbody></table></section>`;
}

function aliases({ aliases }: BuildingPage): Html {
  return html`<section class="facts" aria-labelledby="aliases"><h3 id="aliases">${bilingual({ en: 'Other names', ja: '別名' })}</h3>
${
  aliases.length === 0
    ? html`<p class="unknown">No source gives it another name.</p>`
    : html`<table><thead class="sr"><tr><th scope="col">Name</th><th scope="col">Source, date, confidence</th></tr></thead><tbody>${aliases.map(
        ({ value, provenance }) =>
          html`<tr><th scope="row" class="name" lang="ja">${value}</th><td colspan="2">${evidence(provenance)}</td></tr>`,
      )}</tbody></table>`
}</section>`;
}

function map(building: BuildingPage): Html {
  const { location, footprint, id } = building;
  const drawing = outline(building);
  const where =
    location.lat === null || location.lon === null
      ? html`No source says where it stands.`
      : html`<a href="https://www.openstreetmap.org/?mlat=${location.lat}&amp;mlon=${location.lon}#map=18/${location.lat}/${location.lon}" rel="nofollow noopener external">${location.lat.toFixed(5)}, ${location.lon.toFixed(5)}</a>`;
  return html`<section aria-labelledby="map"><h3 id="map">${bilingual({ en: 'On the map', ja: '位置' })}</h3>
${
  location.lat === null || location.lon === null
    ? undefined
    : mapOf({ kind: 'building', id, lat: location.lat, lon: location.lon, bbox: footprint?.bbox }, drawing)
}
<p class="caption">${where}${footprint !== null && html` · outline ${evidence(footprint.provenance)}`}</p></section>`;
}

function nearby({ nearby }: BuildingPage): Html {
  return html`<section aria-labelledby="nearby"><h3 id="nearby">${bilingual({ en: 'Nearby', ja: '周辺' })}</h3>
${
  nearby.length === 0
    ? html`<p class="unknown">No other building of the registry within 500 m.</p>`
    : html`<ol class="near">${nearby.map(
        ({ path, category, distanceM, ...names }) =>
          html`<li><a href="${path}">${eitherName(names)}</a> <span class="aside">${CATEGORY_LABELS[category].en} · ${Math.round(distanceM)} m</span></li>`,
      )}</ol>`
}</section>`;
}

function venues(building: BuildingPage): Html | undefined {
  const { venues, path } = building;
  if (venues.length === 0) return undefined;
  return html`<section aria-labelledby="venues"><h3 id="venues">${bilingual({ en: 'Inside', ja: '施設' })}</h3>
${venueList(venues.slice(0, VENUES_SHOWN))}
${venues.length > VENUES_SHOWN && html`<p><a href="${tabPath(path, 'venues')}">All ${many(venues.length, 'venue')}</a></p>`}
</section>`;
}
