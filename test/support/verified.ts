import { expect } from 'vitest';
import type { Context } from '../../src/pipeline/context.ts';
import { Repairs } from '../../src/verify/repair.ts';
import { EVERYTHING, verify } from '../../src/verify/verify.ts';
import type { Difference } from '../../src/vocabulary/difference.ts';

const describe = ({ kind, table, row, detail }: Difference) =>
  [kind, table, row, ...(detail === null ? [] : [detail])].join(' ');

/** Every difference that `verify` finds, as short lines. */
export async function differencesIn(context: Context): Promise<string[]> {
  const found: Difference[] = [];
  await verify(context, EVERYTHING, (difference) => found.push(difference));
  return found.filter(({ kind }) => kind !== 'note').map(describe);
}

/** Nothing that ordinary commands leave differs from what the evidence gives. */
export async function expectVerified(context: Context): Promise<void> {
  expect(await differencesIn(context)).toEqual([]);
}

/** Repairs what differs; returns it. */
export async function repair(context: Context): Promise<string[]> {
  const repairs = new Repairs();
  const found: Difference[] = [];
  await verify(context, EVERYTHING, (difference) => {
    found.push(difference);
    repairs.add(difference);
  });
  await repairs.run(context);
  return found.map(describe);
}
