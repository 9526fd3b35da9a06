import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { expect } from 'vitest';

type Node = DefaultTreeAdapterTypes.Node;
export type Element = DefaultTreeAdapterTypes.Element;
type Parent = Element | DefaultTreeAdapterTypes.Document;

/** A page as a browser reads it, which has nothing to mend in it. */
export function readHtml(text: string): DefaultTreeAdapterTypes.Document {
  const errors: string[] = [];
  const document = parse(text, {
    sourceCodeLocationInfo: true,
    onParseError: ({ code, startOffset }) => errors.push(`${code}: ${text.slice(startOffset - 40, startOffset + 40)}`),
  });
  expect(errors).toEqual([]);
  return document;
}

export const isElement = (node: Node): node is Element => 'tagName' in node;

export function elementsOf(parent: Parent): Element[] {
  return parent.childNodes.flatMap((node) => (isElement(node) ? [node, ...elementsOf(node)] : []));
}

export const attributeOf = (element: Element, name: string): string | undefined =>
  element.attrs.find((attribute) => attribute.name === name)?.value;

/** What a reader sees of it, on one line. */
export function textOf(node: Node): string {
  return rawText(node).replace(/\s+/g, ' ').trim();
}

function rawText(node: Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(rawText).join('') : '';
}

/** By a selector of tags, #ids, .classes and [attributes], one below the other. */
export function select(root: Parent, selector: string): Element[] {
  let found: Parent[] = [root];
  for (const step of selector.split(' ')) {
    found = [...new Set(found.flatMap((parent) => elementsOf(parent).filter((element) => fits(element, step))))];
  }
  return found as Element[];
}

export function selectOne(root: Parent, selector: string): Element {
  const found = select(root, selector);
  expect(found.length, selector).toBe(1);
  return found[0] as Element;
}

function fits(element: Element, step: string): boolean {
  return [...step.matchAll(/([#.]?[\w-]+)|\[([\w-]+)(?:=([^\]]*))?\]/g)].every(([, name, attribute, value]) => {
    if (attribute !== undefined) {
      const own = attributeOf(element, attribute);
      return own !== undefined && (value === undefined || own === value);
    }
    if (name?.startsWith('#')) return attributeOf(element, 'id') === name.slice(1);
    if (name?.startsWith('.')) return (attributeOf(element, 'class') ?? '').split(' ').includes(name.slice(1));
    return element.tagName === name;
  });
}

export const linksOf = (root: Parent, selector = 'a'): string[] =>
  select(root, selector).map((link) => attributeOf(link, 'href') ?? '');

/** The IDs of the buildings of a list, in its order. */
export const listedIds = (root: Parent): string[] =>
  linksOf(root, '.cards h3 a').map((path) => path.slice(path.lastIndexOf('/') + 1));

export const canonicalOf = (root: Parent): string => attributeOf(selectOne(root, 'link[rel=canonical]'), 'href') ?? '';

/** Where a link leads, without the origin it may have. */
export const targetOf = (link: string): URL => new URL(link, 'http://localhost');
