import type { Part, Validators } from './fetch-folder.ts';

/**
 * The headers that make a request conditional and resume an unfinished file (FTC-01, FTC-02). If the file is complete and
 * only has to be confirmed, its own validators are sent.
 */
export function conditionsOf(
  held: Validators | undefined,
  part: (Part & { size: number }) | undefined,
): Record<string, string> {
  if (part?.isComplete === true) return unlessSame(part);
  const range = part === undefined || part.size === 0 ? undefined : strongValidator(part);
  return {
    ...(held !== undefined && unlessSame(held)),
    ...(range !== undefined && { range: `bytes=${part?.size}-`, 'if-range': range }),
  };
}

export const hasValidators = ({ etag, lastModified }: Validators): boolean => etag !== null || lastModified !== null;

function unlessSame({ etag, lastModified }: Validators): Record<string, string> {
  if (etag !== null) return { 'if-none-match': etag };
  return lastModified === null ? {} : { 'if-modified-since': lastModified };
}

/** RFC 9110: a weak tag cannot select a range, and a date only where there is no tag. */
function strongValidator({ etag, lastModified }: Validators): string | undefined {
  if (etag === null) return lastModified ?? undefined;
  return etag.startsWith('W/') ? undefined : etag;
}

/** Where a partial answer begins, and the size of the whole file; undefined if the header is not valid. */
export function readContentRange(
  header: string | undefined,
): { start: number; end: number; total: number | null } | undefined {
  const [, start, end, total] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(header ?? '') ?? [];
  if (start === undefined || end === undefined) return undefined;
  return { start: Number(start), end: Number(end), total: total === '*' ? null : Number(total) };
}
