import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findDuplicateKey } from '../../src/vocabulary/find-duplicate-key.ts';

function find(text: string): string | undefined {
  // Only valid JSON is allowed as input.
  JSON.parse(text);
  return findDuplicateKey(text);
}

/** A JSON text as a tree, with the keys of each object as written, so that duplicates are known. */
type Node = { text: string } | { items: Node[] } | { entries: { key: string; written: string; value: Node }[] };

function textOf(node: Node, space: string): string {
  if ('text' in node) return node.text;
  if ('items' in node) return `[${space}${node.items.map((item) => textOf(item, space)).join(`${space},`)}]`;
  const entries = node.entries.map(
    ({ written, value }) => `${space}${written}${space}:${space}${textOf(value, space)}`,
  );
  return `{${entries.join(`${space},`)}${space}}`;
}

function firstDuplicate(node: Node): string | undefined {
  if ('text' in node) return undefined;
  const seen: string[] = [];
  for (const child of 'items' in node ? node.items.map((value) => ({ key: undefined, value })) : node.entries) {
    if (child.key !== undefined && seen.includes(child.key)) return child.key;
    if (child.key !== undefined) seen.push(child.key);
    const inside = firstDuplicate(child.value);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

const KEYS = [
  'a',
  'b',
  'A',
  '',
  '"',
  '\\',
  '\\"',
  '{',
  '}',
  '[',
  ',',
  ':',
  '日本',
  '\u2028',
  '\n',
  '__proto__',
  '1',
  '😀',
];
const escaped = (key: string) =>
  `"${[...Array(key.length).keys()].map((i) => `\\u${key.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`;
const key = fc
  .tuple(fc.constantFrom(...KEYS), fc.boolean())
  .map(([name, plain]) => ({ key: name, written: plain ? JSON.stringify(name) : escaped(name) }));

const { node } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .constantFrom('1', '-0', '1.50', '1e5', 'true', 'null', '""', '"a"', '"{\\"a\\":1,\\"a\\":2}"', '"\\\\"', '"],"')
      .map((text) => ({ text })),
    fc.record({ items: fc.array(tie('node'), { maxLength: 3 }) }),
    fc.record({
      entries: fc.array(
        fc.tuple(key, tie('node')).map(([name, value]) => ({ ...name, value })),
        { maxLength: 4 },
      ),
    }),
  ),
}));
const space = fc.constantFrom('', ' ', '\n\t', '\r\n');

describe('find duplicate key', () => {
  it.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1,"a":1}', 'a'],
    ['{"a":1,"b":{"a":1},"a":1}', 'a'],
    ['{"x":{"a":1,"b":2,"b":3}}', 'b'],
    ['{"x":[1,{"a":1,"a":2}]}', 'a'],
    ['[[{"a":1,"a":2}]]', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"\\"":1,"\\u0022":2}', '"'],
    ['{"":1,"":2}', ''],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"a":[],"a":{}}', 'a'],
    ['{"a":{},"a":[]}', 'a'],
    ['{ "a" : "x" , "b" : "a" , "a" : 1 }', 'a'],
    ['{"a":1,"b":1,"b":2,"a":2}', 'b'],
    ['{"a":{"c":1,"c":2},"a":2}', 'c'],
    ['{"日本":1,"日本":2}', '日本'],
  ])('%s has %j twice', (text, duplicate) => {
    expect(find(text)).toBe(duplicate);
  });

  it.each([
    '{}',
    '[]',
    '1',
    '"a"',
    '{"a":1,"b":2}',
    '{"a":"a","b":"a"}',
    '{"a":["a","a"]}',
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '{"a":[{"b":1},{"b":2}],"b":3}',
    '{"a":1,"A":2}',
    '{"a":1,"a ":2}',
    '{"a":"{\\"a\\":1,\\"a\\":2}"}',
    '{"a\\\\":1,"a":2}',
    '{ "a" : 1 , "b" : [ ] , "c" : { } }',
    '{"a":1.0,"b":1e3}',
    '{"__proto__":1,"constructor":2}',
  ])('%s has none', (text) => {
    expect(find(text)).toBeUndefined();
  });

  it('agrees with a slow search on any text, with any spacing and escapes', () => {
    let duplicates = 0;
    let withoutDuplicate = 0;
    fc.assert(
      fc.property(node, space, (tree, gap) => {
        const expected = firstDuplicate(tree);
        if (expected === undefined) withoutDuplicate += 1;
        else duplicates += 1;
        expect(find(textOf(tree, gap))).toBe(expected);
      }),
      { numRuns: 1_000 },
    );
    expect(Math.min(duplicates, withoutDuplicate)).toBeGreaterThan(50);
  });

  it('finds nothing in the output of JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 2), (value, indent) => {
        expect(find(JSON.stringify(value, null, indent))).toBeUndefined();
      }),
    );
  });

  it.each([
    ['lists', '['.repeat(50_000), ']'.repeat(50_000)],
    ['objects', '{"a":'.repeat(50_000), '}'.repeat(50_000)],
  ])('handles nested %s as deep as JSON.parse does', (_, open, close) => {
    expect(find(`{"x": ${open}1${close} }`)).toBeUndefined();
    expect(find(`{"x": ${open}{"b":1,"b":2}${close} }`)).toBe('b');
  });
});
