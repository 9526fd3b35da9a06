import { expect } from 'vitest';
import type { Context } from '../../src/pipeline/context.ts';
import { Repairs } from '../../src/verify/repair.ts';
import { verify } from '../../src/verify/verify.ts';
import { type Difference, VERIFIED_PARTS, type VerifiedPart } from '../../src/vocabulary/difference.ts';

const describe = ({ kind, table, row, detail }: Difference) =>
  [kind, table, row, ...(detail === null ? [] : [detail])].join(' ');

/** Every difference that `verify` finds, as short lines. */
export async function differencesIn(
  context: Context,
  parts: readonly VerifiedPart[] = VERIFIED_PARTS,
): Promise<string[]> {
  const found: Difference[] = [];
  await verify(context, { parts }, (difference) => found.push(difference));
  return found.filter(({ kind }) => kind !== 'note').map(describe);
}

/** Nothing that ordinary commands leave differs from what the evidence gives. */
export async function expectVerified(context: Context, except?: VerifiedPart): Promise<void> {
  const parts = VERIFIED_PARTS.filter((part) => part !== except);
  expect((await differencesIn(context, parts)).join('\n')).toBe('');
}

/** Repairs what differs; returns it. */
export async function repair(context: Context): Promise<string[]> {
  const repairs = new Repairs();
  const found: Difference[] = [];
  await verify(context, { parts: VERIFIED_PARTS }, (difference) => {
    found.push(difference);
    repairs.add(difference);
  });
  await repairs.run(context);
  return found.map(describe);
}
