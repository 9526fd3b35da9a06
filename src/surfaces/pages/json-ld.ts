import { PAGE_SIZE } from '../../vocabulary/api-shapes.ts';
import type { AreaName } from '../../vocabulary/building-page.ts';
import { hubPath } from './area-navigation.ts';
import { displayName } from './building/names.ts';
import type { Text } from './catalogue/catalogue.ts';
import type { ListView } from './list/list-view.ts';

/** A node of a page's graph; an `@id` is an absolute URL. */
export type GraphNode = { '@type': string; '@id'?: string } & Record<string, unknown>;

/** UI-28: the nodes of a page's structured data, for a public origin. */
export type StructuredData = (origin: string) => readonly GraphNode[];

/** UI-28: one graph with the terms of schema.org. */
export const graphOf = (nodes: readonly GraphNode[]): object => ({ '@context': 'https://schema.org', '@graph': nodes });

interface Crumb {
  name: string;
  url: string;
}

export function breadcrumbList(page: string, crumbs: readonly Crumb[]): GraphNode {
  return {
    '@type': 'BreadcrumbList',
    '@id': `${page}#breadcrumbs`,
    itemListElement: crumbs.map(({ name, url }, i) => ({ '@type': 'ListItem', position: i + 1, name, item: url })),
  };
}

/** The breadcrumbs of hub and building pages, from Japan down. */
export function areaCrumbs(t: Text, origin: string, areas: readonly AreaName[]): Crumb[] {
  const nameOf = ({ nameJa, nameEn }: AreaName) => (t.lang === 'en' ? (nameEn ?? nameJa) : nameJa);
  return [
    { name: t.building.japan, url: `${origin}/japan` },
    ...areas.map((area, i) => ({ name: nameOf(area), url: `${origin}${hubPath(areas.slice(0, i + 1))}` })),
  ];
}

/** The registry, with its search. */
export function website(t: Text, origin: string): GraphNode {
  return {
    '@type': 'WebSite',
    '@id': `${origin}/japan#website`,
    url: `${origin}/japan`,
    name: 'Tatemono',
    description: t.home.description,
    inLanguage: ['en', 'ja'],
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: `${origin}/japan/areas?q={search_term_string}` },
      'query-input': 'required name=search_term_string',
    },
  };
}

/** A page that has no data of its own. */
export function webPage(
  t: Text,
  origin: string,
  page: { title: string; description: string; path: string },
): GraphNode {
  return {
    '@type': 'WebPage',
    url: `${origin}${page.path}`,
    name: page.title,
    description: page.description,
    inLanguage: t.lang,
    isPartOf: { '@id': `${origin}/japan#website` },
  };
}

/** The buildings on a page of a list. It has no ID of its own, because its query decides what it lists. */
export function listedBuildings({ t, list }: Pick<ListView, 't' | 'list'>, origin: string): GraphNode {
  const before = (list.page - 1) * PAGE_SIZE;
  return {
    '@type': 'ItemList',
    numberOfItems: list.total,
    itemListElement: list.items.map((building, i) => ({
      '@type': 'ListItem',
      position: before + i + 1,
      name: displayName(building, t).text,
      url: `${origin}${building.path}`,
    })),
  };
}

/** An area with the one that contains it. */
export function areaPlace(t: Text, origin: string, areas: readonly AreaName[]): GraphNode {
  const area = areas.at(-1) as AreaName;
  const also = t.lang === 'en' ? area.nameJa : area.nameEn;
  const name = t.lang === 'en' ? (area.nameEn ?? area.nameJa) : area.nameJa;
  return {
    '@type': 'AdministrativeArea',
    '@id': `${origin}${hubPath(areas)}`,
    identifier: area.code,
    name,
    ...(also !== null && also !== name && { alternateName: also }),
    ...(areas.length > 1 && { containedInPlace: { '@id': `${origin}${hubPath(areas.slice(0, -1))}` } }),
  };
}
