import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { completionYear } from '../../../vocabulary/completion.ts';
import { gradeDisagreement } from '../../../vocabulary/disagreement.ts';
import { SCALAR_FIELDS, type ScalarField } from '../../../vocabulary/fields.ts';
import { footprintThumbnail } from '../building/drawings.ts';
import { displayAddress, displayName } from '../building/names.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { CATEGORY_LABELS } from '../catalogue/labels.ts';
import { compareBox } from '../compare/choose.ts';
import { formatField, langAttribute, run } from '../format.ts';
import { type Html, html } from '../html.ts';

export interface CardOptions {
  /** The day in Japan: a later completion is planned (UI-20). */
  today: string;
  /** The IDs of buildings with a REIT history that pages serve now (UI-47). */
  withReit: ReadonlySet<string>;
  /** Whether the page has a form to compare buildings (UI-68). */
  canCompare?: boolean;
}

/** A building in a list. */
export function buildingCard(t: Text, building: BuildingPage, options: CardOptions): Html {
  const { today, withReit, canCompare } = options;
  const name = displayName(building, t);
  const { assetTypes } = building;
  const conflicts = countVisibleConflicts(building);
  return html`<article class="card">${footprintThumbnail(building)}
<div><h3><a href="${building.path}"${langAttribute(t, name.text, name.lang)}>${name.text}</a></h3>
${name.also !== undefined && html`<p class="also">${run(t, name.also, 'en')}</p>`}
<p class="place">${run(t, displayAddress(building))}</p>
<ul class="figures">${assetTypes.map(({ category }) => html`<li class="use c-${category}">${CATEGORY_LABELS[category][t.lang]}</li>`)}${cardFigures(t, building, today).map((figure) => html`<li>${figure}</li>`)}${
    conflicts > 0 && html`<li class="flag">${t.counts.conflicts(conflicts)}</li>`
  }${withReit.has(building.id) && html`<li class="badge">${t.list.reit}</li>`}</ul>${canCompare && compareBox(t, building.id, name.text)}</div></article>`;
}

/** UI-21: the fields whose sources disagree by more than spelling or 1 %. */
function countVisibleConflicts({ fields }: BuildingPage): number {
  return SCALAR_FIELDS.filter((field) => {
    const value = fields[field];
    if (value == null || value.conflict === null) return false;
    return gradeDisagreement(field, value.value, value.conflict.value).kind !== 'slight';
  }).length;
}

/** Height, floors, year and footprint, as the header of the building page tells them. */
function cardFigures(t: Text, { fields }: BuildingPage, today: string): string[] {
  const figures: string[] = [];
  const add = (field: ScalarField, text: (figure: string) => string) => {
    const value = fields[field];
    if (value === undefined) return;
    const figure = formatField(t, field, value.value, value.unit);
    const isInherited = value.provenance.extractionMethod === 'inherited-complex';
    const told = text(value.estimated && !isInherited ? t.building.about(figure) : figure);
    figures.push(isInherited ? t.list.ofComplex(told) : told);
  };
  add('heightM', t.list.high);
  add('floorsAbove', t.building.floors);
  const completion = completionYear(fields, today);
  if (completion !== undefined) {
    const { year, isPlanned } = completion;
    const told = isPlanned ? t.building.plannedFor(year) : t.building.built(year);
    const { extractionMethod } = (fields.yearBuilt ?? fields.completionMonth)?.provenance ?? {};
    figures.push(extractionMethod === 'inherited-complex' ? t.list.ofComplex(told) : told);
  }
  add('footprintM2', t.list.footprint);
  return figures;
}
