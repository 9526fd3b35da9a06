import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { canonicalDecimal } from '../../vocabulary/exact-number.ts';
import { printable } from '../../vocabulary/text.ts';
import { isCalendarDate, isCalendarMonth } from '../../vocabulary/time.ts';
import { type BundleFault, fault, type PrintedCell, PrintedSchema, pointerStep } from './bundle.ts';
import { compareText } from './canonical-json.ts';
import {
  AmountMeasureSchema,
  BARE_STATES,
  BareMeasureSchema,
  type DateMeasure,
  DateMeasureSchema,
  DerivedMeasureSchema,
  type Measure,
  UnresolvedMeasureSchema,
} from './measure.ts';
import { readFigure } from './read-figure.ts';

const printed = shapeChecker(PrintedSchema);
const amount = shapeChecker(AmountMeasureSchema);
const date = shapeChecker(DateMeasureSchema);
const derived = shapeChecker(DerivedMeasureSchema);
const bare = shapeChecker(BareMeasureSchema);
const unresolved = shapeChecker(UnresolvedMeasureSchema);

const STATES = ['recorded', 'zero', 'derived', ...BARE_STATES, 'unresolved'];

/** A field holds dates or amounts. A price is an amount that is neither null nor printed. */
export type BundleValueKind = 'date' | 'amount' | 'price';

type Read = { value: Measure | null } | { faults: BundleFault[] };

/** Reads a value as a measure: as given, or from its printed cell. */
export function readBundleValue(given: unknown, at: string, kind: BundleValueKind): Read {
  if (given === null && kind !== 'price') return { value: null };
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return {
      faults: [fault(at, 'not a measure', `write an object with a state${kind === 'price' ? '' : ', or null'}`)],
    };
  }
  if (!('printed' in given)) return readMeasure(given, at, kind);
  if (kind !== 'amount') {
    return { faults: [fault(`${at}/printed`, 'a printed cell is not allowed here', 'write a measure with a state')] };
  }
  const faults = printed(given, at);
  if (faults.length > 0) return { faults };
  const { printed: text, ...frame } = given as PrintedCell;
  return { value: readFigure(text, frame) };
}

function readMeasure(given: object, at: string, kind: BundleValueKind): Read {
  const { state } = given as { state?: unknown };
  if (state === undefined) return { faults: [fault(`${at}/state`, 'missing', `give one of ${STATES.join(', ')}`)] };
  if (typeof state !== 'string' || !STATES.includes(state)) {
    return { faults: [fault(`${at}/state`, 'not a known state', `use one of ${STATES.join(', ')}`)] };
  }
  const faults = branchFor(state, given, kind)(given, at);
  if (faults.length > 0) return { faults };
  const measure = given as Measure;
  const doubts = faultsInMeasure(measure, at, kind);
  if (doubts.length > 0) return { faults: doubts };
  if (measure.state !== 'derived') return { value: measure };
  return { value: { ...measure, inputRevisionIds: [...measure.inputRevisionIds].sort(compareText) } };
}

function branchFor(state: string, given: object, kind: BundleValueKind) {
  if (state === 'recorded') return 'date' in given || (kind === 'date' && !('amount' in given)) ? date : amount;
  if (state === 'zero') return amount;
  if (state === 'derived') return derived;
  return state === 'unresolved' ? unresolved : bare;
}

function faultsInMeasure(measure: Measure, at: string, kind: BundleValueKind): BundleFault[] {
  if ('date' in measure) {
    if (kind !== 'date') return [fault(`${at}/date`, 'a date instead of an amount', 'give an amount with its unit')];
    return isDateOf(measure)
      ? []
      : [fault(`${at}/date`, 'not a calendar date', 'write YYYY-MM-DD, or YYYY-MM or YYYY as the precision says')];
  }
  if (!('amount' in measure)) return [];
  if (kind === 'date') return [fault(`${at}/amount`, 'an amount instead of a date', 'give date and precision')];
  if (measure.state === 'zero' && canonicalDecimal(measure.amount) !== '0') {
    return [fault(`${at}/state`, 'state zero with another amount', 'write recorded, or the amount 0')];
  }
  return [];
}

/** A date must be at least as precise as stated: a month may also be written as one of its days. */
function isDateOf({ date, precision }: DateMeasure): boolean {
  if (isCalendarDate(date)) return true;
  if (precision === 'month') return isCalendarMonth(date);
  return precision === 'year' && (/^\d{4}$/.test(date) || isCalendarMonth(date));
}

interface ShapeError {
  keyword: string;
  instancePath: string;
  message: string;
  params: object;
}

/** Checks values against a schema; faults do not repeat the value. */
export function shapeChecker(schema: TSchema): (value: unknown, at?: string) => BundleFault[] {
  const compiled = Compile(schema);
  return (value, at = '') => (compiled.Check(value) ? [] : toFaults(compiled.Errors(value) as ShapeError[], at));
}

function toFaults(errors: readonly ShapeError[], at: string): BundleFault[] {
  const faults = new Map<string, BundleFault>();
  for (const error of errors) {
    for (const found of faultsOf(error, at)) if (!faults.has(found.path)) faults.set(found.path, found);
  }
  return [...faults.values()];
}

function faultsOf({ keyword, instancePath, message, params }: ShapeError, at: string): BundleFault[] {
  const path = at + instancePath;
  const given = params as Record<string, unknown>;
  switch (keyword) {
    // Reported by additionalProperties and by the branches of the union.
    case 'boolean':
    case 'anyOf':
      return [];
    case 'additionalProperties':
      return (given.additionalProperties as string[]).map((key) =>
        fault(path + pointerStep(key), 'unknown key', 'remove it; only documented keys are allowed'),
      );
    case 'required':
      return (given.requiredProperties as string[]).map((key) =>
        fault(path + pointerStep(key), 'missing', 'add it; write null for no value'),
      );
    case 'type':
      // The other branch of a nullable reports the expected type.
      if (given.type === 'null') return [];
      return [fault(path, message, 'use the documented type; amounts are strings, counts are whole numbers')];
    case 'enum':
      return [fault(path, 'not one of the known values', `use one of ${listed(given)}`)];
    case 'pattern':
      return [fault(path, 'not in the documented form', `must match ${printable(String(given.pattern), 120)}`)];
    case 'minItems':
      return [fault(path, 'empty', 'give at least one entry')];
    case 'uniqueItems':
      return [fault(path, 'contains an entry twice', 'list each once')];
    case 'minLength':
      return [fault(path, 'empty', 'give a text')];
    default:
      return [fault(path, message, 'see the bundle format')];
  }
}

function listed(params: Record<string, unknown>): string {
  return Array.isArray(params.allowedValues) ? params.allowedValues.join(', ') : 'the documented ones';
}
