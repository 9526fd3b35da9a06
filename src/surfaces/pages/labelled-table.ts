import { type Html, html } from './html.ts';

/** UI-98: a table whose cells carry the label of their column, which a narrow screen shows in place of the header row. */
export function labelledTable(
  label: string,
  head: readonly string[],
  rows: readonly (readonly Html[])[],
  idOf?: (row: number) => string,
): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="plain stacked">
<thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([first, ...cells], row) =>
      html`<tr${idOf && html` id="${idOf(row)}"`}><th scope="row" data-label="${head[0]}">${first}</th>${cells.map((cell, i) => html`<td data-label="${head[i + 1]}">${cell}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}
