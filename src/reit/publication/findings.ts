import { fieldPath } from '../../vocabulary/reit-metrics.ts';
import { printable } from '../../vocabulary/text.ts';
import { byTexts } from './canonical-json.ts';
import type { Document } from './document.ts';
import { implausibleFigures } from './implausible.ts';
import { abstains } from './measure.ts';
import { memoize } from './memoize.ts';

/** What blocks a draft, in the order of reporting, with advice. */
export const REMEDIES = {
  conflict: 'the sources differ: correct the wrong revision, or leave out the figure that is on another basis',
  unresolved: 'a source value is uncertain: read the source again and state its value',
  failedCheck: 'the reported figures do not add up within their rounding: check the inputs',
  implausible: 'the figure is not plausible: read the filing again and correct it',
  danglingCitation:
    'the citation is missing or names an unknown revision: cite a revision of the bundle and a place in it',
  privateLocation: 'not a public http or https address: cite the public document and a locator in it',
} as const;
type FindingKind = keyof typeof REMEDIES;

export interface Finding {
  kind: FindingKind;
  path: string;
  remedy: string;
}

const KINDS = Object.keys(REMEDIES) as FindingKind[];

/** REIT-03, REIT-11: everything that blocks the review of a document. */
export function findingsIn(document: Document): Finding[] {
  const implausible = new Map(implausibleFigures(document).map(({ path, remedy }) => [path, remedy]));
  const paths: Record<FindingKind, string[]> = {
    conflict: disputed(document, 'conflict'),
    unresolved: [...disputed(document, 'unresolved'), ...unresolvedPrices(document)],
    failedCheck: document.financialChecks.filter((c) => c.blocking && c.outcome === 'fail').map(({ id }) => id),
    implausible: [...implausible.keys()],
    danglingCitation: danglingCitations(document),
    privateLocation: privateLocations(document),
  };
  return KINDS.flatMap((kind) =>
    [...new Set(paths[kind])]
      .map((path) => ({ kind, path, remedy: (kind === 'implausible' && implausible.get(path)) || REMEDIES[kind] }))
      .sort(byTexts((f) => f.path)),
  );
}

/** One line, such as `conflict /h1/p21/noi`. */
export function describeFinding({ kind, path }: Finding): string {
  return `${kind} ${printable(path, 1_000)}`;
}

function disputed({ agreement }: Document, status: 'conflict' | 'unresolved'): string[] {
  return (agreement?.groups ?? []).flatMap(({ holdingId, periodId, fields }) =>
    fields.filter((field) => field.status === status).map(({ path }) => fieldPath(holdingId, periodId, path)),
  );
}

function unresolvedPrices({ transactions }: Document): string[] {
  return transactions.filter(({ price }) => price.state === 'unresolved').map(({ id }) => `/transactions/${id}/price`);
}

function danglingCitations(document: Document): string[] {
  const { sourceRevisions, fieldCitations, transactions, ownership } = document;
  const known = new Set(sourceRevisions.map(({ id }) => id));
  const cited = new Set(
    fieldCitations
      .filter(({ citations }) => citations.length > 0)
      .map(({ revisionId, path }) => `${revisionId}${path}`),
  );
  const uncited = sourceRevisions.flatMap(({ id, fields }) =>
    Object.entries(fields)
      .filter(([path, value]) => {
        if (abstains(value)) return false;
        const inputs = value.state === 'derived' ? value.inputRevisionIds : [];
        return !cited.has(`${id}${path}`) || inputs.some((input) => !known.has(input));
      })
      .map(([path]) => `/fieldCitations/${id}${path}`),
  );
  const records = [
    ...transactions.map((record) => ({ list: 'transactions', ...record })),
    ...ownership.map((record) => ({ list: 'ownership', ...record })),
  ];
  const unfounded = records
    .filter(({ evidence }) => evidence.length === 0 || evidence.some(({ revisionId }) => !known.has(revisionId)))
    .map(({ list, id }) => `/${list}/${id}/evidence`);
  return [...uncited, ...unfounded];
}

/** Checks the texts of the bundle. Anchors come from the registry, and agreement repeats the revisions. */
function privateLocations(document: Document): string[] {
  // The same documents and tables are cited many times.
  const isPrivateUrl = memoize((text) => !isPublicUrl(text));
  const isPrivateText = memoize(hasPrivateLocation);
  const { issuer, sourceRevisions, holdings, periods, buildingMatches, transactions, ownership, fieldCitations } =
    document;
  return [
    ...textsIn(issuer, '/issuer'),
    ...sourceRevisions.flatMap(({ fields, ...rest }) => textsIn(rest, `/sourceRevisions/${rest.id}`)),
    ...holdings.flatMap((holding) => textsIn(holding, `/holdings/${holding.id}`)),
    ...periods.flatMap((period) => textsIn(period, `/periods/${period.id}`)),
    ...buildingMatches.flatMap(({ anchors, ...rest }) => textsIn(rest, `/buildingMatches/${rest.holdingId}`)),
    ...transactions.flatMap((record) => textsIn(record, `/transactions/${record.id}`)),
    ...ownership.flatMap((record) => textsIn(record, `/ownership/${record.id}`)),
    ...fieldCitations.flatMap(({ revisionId, path, citations }) =>
      textsIn(citations, `/fieldCitations/${revisionId}${path}`),
    ),
  ]
    .filter(([path, text]) => (path.endsWith('/sourceUrl') ? isPrivateUrl(text) : isPrivateText(text)))
    .map(([path]) => path);
}

function textsIn(value: unknown, at: string): [path: string, text: string][] {
  if (typeof value === 'string') return [[at, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => textsIn(member, `${at}/${key}`));
}

const PRIVATE_NAME = /^localhost$|\.(?:localhost|local|internal|intranet|lan|corp|home|home\.arpa)$/i;
const INNER_NAME = /^(?:localhost|intranet|internal|corp|wiki|share|files?|nas|db|server)\d*$/i;
const PRIVATE_V4 =
  /^(?:0|10|127)\.|^169\.254\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./;
const PRIVATE_V6 = /^\[(?:::|f[cd]|fe[89ab])/i;
/** A query that carries a secret grants access to whoever has the link. */
const CARRIES_KEY = /[?&](?:[\w-]*signature|sig|[\w-]*token|[\w-]*api[_-]?key|subscription-key|password)=/i;

/** REIT-03: an address that anyone can open and that carries no secret. */
export function isPublicUrl(text: string): boolean {
  if (text !== text.trim() || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return false;
  if (username !== '' || password !== '' || CARRIES_KEY.test(search)) return false;
  const host = hostname.replace(/\.$/, '');
  if (host.startsWith('[')) return !PRIVATE_V6.test(host);
  return host.includes('.') && !PRIVATE_NAME.test(host) && !PRIVATE_V4.test(host);
}

/** Non-public addresses and paths on a machine. */
const FILE_LOCATION = [
  /\bfile:\//i,
  /\b(?:s3|s3a|gs|gcs|abfss?|wasbs?|az|smb|nfs|sftp|ftp|ssh|jdbc:\w+|postgres(?:ql)?|mysql):\/\//i,
  /(?:^|[\s"'「（(=:])[A-Za-z]:[\\/](?!\/)/,
  /(?:^|[\s"'「（(=:])\\\\[\w.-]+\\/,
  /(?:^|[\s"'「（(=:])~\/\S/,
  /(?:^|[\s"'「（(=:])(?:\.{1,2}\/)*data\/archive\/\S/,
  /(?:^|[\s"'「（(=:])\/(?:home|Users|Volumes|srv|var|tmp|mnt|media|opt|root|etc|usr|data|archive|private|work|app)\/\S/,
];
const URL_INSIDE = /https?:\/\/[^\s"'<>「」（）()]+/gi;

/** `http://x` in a building name is harmless, unless x is a usual name of an internal machine. */
function hasBareName(url: string): boolean {
  const { hostname, username, password, search } = new URL(url);
  return (
    /^[a-z0-9-]+$/i.test(hostname) && !INNER_NAME.test(hostname) && !username && !password && !CARRIES_KEY.test(search)
  );
}

/** Whether a text reveals the location of a file. */
export function hasPrivateLocation(text: string): boolean {
  if (FILE_LOCATION.some((form) => form.test(text))) return true;
  return [...text.matchAll(URL_INSIDE)].some(([url]) => URL.canParse(url) && !isPublicUrl(url) && !hasBareName(url));
}
