import { type Anchors, anchorsOf } from '../../src/reit/publication/anchors.ts';
import { type Bundle, type BundleRevision, describeFault } from '../../src/reit/publication/bundle.ts';
import { compose, type PublicationDraft } from '../../src/reit/publication/compose.ts';
import type { AgreementField, Document } from '../../src/reit/publication/document.ts';
import type { AmountMeasure, Measure } from '../../src/reit/publication/measure.ts';
import { readBundle } from '../../src/reit/publication/read-bundle.ts';

export const BUILDING = 'ASSET-JP-13-00000001';
export const AT = '2026-02-01T00:00:00Z';

export const anchors = (changes: Partial<Anchors> = {}): Anchors => ({
  ...anchorsOf({
    buildingId: BUILDING,
    lifecycle: 'live',
    areaPath: '/japan/tokyo/chiyoda-ku/marunouchi-1-chome',
    canonical: { fields: {}, footprint: null, point: [139.765, 35.681] },
  }),
  ...changes,
});
export const anchorMap = (...all: Anchors[]): Map<string, Anchors> => new Map(all.map((a) => [a.buildingId, a]));

export const amount = (text: string, changes: Partial<AmountMeasure> = {}): AmountMeasure => ({
  state: 'recorded',
  amount: text,
  unit: 'JPY',
  scale: 0,
  decimals: 0,
  rounding: 'exact',
  ...changes,
});
export const days = (text: string) => amount(text, { unit: 'day' });

export type Said = Record<string, unknown>;

/** A revision that states values by metric, or by whole path. */
export function revision(id: string, said: Said, changes: Partial<Record<keyof BundleRevision, unknown>> = {}) {
  const fields = Object.entries(said).map(([name, value]) => ({
    path: name.startsWith('/') ? name : `/h1/p21/${name}`,
    value,
    citations: [{ sourceUrl: `https://e.example/${id}`, locator: '表3' }],
  }));
  return {
    id,
    lineageId: `l-${id}`,
    source: 'edinet',
    sourceRecordId: id.toUpperCase(),
    title: '有価証券報告書',
    sourceUrl: `https://e.example/${id}`,
    publishedAt: '2025-12-20T00:00:00Z',
    retrievedAt: '2026-01-05T00:00:00Z',
    contentHash: `sha256:${id}`,
    extractionMethod: 'disclosure-table',
    extractorVersion: '1',
    supersedes: null,
    fields,
    ...changes,
  };
}

/** The example of the documented format. */
export function exampleBundle(changes: Record<string, unknown> = {}) {
  return {
    issuer: { id: 'reit-a', nameJa: '見本投資法人', edinetCode: 'E99999' },
    holdings: [
      {
        id: 'h1',
        propertyCode: 'A-01',
        nameJa: '見本館',
        interest: { type: 'trustBeneficiary', tenure: 'quasiCoOwnership', share: { numerator: 1, denominator: 2 } },
        amountBasis: 'interest',
        heldFrom: '2025-03-28',
        heldTo: null as string | null,
      },
    ],
    periods: [{ id: 'p21', ordinal: 21, labelJa: '第21期', startDate: '2025-04-01', endDate: '2025-09-30', days: 183 }],
    sourceRevisions: [
      revision(
        'r1',
        { noi: amount('57000000', { scale: 6, decimals: -6, rounding: 'truncate' }) },
        { lineageId: 'l1' },
      ),
    ],
    matches: [
      {
        holdingId: 'h1',
        buildingId: BUILDING,
        coverage: 'whole',
        evidence: [{ kind: 'address', result: 'equal' }],
        reviewId: 'm1',
        reviewedAt: '2026-01-06T00:00:00Z',
      },
    ],
    transactions: [
      {
        id: 't1',
        holdingId: 'h1',
        type: 'acquisition',
        contractDate: '2025-03-20',
        deliveryDate: '2025-03-28',
        shareDelta: { numerator: 1, denominator: 2 },
        price: { state: 'notDisclosed', reasonCode: 'counterpartyConsent' },
        bundleId: null,
        counterparty: null,
        evidence: [{ revisionId: 'r1', locator: '表5' }],
      },
    ],
    ownership: [
      {
        id: 'o1',
        holdingId: 'h1',
        from: '2025-03-28',
        to: null,
        share: { numerator: 1, denominator: 2 },
        trustee: '見本信託銀行',
        propertyManager: null,
        evidence: [{ revisionId: 'r1', locator: '表6' }],
      },
    ],
    ...changes,
  };
}

export function faultsIn(bundle: unknown): string[] {
  const read = readBundle(bundle);
  return read.ok ? [] : read.failure.map(describeFault);
}

export function bundleOf(value: unknown): Bundle {
  const read = readBundle(value);
  if (!read.ok) throw new Error(read.failure.map(describeFault).join('\n'));
  return read.value;
}

export function draftOf(value: unknown, found = anchorMap(anchors())): PublicationDraft {
  const draft = compose(bundleOf(value), found);
  if (!draft.ok) throw new Error(draft.failure.map(describeFault).join('\n'));
  return draft.value;
}

export const documentOf = (value: unknown): Document => draftOf(value).document;

/** The example with these revisions instead of its own, and without transactions that cite them. */
export const bundleWith = (revisions: unknown[], changes: Record<string, unknown> = {}) =>
  exampleBundle({ sourceRevisions: revisions, transactions: [], ownership: [], ...changes });

/** The agreement of sources that each state one of these values of NOI. */
export const agreeing = (...values: (Measure | null | object)[]) =>
  bundleWith(values.map((value, i) => revision(`r${i + 1}`, { noi: value })));

export function fieldOf(document: Document, metric: string, holdingId = 'h1', periodId = 'p21'): AgreementField {
  const group = document.agreement?.groups.find((g) => g.holdingId === holdingId && g.periodId === periodId);
  const field = group?.fields.find(({ path }) => path === metric);
  if (field === undefined) throw new Error(`no field ${metric}`);
  return field;
}

export const statusOf = (document: Document, metric = 'noi') => {
  const { status, value } = fieldOf(document, metric);
  return { status, value };
};
