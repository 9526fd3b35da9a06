import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { FIELDS, type ScalarField } from '../../../vocabulary/fields.ts';
import { evidence, sourceChip } from '../evidence.ts';
import { type FieldValue, formatUnit, formatValue, inOku, isJapanese, isPlanned } from '../format.ts';
import { type Html, html, raw } from '../html.ts';
import { FIELD_GROUPS, FIELD_LABELS, type Label } from '../labels.ts';

/** PAG-09: every field with its unit, source, date, confidence, estimate, inheritance and conflict; and which are unknown. */
export function facts({ fields }: BuildingPage): Html {
  return html`${FIELD_GROUPS.map(({ title, fields: names }) => {
    const known = names.filter((name) => fields[name] !== undefined);
    const unknown = names.filter((name) => fields[name] === undefined);
    return html`<section class="facts" aria-labelledby="${toId(title)}">
<h3 id="${toId(title)}">${bilingual(title)}</h3>
${
  known.length > 0 &&
  html`<table>
<thead class="sr"><tr><th scope="col">Field</th><th scope="col">Value</th><th scope="col">Source, date, confidence</th></tr></thead>
<tbody>${known.map((name) => fact(name, fields[name] as FieldValue))}</tbody>
</table>`
}
${unknown.length > 0 && html`<p class="unknown">No source says: ${unknown.map((name) => FIELD_LABELS[name].en).join(', ')}.</p>`}
</section>`;
  })}`;
}

export const bilingual = ({ en, ja }: Label): Html => html`${en} <span class="ja" lang="ja">${ja}</span>`;

const LABELS = Object.fromEntries(
  Object.entries(FIELD_LABELS).map(([name, label]) => [name, bilingual(label)]),
) as Record<ScalarField, Html>;

const toId = ({ en }: Label) => en.toLowerCase().replaceAll(' ', '-');

function fact(name: ScalarField, field: FieldValue): Html {
  const { conflict } = field;
  const side = (value: string | number, unit: string | null) =>
    html`<span class="figure">${figure(name, value)}</span>${unit !== null && html` <span class="unit">${formatUnit(unit)}</span>`}`;
  const value = side(field.value, field.unit);
  return html`<tr id="${name}"${raw(conflict === null ? '' : ' class="conflict"')}>
<th scope="row">${LABELS[name]}</th>
<td>${
    conflict === null
      ? value
      : html`<span class="sides"><span class="side won">${value} <span class="who">${sourceChip(field.provenance.source)}<span class="sr"> is published;</span></span></span><span class="side lost">${side(conflict.value, conflict.unit)} <span class="who">${sourceChip(conflict.source)} disagrees</span></span></span>`
  }${asMoney(field)}${flags(name, field)}</td>
<td>${evidence(field.provenance)}</td>
</tr>`;
}

function figure(name: ScalarField, value: string | number): Html {
  const text = formatValue(name, value);
  if (typeof value === 'number') return html`<data value="${value}">${text}</data>`;
  if (['month', 'date'].includes(FIELDS[name].type.kind)) return html`<time datetime="${value}">${text}</time>`;
  return isJapanese(name, text) ? html`<span lang="ja">${text}</span>` : html`${text}`;
}

function asMoney({ value, unit }: FieldValue): Html | undefined {
  const oku = unit === 'JPY' && typeof value === 'number' ? inOku(value) : undefined;
  return oku === undefined ? undefined : html` <span class="aside" lang="ja">${oku}</span>`;
}

/** What is to be known of a value before it is used. */
function flags(name: ScalarField, field: FieldValue): Html {
  const { estimated, inheritedFrom, tier } = field;
  return html`${estimated && raw(' <span class="flag">Estimated</span>')}${
    inheritedFrom !== undefined && html` <span class="flag">Inherited from ${complexName(inheritedFrom)}</span>`
  }${isPlanned(name, field) && raw(' <span class="flag">Planned</span>')}${tier !== 'free' && html` <span class="flag">${tier}</span>`}`;
}

function complexName({ nameJa, nameEn }: NonNullable<FieldValue['inheritedFrom']>): Html {
  if (nameJa === null && nameEn === null) return html`its complex`;
  const ja = nameJa !== null && html`<span lang="ja">${nameJa}</span>`;
  return nameJa !== null && nameEn !== null ? html`${ja} (${nameEn})` : html`${ja}${nameEn}`;
}
