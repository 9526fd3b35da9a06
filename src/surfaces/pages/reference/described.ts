import type { Text } from '../catalogue/catalogue.ts';
import { langAttribute, runs } from '../format.ts';
import { type Html, html } from '../html.ts';

/** Renders the subset of Markdown that the document uses: paragraphs, bold and code. */
export function paragraphs(t: Text, english: string): Html {
  return html`${english.split(/\n{2,}/).map((paragraph) => html`<p>${inlineText(t, paragraph)}</p>`)}`;
}

export function inlineText(t: Text, english: string): Html {
  const parts = t.reference.described(english).split(/(`[^`]+`|\*\*[^*]+\*\*)/);
  return html`${parts.map((part) => {
    if (part.startsWith('`')) return html`<code${langAttribute(t, part)}>${part.slice(1, -1)}</code>`;
    return part.startsWith('**') ? html`<b>${part.slice(2, -2)}</b>` : runs(t, part);
  })}`;
}
