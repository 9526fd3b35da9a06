import { fetchTimesOf, statementOrder } from '../matching/locate-records.ts';
import { NAMES_NONE, type StatementSummary } from '../observations/source-records.ts';
import { payloadRef } from '../observations/statement-codec.ts';
import { expandText } from '../storage/compact/compact.ts';
import { instantSortKey } from '../vocabulary/time.ts';

interface Comparison {
  /** The first statement of its record. */
  isNew: boolean;
  /** It adds nothing to the stored statements (CON-04). */
  isReplay: boolean;
  /** It has the content of the newest statement. */
  isRefetch: boolean;
  /** The statement whose payload was fetched again, and the times of all its fetches. */
  seen?: [statement: number, times: string];
}

/** The statements of some source records, to compare new ones with. */
export class StatementHistory {
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
    for (const statement of all) if (statement.claimed === NAMES_NONE) this.add({ ...statement, record: to });
  }

  add(statement: StatementSummary): void {
    const known = this.#statements.get(statement.record);
    if (known === undefined) this.#statements.set(statement.record, [statement]);
    else known.push(statement);
  }

  /** With `foldsRefetch`, a payload that was fetched again adds its time to the stored statement. */
  compare(statement: StatementSummary, foldsRefetch: boolean): Comparison {
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
    const comparison: Comparison = { isNew: before.length === 0, isReplay, isRefetch };
    if (!foldsRefetch || isReplay || !isRefetch || newest.id === undefined) return comparison;
    if (statementOrder(statement) < statementOrder(newest)) return comparison;
    newest.seen = newest.seen == null ? statement.retrieved_at : `${newest.seen} ${statement.retrieved_at}`;
    return { ...comparison, seen: [newest.id, newest.seen] };
  }

  /**
   * Whether a stored statement makes one with the same content superfluous: it has the same retrievedAt, or a later one
   * that is published already, which must not move back. Inside one run nothing is published yet, so that the order
   * of its lines and files does not matter.
   */
  #covers(stored: StatementSummary, { retrieved_at }: StatementSummary): boolean {
    const times = fetchTimesOf(stored);
    if (times.includes(retrieved_at)) return true;
    const isPublished = stored.ingest !== undefined && stored.ingest <= this.#lastFinishedIngest;
    return isPublished && times.some((time) => instantSortKey(time) >= instantSortKey(retrieved_at));
  }
}

function isSameContent(a: StatementSummary, b: StatementSummary): boolean {
  return expandText(a.body) === expandText(b.body) && payloadRef(a) === payloadRef(b);
}
