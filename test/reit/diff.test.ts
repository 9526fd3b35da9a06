import { describe, expect, it } from 'vitest';
import { diffDocuments } from '../../src/reit/publication/diff.ts';
import { amount, documentOf, exampleBundle, revision } from './support.ts';

describe('the difference of two documents', () => {
  const before = documentOf(exampleBundle());
  const after = documentOf(
    exampleBundle({
      sourceRevisions: [
        ...exampleBundle().sourceRevisions,
        revision('r2', { noi: amount('58000000') }, { lineageId: 'l1', supersedes: 'r1' }),
      ],
      ownership: [],
    }),
  );

  it('AGR-09 lists what was added, removed and changed', () => {
    expect(diffDocuments(before, after).map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'changed /agreement/h1/p21/noi',
      'added /fieldCitations/r2/h1/p21/noi',
      'removed /ownership/o1',
      'added /sourceRevisions/r2',
      'added /sourceRevisions/r2/h1/p21/noi',
    ]);
    expect(diffDocuments(before, after)[0]).toMatchObject({
      before: expect.stringContaining('57000000'),
      after: expect.stringContaining('58000000'),
    });
  });

  it('AGR-09 is empty for a document and itself', () => {
    expect(diffDocuments(before, before)).toEqual([]);
  });
});
