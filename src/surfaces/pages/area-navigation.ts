import type { AreaSummary } from '../../vocabulary/api-shapes.ts';
import type { AreaName } from '../../vocabulary/building-page.ts';
import type { Text } from './catalogue/catalogue.ts';
import { formatCount, run } from './format.ts';
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

export function breadcrumbs(t: Text, { top, areas, urlAt, endsHere = false }: Trail): Html {
  return html`<nav class="crumbs" aria-label="${t.hub.breadcrumbs}"><ol><li><a href="${top.url}">${top.text}</a></li>${areas.map(
    (area, i) => {
      const current = endsHere && i === areas.length - 1 ? ' aria-current="page"' : '';
      return html`<li><a href="${urlAt(i + 1)}"${raw(current)}>${areaName(t, area)}</a></li>`;
    },
  )}</ol></nav>`;
}

/** PAG-08: breadcrumbs of the canonical hub pages. */
export function hubCrumbs(t: Text, areas: readonly (Named & { slug: string })[], endsHere = false, query = ''): Html {
  const urlAt = (depth: number) => `${hubPath(areas.slice(0, depth))}${query}`;
  return breadcrumbs(t, { top: { text: t.hub.japan, url: '/japan' }, areas, urlAt, endsHere });
}

/** UI-51: the name in the language of the page. An English page has the Japanese one beside it. */
export function areaName(t: Text, { nameJa, nameEn }: Named): Html {
  if (t.lang === 'ja' || nameEn === null) return run(t, nameJa);
  return html`${nameEn} <span class="ja" lang="ja">${nameJa}</span>`;
}

/** The same as plain text, in one language only. */
export const areaText = (t: Text, { nameJa, nameEn }: Named): string =>
  t.lang === 'ja' || nameEn === null ? nameJa : nameEn;

export const hubPath = (areas: readonly { slug: string }[]): string =>
  `/japan${areas.map(({ slug }) => `/${encodeURIComponent(slug)}`).join('')}`;

type Child = AreaSummary['children'][number];

/** A longer list starts closed. */
const MOST_OPEN = 30;

/** Links to the areas inside an area, each with its number of buildings. */
export function areaLinks(
  t: Text,
  children: readonly Child[],
  title: string,
  urlOf: (child: Child) => string,
): Html | undefined {
  if (children.length === 0) return undefined;
  const list = html`<ul class="areas">${children.map(
    (child) =>
      html`<li><a href="${urlOf(child)}">${areaName(t, child)}</a> <span class="amount">${formatCount(child.buildingCount)}</span></li>`,
  )}</ul>`;
  return html`<nav class="inside" aria-label="${title}"><details${children.length <= MOST_OPEN && html` open`}><summary><h2>${title} <span class="amount">${children.length}</span></h2></summary>${list}</details></nav>`;
}
