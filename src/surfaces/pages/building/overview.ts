import { FIELDS, type FieldScalar, type ScalarField } from '../../../vocabulary/fields.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { CATEGORY_LABELS, FIELD_GROUPS, FIELD_LABELS, SOURCE_NAMES } from '../catalogue/labels.ts';
import { evidence, recordLink } from '../evidence.ts';
import { type FieldValue, formatField, langAttribute, languageOfWords, run } from '../format.ts';
import { type Html, html, once, raw } from '../html.ts';
import { mapFrame } from '../map.ts';
import { ownerLink } from '../owner/owner-link.ts';
import { citeSection } from './citation.ts';
import { footprintDrawing } from './drawings.ts';
import { type Figure, fieldLabel, figureOf, isToCome, remarks, statedLanguage } from './figures.ts';
import { bilingual, inherited, tabPath } from './header.ts';
import { disagreementText, type LosingValue, losingValues } from './losing-values.ts';
import { shortName } from './names.ts';
import type { ShownBuilding } from './shown-building.ts';
import { venueList } from './venues.ts';

/** The others are on the venues tab. */
const VENUES_SHOWN = 8;

export function overviewTab(shown: ShownBuilding): Html {
  const { building, t, origin } = shown;
  return html`<div class="columns">
<div class="main-column">
<h2 class="sr">${t.building.facts}</h2>
${facts(shown)}
${uses(shown)}
${aliases(shown)}
</div>
<aside class="side-column" aria-label="${t.building.aside}">
${map(shown)}
${nearby(shown)}
${venues(shown)}
</aside>
</div>
${citeSection(building, origin, t)}`;
}

function uses({ building: { assetTypes }, t }: ShownBuilding): Html {
  return html`<section class="facts" aria-labelledby="uses"><h3 id="uses">${bilingual(t, FIELD_LABELS.assetTypes)}</h3>
<table><thead class="sr"><tr><th scope="col">${t.building.use}</th><th scope="col">${t.building.asRecorded}</th><th scope="col">${t.building.evidence}</th></tr></thead><tbody>${assetTypes.map(
    ({ category, value, provenance }) => html`<tr><th scope="row">${bilingual(t, CATEGORY_LABELS[category])}</th>
<td>${t.building.recordedAs(html`<q${langAttribute(t, value, languageOfWords(value))}>${value}</q>`)}</td><td>${evidence(t, provenance)}</td></tr>`,
  )}</tbody></table></section>`;
}

function aliases({ building: { aliases }, t }: ShownBuilding): Html {
  return html`<section class="facts" aria-labelledby="aliases"><h3 id="aliases">${bilingual(t, FIELD_LABELS.aliases)}</h3>
${
  aliases.length === 0
    ? html`<p class="unknown">${t.building.noOtherNames}</p>`
    : html`<table><thead class="sr"><tr><th scope="col">${t.building.name}</th><th scope="col" colspan="2">${t.building.evidence}</th></tr></thead><tbody>${aliases.map(
        ({ value, provenance }) =>
          html`<tr><th scope="row" class="name"${langAttribute(t, value, statedLanguage('aliases', value))}>${value}</th><td colspan="2">${evidence(t, provenance)}</td></tr>`,
      )}</tbody></table>`
}</section>`;
}

function map({ building, t }: ShownBuilding): Html {
  const { location, footprint, id } = building;
  const drawing = footprintDrawing(t, building);
  const where =
    location.lat === null || location.lon === null
      ? html`${t.building.locationMissing}`
      : html`<a href="https://www.openstreetmap.org/?mlat=${location.lat}&amp;mlon=${location.lon}#map=18/${location.lat}/${location.lon}" rel="nofollow noopener external">${location.lat.toFixed(5)}, ${location.lon.toFixed(5)}</a>`;
  return html`<section aria-labelledby="map"><h3 id="map">${t.building.location}</h3>
${
  location.lat === null || location.lon === null
    ? undefined
    : mapFrame(t, { kind: 'building', id, lat: location.lat, lon: location.lon, bbox: footprint?.bbox }, drawing)
}
<p class="caption">${where}${footprint !== null && html` · ${t.building.outline(evidence(t, footprint.provenance))}`}</p></section>`;
}

function nearby({ building: { nearby }, t }: ShownBuilding): Html {
  return html`<section aria-labelledby="nearby"><h3 id="nearby">${t.building.nearby}</h3>
${
  nearby.length === 0
    ? html`<p class="unknown">${t.building.noneNearby}</p>`
    : html`<ol class="near">${nearby.map(
        ({ path, category, distanceM, ...names }) =>
          html`<li><a href="${path}">${shortName(t, names)}</a> <span class="aside">${CATEGORY_LABELS[category][t.lang]} · ${Math.round(distanceM)} m</span></li>`,
      )}</ol>`
}</section>`;
}

function venues({ building: { venues, path }, t }: ShownBuilding): Html | undefined {
  if (venues.length === 0) return undefined;
  return html`<section aria-labelledby="venues"><h3 id="venues">${t.building.venues}</h3>
${venueList(t, venues.slice(0, VENUES_SHOWN))}
${venues.length > VENUES_SHOWN && html`<p><a href="${tabPath(path, 'venues')}">${t.building.allVenues(t.counts.venues(venues.length))}</a></p>`}
</section>`;
}

/** PAG-09: every field with its source, conflicts, estimate and inheritance, then the fields without a value. */
function facts(shown: ShownBuilding): Html {
  const { building, t } = shown;
  const { fields } = building;
  return html`${FIELD_GROUPS.map(({ id, title, fields: names }) => {
    const known = names.filter((name) => fields[name] !== undefined);
    const unknown = names.filter((name) => fields[name] === undefined);
    const head = once(
      `facts ${t.lang} ${id}`,
      () => html`<section class="facts" aria-labelledby="${id}">
<h3 id="${id}">${bilingual(t, title)}</h3>`,
    );
    return html`${head}
${
  known.length > 0 &&
  html`${tableHead(t)}
<tbody>${known.map((name) => fact(shown, name, fields[name] as FieldValue))}</tbody>
</table>`
}
${unknown.length > 0 && missing(t, unknown)}
</section>`;
  })}`;
}

const tableHead = (t: Text): Html =>
  once(
    `head of facts ${t.lang}`,
    () => html`<table>
<thead class="sr"><tr><th scope="col">${t.building.field}</th><th scope="col">${t.building.value}</th><th scope="col">${t.building.evidence}</th></tr></thead>`,
  );

/** Many buildings lack the same fields. */
const missing = (t: Text, names: readonly ScalarField[]): Html =>
  once(
    `missing ${t.lang} ${names.join()}`,
    () =>
      html`<p class="unknown">${t.building.missing(names.map((name) => FIELD_LABELS[name][t.lang]).join(t.building.comma))}</p>`,
  );

function fact(shown: ShownBuilding, name: ScalarField, field: FieldValue): Html {
  const { building, current, t, today } = shown;
  const others = losingValues(name, field, field.conflict === null ? undefined : current);
  const isDisputed = others.some(({ disagreement }) => disagreement.kind !== 'slight');
  // Only published owners have a page.
  const published =
    name === 'ownerPublic' ? ownerLink(t, String(field.value)) : value(t, name, field.value, figureOf(t, name, field));
  const label = isToCome(name, building.fields, today)
    ? html`${fieldLabel(t, name, building.fields, today)}`
    : bilingual(t, FIELD_LABELS[name]);
  return html`<tr id="${name}"${raw(isDisputed ? ' class="conflict"' : '')}>
<th scope="row">${label}</th>
<td><span class="figure">${published}</span>${
    field.inheritedFrom && html` <span class="flag">${inherited(t, field.inheritedFrom)}</span>`
  }${remarks(t, name, building.fields, today).map((remark) => html` <span class="flag">${remark}</span>`)}${
    others.length > 0 && html`<ul class="others">${others.map((other) => losingValue(t, name, other))}</ul>`
  }</td>
<td>${evidence(t, field.provenance)}</td>
</tr>`;
}

/** A value as an element that machines can read. */
function value(t: Text, name: ScalarField, of: FieldScalar, { text, exact }: Figure): Html {
  const title = exact === undefined ? '' : html` title="${exact}"`;
  if (typeof of === 'number') return html`<data value="${of}"${title}>${text}</data>`;
  if (['month', 'date'].includes(FIELDS[name].type.kind)) return html`<time datetime="${of}">${text}</time>`;
  return run(t, text, statedLanguage(name, text));
}

/** UI-21, UI-25: a losing value with the records that state it; a slight difference is only mentioned. */
function losingValue(t: Text, name: ScalarField, losing: LosingValue): Html {
  const text = formatField(t, name, losing.value, losing.unit);
  const figure = html`<span class="figure">${value(t, name, losing.value, { text, exact: undefined })}</span>`;
  const sources = html`${losing.statedBy.map(
    ({ source, provenance }, i) =>
      html`${i > 0 && t.building.comma}${provenance === undefined ? SOURCE_NAMES[source][t.lang] : recordLink(t, provenance)}`,
  )}`;
  if (losing.disagreement.kind === 'slight') {
    return html`<li class="also">${t.building.also(figure, html`<span class="who">${sources}</span>`)}</li>`;
  }
  return html`<li class="differs">${figure} <b>${disagreementText(t, losing.disagreement)}</b> <span class="who">${sources}</span></li>`;
}
