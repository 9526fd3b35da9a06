import type { BuildingPage } from '../../vocabulary/building-page.ts';
import type { ScalarField } from '../../vocabulary/fields.ts';
import { PLANNED_OR_INFERRED_CONFIDENCE } from '../../vocabulary/sources.ts';

export type FieldValue = NonNullable<BuildingPage['fields'][ScalarField]>;

const UNITS: Readonly<Record<string, string>> = { m2: 'm²', JPY: '円' };
const TENURE: Readonly<Record<string, string>> = { sale: 'for sale', rental: 'for rent', mixed: 'for sale and rent' };
const UNGROUPED: ReadonlySet<ScalarField> = new Set(['yearBuilt']);

const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 20 });
const counted = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

export const formatCount = (value: number): string => counted.format(value);

/** `1 building`, `2 buildings` */
export const pluralise = (value: number, one: string, several = `${one}s`): string =>
  `${formatCount(value)} ${value === 1 ? one : several}`;

/** With all digits of the source, never rounded. */
export function formatValue(field: ScalarField, value: string | number): string {
  if (typeof value === 'number') return UNGROUPED.has(field) ? String(value) : grouped.format(value);
  return field === 'tenure' ? (TENURE[value] ?? value) : value;
}

export function formatUnit(unit: string | null): string {
  return unit === null ? '' : (UNITS[unit] ?? unit);
}

export const withUnit = (field: ScalarField, value: string | number, unit: string | null): string =>
  unit === null ? formatValue(field, value) : `${formatValue(field, value)} ${formatUnit(unit)}`;

/** An amount in 億 and 万, as people read large sums of yen: `84億5,000万円`. */
export function yenInOku(value: number): string | undefined {
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
  return `${sign}${parts.map(([part, name]) => (part === 0 ? '' : `${counted.format(part)}${name}`)).join('')}円`;
}

/** The date of an ISO 8601 timestamp, in UTC. */
export const dayOf = (instant: string): string => instant.slice(0, 10);

const ALWAYS_JAPANESE: ReadonlySet<ScalarField> = new Set(['nameJa', 'addressJa']);

/** Whether to mark the text of a field as Japanese. */
export function isJapanese(field: ScalarField | undefined, text: string): boolean {
  if (field !== undefined && ALWAYS_JAPANESE.has(field)) return true;
  return /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(text);
}

const COMPLETION_FIELDS: ReadonlySet<ScalarField> = new Set(['completionMonth', 'yearBuilt']);

/** CON-08: a planned completion that was still in the future when it was retrieved. */
export const isPlanned = (field: ScalarField, { provenance: { source, confidence } }: FieldValue): boolean =>
  COMPLETION_FIELDS.has(field) && source === 'greenbuilding' && confidence === PLANNED_OR_INFERRED_CONFIDENCE;

/** Cuts a text to `max` characters, the last of them an ellipsis. */
export function shorten(text: string, max: number): string {
  const characters = [...text.slice(0, max * 2 + 2)];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}
