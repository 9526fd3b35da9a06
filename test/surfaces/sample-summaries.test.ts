import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SummaryItem } from '../../src/vocabulary/building-summary.ts';
import { CATEGORIES, readAskedUse } from '../../src/vocabulary/categories.ts';
import { onBothEngines } from '../support/engines.ts';
import { openServedSample, type ServedSample } from '../support/served-sample.ts';

const API = '/japan/api/v1';

onBothEngines('summaries of the sample', (fresh) => {
  let sample: ServedSample;
  const read = async (path: string) => (await sample.app.inject({ url: `${API}${path}` })).body;
  const page = async (query: string): Promise<{ items: SummaryItem[]; total: number }> =>
    JSON.parse(await read(`/assets?view=summary&${query}`));
  const everything = async () => {
    const items: SummaryItem[] = [];
    for (let number = 1; items.length < (await page('')).total; number++) {
      items.push(...(await page(`page=${number}`)).items);
    }
    return items;
  };

  beforeAll(async () => {
    sample = await openServedSample(await fresh());
  });
  afterAll(() => sample.close());

  it('FIT-09 twenty have at most 20,000 characters in the default order without filters, and 21,000 in any', async () => {
    const near = 'near=35.6812,139.7671&radius=5000';
    for (const sort of ['recorded', 'footprint', 'height', 'floors', 'built', 'name', 'distance']) {
      for (const filter of ['', 'has=owner', 'type=office', near]) {
        if (sort === 'distance' && filter !== near) continue;
        const most = sort === 'recorded' && filter === '' ? 20_000 : 21_000;
        for (let number = 1; number <= 7; number++) {
          const { length } = await read(`/assets?view=summary&page=${number}&sort=${sort}&${filter}`);
          expect([sort, filter, number, length <= most]).toEqual([sort, filter, number, true]);
        }
      }
    }
  });

  it('FIT-03 FIT-08 hasReit is true for the buildings whose REIT publications can be read here, and has=reit finds them', async () => {
    const items = await everything();
    const served: string[] = [];
    for (const { id } of items) {
      if (JSON.parse(await read(`/assets/${id}/reit`)).publications.length > 0) served.push(id);
    }
    expect(served.length).toBeGreaterThan(0);
    expect(items.filter(({ hasReit }) => hasReit).map(({ id }) => id)).toEqual(served);
    const found = await page('has=reit');
    expect(found.total).toBe(served.length);
    expect(found.items.map(({ id }) => id)).toEqual(served.slice(0, 20));
    expect(found.items.every(({ hasReit }) => hasReit)).toBe(true);
    const [first] = found.items as [SummaryItem];
    const owner = first.figures.ownerPublic?.value;
    if (owner === undefined) return;
    const owned = JSON.parse(await read(`/owners/${encodeURIComponent(String(owner))}/assets?view=summary`));
    expect(owned.items.find((item: SummaryItem) => item.id === first.id)).toEqual(first);
  });

  it('FIT-08 every summary says what the record says', async () => {
    for (const item of await everything()) {
      const record = JSON.parse(await read(`/assets/${item.id}`));
      expect(item).toMatchObject({
        path: record.path,
        nameJa: record.fields.nameJa?.value ?? null,
        nameEn: record.fields.nameEn?.value ?? null,
        addressJa: record.fields.addressJa?.value ?? null,
        lat: record.location.lat,
        lon: record.location.lon,
        conflictsFlagged: record.counters.conflictsFlagged,
      });
      for (const [name, figure] of Object.entries(item.figures)) {
        const { value, unit, provenance, estimated, conflict } = record.fields[name];
        const { source, confidence } = provenance;
        const loser = conflict && { value: conflict.value, source: conflict.source };
        expect(figure).toEqual({ value, unit, source, confidence, estimated, conflict: loser });
      }
    }
  });

  it('FIT-10 a summary of one building is shorter than its record', async () => {
    const [{ id }] = (await page('has=venues')).items as [SummaryItem];
    expect((await read(`/assets/${id}?view=summary`)).length).toBeLessThan((await read(`/assets/${id}`)).length);
  });
});

describe('words for a use', () => {
  it('AGT-01 aliases find their category, other words only themselves, and general words never mean an unknown use', () => {
    const categories = { apartments: 'residential', マンション: 'residential', 事務所: 'office', museum: 'culture' };
    for (const [word, category] of Object.entries(categories)) expect(readAskedUse(word)).toEqual({ category });
    for (const category of CATEGORIES) expect(readAskedUse(category)).toEqual({ category });
    for (const word of ['tower', 'building', 'ビル', 'タワー', 'yes', 'skyscraper', 'mystery']) {
      expect(readAskedUse(word)).toEqual({ word: word.normalize('NFKC') });
    }
  });
});
