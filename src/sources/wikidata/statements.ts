import { isObject, type Json, own } from '../../files/read-json.ts';
import { P } from './properties.ts';
import { endOf } from './values.ts';

interface ItemStatement {
  /** The value of the main snak, whatever it may be. */
  value: unknown;
  preferred: boolean;
  /** P518: it says something of a part. */
  ofPart: boolean;
}

/** More statements of one property than any building has are not read. */
const MAX_STATEMENTS = 1_000;

/** What an item says by a property now: neither deprecated nor ended before the moment given, in its order. */
export function currentStatements(entity: Json, property: string, now: string): ItemStatement[] {
  return readStatements(entity, property, now).filter(isKnown);
}

/** Of these, the preferred ones where there are any; one that says "none" or "unknown" stands for no value. */
export function bestStatements(entity: Json, property: string, now: string): ItemStatement[] {
  const all = readStatements(entity, property, now);
  const preferred = all.filter((statement) => statement.preferred);
  return (preferred.length > 0 ? preferred : all).filter(isKnown);
}

const isKnown = (statement: ItemStatement) => statement.value !== undefined;

function readStatements(entity: Json, property: string, now: string): ItemStatement[] {
  const claims = own(own(entity, 'claims'), property);
  if (!Array.isArray(claims)) return [];
  const statements: ItemStatement[] = [];
  for (const claim of claims.slice(0, MAX_STATEMENTS)) {
    const rank = own(claim, 'rank');
    const snak = own(claim, 'mainsnak');
    if ((rank !== 'preferred' && rank !== 'normal') || !isObject(snak)) continue;
    const qualifiers = own(claim, 'qualifiers');
    if (hasEnded(own(qualifiers, P.endTime), now)) continue;
    const ofPart = Array.isArray(own(qualifiers, P.appliesToPart));
    statements.push({ value: snakValue(snak), preferred: rank === 'preferred', ofPart });
  }
  return statements;
}

function snakValue(snak: unknown): unknown {
  return own(snak, 'snaktype') === 'value' ? own(own(snak, 'datavalue'), 'value') : undefined;
}

/** It has ended at an unknown time, or at one that began before now. */
function hasEnded(ends: unknown, now: string): boolean {
  if (!Array.isArray(ends)) return false;
  return ends.some((snak) => {
    if (own(snak, 'snaktype') === 'somevalue') return true;
    const end = endOf(snakValue(snak));
    return end !== undefined && end < now;
  });
}
