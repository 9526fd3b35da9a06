import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/surfaces/api/api-routes.ts';
import { composeOpenApi } from '../../src/surfaces/api/openapi.ts';
import { findBreakingChanges } from './find-breaking-changes.ts';

/** The document as it was last published. */
const FILE = join(import.meta.dirname, 'openapi-v1.json');
const UPDATE = 'UPDATE_OPENAPI=1 npm test -- test/spec/v1-only-grows.test.ts';

const published = JSON.parse(readFileSync(FILE, 'utf8'));
const current = JSON.parse(JSON.stringify(composeOpenApi(ENDPOINTS, { baseUrl: undefined, limit: 120 })));

it('API-10 no part of the published document disappears or changes type', () => {
  expect(findBreakingChanges(published, current)).toEqual([]);
});

it('API-10 additions are recorded in the snapshot', () => {
  const isGrowth = findBreakingChanges(published, current).length === 0;
  if (process.env.UPDATE_OPENAPI && isGrowth) return writeFileSync(FILE, `${JSON.stringify(current, null, 2)}\n`);
  const missing = findBreakingChanges(current, published);
  expect(missing, `test/spec/openapi-v1.json lacks the additions; to add them, run ${UPDATE}`).toEqual([]);
});
