import { expect } from 'vitest';
import { runHere } from '../support/command.ts';
import type { TestDatabase } from '../support/engines.ts';
import { placeOf } from './commands.ts';

/** `tatemono verify` finds nothing wrong with the registry and its archive. */
export async function expectClean(database: TestDatabase, where = ''): Promise<void> {
  const { code, stdout, stderr } = await runHere(placeOf(database).env, 'verify');
  expect([where, code, code === 0 ? '' : `${stdout}${stderr}`]).toEqual([where, 0, '']);
}
