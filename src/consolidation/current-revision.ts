import type { Statement } from '../vocabulary/evidence.ts';
import { instantSortKey } from '../vocabulary/time.ts';

/** A statement with the sort key of its retrieval, since one instant can be written in several ways. */
export interface TimedStatement extends Statement {
  order: string;
}

/** The statements of a record from one payload at one instant; together they are one revision (CON-02). */
export interface Fetch {
  order: string;
  rawPayloadRef: string;
  whole: boolean;
  statements: TimedStatement[];
}

/** An item of the current revision. */
export interface Current<T> {
  item: T;
  /** The first statement of it in the consecutive fetches that lead to the current one. */
  statement: TimedStatement;
  /** Those fetches, newest first. */
  fetches: readonly string[];
}

/** The fetches of a record, newest first: by retrieval, then by payload reference (CON-01). */
export function fetchesOf(statements: readonly Statement[]): Fetch[] {
  const timed = statements.map((statement): TimedStatement => {
    return Object.assign({ order: instantSortKey(statement.retrievedAt) }, statement);
  });
  timed.sort(
    (a, b) =>
      compareStrings(b.order, a.order) ||
      compareStrings(b.rawPayloadRef, a.rawPayloadRef) ||
      compareStrings(a.retrievedAt, b.retrievedAt),
  );
  const fetches: Fetch[] = [];
  for (const statement of timed) {
    const { order, rawPayloadRef, whole } = statement;
    const last = fetches.at(-1);
    if (last?.order === order && last.rawPayloadRef === rawPayloadRef) {
      last.statements.push(statement);
      last.whole ||= whole;
    } else fetches.push({ order, rawPayloadRef, whole, statements: [statement] });
  }
  return fetches;
}

/** How items are identified. */
export interface Identity<T> {
  /** Items with the same key are one. */
  key: (item: T) => string;
  /** Other published details; if they change, the item counts as newly stated. */
  details: (item: T, statement: TimedStatement) => unknown[];
}

interface Said<T> {
  key: string;
  /** Equal for items that are published alike, except for the time. */
  text: string;
  item: T;
  statement: TimedStatement;
}

/**
 * CON-01, CON-02, CON-03: everything that the latest fetch that mentions a thing says of it. A fetch that does not
 * mention it changes nothing, unless it states all that its source says: then the thing is withdrawn. An item that
 * consecutive fetches of one payload repeat unchanged keeps its first retrieval; A, B, A ends at A as of the third.
 */
export function findCurrent<T>(
  fetches: readonly Fetch[],
  itemsOf: (statement: TimedStatement) => readonly T[],
  identity: Identity<T>,
): Current<T>[] {
  const [only] = fetches;
  if (only !== undefined && fetches.length === 1 && only.statements.length === 1) {
    const statement = only.statements[0] as TimedStatement;
    const items = itemsOf(statement);
    if (items.length < 2) return items.map((item) => ({ item, statement, fetches: [only.order] }));
  }
  const [current = [], ...earlier] = runOf(fetches, itemsOf, identity);
  const found = new Map<string, { start: Said<T>; fetches: string[] }>();
  for (const said of current) {
    const orders = [said.statement.order];
    let start = said;
    for (const fetch of earlier) {
      const before = fetch.find(({ text }) => text === said.text);
      if (before === undefined) break;
      start = before;
      orders.push(start.statement.order);
    }
    const known = found.get(said.key);
    if (known === undefined || isBefore(start, known.start)) found.set(said.key, { start, fetches: orders });
  }
  return [...found.values()]
    .sort(
      (a, b) =>
        compareStrings(b.start.statement.order, a.start.statement.order) || compareStrings(a.start.key, b.start.key),
    )
    .map(({ start: { item, statement }, fetches: orders }) => ({ item, statement, fetches: orders }));
}

/** What each of the consecutive fetches of the current payload says about a thing, newest first. */
function runOf<T>(
  fetches: readonly Fetch[],
  itemsOf: (statement: TimedStatement) => readonly T[],
  { key, details }: Identity<T>,
): Said<T>[][] {
  const run: Said<T>[][] = [];
  let payload: string | undefined;
  for (const { rawPayloadRef, whole, statements } of fetches) {
    const said = statements.flatMap((statement) =>
      itemsOf(statement).map((item) => {
        const text = JSON.stringify([key(item), statement.sourceUrl, statement.complex, ...details(item, statement)]);
        return { key: key(item), text, item, statement };
      }),
    );
    if (said.length === 0) {
      if (whole) break;
    } else {
      payload ??= rawPayloadRef;
      if (payload !== rawPayloadRef) break;
      run.push(said);
    }
  }
  return run;
}

/**
 * If one fetch states an item in several ways: the one that has held longest, then any, but always the same (CON-17).
 */
function isBefore<T>(a: Said<T>, b: Said<T>): boolean {
  const byText = compareStrings(a.statement.retrievedAt, b.statement.retrievedAt) || compareStrings(a.text, b.text);
  return (compareStrings(a.statement.order, b.statement.order) || byText) < 0;
}

export function compareStrings(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
