import { fieldPath } from '../../vocabulary/reit-metrics.ts';
import { canonicalJson, compareText } from './canonical-json.ts';
import type { Document } from './document.ts';

export interface DocumentChange {
  kind: 'added' | 'removed' | 'changed';
  path: string;
  /** Canonical JSON. */
  before: string | null;
  after: string | null;
}

/** The differences of two documents, by path. Entries are compared by their IDs. */
export function diffDocuments(before: Document, after: Document): DocumentChange[] {
  const [old, now] = [partsOf(before), partsOf(after)];
  const paths = [...new Set([...old.keys(), ...now.keys()])].sort(compareText);
  return paths.flatMap((path): DocumentChange[] => {
    const [was, is] = [old.get(path) ?? null, now.get(path) ?? null];
    if (was === is) return [];
    return [{ kind: was === null ? 'added' : is === null ? 'removed' : 'changed', path, before: was, after: is }];
  });
}

function partsOf(document: Document): Map<string, string> {
  const parts = new Map<string, string>([['/issuer', canonicalJson(document.issuer)]]);
  if (document.supersedes !== undefined) parts.set('/supersedes', canonicalJson(document.supersedes));
  for (const list of ['holdings', 'periods', 'transactions', 'ownership', 'financialChecks'] as const) {
    for (const item of document[list]) parts.set(`/${list}/${item.id}`, canonicalJson(item));
  }
  for (const { fields, ...revision } of document.sourceRevisions) {
    parts.set(`/sourceRevisions/${revision.id}`, canonicalJson(revision));
    for (const [path, value] of Object.entries(fields)) {
      parts.set(`/sourceRevisions/${revision.id}${path}`, canonicalJson(value));
    }
  }
  for (const match of document.buildingMatches) parts.set(`/buildingMatches/${match.holdingId}`, canonicalJson(match));
  for (const { revisionId, path, citations } of document.fieldCitations) {
    parts.set(`/fieldCitations/${revisionId}${path}`, canonicalJson(citations));
  }
  for (const { holdingId, periodId, fields } of document.agreement?.groups ?? []) {
    for (const { path, status, value } of fields) {
      parts.set(`/agreement${fieldPath(holdingId, periodId, path)}`, canonicalJson({ status, value }));
    }
  }
  return parts;
}
