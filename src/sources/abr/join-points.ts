import type { Position } from '../../vocabulary/geometry.ts';
import type { Item } from '../adapter.ts';
import { type PointCells, parsePoint } from './parse-point.ts';
import type { RowWith } from './read-table.ts';

/** How many rows of either side wait for their other half. */
const WINDOW = 100_000;

interface Joined<R> {
  kind: 'joined';
  row: RowWith<R>;
  point: Position;
}

/**
 * Rows and their points, which are in other tables. Both are read in step, as they come in the order of
 * their keys; rows without their other half wait for it, so that another order is right too as long as the
 * halves are no more than a window apart. Rows that never found theirs are told by `onMissing`.
 */
export async function* joinPoints<R, P extends PointCells>(
  rows: AsyncIterable<(RowWith<R> | Item)[]>,
  points: AsyncIterable<(RowWith<P> | Item)[]>,
  keyOf: (cells: R | P) => string,
  onMissing: (row: RowWith<R>) => void,
): AsyncGenerator<(Joined<R> | Item)[]> {
  const waitingRows = new Map<string, RowWith<R>>();
  const waitingPoints = new Map<string, Position>();
  let some: (Joined<R> | Item)[] = [];

  const reader = points[Symbol.asyncIterator]();
  let portion: (RowWith<P> | Item)[] = [];
  let at = 0;
  let ended = false;
  const nextPoint = async (): Promise<RowWith<P> | undefined> => {
    for (;;) {
      for (; at < portion.length; at++) {
        const entry = portion[at] as RowWith<P> | Item;
        if (entry.kind === 'row') return entry;
        some.push(entry);
      }
      if (ended) return undefined;
      const { value, done } = await reader.next();
      at = 0;
      portion = done ? [] : value;
      ended = done === true;
    }
  };
  const takePoint = ({ cells, file, line }: RowWith<P>): void => {
    at++;
    const key = keyOf(cells);
    const point = parsePoint(cells);
    if (typeof point === 'string') some.push({ kind: 'note', at: { file, line }, record: key, reason: point });
    if (point === null || typeof point === 'string') return;
    const row = waitingRows.get(key);
    if (row === undefined) dropOldest(waitingPoints.set(key, point));
    else some.push({ kind: 'joined', row, point });
    waitingRows.delete(key);
  };

  for await (const entries of rows) {
    for (const entry of entries) {
      if (entry.kind !== 'row') {
        some.push(entry);
        continue;
      }
      const key = keyOf(entry.cells);
      let next = portion[at]?.kind === 'row' ? (portion[at] as RowWith<P>) : await nextPoint();
      while (next !== undefined && keyOf(next.cells) <= key) {
        takePoint(next);
        next = await nextPoint();
      }
      const point = waitingPoints.get(key);
      waitingPoints.delete(key);
      if (point !== undefined) some.push({ kind: 'joined', row: entry, point });
      else if (next === undefined) onMissing(entry);
      else {
        const lost = dropOldest(waitingRows.set(key, entry));
        if (lost !== undefined) onMissing(lost);
      }
    }
    yield some;
    some = [];
  }
  for (let next = await nextPoint(); next !== undefined && waitingRows.size > 0; next = await nextPoint()) {
    takePoint(next);
    if (some.length >= 500) {
      yield some;
      some = [];
    }
  }
  await reader.return?.();
  for (const row of waitingRows.values()) onMissing(row);
  yield some;
}

function dropOldest<T>(waiting: Map<string, T>): T | undefined {
  if (waiting.size <= WINDOW) return undefined;
  const [key, value] = waiting.entries().next().value as [string, T];
  waiting.delete(key);
  return value;
}
