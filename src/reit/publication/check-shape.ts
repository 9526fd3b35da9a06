import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { printable } from '../../vocabulary/text.ts';
import { type BundleFault, fault, step } from './fault.ts';

interface ShapeError {
  keyword: string;
  instancePath: string;
  message: string;
  params: object;
}

/** Checks values against a schema; what is wrong is told without the value. */
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
    // Told by additionalProperties and by the branches of the union.
    case 'boolean':
    case 'anyOf':
      return [];
    case 'additionalProperties':
      return (given.additionalProperties as string[]).map((key) =>
        fault(path + step(key), 'unknown key', 'remove it: the format has no other keys than the documented ones'),
      );
    case 'required':
      return (given.requiredProperties as string[]).map((key) =>
        fault(path + step(key), 'missing', 'add it: null is written, not left out'),
      );
    case 'type':
      // A nullable that is neither: its other branch says what it must be.
      if (given.type === 'null') return [];
      return [fault(path, message, 'write it as the documented type; amounts are strings, counts are whole numbers')];
    case 'enum':
      return [fault(path, 'not one of the known values', `use one of ${listed(given)}`)];
    case 'pattern':
      return [fault(path, 'not of the documented form', `write it to match ${printable(String(given.pattern), 120)}`)];
    case 'minItems':
      return [fault(path, 'empty', 'give at least one entry')];
    case 'uniqueItems':
      return [fault(path, 'has an entry twice', 'name each once')];
    case 'minLength':
      return [fault(path, 'empty', 'give a text')];
    default:
      return [fault(path, message, 'see the bundle format')];
  }
}

function listed(params: Record<string, unknown>): string {
  return Array.isArray(params.allowedValues) ? params.allowedValues.join(', ') : 'the documented ones';
}
