import type { AreaSummary } from '../../vocabulary/api-shapes.ts';
import type { AreaName } from '../../vocabulary/building-page.ts';
import { formatCount } from './format.ts';
import { type Html, html, raw } from './html.ts';

type Named = Pick<AreaName, 'nameJa' | 'nameEn'>;

interface Trail {
  /** The first link, for all of Japan. */
  top: { text: string; url: string };
  /** From the prefecture down. */
  areas: readonly Named[];
  /** Link to the area at a depth; 1 is the prefecture. */
  urlAt: (depth: number) => string;
  /** Whether the last area is the current page. */
  endsHere?: boolean;
}

export function breadcrumbs({ top, areas, urlAt, endsHere = false }: Trail): Html {
  return html`<nav class="crumbs" aria-label="Breadcrumbs"><ol><li><a href="${top.url}">${top.text}</a></li>${areas.map(
    (area, i) => {
      const current = endsHere && i === areas.length - 1 ? ' aria-current="page"' : '';
      return html`<li><a href="${urlAt(i + 1)}"${raw(current)}>${areaName(area)}</a></li>`;
    },
  )}</ol></nav>`;
}

/** PAG-08: breadcrumbs of the canonical hub pages. */
export function hubCrumbs(areas: readonly (Named & { slug: string })[], endsHere = false, query = ''): Html {
  const urlAt = (depth: number) => `${hubPath(areas.slice(0, depth))}${query}`;
  return breadcrumbs({ top: { text: 'Japan', url: '/japan' }, areas, urlAt, endsHere });
}

/** The Japanese name, followed by the English one if there is one. */
export const areaName = ({ nameJa, nameEn }: Named): Html =>
  html`<span lang="ja">${nameJa}</span>${nameEn !== null && html` <span class="en">${nameEn}</span>`}`;

export const hubPath = (areas: readonly { slug: string }[]): string =>
  `/japan${areas.map(({ slug }) => `/${encodeURIComponent(slug)}`).join('')}`;

type Child = AreaSummary['children'][number];

/** A longer list starts closed. */
const MOST_OPEN = 30;

/** Links to the areas inside an area, each with its number of buildings. */
export function areaLinks(
  children: readonly Child[],
  title: string,
  urlOf: (child: Child) => string,
): Html | undefined {
  if (children.length === 0) return undefined;
  const list = html`<ul class="areas">${children.map(
    (child) =>
      html`<li><a href="${urlOf(child)}">${areaName(child)}</a> <span class="amount">${formatCount(child.buildingCount)}</span></li>`,
  )}</ul>`;
  return html`<nav class="inside" aria-label="${title}"><details${children.length <= MOST_OPEN && html` open`}><summary><h2>${title} <span class="amount">${children.length}</span></h2></summary>${list}</details></nav>`;
}

export const CHILD_AREA_TITLES = { prefecture: 'Wards and cities', ward: 'Machi-aza', machiAza: '' } as const;
