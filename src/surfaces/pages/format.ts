import type { BuildingPage } from '../../vocabulary/building-page.ts';
import type { ScalarField } from '../../vocabulary/fields.ts';
import { PLANNED_OR_INFERRED_CONFIDENCE } from '../../vocabulary/sources.ts';
import type { Text } from './catalogue/catalogue.ts';
import { formatCount } from './catalogue/counts.ts';
import { TENURE_LABELS } from './catalogue/labels.ts';
import type { Language } from './catalogue/language.ts';
import { type Html, html, raw } from './html.ts';

export { formatCount };

export type FieldValue = NonNullable<BuildingPage['fields'][ScalarField]>;

const UNITS: Readonly<Record<string, string>> = { m2: 'm²' };
const UNGROUPED: ReadonlySet<ScalarField> = new Set(['yearBuilt']);

const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 20 });

/** All digits of the source, never rounded; faster than Intl for usual numbers. */
function groupDigits(value: number): string {
  const text = String(value);
  const start = text.startsWith('-') ? 1 : 0;
  const dot = text.indexOf('.');
  let end = dot === -1 ? text.length : dot;
  if (text.includes('e') || !Number.isFinite(value)) return grouped.format(value);
  let digits = text.slice(end);
  for (; end - start > 3; end -= 3) digits = `,${text.slice(end - 3, end)}${digits}`;
  return text.slice(0, end) + digits;
}

/** An amount in 億 and 万, as people read large sums of yen: `84億5,000万円`. */
function yenInOku(value: number): string | undefined {
  if (!Number.isSafeInteger(value) || Math.abs(value) < 10_000) return undefined;
  const sign = value < 0 ? '-' : '';
  const [oku, man, rest] = [
    Math.floor(Math.abs(value) / 1e8),
    Math.floor((Math.abs(value) % 1e8) / 1e4),
    Math.abs(value) % 1e4,
  ];
  const parts = [
    [oku, '億'],
    [man, '万'],
    [rest, ''],
  ] as const;
  return `${sign}${parts.map(([part, name]) => (part === 0 ? '' : `${formatCount(part)}${name}`)).join('')}円`;
}

/** The date of an ISO 8601 timestamp, in UTC. */
export const dayOf = (instant: string): string => instant.slice(0, 10);

const COMPLETION_FIELDS: ReadonlySet<ScalarField> = new Set(['completionMonth', 'yearBuilt']);

/** CON-08: a completion that was still in the future when it was retrieved; it may be past by now. */
export const wasPlanned = (field: ScalarField, { provenance: { source, confidence } }: FieldValue): boolean =>
  COMPLETION_FIELDS.has(field) && source === 'greenbuilding' && confidence === PLANNED_OR_INFERRED_CONFIDENCE;

/** Cuts a text to `max` characters, the last of them an ellipsis. */
export function shorten(text: string, max: number): string {
  const characters = [...text.slice(0, max * 2 + 2)];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}

const DATE_FIELDS: ReadonlySet<ScalarField> = new Set([
  'completionMonth',
  'acquisitionDate',
  'appraisalDate',
  'managementPlanCertifiedOn',
]);

/**
 * UI-06: a value with its unit in the form of the language, with all digits of the source: `¥9,890,000,000` or `98億9,000万円`,
 * `1 April 2020` or `2020年4月1日`.
 */
export function formatField(t: Text, field: ScalarField, value: string | number, unit: string | null): string {
  return DATE_FIELDS.has(field) ? formatDay(t, String(value)) : formatFieldPlainly(t, field, value, unit);
}

/** The same for a Markdown twin, where English keeps dates as `2020-04-01`. */
export function formatFieldPlainly(t: Text, field: ScalarField, value: string | number, unit: string | null): string {
  if (DATE_FIELDS.has(field)) return formatDayPlainly(t, String(value));
  if (field === 'tenure') return TENURE_LABELS[value]?.[t.lang] ?? String(value);
  if (typeof value === 'string') return unit === null ? value : `${value} ${UNITS[unit] ?? unit}`;
  if (unit === 'JPY') return formatYen(t, value);
  const digits = UNGROUPED.has(field) ? String(value) : groupDigits(value);
  return unit === null ? digits : unit === '%' ? `${digits}%` : `${digits} ${UNITS[unit] ?? unit}`;
}

/** UI-06 */
export function formatYen(t: Text, value: number): string {
  if (t.lang === 'ja') return yenInOku(value) ?? `${groupDigits(value)}円`;
  return value < 0 ? `-¥${groupDigits(-value)}` : `¥${groupDigits(value)}`;
}

const MONTHS = Array.from({ length: 12 }, (_, month) =>
  new Date(Date.UTC(2000, month)).toLocaleString('en', { month: 'long', timeZone: 'UTC' }),
);

/** UI-06: a day, a month or a year of ISO 8601, possibly with a time: `1 April 2020`, `2020年4月`; other text as it is. */
export function formatDay(t: Text, iso: string): string {
  const [, year, month, day] = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?(?:T.*)?$/.exec(iso) ?? [];
  if (year === undefined) return iso;
  if (month === undefined) return t.lang === 'ja' ? `${year}年` : year;
  const index = Number(month) - 1;
  if (index > 11) return iso;
  if (t.lang === 'ja') return `${year}年${index + 1}月${day === undefined ? '' : `${Number(day)}日`}`;
  const name = MONTHS[index];
  return day === undefined ? `${name} ${year}` : `${Number(day)} ${name} ${year}`;
}

export const formatDayPlainly = (t: Text, iso: string): string => (t.lang === 'en' ? dayOf(iso) : formatDay(t, iso));

/** A day as an HTML element. */
export const dayElement = (t: Text, iso: string): Html => html`<time datetime="${iso}">${formatDay(t, iso)}</time>`;

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;
/** By code unit; faster than the expression. A Han character beyond the first plane starts with one of these surrogates. */
const IS_JAPANESE = Uint8Array.from({ length: 65_536 }, (_, unit) =>
  (unit >= 0xd840 && unit <= 0xd8bf) || JAPANESE.test(String.fromCharCode(unit)) ? 1 : 0,
);

function hasJapanese(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (IS_JAPANESE[text.charCodeAt(i)] === 1) return true;
  return false;
}

/** UI-07: the language of a text that is not in the language of the page; undefined if it needs no attribute. */
function foreignLanguage(t: Text, text: string, stated?: Language): Language | undefined {
  const lang = hasJapanese(text) ? 'ja' : stated === 'en' ? 'en' : undefined;
  return lang === t.lang ? undefined : lang;
}

const OTHER_THAN_WORDS = /[^\p{Script=Latin}\p{M}\p{N}\s.,;&()'’“”"/+–…-]/u;
const LATIN_WORD = /\p{Script=Latin}{2}/u;

/** UI-07: `en` for words such as Mori Tower or observation tower; undefined for codes (shop=mall) and other scripts. */
export const languageOfWords = (text: string): 'en' | undefined =>
  LATIN_WORD.test(text) && !OTHER_THAN_WORDS.test(text) ? 'en' : undefined;

/** UI-07: marks a text in another language for fonts and screen readers. `stated` is `en` for names known to be English. */
export function run(t: Text, text: string, stated?: Language): Html {
  const lang = foreignLanguage(t, text, stated);
  return lang === undefined ? html`${text}` : html`<span lang="${lang}">${text}</span>`;
}

/** The same as an attribute of the element that contains the text. */
export function langAttribute(t: Text, text: string, stated?: Language): Html {
  const lang = foreignLanguage(t, text, stated);
  return raw(lang === undefined ? '' : ` lang="${lang}"`);
}

const JAPANESE_PARTS = /([\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー]+)/u;

/** UI-07: the same for a sentence that contains text in another language. */
export const runs = (t: Text, text: string): Html =>
  t.lang === 'ja' ? html`${text}` : html`${text.split(JAPANESE_PARTS).map((part) => run(t, part))}`;
