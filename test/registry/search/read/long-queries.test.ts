import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRegistry, type Registry } from '../../../../src/registry/registry.ts';
import { indexEntries } from '../../../../src/registry/search/write/index-entries.ts';
import type { SearchEnvelope } from '../../../../src/vocabulary/api-shapes.ts';
import { onBothEngines } from '../../../support/engines.ts';
import { growthOf, wallMs } from '../../../support/growth.ts';
import { building, id } from '../../../support/records.ts';
import { openSmallRegistry, type SmallRegistry } from '../../../support/small-registry.ts';

/** Different words, none of them part of another. */
const words = (count: number) => Array.from({ length: count }, (_, i) => `w${String(i).padStart(3, '0')}x`);
const LONG = Array.from({ length: 700 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('');

onBothEngines('a long query', (fresh) => {
  let small: SmallRegistry;
  let registry: Registry;
  beforeAll(async () => {
    small = await openSmallRegistry(await fresh());
    const padding = Array.from({ length: 30 }, (_, i) => building(100 + i, { nameJa: `${LONG.slice(0, 96 + i)}終` }));
    await small.ingest([
      building(50, { nameEn: words(300).join(' ') }),
      building(51, { nameEn: words(40).join(' '), nameJa: words(300).slice(40).join(' ') }),
      building(52, { nameJa: LONG, aliases: [`${LONG}別`] }),
      ...padding,
    ]);
    registry = openRegistry(small.context.storage);
  });
  afterAll(() => small.close());

  const find = async (q: string) => {
    const { body } = await registry.search({ q });
    const { items } = JSON.parse(Buffer.from(body).toString()) as SearchEnvelope;
    return items.map((item) => item.id).sort();
  };

  const cases = () => {
    it('SEA-03 of hundreds of words finds buildings with all of them in one value', async () => {
      expect(await find(words(300).join(' '))).toEqual([id(50)]);
      expect(await find(words(40).join(' '))).toEqual([id(50), id(51)]);
      expect(await find([...words(300), 'w300x'].join(' '))).toEqual([]);
      expect(await find(['w300x', ...words(300)].join(' '))).toEqual([]);
    });

    it('SEA-03 of hundreds of characters finds buildings that contain the whole text', async () => {
      expect(await find(LONG)).toEqual([id(52)]);
      expect(await find(LONG.slice(1, 600))).toEqual([id(52)]);
      expect(await find(`${LONG}別`)).toEqual([id(52)]);
      expect(await find(`${LONG}他`)).toEqual([]);
      expect(await find(`${LONG.slice(0, 110)}終`)).toEqual([id(114)]);
      expect(await find(`${LONG.slice(0, 99)}${LONG.slice(100, 200)}`)).toEqual([]);
    });

    it('SEA-03 of thousands of words takes at most linear time', async () => {
      const words = Array.from({ length: 16_000 }, (_, i) => String.fromCodePoint(0x4e00 + i));
      const findMany = async (size: number) => {
        expect(await find(words.slice(0, size).join(' '))).toEqual([]);
        expect(await find('あ'.repeat(4 * size))).toEqual([]);
      };
      expect(await growthOf(findMany, 1_600, 16_000, wallMs)).toBeLessThan(40);
    });
  };

  describe('before the entries are indexed', cases);

  describe('after the entries are indexed', () => {
    beforeAll(async () => {
      await small.context.storage.transaction((tx) => indexEntries(tx, 1));
      const [row] = await small.context.storage.db.selectFrom('search_segment').select('size').execute();
      expect(row?.size).toBeGreaterThan(30);
    });
    cases();
  });
});
