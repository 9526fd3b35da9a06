import { describe, expect, it } from 'vitest';
import { RenderCache } from '../../../src/surfaces/pages/render-cache.ts';
import { eventually } from '../../support/search-page.ts';

const rendered = (text: string) => ({ path: '/x', page: { etag: `"${text}"`, body: Buffer.from(text) } });
const open = (max: number, maxPacked: number) =>
  new RenderCache<ReturnType<typeof rendered>>({
    max,
    maxPacked,
    onFault: (error) => {
      throw error;
    },
  });

describe('the cache of rendered pages', () => {
  it('keeps a page from its second request on, while the tag of its record stays the same', () => {
    const cache = open(2, 4);
    cache.keep('a', 't1', rendered('one'));
    expect(cache.find('a', 't1')).toBeUndefined();
    cache.keep('a', 't1', rendered('one'));
    expect(String(cache.find('a', 't1')?.page.body)).toBe('one');
    expect(cache.find('a', 't2')).toBeUndefined();
  });

  it('keeps more pages compressed, with their other properties', async () => {
    const cache = open(1, 4);
    for (const key of ['a', 'b', 'c']) for (const _ of [1, 2]) cache.keep(key, 't', rendered(`建物 ${key}`));
    for (const key of ['a', 'b', 'c', 'a']) {
      await eventually(() => String(cache.find(key, 't')?.page.body)).toBe(`建物 ${key}`);
      expect(cache.find(key, 't')).toMatchObject({ path: '/x', page: { etag: `"建物 ${key}"` } });
    }
  });

  it('never returns an older page after a newer one was kept', async () => {
    const cache = open(1, 4);
    for (const _ of [1, 2]) cache.keep('a', 'old', rendered('old'));
    cache.keep('a', 'new', rendered('new'));
    for (const _ of [1, 2]) cache.keep('b', 't', rendered('b'));
    await eventually(() => String(cache.find('a', 'new')?.page.body)).toBe('new');
    expect(cache.find('a', 'old')).toBeUndefined();
  });
});
