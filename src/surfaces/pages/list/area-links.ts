import type { AreaSummary } from '../../../vocabulary/api-shapes.ts';
import { count } from '../format.ts';
import { type Html, html } from '../html.ts';

type Child = AreaSummary['children'][number];

/** Beyond so many they are folded away. */
const MANY = 30;

/** The areas inside one, each with all of its buildings. */
export function areaLinks(
  children: readonly Child[],
  title: string,
  addressOf: (child: Child) => string,
): Html | undefined {
  if (children.length === 0) return undefined;
  const list = html`<ul class="areas">${children.map(
    (child) =>
      html`<li><a href="${addressOf(child)}"><span lang="ja">${child.nameJa}</span>${child.nameEn !== null && html` <span class="en">${child.nameEn}</span>`}</a> <span class="amount">${count(child.buildingCount)}</span></li>`,
  )}</ul>`;
  return html`<nav class="inside" aria-label="${title}"><details${children.length <= MANY && html` open`}><summary><h2>${title} <span class="amount">${children.length}</span></h2></summary>${list}</details></nav>`;
}

export const INSIDE = { prefecture: 'Wards and cities', ward: 'Machi-aza', machiAza: '' } as const;
