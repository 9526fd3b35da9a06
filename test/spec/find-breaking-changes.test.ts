import { describe, expect, it } from 'vitest';
import { findBreakingChanges } from './find-breaking-changes.ts';

/** A small API with every part that can change. */
function makeDocument() {
  return {
    paths: {
      '/things': {
        get: {
          operationId: 'listThings',
          parameters: [
            { name: 'q', in: 'query', required: false, schema: { type: 'string' } },
            { name: 'kind', in: 'query', required: false, schema: { type: 'string', enum: ['a', 'b'] } },
          ] as Record<string, unknown>[],
          responses: {
            200: {
              headers: { ETag: { $ref: '#/components/headers/ETag' } } as Record<string, unknown>,
              content: {
                'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Thing' } } },
              } as Record<string, unknown>,
            },
            400: { $ref: '#/components/responses/Bad' },
          } as Record<string, unknown>,
        } as Record<string, unknown> & { parameters: Record<string, unknown>[]; responses: Record<string, unknown> },
      } as Record<string, unknown>,
      '/one': { get: { operationId: 'getOne', responses: {} } },
    } as Record<string, unknown>,
    components: {
      headers: { ETag: { required: true, schema: { type: 'string' } } },
      responses: { Bad: { content: { 'application/problem+json': { schema: { type: 'object' } } } } },
      schemas: {
        Thing: {
          type: 'object',
          required: ['name', 'kind', 'size', 'owner', 'shape', 'tags', 'unit', 'time'],
          properties: {
            name: { type: 'string' },
            kind: { type: 'string', enum: ['a', 'b'] },
            size: { type: ['number', 'null'] },
            owner: { anyOf: [{ $ref: '#/components/schemas/Owner' }, { type: 'null' }] },
            shape: {
              anyOf: [
                { type: 'object', required: ['type'], properties: { type: { const: 'dot', type: 'string' } } },
                { type: 'object', required: ['type'], properties: { type: { const: 'line', type: 'string' } } },
              ],
            },
            tags: { type: 'array', items: { type: 'string' } },
            unit: { type: 'string', const: 'm' },
            time: { type: 'string', format: 'date-time' },
            note: { type: 'string' },
          } as Record<string, unknown>,
        },
        Owner: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } as Record<string, unknown> },
      } as Record<string, unknown> & {
        Thing: { required: string[]; properties: Record<string, unknown> };
        Owner: { required: string[]; properties: Record<string, unknown> };
      },
    },
  };
}
type Small = ReturnType<typeof makeDocument>;
type Change = [name: string, change: (document: Small) => void, expected: RegExp];

const operationOf = (document: Small) => (document.paths['/things'] as { get: Operation }).get;
type Operation = { operationId: string; parameters: Record<string, unknown>[]; responses: Record<string, Answer> };
type Answer = { headers: Record<string, unknown>; content: Record<string, unknown> };
const answerOf = (document: Small) => operationOf(document).responses[200] as Answer;
const thingOf = (document: Small) => document.components.schemas.Thing;
const drop = (object: object, key: string) => Reflect.deleteProperty(object, key);

const BREAKING: Change[] = [
  ['an endpoint disappears', ({ paths }) => drop(paths, '/one'), /^\/one has disappeared$/],
  ['a method disappears', ({ paths }) => drop(paths['/one'] as object, 'get'), /^get has disappeared$/],
  ['an operation is named otherwise', (d) => Object.assign(operationOf(d), { operationId: 'x' }), /operationId/],
  ['a parameter disappears', (d) => operationOf(d).parameters.shift(), /query parameter q has disappeared/],
  [
    'an optional parameter becomes required',
    (d) => Object.assign(operationOf(d).parameters[0] as object, { required: true }),
    /q has become required/,
  ],
  [
    'a required parameter is added',
    (d) => operationOf(d).parameters.push({ name: 'key', in: 'query', required: true, schema: { type: 'string' } }),
    /key is new and required/,
  ],
  [
    'a parameter changes type',
    (d) => Object.assign(operationOf(d).parameters[0] as object, { schema: { type: 'integer' } }),
    /q: the type was string and is integer/,
  ],
  [
    'a value of a parameter disappears',
    (d) => Object.assign(operationOf(d).parameters[1] as object, { schema: { type: 'string', enum: ['a'] } }),
    /kind: b has disappeared/,
  ],
  [
    'a parameter takes only some values',
    (d) => Object.assign(operationOf(d).parameters[0] as object, { schema: { type: 'string', enum: ['a'] } }),
    /q: only some values/,
  ],
  [
    'a parameter must have a pattern',
    (d) => Object.assign(operationOf(d).parameters[0] as object, { schema: { type: 'string', pattern: '^a' } }),
    /q: the pattern is another/,
  ],
  ['a response disappears', (d) => drop(operationOf(d).responses, '400'), /things 400 has disappeared/],
  ['a header disappears', (d) => drop(answerOf(d).headers, 'ETag'), /header ETag has disappeared/],
  [
    'a header becomes optional',
    (d) => Object.assign(d.components.headers.ETag, { required: false }),
    /ETag is no longer required/,
  ],
  [
    'a header changes type',
    (d) => Object.assign(d.components.headers.ETag, { schema: { type: 'integer' } }),
    /ETag: the type was string/,
  ],
  [
    'a media type disappears',
    (d) => drop(answerOf(d).content, 'application/json'),
    /application\/json has disappeared/,
  ],
  [
    'the body of a shared response changes type',
    (d) => Object.assign(d.components.responses.Bad.content['application/problem+json'], { schema: { type: 'array' } }),
    /400: the type was object and is array/,
  ],
  ['a field disappears', (d) => drop(thingOf(d).properties, 'note'), /^Thing\.note has disappeared$/],
  [
    'a field changes type',
    (d) => Object.assign(thingOf(d).properties, { name: { type: 'number' } }),
    /Thing\.name: the type was string and is number/,
  ],
  [
    'a field becomes nullable',
    (d) => Object.assign(thingOf(d).properties, { name: { type: ['string', 'null'] } }),
    /Thing\.name: the type was string and is null or string/,
  ],
  [
    'a reference can no longer be null',
    (d) => Object.assign(thingOf(d).properties, { owner: { $ref: '#/components/schemas/Owner' } }),
    /Thing\.owner: the type was null or object and is object/,
  ],
  [
    'a required field becomes optional',
    (d) => Object.assign(thingOf(d), { required: thingOf(d).required.filter((name) => name !== 'name') }),
    /^Thing\.name is no longer required$/,
  ],
  [
    'a field of a field disappears',
    (d) => drop(d.components.schemas.Owner.properties, 'id'),
    /Owner\.id has disappeared/,
  ],
  [
    'a value of an enumeration disappears',
    (d) => Object.assign(thingOf(d).properties, { kind: { type: 'string', enum: ['b', 'c'] } }),
    /Thing\.kind: a has disappeared/,
  ],
  [
    'a constant becomes another',
    (d) => Object.assign(thingOf(d).properties, { unit: { type: 'string', const: 'km' } }),
    /Thing\.unit: m has disappeared/,
  ],
  [
    'an enumeration becomes open',
    (d) => Object.assign(thingOf(d).properties, { kind: { type: 'string' } }),
    /Thing\.kind: its values are no longer listed/,
  ],
  [
    'a format changes',
    (d) => Object.assign(thingOf(d).properties, { time: { type: 'string', format: 'date' } }),
    /Thing\.time: the format is another/,
  ],
  [
    'the items of a list change type',
    (d) => Object.assign(thingOf(d).properties, { tags: { type: 'array', items: { type: 'integer' } } }),
    /Thing\.tags\[\]: the type was string and is integer/,
  ],
  [
    'one of several shapes disappears',
    (d) => (thingOf(d).properties.shape as { anyOf: unknown[] }).anyOf.pop(),
    /Thing\.shape\.type: line has disappeared/,
  ],
  [
    'a named schema gets another name',
    (d) => {
      Object.assign(d.components.schemas, { Person: d.components.schemas.Owner });
      Object.assign(thingOf(d).properties, {
        owner: { anyOf: [{ $ref: '#/components/schemas/Person' }, { type: 'null' }] },
      });
      drop(d.components.schemas, 'Owner');
    },
    /^Owner has disappeared$/,
  ],
];

const GROWTH: [name: string, change: (document: Small) => void][] = [
  ['nothing changes', () => {}],
  ['an endpoint is added', ({ paths }) => Object.assign(paths, { '/two': { get: { responses: {} } } })],
  [
    'an optional parameter is added',
    (d) => operationOf(d).parameters.push({ name: 'page', in: 'query', required: false, schema: { type: 'integer' } }),
  ],
  [
    'a parameter takes another value',
    (d) => Object.assign(operationOf(d).parameters[1] as object, { schema: { type: 'string', enum: ['a', 'b', 'c'] } }),
  ],
  ['a response is added', (d) => Object.assign(operationOf(d).responses, { 404: {} })],
  ['a header is added', (d) => Object.assign(answerOf(d).headers, { Vary: { schema: { type: 'string' } } })],
  ['an optional field is added', (d) => Object.assign(thingOf(d).properties, { extra: { type: 'string' } })],
  [
    'a required field is added',
    (d) => {
      Object.assign(thingOf(d).properties, { extra: { type: 'string' } });
      thingOf(d).required.push('extra');
    },
  ],
  ['an optional field becomes required', (d) => thingOf(d).required.push('note')],
  [
    'an enumeration gets a value',
    (d) => Object.assign(thingOf(d).properties, { kind: { type: 'string', enum: ['c', 'b', 'a'] } }),
  ],
  ['a named schema is added', (d) => Object.assign(d.components.schemas, { New: { type: 'object' } })],
  [
    'one more shape is added',
    (d) =>
      (thingOf(d).properties.shape as { anyOf: unknown[] }).anyOf.push({
        type: 'object',
        required: ['type'],
        properties: { type: { const: 'area', type: 'string' } },
      }),
  ],
  ['a description changes', (d) => Object.assign(thingOf(d), { description: 'clearer', examples: [1] })],
];

describe('changes of v1', () => {
  it.each(BREAKING)('API-10 breaking: %s', (_, change, expected) => {
    const after = makeDocument();
    change(after);
    const changes = findBreakingChanges(makeDocument(), after);
    expect(changes).not.toEqual([]);
    for (const text of changes) expect(text).toMatch(expected);
  });

  it.each(GROWTH)('API-10 not breaking: %s', (_, change) => {
    const after = makeDocument();
    change(after);
    expect(findBreakingChanges(makeDocument(), after)).toEqual([]);
  });
});
