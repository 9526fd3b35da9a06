import type { Text } from '../catalogue/catalogue.ts';
import { run } from '../format.ts';
import { type Html, html } from '../html.ts';
import { MAX_COMPARED } from './compared.ts';

/** The form of all boxes of a page; they name it, so that they may be anywhere. */
const FORM = 'compare-form';

/** UI-68: selects a building of a list for the comparison. */
export function compareBox(t: Text, id: string, name: string, isLabelHidden = false): Html {
  const label = t.compare.select(run(t, name, 'en'));
  return html`<label class="pick"><input type="checkbox" name="id" value="${id}" form="${FORM}"> ${isLabelHidden ? html`<span class="sr">${label}</span>` : label}</label>`;
}

/** UI-68: one form for the boxes of a list. client/enhance.ts counts them; it also works without. */
export function compareForm(t: Text): Html {
  return html`<form id="${FORM}" class="compare-form" action="/japan/compare" method="get" data-compare="${MAX_COMPARED}" data-selected="${t.compare.selected}">
<button type="submit" class="quiet">${t.compare.selection}</button> <span class="aside" role="status">${t.compare.selectionHint}</span></form>`;
}
