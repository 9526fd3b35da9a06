import type { BuildingPage } from '../../vocabulary/building-page.ts';
import type { ScalarField } from '../../vocabulary/fields.ts';
import { PLANNED_OR_INFERRED_CONFIDENCE } from '../../vocabulary/sources.ts';

export type FieldValue = NonNullable<BuildingPage['fields'][ScalarField]>;

const UNITS: Readonly<Record<string, string>> = { m2: 'm²', JPY: '円' };
const TENURE: Readonly<Record<string, string>> = { sale: 'for sale', rental: 'for rent', mixed: 'for sale and rent' };
const WRITTEN_PLAIN: ReadonlySet<ScalarField> = new Set(['yearBuilt']);

const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 20 });
const counted = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** How many, for people. */
export const formatCount = (value: number): string => counted.format(value);

/** `1 building`, `2 buildings` */
export const pluralise = (value: number, one: string, several = `${one}s`): string =>
  `${formatCount(value)} ${value === 1 ? one : several}`;

/** The whole value: nothing is rounded that a source did not round. */
export function formatValue(field: ScalarField, value: string | number): string {
  if (typeof value === 'number') return WRITTEN_PLAIN.has(field) ? String(value) : grouped.format(value);
  return field === 'tenure' ? (TENURE[value] ?? value) : value;
}

export function formatUnit(unit: string | null): string {
  return unit === null ? '' : (UNITS[unit] ?? unit);
}

export const withUnit = (field: ScalarField, value: string | number, unit: string | null): string =>
  unit === null ? formatValue(field, value) : `${formatValue(field, value)} ${formatUnit(unit)}`;

/** Large sums of yen are read in 億 and 万. */
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

/** The day of a moment, in UTC, as ISO 8601 has it. */
export const dayOf = (instant: string): string => instant.slice(0, 10);

const JAPANESE: ReadonlySet<ScalarField> = new Set(['nameJa', 'addressJa']);

/** Whether what a field says is to be read as Japanese. */
export function isJapanese(field: ScalarField | undefined, text: string): boolean {
  if (field !== undefined && JAPANESE.has(field)) return true;
  return /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(text);
}

const PLANNED: ReadonlySet<ScalarField> = new Set(['completionMonth', 'yearBuilt']);

/** CON-08: a completion that was still to come when it was read. */
export const isPlanned = (field: ScalarField, { provenance: { source, confidence } }: FieldValue): boolean =>
  PLANNED.has(field) && source === 'greenbuilding' && confidence === PLANNED_OR_INFERRED_CONFIDENCE;

/** No longer than `most`, with a sign that there was more. */
export function shorten(text: string, most: number): string {
  const characters = [...text.slice(0, most * 2 + 2)];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
