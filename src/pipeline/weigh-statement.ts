import { NAMES_NONE, type StatementSummary } from '../observations/source-records.ts';
import { momentsOf, orderOf } from './lie-of-record.ts';

interface Verdict {
  isNew: boolean;
  isReplay: boolean;
  isRefetch: boolean;
  /** The statement whose payload was seen again, and all the moments it was. */
  seen?: [statement: number, moments: string];
}

/** What is already said of some source records, to tell a replay and a refetch from news. */
export class Said {
  readonly #statements = new Map<number, StatementSummary[]>();

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
        other.claimed === statement.claimed &&
        other.raw_payload_ref === statement.raw_payload_ref &&
        other.body === statement.body &&
        momentsOf(other).includes(statement.retrieved_at),
    );
    const newest = before.reduce<StatementSummary | undefined>(
      (best, other) => (best === undefined || orderOf(other) > orderOf(best) ? other : best),
      undefined,
    );
    const isRefetch = newest?.raw_payload_ref === statement.raw_payload_ref && newest.body === statement.body;
    const verdict: Verdict = { isNew: before.length === 0, isReplay, isRefetch };
    if (!notesRefetch || isReplay || !isRefetch || newest?.id === undefined) return verdict;
    if (orderOf(statement) < orderOf(newest)) return verdict;
    newest.seen = newest.seen == null ? statement.retrieved_at : `${newest.seen} ${statement.retrieved_at}`;
    return { ...verdict, seen: [newest.id, newest.seen] };
  }
}
