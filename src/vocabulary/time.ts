const INSTANT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

export function isCalendarDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  return match !== null && isDayOfCalendar(Number(match[1]), Number(match[2]), Number(match[3]));
}

export function isCalendarMonth(text: string): boolean {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text);
}

/**
 * An ISO 8601 instant with a zone, in UTC. Instants that end in Z stay as written, other offsets are converted.
 * Undefined for anything else, including 2026-02-30.
 */
export function parseInstant(text: string): string | undefined {
  const match = INSTANT.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  if (!isDayOfCalendar(Number(year), Number(month), Number(day))) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  if (zone === 'Z') return text;
  const utc = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`).toISOString();
  if (utc.length !== 24) return undefined;
  return `${utc.slice(0, 19)}${fraction === undefined ? '' : `.${fraction}`}Z`;
}

/** A key that sorts instants by time, whatever their number of decimals. */
export function instantSortKey(instant: string): string {
  return instant.length === 20 ? `${instant.slice(0, 19)}.000000000` : instant.slice(0, -1).padEnd(29, '0');
}

const JAPAN_OFFSET_MS = 9 * 3_600_000;

/** The day of an instant in Japan, which has no daylight saving time: 2026-01-01 starts at 15:00Z the day before. */
export function dayInJapan(instant: string): string {
  return new Date(Date.parse(instant) + JAPAN_OFFSET_MS).toISOString().slice(0, 10);
}

const DAY_MS = 24 * 3_600_000;

/** Tells the day in Japan by a clock in milliseconds; formats it once a day. */
export function dayClock(now: () => number): () => string {
  let number = Number.NaN;
  let day = '';
  return () => {
    const current = Math.floor((now() + JAPAN_OFFSET_MS) / DAY_MS);
    if (current !== number) {
      number = current;
      day = new Date(current * DAY_MS).toISOString().slice(0, 10);
    }
    return day;
  };
}

/** `now`, or the next moment after `last` if that is later. A damaged time is not later than any. */
export function laterThan(last: string, now: string): string {
  if (parseInstant(last) === undefined || instantSortKey(now) > instantSortKey(last)) return now;
  return new Date(Date.parse(last) + 1).toISOString();
}

function isDayOfCalendar(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day <= (days[month - 1] ?? 0);
}
