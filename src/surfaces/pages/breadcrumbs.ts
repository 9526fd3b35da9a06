import type { AreaName } from '../../vocabulary/building-page.ts';
import { type Html, html, raw } from './html.ts';

type Step = Pick<AreaName, 'slug' | 'nameJa' | 'nameEn'>;

/** The way down from all of Japan (PAG-08: by the hubs). The last step is the page itself where it `isHere`. */
export function breadcrumbs(areas: readonly Step[], isHere = false, query = ''): Html {
  const steps = areas.map(({ nameJa, nameEn }, i) => ({ nameJa, nameEn, path: pathOf(areas.slice(0, i + 1)) }));
  return html`<nav class="crumbs" aria-label="Area"><ol>
<li><a href="/japan">Japan</a></li>
${steps.map(({ nameJa, nameEn, path }, i) => {
  const current = isHere && i === steps.length - 1 ? ' aria-current="page"' : '';
  return html`<li><a href="${path}${query}"${raw(current)}><span lang="ja">${nameJa}</span>${nameEn !== null && html` <span class="en">${nameEn}</span>`}</a></li>`;
})}</ol></nav>`;
}

export const pathOf = (areas: readonly Pick<Step, 'slug'>[]): string =>
  `/japan${areas.map(({ slug }) => `/${encodeURIComponent(slug)}`).join('')}`;
