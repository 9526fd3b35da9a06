import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ownerKey } from '../../../../src/registry/search/format/entry.ts';
import { OWNER_FORMS, ownerPath, readOwnerSegment } from '../../../../src/surfaces/pages/owner/owner-path.ts';

const HOSTILE = [
  '.',
  '..',
  'a/b',
  'a/../b',
  'x.md',
  'x.csv',
  'x.geojson',
  '.md',
  '?q=1',
  '#x',
  '<script>',
  '"',
  'a\nb',
  ' ',
  '%2e',
  '100%',
];

/** The segment after a browser has resolved the path and the router has decoded it. */
function segmentOf(path: string): string {
  const { pathname } = new URL(path, 'https://example.org');
  expect(pathname.startsWith('/japan/owners/')).toBe(true);
  const segment = pathname.slice('/japan/owners/'.length);
  expect(segment).not.toContain('/');
  return decodeURIComponent(segment);
}

describe('the path of an owner', () => {
  test('UI-60: leads back to the same owner, in every form', () => {
    const anyName = fc.oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), fc.constantFrom(...HOSTILE));
    fc.assert(
      fc.property(anyName, (name) => {
        const path = ownerPath(name);
        if (name.trim() === '') {
          expect(path).toBeUndefined();
          return;
        }
        const read = readOwnerSegment(segmentOf(path as string));
        expect([ownerKey(read.name), read.form]).toEqual([ownerKey(name), undefined]);
        for (const form of OWNER_FORMS) {
          const other = readOwnerSegment(segmentOf(`${path}.${form}`));
          expect([ownerKey(other.name), other.form]).toEqual([ownerKey(name), form]);
        }
      }),
    );
  });

  test('UI-60: a name that is too long for a request line has none', () => {
    expect(ownerPath('あ'.repeat(20_000))).toBeUndefined();
  });
});
