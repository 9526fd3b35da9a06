import { fetchTimesOf, statementOrder } from '../matching/locate-records.ts';
import { NAMES_NONE, type StatementSummary } from '../observations/source-records.ts';
import { instantSortKey } from '../vocabulary/time.ts';

interface Verdict {
  isNew: boolean;
  /** It adds nothing to what is kept. */
  isReplay: boolean;
  isRefetch: boolean;
  /** The statement whose payload was seen again, and all the moments it was. */
  seen?: [statement: number, moments: string];
}

/** What is already said of some source records, to tell a replay and a refetch from news. */
export class Said {
  readonly #statements = new Map<number, StatementSummary[]>();
  readonly #lastFinishedIngest: number;

  constructor(lastFinishedIngest: number) {
    this.#lastFinishedIngest = lastFinishedIngest;
  }

  of(record: number): readonly StatementSummary[] {
    return this.#statements.get(record) ?? [];
  }

  hasUnnamed(record: number): boolean {
    return this.of(record).some(({ claimed }) => claimed === NAMES_NONE);
  }

  moveUnnamed(from: number, to: number): void {
    const all = this.of(from);
    this.#statements.set(
      from,
      all.filter(({ claimed }) => claimed !== NAMES_NONE),
    );
    for (const statement of all) if (statement.claimed === NAMES_NONE) this.keep({ ...statement, record: to });
  }

  keep(statement: StatementSummary): void {
    const known = this.#statements.get(statement.record);
    if (known === undefined) this.#statements.set(statement.record, [statement]);
    else known.push(statement);
  }

  weigh(statement: StatementSummary, notesRefetch: boolean): Verdict {
    const before = this.#statements.get(statement.record) ?? [];
    const isReplay = before.some(
      (other) =>
        other.claimed === statement.claimed && isSameContent(other, statement) && this.#covers(other, statement),
    );
    const newest = before.reduce<StatementSummary | undefined>(
      (best, other) => (best === undefined || statementOrder(other) > statementOrder(best) ? other : best),
      undefined,
    );
    const isRefetch = newest !== undefined && isSameContent(newest, statement);
    const verdict: Verdict = { isNew: before.length === 0, isReplay, isRefetch };
    if (!notesRefetch || isReplay || !isRefetch || newest.id === undefined) return verdict;
    if (statementOrder(statement) < statementOrder(newest)) return verdict;
    newest.seen = newest.seen == null ? statement.retrieved_at : `${newest.seen} ${statement.retrieved_at}`;
    return { ...verdict, seen: [newest.id, newest.seen] };
  }

  /**
   * Whether a kept statement makes one with the same content superfluous: it has the same retrievedAt, or a later one
   * that is published already, which must not move back. Inside one run nothing is published yet, so that the order
   * of its lines and files does not matter.
   */
  #covers(kept: StatementSummary, { retrieved_at }: StatementSummary): boolean {
    const moments = fetchTimesOf(kept);
    if (moments.includes(retrieved_at)) return true;
    const isPublished = kept.ingest !== undefined && kept.ingest <= this.#lastFinishedIngest;
    return isPublished && moments.some((moment) => instantSortKey(moment) >= instantSortKey(retrieved_at));
  }
}

function isSameContent(a: StatementSummary, b: StatementSummary): boolean {
  return a.raw_payload_ref === b.raw_payload_ref && a.body === b.body;
}
