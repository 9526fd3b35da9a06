import type { AreaSummary } from '../../vocabulary/api-shapes.ts';
import type { AreaName } from '../../vocabulary/building-page.ts';
import { formatCount } from './format.ts';
import { type Html, html, raw } from './html.ts';

type Named = Pick<AreaName, 'nameJa' | 'nameEn'>;

interface Way {
  /** What all of Japan is called, and where it is. */
  top: { text: string; address: string };
  /** From the prefecture down. */
  areas: readonly Named[];
  /** Of so many of the areas. */
  addressOf: (depth: number) => string;
  /** Whether the last of them is the page itself. */
  isHere?: boolean;
}

/** The way down from all of Japan. */
export function breadcrumbs({ top, areas, addressOf, isHere = false }: Way): Html {
  return html`<nav class="crumbs" aria-label="Area"><ol><li><a href="${top.address}">${top.text}</a></li>${areas.map(
    ({ nameJa, nameEn }, i) => {
      const current = isHere && i === areas.length - 1 ? ' aria-current="page"' : '';
      return html`<li><a href="${addressOf(i + 1)}"${raw(current)}><span lang="ja">${nameJa}</span>${nameEn !== null && html` <span class="en">${nameEn}</span>`}</a></li>`;
    },
  )}</ol></nav>`;
}

/** PAG-08: the hubs are the canonical way. */
export function hubCrumbs(areas: readonly (Named & { slug: string })[], isHere = false, query = ''): Html {
  const addressOf = (depth: number) => `${hubPath(areas.slice(0, depth))}${query}`;
  return breadcrumbs({ top: { text: 'Japan', address: '/japan' }, areas, addressOf, isHere });
}

export const hubPath = (areas: readonly { slug: string }[]): string =>
  `/japan${areas.map(({ slug }) => `/${encodeURIComponent(slug)}`).join('')}`;

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
      html`<li><a href="${addressOf(child)}"><span lang="ja">${child.nameJa}</span>${child.nameEn !== null && html` <span class="en">${child.nameEn}</span>`}</a> <span class="amount">${formatCount(child.buildingCount)}</span></li>`,
  )}</ul>`;
  return html`<nav class="inside" aria-label="${title}"><details${children.length <= MANY && html` open`}><summary><h2>${title} <span class="amount">${children.length}</span></h2></summary>${list}</details></nav>`;
}

export const CHILD_AREA_TITLES = { prefecture: 'Wards and cities', ward: 'Machi-aza', machiAza: '' } as const;
