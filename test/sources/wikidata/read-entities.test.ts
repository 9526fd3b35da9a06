import { describe, expect, it } from 'vitest';
import { wikidata } from '../../../src/sources/wikidata/adapter.ts';
import { readItemList } from '../../../src/sources/wikidata/read-entities.ts';
import { fileOf, readAll } from '../../support/source-files.ts';

const uri = (id: string) => ({ type: 'uri', value: `http://www.wikidata.org/entity/${id}` });
const result = (vars: string[], ...bindings: object[]) => ({ head: { vars }, results: { bindings } });

describe('the result of a query', () => {
  it('lists its distinct items, of the variable item or else of the first variable with items', () => {
    const label = { 'xml:lang': 'ja', type: 'literal', value: '東京タワー' };
    const [tower, other] = [uri('Q183536'), uri('Q57965')];
    expect(readItemList(result(['a', 'item'], { item: tower, a: other }, { item: tower }, { a: other }))).toEqual([
      'Q183536',
    ]);
    expect(readItemList(result(['label', 'building'], { label, building: tower }, { building: other }))).toEqual([
      ...['Q183536', 'Q57965'],
    ]);
    expect(readItemList(result(['item'], { item: uri('P31') }, { item: { type: 'bnode', value: 't1' } }))).toEqual([]);
    expect(readItemList(result(['item']))).toEqual([]);
  });

  it('may be a plain list of rows', () => {
    const row = (id: string) => ({ itemLabel: '東京タワー', item: `http://www.wikidata.org/entity/${id}` });
    expect(readItemList([row('Q1'), row('Q2'), row('Q1')])).toEqual(['Q1', 'Q2']);
  });

  it.each([
    [null],
    [1],
    ['x'],
    [{}],
    [[]],
    [[{ id: 'Q1', item: 'http://www.wikidata.org/entity/Q1' }]],
    [{ head: {}, results: {} }],
  ])('is not %j', (value) => {
    expect(readItemList(value)).toBeUndefined();
  });

  it.each([0, 2])('is reported as a list of items to fetch, with their URLs (indented by %i)', async (indent) => {
    const text = JSON.stringify(result(['item'], { item: uri('Q183536') }, { item: uri('Q57965') }), null, indent);
    const items = await readAll(wikidata, [fileOf('results.json', text)]);
    expect(items.map((item) => ('reason' in item ? `${item.kind}: ${item.reason}` : item.kind))).toEqual([
      'detail: to fetch: https://www.wikidata.org/wiki/Special:EntityData/Q183536.json',
      'detail: to fetch: https://www.wikidata.org/wiki/Special:EntityData/Q57965.json',
      expect.stringMatching(/^foreign: a list of 2 items, without the items/),
    ]);
  });
});
