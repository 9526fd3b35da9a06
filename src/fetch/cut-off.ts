import { isCalendarDate } from '../vocabulary/time.ts';

/** Days up to which fetched data is current, in UTC as publishers state them; undefined if nothing states one. */

function dayOf(milliseconds: number): string | undefined {
  return Number.isFinite(milliseconds) ? new Date(milliseconds).toISOString().slice(0, 10) : undefined;
}

/** Of an extract: the replication time in the header of a PBF, in seconds. */
export function cutOffOfReplication(seconds: number | undefined): string | undefined {
  return seconds === undefined || seconds <= 0 || seconds > 1e11 ? undefined : dayOf(seconds * 1000);
}

/** Of an Overpass answer: `timestamp_osm_base`, which stands before the elements. */
export function cutOffOfOverpass(head: string): string | undefined {
  return writtenDay(/"timestamp_osm_base"\s*:\s*"([^"]{10,40})"/.exec(head)?.[1]);
}

/** Of a CKAN resource: `last_modified`, in UTC without a zone. */
export function cutOffOfCkan(lastModified: unknown): string | undefined {
  return typeof lastModified === 'string' ? writtenDay(lastModified) : undefined;
}

/** Of files without a date of their own: the latest Last-Modified. */
export function cutOffOfLastModified(headers: readonly (string | null)[]): string | undefined {
  const days = headers.flatMap((header) => (header === null ? [] : (dayOf(Date.parse(header)) ?? [])));
  return days.toSorted().at(-1);
}

/** Of a day's list. */
export const cutOffOfDay = (day: string): string | undefined => writtenDay(day);

function writtenDay(text: string | undefined): string | undefined {
  const day = text?.slice(0, 10) ?? '';
  return isCalendarDate(day) ? day : undefined;
}
