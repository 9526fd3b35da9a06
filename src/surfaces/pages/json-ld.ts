import type { AreaName } from '../../vocabulary/building-page.ts';
import { hubPath } from './area-navigation.ts';
import type { Text } from './catalogue/catalogue.ts';

/** A node of a page's graph; its `@id` is an absolute URL. */
export type GraphNode = { '@type': string; '@id'?: string } & Record<string, unknown>;

/** UI-28: the structured data of a page, one graph with the terms of schema.org. */
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
