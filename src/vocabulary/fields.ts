import { isCalendarDate, isCalendarMonth } from './time.ts';

/** The type of a field. Bounds reject only what is impossible for any building. */
type FieldType =
  | { kind: 'text' }
  | { kind: 'postcode' }
  | { kind: 'month' }
  | { kind: 'date' }
  | { kind: 'oneOf'; values: readonly string[] }
  | { kind: 'number'; min: number; max: number }
  | { kind: 'integer'; min: number; max: number };

export interface FieldDefinition {
  type: FieldType;
  unit: string | null;
  /** CON-07: several values are published, one per group. */
  repeated: boolean;
}

const scalar = (type: FieldType, unit: string | null = null): FieldDefinition => ({ type, unit, repeated: false });
const repeated = (type: FieldType): FieldDefinition => ({ type, unit: null, repeated: true });
const text: FieldType = { kind: 'text' };
const date: FieldType = { kind: 'date' };
const area: FieldType = { kind: 'number', min: 0, max: 100_000_000 };
const yen: FieldType = { kind: 'integer', min: 0, max: Number.MAX_SAFE_INTEGER };
const count: FieldType = { kind: 'integer', min: 0, max: 1_000_000 };

/** The 29 fields of contract 2.7, in its order. */
export const FIELDS = {
  nameJa: scalar(text),
  nameEn: scalar(text),
  aliases: repeated(text),
  addressJa: scalar(text),
  postcode: scalar({ kind: 'postcode' }),
  assetTypes: repeated(text),
  footprintM2: scalar(area, 'm2'),
  gfaM2: scalar({ kind: 'number', min: 0, max: 40_000_000_000 }, 'm2'),
  completionMonth: scalar({ kind: 'month' }),
  structure: scalar(text),
  landAreaM2: scalar(area, 'm2'),
  leasableAreaM2: scalar(area, 'm2'),
  acquisitionPriceJpy: scalar(yen, 'JPY'),
  acquisitionDate: scalar(date),
  appraisalValueJpy: scalar(yen, 'JPY'),
  appraisalDate: scalar(date),
  bookValueJpy: scalar(yen, 'JPY'),
  occupancyRate: scalar({ kind: 'number', min: 0, max: 100 }, '%'),
  unitCount: scalar(count),
  roomCount: scalar(count),
  floorsAbove: scalar({ kind: 'integer', min: 0, max: 300 }),
  floorsBelow: scalar({ kind: 'integer', min: 0, max: 100 }),
  heightM: scalar({ kind: 'number', min: 0, max: 2_000 }, 'm'),
  yearBuilt: scalar({ kind: 'integer', min: 500, max: 2_200 }),
  ownerPublic: scalar(text),
  architect: scalar(text),
  developer: scalar(text),
  tenure: scalar({ kind: 'oneOf', values: ['sale', 'rental', 'mixed'] }),
  managementPlanCertifiedOn: scalar(date),
} as const satisfies Record<string, FieldDefinition>;

export type Field = keyof typeof FIELDS;
export type ScalarField = Exclude<Field, 'aliases' | 'assetTypes'>;
export type FieldScalar = string | number;

export const FIELD_NAMES = Object.keys(FIELDS) as Field[];
export const SCALAR_FIELDS = FIELD_NAMES.filter((field) => !FIELDS[field].repeated) as ScalarField[];

export const MAX_TEXT_LENGTH = 20_000;

export function isField(name: string): name is Field {
  return Object.hasOwn(FIELDS, name);
}

/** Why `value` is invalid for `field`, or undefined. Never quotes the value. */
export function faultInValue(field: Field, value: unknown): string | undefined {
  const { type } = FIELDS[field] as FieldDefinition;
  if (type.kind === 'number' || type.kind === 'integer') {
    if (typeof value !== 'number') return `${field} must be a number`;
    if (!Number.isFinite(value)) return `${field} is too large to be a number`;
    if (type.kind === 'integer' && !Number.isSafeInteger(value)) return `${field} must be a whole number`;
    if (value < type.min || value > type.max) return `${field} must be from ${type.min} to ${type.max}`;
    return undefined;
  }
  if (typeof value !== 'string') return `${field} must be a string`;
  const fault = faultInText(value);
  if (fault !== undefined) return `${field} ${fault}`;
  switch (type.kind) {
    case 'text':
      return undefined;
    case 'postcode':
      return /^\d{3}-\d{4}$/.test(value) ? undefined : `${field} must have the form NNN-NNNN`;
    case 'month':
      return isCalendarMonth(value) ? undefined : `${field} must be a month of the calendar, YYYY-MM`;
    case 'date':
      return isCalendarDate(value) ? undefined : `${field} must be a day of the calendar, YYYY-MM-DD`;
    case 'oneOf':
      return type.values.includes(value) ? undefined : `${field} must be one of ${type.values.join(', ')}`;
  }
}

/** Why a text cannot be stored: databases and UTF-8 reject NUL and lone surrogates. */
export function faultInText(value: string, maxLength = MAX_TEXT_LENGTH): string | undefined {
  if (value.length > maxLength) return `is longer than ${maxLength} characters`;
  if (!/\S/.test(value)) return 'is empty';
  if (value.includes('\0')) return 'contains a NUL character';
  if (!value.isWellFormed()) return 'contains half of a surrogate pair';
  return undefined;
}

/** Descriptions for readers of the API who do not know the sources. */
export const FIELD_DESCRIPTIONS: Readonly<Record<ScalarField, string>> = {
  nameJa: 'Name in Japanese.',
  nameEn: 'Name in English.',
  addressJa: 'Address in Japanese, as the source writes it.',
  postcode: 'Japanese postcode, NNN-NNNN.',
  footprintM2: 'Area of the ground that the building covers.',
  gfaM2: 'Gross floor area. If no source reports it, footprint times floors; `estimated` is then true.',
  completionMonth: 'Month of completion, YYYY-MM. It may be a planned one; its confidence is then 0.6.',
  structure: 'Structure, such as 鉄骨造, as the source writes it.',
  landAreaM2: 'Area of the plot.',
  leasableAreaM2: 'Floor area that can be let.',
  acquisitionPriceJpy: 'The price that the owner paid, as disclosed.',
  acquisitionDate: 'When the owner acquired it.',
  appraisalValueJpy: 'The appraised value, as disclosed.',
  appraisalDate: 'The date of that appraisal. Absent if the disclosure has none; never the date of retrieval.',
  bookValueJpy: 'Book value, as disclosed.',
  occupancyRate: 'Share of the leasable area that is let, 0 to 100.',
  unitCount: 'Dwellings or other units.',
  roomCount: 'Rooms, of a hotel for example.',
  floorsAbove: 'Floors above ground.',
  floorsBelow: 'Floors below ground.',
  heightM: 'Height above ground.',
  yearBuilt: 'Year of completion. It may be that of the complex; `inheritedFrom` then names it.',
  ownerPublic: 'Owner, if a public source names one.',
  architect: 'Architect. It may be that of the complex; `inheritedFrom` then names it.',
  developer: 'The company that had it built.',
  tenure: 'Whether its dwellings were built for sale, for rent, or both.',
  managementPlanCertifiedOn: 'When the management plan of the condominium was certified.',
};
