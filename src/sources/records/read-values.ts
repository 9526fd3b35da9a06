import type { Json } from '../../files/read-json.ts';
import { type AssetKey, parseAssetId } from '../../vocabulary/asset-id.ts';
import { FailureError } from '../../vocabulary/failure.ts';
import { faultInText } from '../../vocabulary/fields.ts';
import { type Geometry, parseGeometry } from '../../vocabulary/geometry.ts';
import { hiddenIn, printable, withoutHidden } from '../../vocabulary/text.ts';

/** Why a line is invalid. The readers throw it, and `parseRecordLine` returns it as a value. */
export class InvalidLine extends FailureError {
  constructor(reason: string) {
    super({ kind: 'invalidLine', reason });
  }
}

export const MAX_ID_LENGTH = 500;

export function refuseUnknownKeys(object: Json, known: ReadonlySet<string>, at: string): void {
  for (const key in object) if (!known.has(key)) throw new InvalidLine(`unknown key ${at}${printable(key, 60)}`);
}

export function readText(value: unknown, at: string, maxLength: number): string {
  if (value === undefined) throw new InvalidLine(`${at} is missing`);
  if (typeof value !== 'string') throw new InvalidLine(`${at} must be a string`);
  const fault = faultInText(value, maxLength);
  if (fault !== undefined) throw new InvalidLine(`${at} ${fault}`);
  return value;
}

/** An ID is stored unchanged, so hidden characters are rejected instead of removed. */
export function readId(value: unknown, at: string): string {
  const id = readText(value, at, MAX_ID_LENGTH);
  const hidden = hiddenIn(id) ?? (id === withoutHidden(id) ? undefined : 'a line break or tab');
  if (hidden !== undefined) throw new InvalidLine(`${at} contains ${hidden}`);
  return id;
}

export function readOptionalText(value: unknown, at: string): string | null {
  return value == null ? null : readText(value, at, 20_000);
}

export function readAssetKey(value: unknown, at: string): AssetKey {
  const key = typeof value === 'string' ? parseAssetId(value) : undefined;
  if (key === undefined) throw new InvalidLine(`${at} must be an asset ID, ASSET-JP-NN-NNNNNNNN`);
  return key;
}

export function readGeometry(value: unknown, at: string): Geometry {
  const parsed = parseGeometry(value);
  if (!parsed.ok) throw new InvalidLine(`${at} ${parsed.failure}`);
  return parsed.value;
}
