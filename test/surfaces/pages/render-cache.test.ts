import { describe, expect, it } from 'vitest';
import { RenderCache } from '../../../src/surfaces/pages/render-cache.ts';

const rendered = (text: string) => ({ page: { body: Buffer.from(text) } });
const open = (maxBytes: number) => new RenderCache<ReturnType<typeof rendered>>({ maxBytes, maxSeen: 10 });

describe('the cache of rendered pages', () => {
  it('keeps a page from its second request on, while the tag of its record stays the same', () => {
    const cache = open(100);
    cache.keep('a', 't1', rendered('one'));
    expect(cache.find('a', 't1')).toBeUndefined();
    cache.keep('a', 't1', rendered('one'));
    expect(String(cache.find('a', 't1')?.page.body)).toBe('one');
    expect(cache.find('a', 't2')).toBeUndefined();
    cache.keep('a', 't2', rendered('two'));
    expect([cache.find('a', 't1'), String(cache.find('a', 't2')?.page.body)]).toEqual([undefined, 'two']);
  });

  it('keeps as many pages as fit, the most recent ones', () => {
    const cache = open(25);
    for (const key of ['a', 'b', 'c']) for (const _ of [1, 2]) cache.keep(key, 't', rendered('ten bytes!'));
    expect(['a', 'b', 'c'].map((key) => cache.find(key, 't') !== undefined)).toEqual([false, true, true]);
  });
});
