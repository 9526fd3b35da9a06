import type { FailureOf } from '../../vocabulary/failure.ts';

/** A command that changes nothing, and why. */
export type CommandRefusal = FailureOf<'refused'>;

export const refusal = (reason: string): CommandRefusal => ({ kind: 'refused', reason });

export const isBlankText = (text: string): boolean => !/\S/.test(text);
