import { printable } from '../../vocabulary/text.ts';

/** Why a bundle is refused: where, as a JSON Pointer into it, what is wrong, and what to do. */
export interface BundleFault {
  path: string;
  problem: string;
  remedy: string;
}

export const fault = (path: string, problem: string, remedy: string): BundleFault => ({ path, problem, remedy });

/** One step of a JSON Pointer. */
export const step = (key: string | number): string =>
  `/${typeof key === 'number' ? key : key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** One line; keys of the bundle may stand in the path, and are shown so that they can do nothing. */
export function describeFault({ path, problem, remedy }: BundleFault): string {
  return `${path === '' ? 'the bundle' : printable(path)}: ${problem}; ${remedy}`;
}
