import type { Dossier } from '../reit/life/commands.ts';
import { buildingsOf } from '../reit/life/outline.ts';
import { allowedSurfaces, PERMITTED_SURFACES } from '../reit/life/permissions.ts';
import type { LifeEvent } from '../reit/life/publication-status.ts';
import { changedAnchors } from '../reit/publication/anchors.ts';
import type { Citation, Period } from '../reit/publication/bundle.ts';
import { citationsByField } from '../reit/publication/citations.ts';
import { AMOUNT_BASIS, describeHolding } from '../reit/publication/describe-interest.ts';
import { type DocumentChange, diffDocuments } from '../reit/publication/diff.ts';
import type { Document } from '../reit/publication/document.ts';
import { describeFinding } from '../reit/publication/findings.ts';
import type { Consensus, Measure } from '../reit/publication/measure.ts';
import { latestPeriod, periodsInOrder } from '../reit/publication/periods.ts';
import { printable } from '../vocabulary/text.ts';

const MAX_NOTE = 1_000;
const label = (name: string) => name.padEnd(17);

/** The state of a publication, what it still needs, and its events. */
export function describeStatus({ id, computedAt, document, events, facts, status, predecessors }: Dossier): string[] {
  const { state, data, match, permission, served } = status;
  const holdings = document.holdings.map(
    ({ propertyCode, nameJa }) => `${printable(propertyCode)} ${printable(nameJa)}`,
  );
  return [
    `${label('state')}${state}`,
    `${label('publication')}${id}`,
    `${label('computed')}${computedAt}`,
    `${label('issuer')}${printable(document.issuer.nameJa)} (${printable(document.issuer.id)})`,
    ...(document.supersedes === undefined ? [] : [`${label('supersedes')}${document.supersedes}`]),
    ...holdings.map((holding) => `${label('holding')}${holding}`),
    ...buildingLines(document, facts),
    `${label('data review')}${data}`,
    `${label('match review')}${match}`,
    `${label('permission')}${permission}`,
    ...permissionLines(facts),
    `${label('served on')}${served.join(', ') || 'no surface'}`,
    ...predecessors.map((other) => `${label('active instead')}${other.id}`),
    ...facts.findings.map((finding) => `${label('finding')}${describeFinding(finding)}: ${finding.remedy}`),
    ...events.map((event) => `${label('event')}${describeEvent(event)}`),
  ];
}

/** One line of a list, separated by tabs. */
export function describeInList({ id, outline, document, status }: Dossier): string {
  const codes = document.holdings.map(({ propertyCode }) => printable(propertyCode)).join(' ');
  return [status.state, id, printable(document.issuer.id), codes, buildingsOf(outline).join(' ')].join('\t');
}

/** The matched buildings, with the anchors that changed since the document was composed. */
function buildingLines(document: Dossier['document'], { anchors }: Dossier['facts']): string[] {
  return document.buildingMatches.map(({ holdingId, buildingId, anchors: before }) => {
    const now = anchors.get(buildingId);
    const changed = now === undefined ? [] : changedAnchors(before, now);
    const changes =
      now === undefined
        ? 'not published'
        : changed.length === 0
          ? 'unchanged'
          : changed.map((name) => `${name} ${show(before[name])} → ${show(now[name])}`).join(', ');
    return `${label('building')}${buildingId} (${printable(holdingId)}): ${changes}`;
  });
}

const show = (value: unknown) => printable(JSON.stringify(value) ?? 'none');

/** The surfaces on which each source is allowed. A surface needs all sources. */
function permissionLines({ publicationId, document, permissions }: Dossier['facts']): string[] {
  const sources = [...new Set(document.sourceRevisions.map(({ source }) => source))].filter((s) => s !== 'dnk').sort();
  return sources.map((source) => {
    const own = document.sourceRevisions.filter((revision) => revision.source === source);
    const allowed = allowedSurfaces({ ...document, sourceRevisions: own }, permissions, publicationId);
    const denied = PERMITTED_SURFACES.filter((surface) => !allowed.includes(surface));
    const not = denied.length === 0 ? '' : `; not on ${denied.join(', ')}`;
    return `${label('source')}${source}: ${allowed.length === 0 ? 'not allowed on any surface' : `allowed on ${allowed.join(', ')}${not}`}`;
  });
}

function describeEvent(event: LifeEvent): string {
  const note = (text: string) => printable(text, MAX_NOTE);
  switch (event.type) {
    case 'checked':
      return `${event.at} checked`;
    case 'reviewed':
      return `${event.at} ${event.review} review: ${event.verdict} by ${note(event.by)}: ${note(event.note)}`;
    case 'activated':
      return `${event.at} activated by ${note(event.by)}`;
    case 'suspended':
      return `${event.at} suspended: ${note(event.reason)}`;
    case 'withdrawn':
      return `${event.at} withdrawn by ${note(event.by)}: ${note(event.reason)}`;
  }
}

/** Every stated cell with its source and citation, by holding, for comparison with the filings. */
export function describeTable(document: Document): string[] {
  const { issuer, holdings, agreement } = document;
  const lines = [`${printable(issuer.nameJa)} (${printable(issuer.id)}, EDINET ${printable(issuer.edinetCode)})`];
  for (const holding of holdings) {
    const matches = document.buildingMatches.filter(({ holdingId }) => holdingId === holding.id);
    lines.push('', `${printable(holding.propertyCode)} ${printable(holding.nameJa)}`);
    lines.push(`${describeHolding(document, holding)}; amounts are for ${AMOUNT_BASIS[holding.amountBasis]}`);
    lines.push(`held from ${holding.heldFrom}${holding.heldTo === null ? '' : ` to ${holding.heldTo}`}`);
    for (const { buildingId, coverage, evidence, reviewId } of matches) {
      const shown = evidence.map(({ kind, result }) => `${printable(kind)} ${printable(result)}`).join(', ');
      lines.push(`matched to ${buildingId}, ${printable(coverage)}: ${shown} (review ${printable(reviewId)})`);
    }
    lines.push(...recordLines(document, holding.id));
    const latest = latestPeriod(document, holding.id);
    if (latest !== undefined) lines.push(`latest figures: ${printable(latest.id)} ${printable(latest.labelJa)}`);
    for (const period of periodsInOrder(document.periods)) {
      const group = agreement?.groups.find((g) => g.holdingId === holding.id && g.periodId === period.id);
      if (group !== undefined) lines.push(...groupLines(document, group, period));
    }
  }
  if (agreement === undefined) lines.push('', 'no agreement: the document was composed by an earlier version');
  return lines;
}

type Group = NonNullable<Document['agreement']>['groups'][number];

function groupLines(document: Document, { periodId, fields }: Group, period: Period): string[] {
  const cite = citationsByField(document);
  const span = `${printable(period.labelJa)} ${period.startDate} to ${period.endDate}`;
  const lines = ['', `  ${printable(periodId)} ${span}`];
  for (const { path, status, value, observations } of fields) {
    if (observations.length === 0) continue;
    lines.push(`  ${path}  ${status}${value === null ? '' : `: ${describeMeasure(value)}`}`);
    for (const { revisionId, path: at, value: stated } of observations) {
      const cited = describeCitations(cite(revisionId, at));
      lines.push(`    ${printable(revisionId)} says ${describeMeasure(stated)}${cited === '' ? '' : `, ${cited}`}`);
    }
  }
  const missing = fields.filter(({ status }) => status === 'missing').map(({ path }) => path);
  if (missing.length > 0) lines.push(`  missing: ${missing.join(', ')}`);
  return lines;
}

function recordLines({ transactions, ownership }: Document, holdingId: string): string[] {
  const cited = (evidence: readonly { revisionId: string; locator: string }[]) =>
    evidence.map(({ revisionId, locator }) => `${printable(revisionId)} ${printable(locator)}`).join('; ');
  const share = (fraction: { numerator: number; denominator: number } | null) =>
    fraction === null ? 'share unstated' : `${fraction.numerator}/${fraction.denominator}`;
  return [
    ...transactions
      .filter((record) => record.holdingId === holdingId)
      .map(({ id, type, contractDate, deliveryDate, shareDelta, price, counterparty, evidence }) => {
        const dates = `contract ${contractDate ?? 'undated'}, delivery ${deliveryDate ?? 'undated'}`;
        const from = counterparty === null ? '' : `, ${printable(counterparty)}`;
        const what = `${printable(type)} of ${share(shareDelta)} for ${describeMeasure(price)}`;
        return `transaction ${printable(id)}: ${what}, ${dates}${from} (${cited(evidence)})`;
      }),
    ...ownership
      .filter((record) => record.holdingId === holdingId)
      .map(({ id, from, to, share: held, trustee, propertyManager, evidence }) => {
        const who = [
          ...(trustee === null ? [] : [`trustee ${printable(trustee)}`]),
          ...(propertyManager === null ? [] : [`manager ${printable(propertyManager)}`]),
        ];
        const what = [`${share(held)} from ${from}${to === null ? '' : ` to ${to}`}`, ...who].join(', ');
        return `ownership ${printable(id)}: ${what} (${cited(evidence)})`;
      }),
  ];
}

const MAX_SHOWN = 500;
const MAX_PATH = 1_000;

/** The differences of two documents, one line each. */
export function describeDiff(before: Document, after: Document): string[] {
  return diffDocuments(before, after).map(describeChange);
}

function describeChange({ kind, path, before, after }: DocumentChange): string {
  const [was, is] = [showPart(path, before), showPart(path, after)];
  const values = kind === 'changed' ? `${was} → ${is}` : (was ?? is);
  return `${kind} ${printable(path, MAX_PATH)}: ${values}`;
}

function showPart(path: string, json: string | null): string | null {
  if (json === null) return null;
  const value = JSON.parse(json) as unknown;
  if (path.startsWith('/agreement/')) {
    const { status, value: consensus } = value as { status: string; value: Consensus | null };
    return consensus === null ? status : `${describeMeasure(consensus)} (${status})`;
  }
  if (value === null || (typeof value === 'object' && 'state' in value)) {
    return printable(describeMeasure(value as Measure | null), MAX_SHOWN);
  }
  return printable(json, MAX_SHOWN);
}

/** One value: `57000000 JPY (scale 6, decimals -6, truncate)`, or its state. */
function describeMeasure(value: Measure | Consensus | null): string {
  if (value === null) return 'not stated';
  if ('amount' in value) {
    const amount = `${value.state === 'derived' ? 'derived ' : ''}${value.amount} ${value.unit}`;
    if (value.state === 'derived') return `${amount} (${value.formulaVersion})`;
    return 'scale' in value
      ? `${amount} (scale ${value.scale}, decimals ${value.decimals}, ${value.rounding})`
      : amount;
  }
  if ('date' in value) return value.date;
  return 'reasonCode' in value && value.reasonCode !== undefined ? `${value.state} (${value.reasonCode})` : value.state;
}

function describeCitations(citations: readonly Citation[]): string {
  return citations.map(({ sourceUrl, locator }) => `${printable(sourceUrl, 500)} ${printable(locator)}`).join('; ');
}
