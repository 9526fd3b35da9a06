import type { FormerBuilding } from '../../../registry/former-building.ts';
import { markdownLink } from '../../http/markdown.ts';
import { type Html, html } from '../html.ts';

/** ID-04: where the ID that was searched for leads now. */
export function formerNotice(former: FormerBuilding): Html {
  const { survivor } = former;
  const target =
    survivor && (survivor.path === null ? survivor.id : html`<a href="${survivor.path}">${survivor.id}</a>`);
  return html`<p class="notice" role="status">${sentenceStart(former)}${target}.</p>`;
}

export function formerMarkdown(former: FormerBuilding, origin: string): string {
  const { survivor } = former;
  const target =
    survivor && (survivor.path === null ? survivor.id : markdownLink(survivor.id, `${origin}${survivor.path}`));
  return `${sentenceStart(former)}${target ?? ''}.`;
}

function sentenceStart({ id, state, survivor }: FormerBuilding): string {
  if (survivor === null) return `${id} was retired and has no successor`;
  return state === 'merged' ? `${id} was merged into ` : `${id} was retired in favour of `;
}
