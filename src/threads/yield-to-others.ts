import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Lets the other threads of this process go first where there are more of them than processors. Only
 * Linux has a priority for each thread; elsewhere nothing changes.
 */
export function yieldToOthers(): void {
  if (process.platform !== 'linux') return;
  const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  setPriority(thread, NICENESS);
}

const NICENESS = 10;
