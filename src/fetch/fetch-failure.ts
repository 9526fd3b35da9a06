import { FailureError } from '../vocabulary/failure.ts';
import { printable } from '../vocabulary/text.ts';

/** What was asked for, without the query: that may hold an access key. */
export function placeOf({ host, pathname }: URL): string {
  return printable(`${host}${pathname}`, 300);
}

/** A publisher's answer cannot be used. The message is one line that says what is wrong and where. */
export function fetchFailure(where: URL | string, reason: string): FailureError {
  return new FailureError({
    kind: 'fetch',
    reason: `${typeof where === 'string' ? where : placeOf(where)}: ${reason}`,
  });
}
