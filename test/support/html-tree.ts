import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { expect } from 'vitest';

type Node = DefaultTreeAdapterTypes.Node;
export type Element = DefaultTreeAdapterTypes.Element;
type Parent = Element | DefaultTreeAdapterTypes.Document;

/** Parses a page and expects no parse errors. */
export function readHtml(text: string): DefaultTreeAdapterTypes.Document {
  const errors: string[] = [];
  const document = parse(text, {
    onParseError: ({ code, startOffset }) => errors.push(`${code}: ${text.slice(startOffset - 40, startOffset + 40)}`),
  });
  expect(errors).toEqual([]);
  return document;
}

export const isElement = (node: Node): node is Element => 'tagName' in node;

const found = new WeakMap<Parent, readonly Element[]>();

/** All descendant elements in document order. */
export function elementsOf(parent: Parent): readonly Element[] {
  const known = found.get(parent);
  if (known !== undefined) return known;
  const elements = parent.childNodes.flatMap((node) => (isElement(node) ? [node, ...elementsOf(node)] : []));
  found.set(parent, elements);
  return elements;
}

export const attributeOf = (element: Element, name: string): string | undefined =>
  element.attrs.find((attribute) => attribute.name === name)?.value;

/** The text content on one line. */
export function textOf(node: Node): string {
  return rawText(node).replace(/\s+/g, ' ').trim();
}

function rawText(node: Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(rawText).join('') : '';
}

/** Supports tags, #ids, .classes, [attributes] and descendants. */
export function select(root: Parent, selector: string): Element[] {
  let chosen: Parent[] = [root];
  for (const step of selector.split(' ')) {
    const tests = testsOf(step);
    const fitting = chosen.flatMap((parent) =>
      elementsOf(parent).filter((element) => tests.every((fits) => fits(element))),
    );
    chosen = [...new Set(fitting)];
  }
  return chosen as Element[];
}

export function selectOne(root: Parent, selector: string): Element {
  const chosen = select(root, selector);
  expect(chosen.length, selector).toBe(1);
  return chosen[0] as Element;
}

type Test = (element: Element) => boolean;
const read = new Map<string, Test[]>();

function testsOf(step: string): Test[] {
  const known = read.get(step);
  if (known !== undefined) return known;
  const tests = [...step.matchAll(/([#.]?[\w-]+)|\[([\w-]+)(?:=([^\]]*))?\]/g)].map(
    ([, name = '', attribute, value]): Test => {
      if (attribute !== undefined && value === undefined)
        return (element) => attributeOf(element, attribute) !== undefined;
      if (attribute !== undefined) return (element) => attributeOf(element, attribute) === value;
      if (name.startsWith('#')) return (element) => attributeOf(element, 'id') === name.slice(1);
      if (!name.startsWith('.')) return (element) => element.tagName === name;
      return (element) => (attributeOf(element, 'class') ?? '').split(' ').includes(name.slice(1));
    },
  );
  read.set(step, tests);
  return tests;
}

export const linksOf = (root: Parent, selector = 'a'): string[] =>
  select(root, selector).map((link) => attributeOf(link, 'href') ?? '');

/** The IDs of the buildings of a list, in order. */
export const listedIds = (root: Parent): string[] =>
  linksOf(root, '.cards h3 a').map((path) => path.slice(path.lastIndexOf('/') + 1));

export const canonicalOf = (root: Parent): string => attributeOf(selectOne(root, 'link[rel=canonical]'), 'href') ?? '';

/** Resolves a link against a placeholder origin. */
export const targetOf = (link: string): URL => new URL(link, 'http://localhost');
