import { type Html, html } from '../html.ts';

/** What the document says in Markdown: paragraphs, with words that stand out and code. */
export function prose(text: string): Html {
  return html`${text.split(/\n{2,}/).map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`;
}

export function inline(text: string): Html {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/);
  return html`${parts.map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    return part.startsWith('**') ? html`<b>${part.slice(2, -2)}</b>` : part;
  })}`;
}
