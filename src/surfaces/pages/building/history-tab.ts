import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import type { Field } from '../../../vocabulary/fields.ts';
import { dayOf } from '../format.ts';
import { type Html, html } from '../html.ts';
import { FIELD_LABELS, OTHER_CHANGES } from '../labels.ts';

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
