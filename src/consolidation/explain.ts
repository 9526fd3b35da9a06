import type { CanonicalEntry, CanonicalField, CanonicalGeometry, Provenance } from '../vocabulary/canonical.ts';
import type { RecordEvidence } from '../vocabulary/evidence.ts';
import type { Field, ScalarField } from '../vocabulary/fields.ts';
import { GEOMETRY_PRECEDENCE, PRECEDENCE } from '../vocabulary/precedence.ts';
import { PLANNED_OR_INFERRED_CONFIDENCE } from '../vocabulary/sources.ts';
import { type CurrentClaims, currentClaims, type Revision } from './current-claims.ts';
import { decidingStep, type OrderingStep, orderClaims, rankOf, type SourceRank } from './order-claims.ts';

/** Why a value is published, in one sentence that names the rules. */
export type Reason = { ok: true; text: string } | { ok: false; text: string };

const because = (text: string): Reason => ({ ok: true, text });

/** The stored evidence gives another value: it changed since publication, or something is wrong. */
const CONTRADICTED: Reason = {
  ok: false,
  text: 'the stored evidence does not give this value: run tatemono republish',
};

/** Explains the values of one building by the steps that decided, without rules of its own. */
export class Explainer {
  readonly #records: readonly CurrentClaims[];
  readonly #evidence: readonly RecordEvidence[];

  constructor(evidence: readonly RecordEvidence[]) {
    this.#evidence = evidence;
    this.#records = evidence.map(currentClaims);
  }

  ofField(field: ScalarField, published: CanonicalField): Reason {
    if (published.provenance.source === 'dnk')
      return because('no source states it: footprintM2 × (floorsAbove + floorsBelow) (CON-11)');
    if (published.inheritedFrom !== null) {
      return because('no source of the building itself states it, so it is inherited from its complex (CON-12)');
    }
    if (field === 'appraisalDate') {
      return because('it comes with the winning appraisalValueJpy: same record, payload and fetch (CON-10)');
    }
    return this.#ofCandidates(field, published, published.alternatives);
  }

  /** CON-07: only the members of its group compete with an alias or a use. */
  ofEntry(field: 'aliases' | 'assetTypes', published: CanonicalEntry): Reason {
    if (published.provenance.source === 'dnk') return because('no source states a use (REC-02)');
    const inside = field === 'aliases' ? 'one alias for each normalised text' : 'one use for each category';
    const reason = this.#ofCandidates(field, published, published.alternatives);
    return reason.ok ? because(`${inside} (CON-07): ${reason.text}`) : reason;
  }

  ofFootprint({ provenance, alternatives }: CanonicalGeometry): Reason {
    const revisionOf = (of: Provenance) =>
      this.#records.find((record) => isOf(record, of) && record.geometry !== null)?.geometry ?? undefined;
    const winner = revisionOf(provenance);
    if (winner === undefined) return CONTRADICTED;
    const losers = alternatives.flatMap((other) => revisionOf(other.provenance) ?? []);
    return because(this.#compare(winner, losers, rankOf(GEOMETRY_PRECEDENCE)));
  }

  ofVenue(provenance: Provenance): Reason {
    const isKept = this.#records.some((record) => isOf(record, provenance) && record.venues.length > 0);
    if (!isKept) return CONTRADICTED;
    return because(`one venue for each name, category and level; ${provenance.source} is the first source to name it`);
  }

  #ofCandidates(
    field: Field,
    published: Pick<CanonicalEntry, 'value' | 'provenance'>,
    alternatives: CanonicalEntry['alternatives'],
  ): Reason {
    const rank = rankOf(PRECEDENCE[field]);
    const own = this.#records.flatMap(({ claims }) => claims.filter((c) => c.field === field && c.complex === null));
    const claims = orderClaims(own, rank);
    const find = ({ value, provenance }: Pick<CanonicalEntry, 'value' | 'provenance'>) =>
      claims.find((claim) => claim.value === value && isOf(claim.provenance, provenance));
    const winner = find(published);
    if (winner === undefined) return CONTRADICTED;
    const losers = alternatives.flatMap((other) => find(other) ?? []);
    if (losers.some((loser) => claims.indexOf(loser) < claims.indexOf(winner))) return CONTRADICTED;
    return because(this.#compare(winner, losers, rank));
  }

  #compare(winner: Revision, losers: readonly Revision[], rank: SourceRank): string {
    const { source, sourceRecordId, confidence } = winner.provenance;
    const outranked = new Set(losers.map((loser) => loser.provenance.source).filter((other) => other !== source));
    const rivals = losers.filter((loser) => loser.provenance.source === source);
    const parts: string[] = [];
    if (outranked.size > 0) parts.push(`${source} precedes ${[...outranked].join(', ')} (CON-05, CON-16)`);
    const [rival] = rivals;
    if (rival !== undefined) parts.push(BETWEEN_EQUALS[decidingStep(winner, rival, rank) ?? 'value'](source));
    if (parts.length === 0) parts.push(`${source} alone states it (CON-16)`);
    const revisions = this.#revisionsOf(winner.provenance);
    if (revisions > 1) parts.push(`the latest of ${revisions} revisions of ${sourceRecordId} (CON-01, CON-03)`);
    if (confidence === PLANNED_OR_INFERRED_CONFIDENCE) parts.push('planned or inferred (CON-08)');
    return parts.join('; ');
  }

  #revisionsOf(provenance: Provenance): number {
    const statements = this.#evidence.filter((record) => isOf(record, provenance)).flatMap((r) => r.statements);
    return new Set(statements.map(({ rawPayloadRef }) => rawPayloadRef)).size;
  }
}

const BETWEEN_EQUALS: Readonly<Record<OrderingStep, (source: string) => string>> = {
  source: (source) => `${source} precedes the others (CON-05)`,
  newest: (source) => `the newest of several ${source} values (CON-05)`,
  payload: (source) => `several ${source} values of one time: the greatest payload reference (CON-01, CON-17)`,
  record: (source) => `several ${source} values of one time and payload: the first record ID (CON-17)`,
  value: (source) => `one ${source} record states several values: the first in order (CON-02, CON-17)`,
};

type Named = Pick<Provenance, 'source' | 'sourceRecordId'>;

function isOf(a: Named, b: Named): boolean {
  return a.source === b.source && a.sourceRecordId === b.sourceRecordId;
}
