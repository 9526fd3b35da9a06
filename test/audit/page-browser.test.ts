import { expect, it } from 'vitest';
import type { Audited } from '../../src/audit/audit.ts';
import { auditPage } from '../../src/cli/audit-html.ts';
import { assetKey } from '../../src/vocabulary/asset-id.ts';
import { PHONE_OPTIONS, useBrowser } from '../support/browser.ts';

const LONG = 'a'.repeat(300);
const provenance = { source: 'osm', sourceRecordId: LONG, retrievedAt: LONG } as Audited['value']['provenance'];
const value = {
  building: assetKey('13', 1),
  kind: 'nameJa',
  text: LONG,
  provenance,
  needles: [],
  inputs: [],
};
const audited = {
  value: { ...value, alternatives: [{ text: LONG, provenance }] },
  reason: { ok: true, text: LONG },
  origin: { file: LONG, sha256: LONG, retrievals: [] },
  pieces: [{ what: LONG, at: LONG, bytes: Buffer.from(LONG.repeat(4)) }],
  inputs: [],
} as unknown as Audited;

const tabs = useBrowser();

it('AUD-05 the page of an audit is no wider than a phone', async () => {
  const { page } = await tabs.open({ ...PHONE_OPTIONS, origin: 'http://localhost' });
  await page.setContent(auditPage({ audited: [audited], seed: LONG, looked: 1, published: 1 }, LONG));
  expect(await page.evaluate('document.querySelector("td strong").textContent.length')).toBe(LONG.length);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE_OPTIONS.viewport.width);
});
