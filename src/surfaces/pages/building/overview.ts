import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { FIELDS, type ScalarField } from '../../../vocabulary/fields.ts';
import { CATEGORY_LABELS, FIELD_GROUPS, FIELD_LABELS, type Label } from '../catalogue/labels.ts';
import { evidence, sourceChip } from '../evidence.ts';
import { type FieldValue, formatUnit, formatValue, isJapanese, isPlanned, pluralise, yenInOku } from '../format.ts';
import { type Html, html, raw } from '../html.ts';
import { mapFrame } from '../map.ts';
import { citeSection } from './citation.ts';
import { footprintDrawing } from './drawings.ts';
import { tabPath } from './header.ts';
import { shortName } from './names.ts';
import { venueList } from './tabs.ts';

/** The others are on the venues tab. */
const VENUES_SHOWN = 8;

export function overviewTab(building: BuildingPage, origin: string): Html {
  return html`<div class="columns">
<div class="main-column">
<h2 class="sr">Facts</h2>
${facts(building)}
${uses(building)}
${aliases(building)}
</div>
<aside class="side-column" aria-label="Location and venues">
${map(building)}
${nearby(building)}
${venues(building)}
</aside>
</div>
${citeSection(building, origin)}`;
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
    ? html`<p class="unknown">No other names</p>`
    : html`<table><thead class="sr"><tr><th scope="col">Name</th><th scope="col">Source, date, confidence</th></tr></thead><tbody>${aliases.map(
        ({ value, provenance }) =>
          html`<tr><th scope="row" class="name" lang="ja">${value}</th><td colspan="2">${evidence(provenance)}</td></tr>`,
      )}</tbody></table>`
}</section>`;
}

function map(building: BuildingPage): Html {
  const { location, footprint, id } = building;
  const drawing = footprintDrawing(building);
  const where =
    location.lat === null || location.lon === null
      ? html`Location not available`
      : html`<a href="https://www.openstreetmap.org/?mlat=${location.lat}&amp;mlon=${location.lon}#map=18/${location.lat}/${location.lon}" rel="nofollow noopener external">${location.lat.toFixed(5)}, ${location.lon.toFixed(5)}</a>`;
  return html`<section aria-labelledby="map"><h3 id="map">${bilingual({ en: 'Location', ja: '位置' })}</h3>
${
  location.lat === null || location.lon === null
    ? undefined
    : mapFrame({ kind: 'building', id, lat: location.lat, lon: location.lon, bbox: footprint?.bbox }, drawing)
}
<p class="caption">${where}${footprint !== null && html` · outline ${evidence(footprint.provenance)}`}</p></section>`;
}

function nearby({ nearby }: BuildingPage): Html {
  return html`<section aria-labelledby="nearby"><h3 id="nearby">${bilingual({ en: 'Nearby', ja: '周辺' })}</h3>
${
  nearby.length === 0
    ? html`<p class="unknown">No other buildings within 500 m</p>`
    : html`<ol class="near">${nearby.map(
        ({ path, category, distanceM, ...names }) =>
          html`<li><a href="${path}">${shortName(names)}</a> <span class="aside">${CATEGORY_LABELS[category].en} · ${Math.round(distanceM)} m</span></li>`,
      )}</ol>`
}</section>`;
}

function venues(building: BuildingPage): Html | undefined {
  const { venues, path } = building;
  if (venues.length === 0) return undefined;
  return html`<section aria-labelledby="venues"><h3 id="venues">${bilingual({ en: 'Venues', ja: '施設' })}</h3>
${venueList(venues.slice(0, VENUES_SHOWN))}
${venues.length > VENUES_SHOWN && html`<p><a href="${tabPath(path, 'venues')}">All ${pluralise(venues.length, 'venue')}</a></p>`}
</section>`;
}

/** PAG-09: every field with its source, conflict, estimate and inheritance, then the fields without a value. */
function facts({ fields }: BuildingPage): Html {
  return html`${FIELD_GROUPS.map(({ id, title, fields: names }) => {
    const known = names.filter((name) => fields[name] !== undefined);
    const unknown = names.filter((name) => fields[name] === undefined);
    return html`<section class="facts" aria-labelledby="${id}">
<h3 id="${id}">${bilingual(title)}</h3>
${
  known.length > 0 &&
  html`<table>
<thead class="sr"><tr><th scope="col">Field</th><th scope="col">Value</th><th scope="col">Source, date, confidence</th></tr></thead>
<tbody>${known.map((name) => fact(name, fields[name] as FieldValue))}</tbody>
</table>`
}
${unknown.length > 0 && html`<p class="unknown">Not available: ${unknown.map((name) => FIELD_LABELS[name].en).join(', ')}</p>`}
</section>`;
  })}`;
}

const bilingual = ({ en, ja }: Label): Html => html`${en} <span class="ja" lang="ja">${ja}</span>`;

const FIELD_LABELS_HTML = Object.fromEntries(
  Object.entries(FIELD_LABELS).map(([name, label]) => [name, bilingual(label)]),
) as Record<ScalarField, Html>;

function fact(name: ScalarField, field: FieldValue): Html {
  const { conflict } = field;
  const side = (value: string | number, unit: string | null) =>
    html`<span class="figure">${figure(name, value)}</span>${unit !== null && html` <span class="unit">${formatUnit(unit)}</span>`}`;
  const value = side(field.value, field.unit);
  return html`<tr id="${name}"${raw(conflict === null ? '' : ' class="conflict"')}>
<th scope="row">${FIELD_LABELS_HTML[name]}</th>
<td>${
    conflict === null
      ? value
      : html`<span class="sides"><span class="side won">${value} <span class="who">${sourceChip(field.provenance.source)}<span class="sr"> (published)</span></span></span><span class="side lost">${side(conflict.value, conflict.unit)} <span class="who">${sourceChip(conflict.source)} disagrees</span></span></span>`
  }${inOku(field)}${flags(name, field)}</td>
<td>${evidence(field.provenance)}</td>
</tr>`;
}

function figure(name: ScalarField, value: string | number): Html {
  const text = formatValue(name, value);
  if (typeof value === 'number') return html`<data value="${value}">${text}</data>`;
  if (['month', 'date'].includes(FIELDS[name].type.kind)) return html`<time datetime="${value}">${text}</time>`;
  return isJapanese(name, text) ? html`<span lang="ja">${text}</span>` : html`${text}`;
}

function inOku({ value, unit }: FieldValue): Html | undefined {
  const oku = unit === 'JPY' && typeof value === 'number' ? yenInOku(value) : undefined;
  return oku === undefined ? undefined : html` <span class="aside" lang="ja">${oku}</span>`;
}

/** How the value was obtained, if not simply read from a source. */
function flags(name: ScalarField, field: FieldValue): Html {
  const { estimated, inheritedFrom, tier } = field;
  return html`${estimated && raw(' <span class="flag">Estimated</span>')}${
    inheritedFrom !== undefined && html` <span class="flag">Inherited from ${complexName(inheritedFrom)}</span>`
  }${isPlanned(name, field) && raw(' <span class="flag">Planned</span>')}${tier !== 'free' && html` <span class="flag">${tier}</span>`}`;
}

function complexName({ nameJa, nameEn }: NonNullable<FieldValue['inheritedFrom']>): Html {
  if (nameJa === null && nameEn === null) return html`the complex`;
  const ja = nameJa !== null && html`<span lang="ja">${nameJa}</span>`;
  return nameJa !== null && nameEn !== null ? html`${ja} (${nameEn})` : html`${ja}${nameEn}`;
}
