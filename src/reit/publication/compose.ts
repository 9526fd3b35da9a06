import { METRICS } from '../../vocabulary/reit-metrics.ts';
import { fail, ok, type Result } from '../../vocabulary/result.ts';
import { SOURCE_FACTS } from '../../vocabulary/source-facts.ts';
import type { Source } from '../../vocabulary/sources.ts';
import { AGREEMENT_VERSION, agreementField, makeGroup, type ObservationGroup } from './agreement.ts';
import { type Anchors, anchorHash } from './anchors.ts';
import { type Bundle, type BundleFault, fault, pointerStep } from './bundle.ts';
import { byTexts, canonicalJson, compareText, sha256 } from './canonical-json.ts';
import { type Document, type MetricObservation, SCHEMA_VERSION } from './document.ts';
import { checkNoiIdentity } from './financial-checks.ts';
import { type Finding, findingsIn } from './findings.ts';
import { deriveGroup } from './formulas.ts';
import { changesShareWithin } from './periods.ts';
import { computedRevision, type FoldedRevision, foldRevision, headsOf } from './revisions.ts';

/** A draft publication: its bytes, its ID and the findings that block it. */
export interface PublicationDraft {
  id: string;
  document: Document;
  /** RFC 8785; the ID is the hash of this text. */
  canonical: string;
  findings: Finding[];
}

const byId = byTexts(({ id }: { id: string }) => id);

/** REIT-02: the same bundle, anchors and superseded publication always give the same bytes. */
export function compose(
  bundle: Bundle,
  anchors: ReadonlyMap<string, Anchors>,
  /** The withdrawn publication that this one replaces. It makes the ID differ for the same content. */
  supersedes?: string,
): Result<PublicationDraft, BundleFault[]> {
  const faults = bundle.matches.flatMap(({ buildingId }, index) => faultsInBuilding(anchors.get(buildingId), index));
  if (faults.length > 0) return fail(faults);
  // Absent instead of null, so that the IDs of documents without it do not change.
  const document = { ...composeDocument(bundle, anchors), ...(supersedes === undefined ? {} : { supersedes }) };
  const canonical = canonicalJson(document);
  return ok({ id: publicationIdOf(canonical), document, canonical, findings: findingsIn(document) });
}

/** The ID of a document, from its canonical JSON. */
export const publicationIdOf = (canonical: string) => `rp_${sha256(canonical)}`;

function faultsInBuilding(anchors: Anchors | undefined, index: number): BundleFault[] {
  const path = `/matches${pointerStep(index)}/buildingId`;
  if (anchors === undefined) return [fault(path, 'no published building has this ID', 'match a published building')];
  if (anchors.lifecycle === 'live') return [];
  return [fault(path, `the building is ${anchors.lifecycle}`, 'match the building that took its place')];
}

function composeDocument(bundle: Bundle, anchors: ReadonlyMap<string, Anchors>): Document {
  const { issuer } = bundle;
  const holdings = [...bundle.holdings].sort(byId);
  const periods = [...bundle.periods].sort(byId);
  const stated = bundle.sourceRevisions.map(foldRevision);
  const groups = groupsOf(holdings, periods, stated);
  const derivable = groups.filter(({ holdingId, periodId }) => {
    const period = periods.find(({ id }) => id === periodId);
    const rows = bundle.ownership.filter((row) => row.holdingId === holdingId);
    return period !== undefined && !changesShareWithin(rows, period);
  });
  const computed = computedRevision(
    issuer.id,
    derivable.map((group) => ({ group, derivations: deriveGroup(group) })),
    stated,
  );
  const folded = computed === undefined ? stated : [...stated, computed];
  const sourceRevisions = folded.map(({ revision }) => revision).sort(byId);
  return {
    schemaVersion: SCHEMA_VERSION,
    issuer,
    metrics: [...METRICS],
    sourceRevisions,
    revisionHeads: headsOf(sourceRevisions).map(({ id, lineageId }) => ({ lineageId, revisionId: id })),
    holdings,
    periods,
    buildingMatches: bundle.matches.map((match) => withAnchors(match, anchors)).sort(byTexts((m) => m.holdingId)),
    transactions: bundle.transactions.map(withSortedEvidence).sort(byId),
    ownership: bundle.ownership.map(withSortedEvidence).sort(byId),
    financialChecks: groups.map(checkNoiIdentity).sort(byId),
    fieldCitations: citationsOf(folded),
    attributions: attributionsOf(sourceRevisions.map(({ source }) => source)),
    agreement: {
      algorithmVersion: AGREEMENT_VERSION,
      groups: groupsOf(holdings, periods, folded).map((group) => ({
        holdingId: group.holdingId,
        periodId: group.periodId,
        fields: METRICS.map((metric) => agreementField(metric, group.observationsOf(metric))),
      })),
    },
  };
}

/** One group for every holding in every period, also where no source states anything. */
function groupsOf(
  holdings: Document['holdings'],
  periods: Document['periods'],
  folded: readonly FoldedRevision[],
): ObservationGroup[] {
  const byPath = new Map<string, MetricObservation[]>();
  for (const { id, fields } of headsOf(folded.map(({ revision }) => revision))) {
    for (const [path, value] of Object.entries(fields)) {
      const observation = { revisionId: id, path, value };
      const others = byPath.get(path);
      if (others === undefined) byPath.set(path, [observation]);
      else others.push(observation);
    }
  }
  return holdings.flatMap((holding) => periods.map((period) => makeGroup(holding.id, period.id, byPath)));
}

function withAnchors(match: Bundle['matches'][number], all: ReadonlyMap<string, Anchors>) {
  const anchors = all.get(match.buildingId) as Anchors;
  const evidence = [...match.evidence].sort(
    byTexts(
      ({ kind }) => kind,
      ({ result }) => result,
    ),
  );
  return { ...match, evidence, anchors, anchorHash: anchorHash(anchors) };
}

function withSortedEvidence<T extends { evidence: { revisionId: string; locator: string }[] }>(record: T): T {
  const evidence = [...record.evidence].sort(
    byTexts(
      ({ revisionId }) => revisionId,
      ({ locator }) => locator,
    ),
  );
  return { ...record, evidence };
}

function citationsOf(folded: readonly FoldedRevision[]): Document['fieldCitations'] {
  return folded
    .flatMap(({ revision, citations }) =>
      [...citations].map(([path, cited]) => ({ revisionId: revision.id, path, citations: cited })),
    )
    .sort(
      byTexts(
        ({ revisionId }) => revisionId,
        ({ path }) => path,
      ),
    );
}

/** The attribution texts that must accompany the values. */
export function attributionsOf(sources: Iterable<Source>): Document['attributions'] {
  return [...new Set(sources)].sort(compareText).map((source) => ({ source, text: SOURCE_FACTS[source].attribution }));
}
