import { type AssetKey, parseAssetId } from '../../vocabulary/asset-id.ts';
import { faultInText } from '../../vocabulary/fields.ts';
import { type Geometry, parseGeometry } from '../../vocabulary/geometry.ts';
import { hiddenIn, printable, withoutHidden } from '../../vocabulary/text.ts';

/** Why a line is no entry. Thrown by the readers, caught at the foot of parseRecordLine and nowhere else. */
export class Fault extends Error {}

export type Json = Record<string, unknown>;

export const MAX_ID_LENGTH = 500;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function refuseUnknownKeys(object: Json, known: ReadonlySet<string>, at: string): void {
  for (const key in object) if (!known.has(key)) throw new Fault(`unknown key ${at}${printable(key, 60)}`);
}

export function readText(value: unknown, at: string, maxLength: number): string {
  if (value === undefined) throw new Fault(`${at} is missing`);
  if (typeof value !== 'string') throw new Fault(`${at} must be a string`);
  const fault = faultInText(value, maxLength);
  if (fault !== undefined) throw new Fault(`${at} ${fault}`);
  return value;
}

/** What a thing is known by is never changed, so that nothing in it may be hidden. */
export function readId(value: unknown, at: string): string {
  const id = readText(value, at, MAX_ID_LENGTH);
  const hidden = hiddenIn(id) ?? (id === withoutHidden(id) ? undefined : 'a line break or tab');
  if (hidden !== undefined) throw new Fault(`${at} contains ${hidden}`);
  return id;
}

export function readOptionalText(value: unknown, at: string): string | null {
  return value == null ? null : readText(value, at, 20_000);
}

export function readAssetId(value: unknown, at: string): AssetKey {
  const key = typeof value === 'string' ? parseAssetId(value) : undefined;
  if (key === undefined) throw new Fault(`${at} must be an asset ID, ASSET-JP-NN-NNNNNNNN`);
  return key;
}

export function readGeometry(value: unknown, at: string): Geometry {
  const parsed = parseGeometry(value);
  if (!parsed.ok) throw new Fault(`${at} ${parsed.failure}`);
  return parsed.value;
}
